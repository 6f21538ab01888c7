import EndlessCodeWire
import Foundation
import NetworkingKit
import WireKit

/// A socket of a server whose first frame, `sync`, has arrived.
final class ServerSocket: LineConnection {
    /// Maximum time for a server to open the socket and send `sync`.
    static let openTimeout = Duration.seconds(20)
    /// Maximum size of a frame of the server in bytes. A `sync` has many messages.
    static let frameLimit = 67_108_864

    private let socket: MessageSocket<ServerFrame, ClientFrame>
    /// The `sync` frame until it is read; then nil.
    private let first: Locked<ServerFrame?>

    private init(_ socket: MessageSocket<ServerFrame, ClientFrame>, first: ServerFrame) {
        (self.socket, self.first) = (socket, Locked(first))
    }

    /// - Throws: ``CodeProblem`` `notAServer` if something else answers; `TransportError`; `CancellationError`.
    static func open(
        _ service: RemoteService, _ query: SocketQuery, token: AccessToken, clock: any Clock<Duration>
    ) async throws -> ServerSocket {
        let items = query.items.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
        let request = try service.request(
            .get, EndlessCodeSocket.path + (items.isEmpty ? "" : "?\(items)"), token: token.text)
        let sockets = service.sockets
        return try await withTimeout(openTimeout, clock: clock) {
            let socket = MessageSocket<ServerFrame, ClientFrame>(
                try await sockets.connect(request, maximumMessageSize: frameLimit), decode: frame, encode: { $0.text })
            do {
                let first = try await socket.receive()
                if case .sync? = first, let first { return ServerSocket(socket, first: first) }
                if case .error(let error)? = first { throw CodeProblem.server(error.code, error.message) }
                guard first != nil else { throw TransportError(.ended, "closed by the server: \(socket.endDescription)") }
                throw CodeProblem.notAServer
            } catch {
                socket.close()
                throw error
            }
        }
    }

    func receive() async throws -> ServerFrame? {
        let first = self.first.withLock { first in
            defer { first = nil }
            return first
        }
        if let first { return first }
        return try await socket.receive()
    }
    func send(_ message: ClientFrame) async throws { try await socket.send(message) }
    func ping() async throws { try await socket.ping() }
    func close() { socket.close() }
    func abort() { socket.abort() }
    var endDescription: String { socket.endDescription }

    /// Decodes a frame. One that this version cannot read still advances the cursor, so that it is not replayed for ever.
    static func frame(_ text: String) -> ServerFrame? {
        do throws(FieldError) {
            return try ServerFrame(text: text)
        } catch {
            guard let place = try? EndlessCodeJSON.decode(Place.self, from: Data(text.utf8)) else { return nil }
            return .unknown(type: "", sessionId: place.sessionId, seq: place.seq)
        }
    }

    private struct Place: Decodable {
        var sessionId: Session.ID
        var seq: Int64
    }
}
