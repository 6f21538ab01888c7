package import HTTPTypes
package import Hummingbird
import WireKit

/// A route's acceptance of a WebSocket upgrade.
package struct WebSocketUpgrade: Sendable {
    /// The interval between pings, and the time after which an unanswered ping closes the connection.
    package struct Heartbeat: Sendable {
        package var interval: Duration
        package var pingTimeout: Duration

        package init(interval: Duration = .seconds(30), pingTimeout: Duration = .seconds(10)) {
            self.interval = interval
            self.pingTimeout = pingTimeout
        }
    }

    /// The subprotocol chosen among those that the client offered (RFC 6455, section 1.9); nil for none.
    package var subprotocol: String?
    /// Maximum size of a message, joined from its fragments, in bytes. A larger one closes the connection with 1009.
    package var maximumMessageSize: Int
    package var heartbeat: Heartbeat
    package var session: any WebSocketSession

    /// Accepts with a session of callbacks, for sockets that are idle most of the time.
    package init(
        subprotocol: String? = nil, maximumMessageSize: Int = 65_536, heartbeat: Heartbeat = Heartbeat(),
        session: any WebSocketSession
    ) {
        self.subprotocol = subprotocol
        self.maximumMessageSize = maximumMessageSize
        self.heartbeat = heartbeat
        self.session = session
    }

    /// Accepts with a handler in a task of its own, which keeps some KiB of memory while it waits.
    ///
    /// - Parameter handler: Runs until it returns, throws or is cancelled. The connection is then closed: with 1000 after a return, with
    ///   1011 after an error, otherwise with the reason for the cancellation.
    package init(
        subprotocol: String? = nil, maximumMessageSize: Int = 65_536, heartbeat: Heartbeat = Heartbeat(),
        handler: @escaping @Sendable (WebSocketConnection) async throws -> Void
    ) {
        self.init(
            subprotocol: subprotocol, maximumMessageSize: maximumMessageSize, heartbeat: heartbeat,
            session: HandlerSession(handler: handler))
    }
}

/// A slot in which a route leaves its acceptance for the connection that requested the upgrade.
final class WebSocketSlot: Sendable {
    private let box = Locked<WebSocketUpgrade?>(nil)

    var upgrade: WebSocketUpgrade? { box.withLock { $0 } }
    func accept(_ upgrade: WebSocketUpgrade) { box.withLock { $0 = upgrade } }
}

extension HTTPField.Name {
    package static let webSocketProtocol = Self("Sec-WebSocket-Protocol")!
    static let secWebSocketVersion = Self("Sec-WebSocket-Version")!
}

extension RouterMethods where Context == ServerContext {
    /// Adds a route that answers WebSocket upgrades, in the same router and with the same middleware as all others.
    ///
    /// - Parameter decide: Checks the request (token, parameters) and accepts it, or throws like any route. It runs before the upgrade; a
    ///   refusal is an ordinary HTTP reply. A request that is not an upgrade gets 426 if `decide` accepts it.
    package func webSocket(
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
