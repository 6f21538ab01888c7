import WireKit

/// Wakes a task. Rings before a task waits count as one. Unlike a stream, a bell survives the cancellation of a task that waits for it.
final class Bell: Sendable {
    private struct State {
        var isRung = false
        var lastWaiter = 0
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state = Locked(State())

    /// Wakes the waiting tasks, or the next one that waits.
    func ring() {
        let waiters = state.withLock { state in
            state.isRung = state.waiters.isEmpty
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: true) }
    }

    /// Waits for a ring.
    ///
    /// - Returns: False when the task was cancelled.
    func wait() async -> Bool {
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
