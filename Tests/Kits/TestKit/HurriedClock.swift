/// A clock that runs short pauses ten times as fast, for tests that are not about time. Pauses of 20 seconds or more are time limits,
/// which a busy machine needs in full.
package struct HurriedClock: Clock {
    package typealias Instant = ContinuousClock.Instant

    package init() {}

    package var now: Instant { .now }
    package var minimumResolution: Duration { ContinuousClock().minimumResolution }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let pause = deadline - now
        try await Task.sleep(for: pause < .seconds(20) ? pause / 10 : pause, tolerance: tolerance)
    }
}
