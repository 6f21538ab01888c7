import WireKit

/// The tasks of one connection. None outlives it.
final class WebSocketWork: Sendable {
    private struct Values {
        var next = 0
        var running: [(number: Int, task: Task<Void, Never>)] = []
        var hasEnded = false
    }

    private let values = Locked(Values())
    private let onFailure: @Sendable (any Error) -> Void

    /// - Parameter onFailure: Receives an error that a task throws.
    init(onFailure: @escaping @Sendable (any Error) -> Void) { self.onFailure = onFailure }

    /// Runs `body` in a task of its own, unless the connection has ended.
    func start(_ body: @escaping @Sendable () async throws -> Void) {
        values.withLock { values in
            guard !values.hasEnded else { return }
            values.next += 1
            let number = values.next
            // The task takes the lock before it leaves, so its entry exists by then.
            let task = Task {
                do { try await body() } catch { onFailure(error) }
                leave(number)
            }
            values.running.append((number, task))
        }
    }

    private func leave(_ number: Int) {
        values.withLock { values in
            values.running.removeAll { $0.number == number }
            // An empty array would keep its storage.
            if values.running.isEmpty { values.running = [] }
        }
    }

    /// Cancels all tasks. Later calls of ``start(_:)`` do nothing.
    ///
    /// - Parameter finish: Called when all tasks have ended.
    func end(then finish: @escaping @Sendable () async -> Void) {
        let running = values.withLock { values in
            values.hasEnded = true
            return values.running.map(\.task)
        }
        for task in running { task.cancel() }
        // The connection ends on an event loop or in a `deinit`, which cannot wait.
        Task {
            for task in running { await task.value }
            await finish()
        }
    }
}
