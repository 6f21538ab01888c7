/// A signal that wakes tasks that wait for a change. Rings before a task waits count as one. Unlike a stream, a bell survives the
/// cancellation of a waiting task.
package final class Bell: Sendable {
    private struct State {
        var isRung = false
        var isFinished = false
        var lastWaiter = 0
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state = Locked(State())

    package init() {}

    /// Wakes all waiting tasks; if there are none, the next task that waits.
    package func ring() {
        let waiters = state.withLock { state in
            state.isRung = state.waiters.isEmpty
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: true) }
    }

    /// Finishes the bell: every wait returns false, after one more true if a ring is pending.
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
    /// - Returns: True after a ring; false if the task was cancelled or the bell is finished.
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
