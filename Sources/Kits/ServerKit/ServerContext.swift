public import Hummingbird
public import Logging

/// The context of a request.
public struct ServerContext: RequestContext {
    public typealias Source = ServerContextSource

    public var coreContext: CoreRequestContextStorage
    /// The client address that rate limits use: the peer's address without the port, of an IPv6 address the first 64 bits. Behind a reverse
    /// proxy it is the proxy's; for a browser phone see ``ClientAddresses``.
    public let remoteNetwork: String
    /// True if the peer is this machine, or a proxy on it.
    public var isFromThisMachine: Bool {
        IPLiteral.isLoopback(remoteNetwork) || remoteNetwork == IPLiteral.network(of: "::1")
            || remoteNetwork.hasPrefix("::ffff:127.")
    }
    /// Receives the upgrade of a route that accepts a WebSocket. Nil when the request is not an upgrade.
    let webSocket: WebSocketSlot?
    /// True when the request is a valid WebSocket handshake.
    public var isWebSocketHandshake: Bool { webSocket != nil }

    public init(source: Source) {
        coreContext = .init(source: source)
        remoteNetwork = source.remoteNetwork
        webSocket = source.webSocket
    }
}

/// The source of a ``ServerContext``.
public struct ServerContextSource: RequestContextSource {
    public let logger: Logger
    let remoteNetwork: String
    let webSocket: WebSocketSlot?

    /// The source for a request without a connection, for tests.
    package init(logger: Logger) {
        self.init(logger: logger, remoteNetwork: "in process", webSocket: nil)
    }

    init(logger: Logger, remoteNetwork: String, webSocket: WebSocketSlot?) {
        self.logger = logger
        self.remoteNetwork = remoteNetwork
        self.webSocket = webSocket
    }
}
