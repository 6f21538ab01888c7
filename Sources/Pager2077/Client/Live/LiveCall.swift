import HTTPTypes
import NetworkingKit
import Pager2077Wire
import WireKit

extension PagerAPI {
    static let subprotocol = "pager2077.live.v1"
    /// The most bytes that one event takes.
    private static let largestEvent = 262_144

    /// - Throws: `TransportError`; `CancellationError`.
    func openLive(after cursor: Int64?, token: String) async throws -> any SocketConnection {
        let query = cursor.map { "?after=\($0)" } ?? ""
        let request = try service.request(
            .get, PagerEndpoints.livePath + query, token: token, headers: [.secWebSocketProtocol: Self.subprotocol])
        let sockets = service.sockets
        return try await withTimeout(Self.timeout, clock: clock) {
            try await sockets.connect(request, maximumMessageSize: Self.largestEvent)
        }
    }
}

extension HTTPField.Name {
    static let secWebSocketProtocol = Self("Sec-WebSocket-Protocol")!
}
