package import NetworkingKit
import TestKit
import WireKit

/// A live socket that drops one event in five, and repeats one in five after the next. After a loss, pings fail.
package final class LossySocket: SocketConnection {
    private let socket: any SocketConnection
    private struct State {
        var numbers = SeededGenerator(seed: .random(in: 0 ... .max))
        var late: SocketMessage?
        var ready: SocketMessage?
        var hasLost = false
    }
    private let state = Locked(State())

    package init(_ socket: any SocketConnection) { self.socket = socket }

    package func receive() async throws -> SocketMessage? {
        if let ready = state.withLock({ $0.ready.take() }) { return ready }
        while let message = try await socket.receive() {
            guard case .text(let text) = message, text.contains("\"seq\""), !text.contains("hello") else { return message }
            let isLost = state.withLock { state in
                state.ready = state.late.take()
                switch Int.random(in: 0..<5, using: &state.numbers) {
                case 0: state.hasLost = true
                case 1:
                    state.late = message
                    return false
                default: return false
                }
                return true
            }
            if !isLost { return message }
        }
        return nil
    }

    package func send(_ message: SocketMessage) async throws { try await socket.send(message) }
    package func ping() async throws {
        if state.withLock({ $0.hasLost }) { throw TransportError(.ended, "something was lost") }
        try await socket.ping()
    }
    package func close(_ end: SocketEnd) { socket.close(end) }
    package var end: SocketEnd? { socket.end }
}
