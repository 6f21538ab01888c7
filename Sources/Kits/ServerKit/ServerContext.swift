public import Hummingbird
public import Logging

/// What a route knows about its request beside the request itself.
public struct ServerContext: RequestContext {
    public typealias Source = ServerContextSource

    public var coreContext: CoreRequestContextStorage
    /// The client address that rate limits use: that of the peer's end of the connection without the port, of an IPv6 address its first 64 bits.
    /// Behind a reverse proxy that is the proxy's; of a browser phone see ``ClientAddresses``.
    public let remoteNetwork: String
    /// Where a route that accepts a WebSocket leaves its acceptance. Nil when the request is no upgrade.
    let webSocket: WebSocketSlot?
    /// Whether the request asks to become a WebSocket, with a handshake that is one.
    public var isWebSocketHandshake: Bool { webSocket != nil }

    public init(source: Source) {
        coreContext = .init(source: source)
        remoteNetwork = source.remoteNetwork
        webSocket = source.webSocket
    }
}

/// What a ``ServerContext`` is made from.
public struct ServerContextSource: RequestContextSource {
    public let logger: Logger
    let remoteNetwork: String
    let webSocket: WebSocketSlot?

    /// A request that came over no connection, as tests make it.
    package init(logger: Logger) {
        self.init(logger: logger, remoteNetwork: "in process", webSocket: nil)
    }

    init(logger: Logger, remoteNetwork: String, webSocket: WebSocketSlot?) {
        self.logger = logger
        self.remoteNetwork = remoteNetwork
        self.webSocket = webSocket
    }
}
