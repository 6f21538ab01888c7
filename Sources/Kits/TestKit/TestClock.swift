import NIOConcurrencyHelpers

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

    private let state = NIOLockedValueBox(State())

    package init() {}

    package var now: Instant { state.withLockedValue { $0.now } }
    package var minimumResolution: Duration { .nanoseconds(1) }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLockedValue { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isDue = state.withLockedValue { state in
                    if Task.isCancelled || deadline <= state.now { return true }
                    state.sleepers[id] = (deadline, continuation)
                    return false
                }
                if isDue { continuation.resume(with: Result { try Task.checkCancellation() }) }
            }
        } onCancel: {
            state.withLockedValue { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// True while a task sleeps by this clock.
    package var hasSleeper: Bool { state.withLockedValue { !$0.sleepers.isEmpty } }

    /// True when a task sleeps until exactly `duration` from now.
    package func hasSleeper(for duration: Duration) -> Bool {
        state.withLockedValue { state in state.sleepers.values.contains { $0.deadline.offset - state.now.offset == duration } }
    }

    /// True when a task sleeps for a time in the range, such as a delay with jitter.
    package func hasSleeper(between minimum: Duration, and maximum: Duration) -> Bool {
        state.withLockedValue { state in
            state.sleepers.values.contains { (minimum...maximum).contains($0.deadline.offset - state.now.offset) }
        }
    }

    /// Advances the clock as soon as a task sleeps by it.
    package func advance(by duration: Duration) async throws {
        try await eventually { [state] in state.withLockedValue { !$0.sleepers.isEmpty } }
        let woken = state.withLockedValue { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }
}
