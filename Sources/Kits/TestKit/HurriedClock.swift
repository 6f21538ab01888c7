/// A clock by which waiting takes a tenth of the time: for pauses that are not what a test is about.
package struct HurriedClock: Clock {
    package typealias Instant = ContinuousClock.Instant

    package init() {}

    package var now: Instant { .now }
    package var minimumResolution: Duration { ContinuousClock().minimumResolution }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await Task.sleep(for: (deadline - now) / 10, tolerance: tolerance)
    }
}
