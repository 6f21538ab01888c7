import Foundation
import HTTPTypes
package import NetworkingKit
package import SimBridgeWire
import WireKit

extension RelayAPI {
    /// Opens the WebSocket of a device's line. The line is open only from `connected` on (contract, section 4).
    ///
    /// - Parameter cursor: The sequence number of the last event or command that this device has applied.
    /// - Throws: `TransportError`; a final `LineFailure` when the token is refused; `CancellationError`.
    package func openLine(
        of kind: Device.Kind, _ device: Device.ID, after cursor: Int64?, token: String
    ) async throws -> RelayConnection {
        let request = try lineRequest(kind, device, after: cursor, token: token)
        let sockets = service.sockets
        do {
            return try await withTimeout(Self.timeout, clock: clock) {
                RelayConnection(try await sockets.connect(request, maximumMessageSize: SimBridgeLine.maximumMessageSize))
            }
        } catch let error as TransportError where [401, 403].contains(error.reply?.head.status.code) {
            // Final for this token (contract, section 3). Not every transport has the body of the reply.
            let isDeleted = error.reply.map { RelayError($0, to: "", hasToken: true).code == .accountDeleted } ?? false
            throw NetworkingKit.LineFailure(.token, isDeleted ? SimBridgeLine.deletedReason : error.detail, isFinal: true)
        }
    }

    private func lineRequest(
        _ kind: Device.Kind, _ device: Device.ID, after cursor: Int64?, token: String
    ) throws(TransportError) -> HTTPRequest {
        let after = cursor.map { "&after=\($0)" } ?? ""
        // Base64url and dots (RFC 7519) need no escaping. Other characters in the token of a foreign relay must not end the query.
        let token = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~")))
        let path = "\(SimBridgeLine.path(kind, device))?token=\(token ?? "")&v=\(SimBridgeLine.version)\(after)"
        return try HTTPRequest(.get, path, below: service.address)
    }
}

/// The WebSocket of a device's line. Knows the ends that are final for a device or its token (contract, section 3).
package final class RelayConnection: LineConnection {
    /// Maximum total size of the messages before `connected`, in bytes.
    private static let maximumSizeBeforeConnected = SimBridgeLine.maximumMessageSize
    /// Maximum count of messages before `connected`: more than a relay replays.
    private static let maximumCountBeforeConnected = 20_000
    private let socket: any SocketConnection
    /// The messages that ``waitUntilConnected()`` has read, the next one last.
    private let buffer = Locked<[RelayMessage]>([])

    package init(_ socket: any SocketConnection) { self.socket = socket }

    /// Waits for `connected`. ``receive()`` then returns the messages up to `connected`, which carries the relay's time.
    ///
    /// - Throws: `TransportError`; `LineFailure`; `CancellationError`.
    package func waitUntilConnected() async throws {
        var messages: [RelayMessage] = []
        var (size, count) = (0, 0)
        while let frame = try await socket.receive() {
            count += 1
            size += frame.size
            guard size <= Self.maximumSizeBeforeConnected, count <= Self.maximumCountBeforeConnected else {
                throw TransportError(.tooLarge, "the relay sends much before `connected`")
            }
            guard let message = RelayMessage(frame) else { continue }
            messages.append(message)
            if case .connected = message.content { return buffer.withLock { [messages] in $0 = messages.reversed() } }
        }
        throw failure ?? TransportError(.ended, "the relay has closed the line before `connected`")
    }

    package func receive() async throws -> RelayMessage? {
        if let message = buffer.withLock({ $0.popLast() }) { return message }
        while let frame = try await socket.receive() {
            if let message = RelayMessage(frame) { return message }
        }
        if let failure { throw failure }
        return nil
    }

    /// The final failure for which the relay closed the connection; nil for other ends, also if a slow reader got the same code.
    private var failure: NetworkingKit.LineFailure? {
        switch socket.end {
        // Two connections of one device would replace each other for ever.
        case SocketEnd(1008, SimBridgeLine.replacedReason): .init(.service, SimBridgeLine.replacedReason, isFinal: true)
        case SocketEnd(1008, SimBridgeLine.removedReason): .init(.token, SimBridgeLine.removedReason, isFinal: true)
        case SocketEnd(1008, SimBridgeLine.tokenEndedReason): .init(.token, SimBridgeLine.tokenEndedReason, isFinal: true)
        case SocketEnd(1008, SimBridgeLine.deletedReason): .init(.token, SimBridgeLine.deletedReason, isFinal: true)
        default: nil
        }
    }

    package func send(_ message: DeviceMessage) async throws { try await send(text: message.text) }
    /// Writes a message that is encoded already.
    package func send(text: String) async throws { try await socket.send(.text(text)) }
    package func ping() async throws { try await socket.ping() }
    package func close() { socket.close(.normal) }
    package func abort() { socket.close(.goingAway) }
    package var endDescription: String { socket.end?.description ?? "" }
}

extension RelayMessage {
    /// - Returns: nil for a frame that is no JSON object.
    fileprivate init?(_ frame: SocketMessage) {
        guard case .text(let text) = frame else { return nil }
        self.init(text: text)
    }
}

extension SocketMessage {
    fileprivate var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        }
    }
}
