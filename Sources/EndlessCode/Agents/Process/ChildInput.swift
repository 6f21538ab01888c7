import Dispatch
import Foundation
import WireKit

/// The host's end of an agent's standard input. Writes are queued, so that an agent that does not read never blocks the host.
///
/// Uses a pair of sockets: unlike with a pipe, a write to an agent that has ended fails without a signal.
final class ChildInput: Sendable {
    /// Maximum length of the queue in bytes. Beyond it, the agent counts as not reading.
    static let maximumQueueLength = 16 * 1_048_576

    private struct State {
        var queued = 0
        var isClosed = false
    }

    /// The end that the agent inherits. The code that starts the agent closes it.
    let childEnd: CInt
    private let descriptor: CInt
    private let queue = DispatchQueue(label: "agent.input")
    private let state = Locked(State())

    init() throws(AgentError) {
        guard let ends = Sockets.pair() else { throw .startFailed(String(cString: strerror(errno))) }
        (childEnd, descriptor) = ends
    }

    deinit {
        let descriptor = descriptor
        queue.async { close(descriptor) }
    }

    /// True unless the queue exceeds ``maximumQueueLength``.
    var hasRoom: Bool { state.withLock { $0.queued <= Self.maximumQueueLength } }

    /// Queues a line, up to twice ``maximumQueueLength``, so that answers to the agent are accepted even without ``hasRoom``.
    ///
    /// - Throws: ``AgentError/notRunning`` after ``finish()``; ``AgentError/inputFull``.
    func write(_ line: String) throws(AgentError) {
        let bytes = Array((line + "\n").utf8)
        let refusal = state.withLock { state -> AgentError? in
            if state.isClosed { return .notRunning }
            if state.queued + bytes.count > 2 * Self.maximumQueueLength { return .inputFull }
            state.queued += bytes.count
            return nil
        }
        if let refusal { throw refusal }
        queue.async { [self] in
            send(bytes)
            state.withLock { $0.queued -= bytes.count }
        }
    }

    /// Closes the input after the queued lines.
    func finish() {
        state.withLock { $0.isClosed = true }
        queue.async { [descriptor] in shutdown(descriptor, CInt(SHUT_WR)) }
    }

    /// Closes the input and drops the queued lines.
    func abandon() {
        state.withLock { $0.isClosed = true }
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    private func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Sockets.sendFlags)
            }
            if count < 0, errno == EINTR { continue }
            // The agent has ended; its exit is reported elsewhere.
            guard count > 0 else { return }
            sent += count
        }
    }
}
