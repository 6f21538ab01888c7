import Foundation
import HTTPTypes
import NetworkingKit
import SimBridgeWire
import WireKit

extension RelayAPI {
    /// Opens the line of a client and waits until the relay says that it is connected.
    ///
    /// - Parameter cursor: The number of the last event that is taken care of.
    /// - Throws: `TransportError`; `NetworkingKit.LineFailure` for good when the token is refused; `CancellationError`.
    func openLine(of device: Device.ID, after cursor: Int64?, token: String) async throws -> any SocketConnection {
        let request = try Self.lineRequest(service.address, device, after: cursor, token: token)
        let sockets = service.sockets
        return try await withTimeout(Self.timeout, clock: clock) {
            do {
                let socket = try await sockets.connect(request, maximumMessageSize: SimBridgeLine.maximumMessageSize)
                return try await RelayConnection.connected(socket)
            } catch let error as TransportError where [401, 403].contains(error.reply?.head.status.code) {
                // Final for this token (contract, section 3).
                throw NetworkingKit.LineFailure(.token, error.detail, isFinal: true)
            }
        }
    }

    static func lineRequest(_ address: URL, _ device: Device.ID, after cursor: Int64?, token: String) throws -> HTTPRequest {
        let after = cursor.map { "&after=\($0)" } ?? ""
        // Letters of a token stand for themselves (RFC 7519: base64url and dots); what else a relay may give must not end the query.
        let token = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~")))
        let path = "\(SimBridgeLine.path(.client, device))?token=\(token ?? "")&v=\(SimBridgeLine.version)\(after)"
        return try HTTPRequest(.get, path, below: address)
    }
}

/// A WebSocket of a relay, from `connected` on: only then a line is open (contract, section 4).
final class RelayConnection: SocketConnection {
    /// Of what may come before `connected`. Bytes.
    private static let mostBefore = SimBridgeLine.maximumMessageSize
    /// More than a relay replays.
    private static let mostMessagesBefore = 20_000
    private let socket: any SocketConnection
    /// What came before `connected`, the next one last.
    private let before: Locked<[SocketMessage]>

    private init(_ socket: any SocketConnection, before: [SocketMessage]) {
        self.socket = socket
        self.before = Locked(before.reversed())
    }

    /// Waits for `connected`. All that came until then is received afterwards, `connected` itself too: it tells the relay's time.
    static func connected(_ socket: any SocketConnection) async throws -> RelayConnection {
        var before: [SocketMessage] = []
        var bytes = 0
        while let message = try await socket.receive() {
            switch message {
            case .text(let text):
                if case .connected? = RelayMessage(text: text)?.content {
                    return RelayConnection(socket, before: before + [message])
                }
                bytes += text.utf8.count
            case .data(let data): bytes += data.count
            }
            guard bytes <= mostBefore, before.count < mostMessagesBefore else {
                throw TransportError(.tooLarge, "the relay sends much, but not that it is connected")
            }
            before.append(message)
        }
        throw Self.failure(socket.end) ?? TransportError(.ended, "closed before it was connected")
    }

    func receive() async throws -> SocketMessage? {
        if let message = before.withLock({ $0.popLast() }) { return message }
        if let message = try await socket.receive() { return message }
        if let failure = Self.failure(socket.end) { throw failure }
        return nil
    }

    /// The ends that are final for this token and device (contract, section 3). A reader that is too slow is closed with the same code, and
    /// comes back for the rest.
    private static func failure(_ end: SocketEnd?) -> NetworkingKit.LineFailure? {
        switch end {
        // Two sockets that fight for one device would go on for ever.
        case SocketEnd(1008, SimBridgeLine.replacedReason): .init(.service, SimBridgeLine.replacedReason, isFinal: true)
        case SocketEnd(1008, SimBridgeLine.removedReason): .init(.token, SimBridgeLine.removedReason, isFinal: true)
        case SocketEnd(1008, SimBridgeLine.tokenEndedReason): .init(.token, SimBridgeLine.tokenEndedReason, isFinal: true)
        default: nil
        }
    }

    func send(_ message: SocketMessage) async throws { try await socket.send(message) }
    func ping() async throws { try await socket.ping() }
    func close(_ end: SocketEnd) { socket.close(end) }
    var end: SocketEnd? { socket.end }
}
