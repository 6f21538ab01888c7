import Foundation
import HTTPTypes
package import NetworkingKit
package import Pager2077Wire
import WireKit

/// A live socket (`Docs/Protocols/Pager2077-Live.md`).
package typealias LiveConnection = MessageSocket<LiveServerMessage, LiveClientMessage>

extension PagerAPI {
    private static let subprotocol = "pager2077.live.v1"
    /// Maximum size of one event, in bytes.
    private static let maximumEventSize = 262_144

    /// - Throws: `TransportError`; `CancellationError`.
    func openLive(after cursor: Int64?, token: String) async throws -> LiveConnection {
        let query = cursor.map { "?after=\($0)" } ?? ""
        let request = try service.request(
            .get, PagerEndpoints.livePath + query, token: token, headers: [.secWebSocketProtocol: Self.subprotocol])
        let sockets = service.sockets
        let socket = try await withTimeout(Self.timeout, clock: clock) {
            try await sockets.connect(request, maximumMessageSize: Self.maximumEventSize)
        }
        return MessageSocket(
            socket, decode: { try? WireJSON.decode(LiveServerMessage.self, from: Data($0.utf8)) },
            encode: { String(decoding: try WireJSON.encode($0), as: UTF8.self) })
    }
}

extension HTTPField.Name {
    fileprivate static let secWebSocketProtocol = Self("Sec-WebSocket-Protocol")!
}
