import WireKit

/// The samples of a playback that are scheduled and not played yet.
///
/// ```
///   append: wait for room ─▶ didSchedule ─▶ (the loudspeaker) ─▶ didPlay
///   finish: wait for the end              stop: every wait fails, now and later
/// ```
package final class PlaybackProgress: Sendable {
    private struct State {
        var unplayed = 0
        var isStopped = false
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private struct Waiter {
        /// Maximum unplayed samples with which the waiter is resumed.
        var limit: Int
        var continuation: CheckedContinuation<Void, any Error>
    }

    private let capacity: Int
    private let state = Locked(State())

    /// - Parameter capacity: Count of unplayed samples at which further ones wait.
    package init(capacity: Int) { self.capacity = capacity }

    /// Waits until fewer samples than the capacity are unplayed.
    ///
    /// - Throws: ``PhoneError/absent`` when the playback was stopped; `CancellationError`.
    package func waitForRoom() async throws { try await wait(limit: capacity - 1) }

    /// Waits until every scheduled sample is played.
    ///
    /// - Throws: As ``waitForRoom()``.
    package func waitForEnd() async throws { try await wait(limit: 0) }

    /// The time to wait beyond the duration of the unplayed samples, for the delay of wireless headphones.
    private static let margin = Duration.seconds(3)

    /// Waits until every scheduled sample is played, but not much longer than the samples last: the system does not report samples
    /// that it drops, as when headphones are disconnected.
    ///
    /// - Throws: As ``waitForRoom()``; `PhoneError.failed` after that time.
    package func waitForEnd(clock: any Clock<Duration>) async throws {
        let unplayed = state.withLock { $0.unplayed }
        let limit = Duration.seconds(Double(unplayed) / Double(SpeechFormat.sampleRate)) + Self.margin
        let clock = clock
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.waitForEnd() }
            group.addTask {
                try await clock.sleep(for: limit)
                throw PhoneError.failed("the sound has not ended in its time")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    package func didSchedule(_ count: Int) { state.withLock { $0.unplayed += count } }

    package func didPlay(_ count: Int) {
        let ready = state.withLock { state in
            state.unplayed -= count
            let ready = state.waiters.filter { state.unplayed <= $0.value.limit }
            for id in ready.keys { state.waiters[id] = nil }
            return ready.values.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    package func stop() {
        let waiters = state.withLock { state in
            state.isStopped = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.continuation.resume(throwing: PhoneError.absent) }
    }

    package var isStopped: Bool { state.withLock(\.isStopped) }

    private func wait(limit: Int) async throws {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if state.isStopped { return .failure(PhoneError.absent) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.unplayed <= limit { return .success(()) }
                    state.waiters[id] = Waiter(limit: limit, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }
}
