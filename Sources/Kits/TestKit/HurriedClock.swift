/// A clock by which short pauses take a tenth of the time: for those that are not what a test is about. Half a minute is no pause but a limit,
/// which a busy machine needs whole.
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
