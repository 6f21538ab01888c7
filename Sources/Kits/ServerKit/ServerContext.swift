package import Hummingbird
package import Logging

/// The context of a request.
package struct ServerContext: RequestContext {
    package typealias Source = ServerContextSource

    package var coreContext: CoreRequestContextStorage
    /// The client address that rate limits use: the peer's address without the port, or the first 64 bits of an IPv6 address.
    /// Behind a reverse proxy, the proxy's address; for a browser phone see ``ClientAddresses``.
    package let remoteNetwork: String
    /// True if the peer is this machine, or a proxy on it.
    package var isFromThisMachine: Bool { Self.isThisMachine(remoteNetwork) }

    /// The client address of calls within this process, unless the caller names another.
    package static let thisProcess = "in process"

    private static func isThisMachine(_ network: String) -> Bool {
        IPLiteral.isLoopback(network) || network == IPLiteral.network(of: "::1") || network.hasPrefix("::ffff:127.")
    }
    /// True for a call of a browser phone whose page is open on this machine, or behind a proxy on it. Pages of other sites cannot
    /// make such a call: it uses no connection.
    package var isFromPageOnThisMachine: Bool { phoneNetwork.map(Self.isThisMachine) ?? false }

    /// The network of the page of a browser phone; nil for other callers.
    private var phoneNetwork: String? {
        let phone = remoteNetwork.firstRange(of: " phone ") ?? remoteNetwork.firstRange(of: " browser phones")
        return phone.map { String(remoteNetwork[..<$0.lowerBound]) }
    }

    /// The network whose callers share one part of a service's capacity; all browser phones of a network share it together. Nil for
    /// callers that cannot be told apart: those of this process and of this machine, including proxies on it.
    package var sharingNetwork: String? {
        guard let network = phoneNetwork else {
            return isFromThisMachine || remoteNetwork == Self.thisProcess ? nil : remoteNetwork
        }
        // Behind a proxy on this machine, each browser phone has a part of its own.
        return Self.isThisMachine(network) ? remoteNetwork : network
    }
    /// The slot for the upgrade of a route that accepts a WebSocket; nil if the request is not an upgrade.
    let webSocket: WebSocketSlot?
    /// True when the request is a valid WebSocket handshake.
    package var isWebSocketHandshake: Bool { webSocket != nil }

    package init(source: Source) {
        coreContext = .init(source: source)
        remoteNetwork = source.remoteNetwork
        webSocket = source.webSocket
    }
}

/// The source of a ``ServerContext``.
package struct ServerContextSource: RequestContextSource {
    package let logger: Logger
    let remoteNetwork: String
    let webSocket: WebSocketSlot?

    /// Creates the source of a request without a connection, for tests.
    package init(logger: Logger, remoteNetwork: String = ServerContext.thisProcess) {
        self.init(logger: logger, remoteNetwork: remoteNetwork, webSocket: nil)
    }

    init(logger: Logger, remoteNetwork: String, webSocket: WebSocketSlot?) {
        self.logger = logger
        self.remoteNetwork = remoteNetwork
        self.webSocket = webSocket
    }
}
