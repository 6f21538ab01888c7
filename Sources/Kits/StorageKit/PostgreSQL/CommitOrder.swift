import WireKit

/// Runs what follows the commits of a process one after another, in the order in which the transactions took their tickets.
///
/// A transaction takes its ticket while it holds its locks, so that of two with a common subject the ticket of the first is lower.
final class CommitOrder: Sendable {
    private struct State {
        var next = 0
        var nextToRun = 0
        /// Nil for a transaction that was not committed.
        var ended: [Int: (@Sendable () -> Void)?] = [:]
        var isRunning = false
    }

    private let state = Locked(State())

    func ticket() -> Int {
        state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
    }

    /// - Parameter body: Runs after those of all lower tickets. Nil if the transaction was not committed.
    func end(_ ticket: Int, _ body: (@Sendable () -> Void)?) {
        state.withLock { $0.ended[ticket] = .some(body) }
        while let body = takeNext() { body() }
    }

    private func takeNext() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if state.isRunning { return nil }
            while let body = state.ended.removeValue(forKey: state.nextToRun) {
                state.nextToRun += 1
                guard let body else { continue }
                state.isRunning = true
                return {
                    body()
                    self.state.withLock { $0.isRunning = false }
                }
            }
            return nil
        }
    }
}
