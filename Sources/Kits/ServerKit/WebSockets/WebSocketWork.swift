import NIOConcurrencyHelpers

/// The tasks of one connection, none of which outlives it.
final class WebSocketWork: Sendable {
    private struct Values {
        var next = 0
        var running: [(number: Int, task: Task<Void, Never>)] = []
        var isOver = false
    }

    private let values = NIOLockedValueBox(Values())
    private let onFailure: @Sendable (any Error) -> Void

    /// - Parameter onFailure: Told what a task throws.
    init(onFailure: @escaping @Sendable (any Error) -> Void) { self.onFailure = onFailure }

    /// Runs `body` in a task of its own, unless the connection has ended.
    func start(_ body: @escaping @Sendable () async throws -> Void) {
        values.withLockedValue { values in
            guard !values.isOver else { return }
            values.next += 1
            let number = values.next
            // It waits for the lock before it leaves, and so for its entry.
            let task = Task {
                do { try await body() } catch { onFailure(error) }
                leave(number)
            }
            values.running.append((number, task))
        }
    }

    private func leave(_ number: Int) {
        values.withLockedValue { values in
            values.running.removeAll { $0.number == number }
            // An empty array would keep its storage.
            if values.running.isEmpty { values.running = [] }
        }
    }

    /// Cancels what runs and waits for it. Nothing starts any more.
    func end() async {
        let running = values.withLockedValue { values in
            values.isOver = true
            return values.running.map(\.task)
        }
        for task in running { task.cancel() }
        for task in running { await task.value }
    }
}
