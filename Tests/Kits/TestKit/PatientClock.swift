/// A clock on which limits of ten seconds or more take thirty times as long, for tests that are not about time: on a busy machine with all
/// tests at once a step may take that long. Shorter pauses take their time.
package struct PatientClock: Clock {
    package typealias Instant = ContinuousClock.Instant

    package init() {}

    package var now: Instant { .now }
    package var minimumResolution: Duration { ContinuousClock().minimumResolution }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let pause = deadline - now
        try await Task.sleep(for: pause < .seconds(10) ? pause : pause * 30, tolerance: tolerance)
    }
}
