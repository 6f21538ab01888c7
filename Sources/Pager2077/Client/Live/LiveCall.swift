import HTTPTypes
import NetworkingKit
import Pager2077Wire

extension PagerAPI {
    static let subprotocol = "pager2077.live.v1"
    /// The most bytes that one event takes.
    private static let largestEvent = 262_144

    /// - Throws: `TransportError`; `CancellationError`.
    func openLive(after cursor: Int64?, token: String) async throws -> any SocketConnection {
        let query = cursor.map { "?after=\($0)" } ?? ""
        let request = try HTTPRequest(
            .get, PagerEndpoints.livePath + query, below: server.address,
            headers: [.authorization: "Bearer \(token)", .secWebSocketProtocol: Self.subprotocol])
        let sockets = server.sockets
        return try await withTimeout(Self.timeout, clock: clock) {
            try await sockets.connect(request, maximumMessageSize: Self.largestEvent)
        }
    }
}

extension HTTPField.Name {
    static let secWebSocketProtocol = Self("Sec-WebSocket-Protocol")!
}
