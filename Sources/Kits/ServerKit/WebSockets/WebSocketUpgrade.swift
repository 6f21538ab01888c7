public import HTTPTypes
public import Hummingbird
import NIOConcurrencyHelpers

/// A route's consent to turn a request into a WebSocket.
public struct WebSocketUpgrade: Sendable {
    /// When to ask a silent peer for a sign of life, and how long to wait for it.
    public struct Heartbeat: Sendable {
        public var interval: Duration
        public var grace: Duration

        public init(interval: Duration = .seconds(30), grace: Duration = .seconds(10)) {
            self.interval = interval
            self.grace = grace
        }
    }

    /// The subprotocol that was chosen of those the client offered (RFC 6455, section 1.9).
    public var subprotocol: String?
    /// Largest message, joined from its fragments, in bytes. A larger one ends the connection with 1009.
    public var maximumMessageSize: Int
    public var heartbeat: Heartbeat
    /// Speaks with the peer.
    public var session: any WebSocketSession

    /// For sockets that are silent most of the time.
    public init(
        subprotocol: String? = nil, maximumMessageSize: Int = 65_536, heartbeat: Heartbeat = Heartbeat(),
        session: any WebSocketSession
    ) {
        self.subprotocol = subprotocol
        self.maximumMessageSize = maximumMessageSize
        self.heartbeat = heartbeat
        self.session = session
    }

    /// For sockets that may have a task of their own: what that needs it keeps, some KiB.
    ///
    /// - Parameter handler: Speaks with the peer until it returns, throws, or is cancelled. Then the connection is closed: normally after a
    ///   return, with 1011 after an error, with the reason for cancelling otherwise.
    public init(
        subprotocol: String? = nil, maximumMessageSize: Int = 65_536, heartbeat: Heartbeat = Heartbeat(),
        handler: @escaping @Sendable (WebSocketConnection) async throws -> Void
    ) {
        self.init(
            subprotocol: subprotocol, maximumMessageSize: maximumMessageSize, heartbeat: heartbeat,
            session: HandlerSession(handler: handler))
    }
}

/// Carries a route's consent back to the connection that asked.
final class WebSocketSlot: Sendable {
    private let box = NIOLockedValueBox<WebSocketUpgrade?>(nil)

    var upgrade: WebSocketUpgrade? { box.withLockedValue { $0 } }
    func accept(_ upgrade: WebSocketUpgrade) { box.withLockedValue { $0 = upgrade } }
}

extension HTTPField.Name {
    public static let webSocketProtocol = Self("Sec-WebSocket-Protocol")!
    static let secWebSocketVersion = Self("Sec-WebSocket-Version")!
}

extension RouterMethods where Context == ServerContext {
    /// Adds a route that answers WebSocket upgrades, in the same router and behind the same middleware as all others.
    ///
    /// - Parameter decide: Checks the request (token, parameters) and consents, or throws what any route throws. It runs before
    ///   anything is upgraded; a refusal is an ordinary HTTP reply. For a request that is no upgrade the reply is 426, once
    ///   `decide` has consented.
    public func webSocket(
        _ path: RouterPath, decide: @escaping @Sendable (Request, ServerContext) async throws -> WebSocketUpgrade
    ) {
        get(path) { request, context -> Response in
            let upgrade = try await decide(request, context)
            guard let slot = context.webSocket else {
                throw HTTPError(
                    .upgradeRequired, headers: [.upgrade: "websocket", .secWebSocketVersion: "13"],
                    message: "This path answers WebSocket upgrades of version 13 only")
            }
            slot.accept(upgrade)
            return Response(status: .switchingProtocols)
        }
    }
}
