/// Wakes tasks that wait for a change. Rings before a task waits count as one. Unlike a stream, a bell survives the cancellation of a task
/// that waits for it.
package final class Bell: Sendable {
    private struct State {
        var isRung = false
        var isFinished = false
        var lastWaiter = 0
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state = Locked(State())

    package init() {}

    /// Wakes the waiting tasks, or the next one that waits.
    package func ring() {
        let waiters = state.withLock { state in
            state.isRung = state.waiters.isEmpty
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: true) }
    }

    /// Ends all waiting, after a ring that nobody has heard yet.
    package func finish() {
        let waiters = state.withLock { state in
            state.isFinished = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: false) }
    }

    /// Waits for a ring.
    ///
    /// - Returns: False when the task was cancelled, or the bell is finished.
    @discardableResult
    package func wait() async -> Bool {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if state.isRung {
                        state.isRung = false
                        return true
                    }
                    if state.isFinished { return false }
                    state.waiters[id] = continuation
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: false)
        }
    }
}

/// Suspends the task until it is cancelled.
package func waitForCancellation() async { await Bell().wait() }
