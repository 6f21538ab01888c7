import WireKit

/// A clock that advances only when a test advances it.
package final class TestClock: Clock {
    package struct Instant: InstantProtocol {
        package var offset: Duration = .zero

        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct State {
        var now = Instant()
        var next = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let state = Locked(State())

    package init() {}

    package var now: Instant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .nanoseconds(1) }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isDue = state.withLock { state in
                    if Task.isCancelled || deadline <= state.now { return true }
                    state.sleepers[id] = (deadline, continuation)
                    return false
                }
                if isDue { continuation.resume(with: Result { try Task.checkCancellation() }) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// True while a task sleeps by this clock.
    package var hasSleeper: Bool { state.withLock { !$0.sleepers.isEmpty } }

    /// True when a task sleeps until exactly `duration` from now. Heartbeats, timeouts and pauses of the same length are not told apart: where
    /// several can exist, count them with ``sleeperCount(for:)``.
    package func hasSleeper(for duration: Duration) -> Bool { sleeperCount(for: duration) > 0 }

    /// The number of tasks that sleep until exactly `duration` from now.
    package func sleeperCount(for duration: Duration) -> Int {
        state.withLock { state in state.sleepers.values.count { $0.deadline.offset - state.now.offset == duration } }
    }

    /// True when a task sleeps for a time in the range, such as a delay with jitter.
    package func hasSleeper(between minimum: Duration, and maximum: Duration) -> Bool {
        state.withLock { state in
            state.sleepers.values.contains { (minimum...maximum).contains($0.deadline.offset - state.now.offset) }
        }
    }

    /// Advances the clock as soon as any task sleeps by it.
    package func advance(by duration: Duration) async throws {
        try await eventually { self.wake(after: duration) }
    }

    /// Advances the clock step by step until the condition holds. For tests to which it does not matter how far the clock gets.
    ///
    /// - Parameters:
    ///   - limit: The time for all steps.
    ///   - pause: The time that woken tasks have to run after each step. The condition ends it early.
    package func advance(
        by step: Duration, within limit: Duration = ampleTime, pause: Duration = .milliseconds(20),
        until isTrue: @escaping @Sendable () async throws -> Bool
    ) async throws {
        try await TestKit.within(limit) {
            while try await !isTrue() {
                // The condition may come true without a task that sleeps.
                self.wake(after: step)
                do { try await eventually(within: pause, isTrue) } catch is TimedOut {}
            }
        }
    }

    /// - Returns: False if no task sleeps; the clock has not moved then.
    @discardableResult
    private func wake(after duration: Duration) -> Bool {
        let woken = state.withLock { state -> [CheckedContinuation<Void, any Error>]? in
            guard !state.sleepers.isEmpty else { return nil }
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken ?? [] { continuation.resume() }
        return woken != nil
    }
}
