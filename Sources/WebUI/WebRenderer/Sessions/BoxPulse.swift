import WireKit

/// A detector of times in which the box did not run: its process was stopped, or the machine was overloaded. A frame that waited
/// meanwhile does not count as late.
final class BoxPulse: Sendable {
    /// The time between two beats.
    static let interval: Duration = .milliseconds(500)
    /// Minimum time without a beat that counts as a time in which the box did not run.
    private static let limit: Duration = .seconds(2)

    private struct State {
        var last: ContinuousClock.Instant?
        /// The latest time without beats; nil for none yet.
        var pause: Range<ContinuousClock.Instant>?
    }
    private let state = Locked(State())

    func beat(at now: ContinuousClock.Instant) {
        state.withLock { state in
            if let last = state.last, now < last { return }
            if let last = state.last, last.advanced(by: Self.limit) < now { state.pause = last..<now }
            state.last = now
        }
    }

    /// Returns the part of the time from `start` to `end` in which the box did not run.
    func pause(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> Duration {
        let (last, pause) = state.withLock { ($0.last, $0.pause) }
        var pauses = pause.map { [$0] } ?? []
        // The first beat after a pause may follow the first frame.
        if let last, last.advanced(by: Self.limit) < end { pauses.append(last..<end) }
        return pauses.reduce(.zero) { sum, pause in
            sum + max(.zero, max(start, pause.lowerBound).duration(to: min(end, pause.upperBound)))
        }
    }
}
