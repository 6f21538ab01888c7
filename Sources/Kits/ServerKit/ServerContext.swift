public import Hummingbird
public import Logging

/// What a route knows about its request beside the request itself.
public struct ServerContext: RequestContext {
    public typealias Source = ServerContextSource

    public var coreContext: CoreRequestContextStorage
    /// The address of the peer's end of the connection, without the port. Behind a reverse proxy that is the proxy's.
    public let remoteAddress: String
    /// Where a route that accepts a WebSocket leaves its acceptance. Nil when the request is no upgrade.
    let webSocket: WebSocketSlot?

    public init(source: Source) {
        coreContext = .init(source: source)
        remoteAddress = source.remoteAddress
        webSocket = source.webSocket
    }
}

/// What a ``ServerContext`` is made from.
public struct ServerContextSource: RequestContextSource {
    public let logger: Logger
    let remoteAddress: String
    let webSocket: WebSocketSlot?

    /// A request that came over no connection, as tests make it.
    package init(logger: Logger) {
        self.init(logger: logger, remoteAddress: "in process", webSocket: nil)
    }

    init(logger: Logger, remoteAddress: String, webSocket: WebSocketSlot?) {
        self.logger = logger
        self.remoteAddress = remoteAddress
        self.webSocket = webSocket
    }
}
