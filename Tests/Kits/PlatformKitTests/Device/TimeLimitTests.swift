import PlatformKit
import TestKit
import Testing

@Suite @MainActor struct TimeLimitTests {
    @Test func resultIsThatOfTheWork() async {
        #expect(await result(within: .seconds(25), clock: TestClock(), late: 0) { 7 } == 7)
    }

    /// Work that ignores its cancellation delays nothing.
    @Test func workThatHangsIsNotWaitedFor() async throws {
        let clock = TestClock()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let answer = Task { await result(within: .seconds(25), clock: clock, late: 0) { await Self.wait(for: stream) } }
        try await clock.advance(by: .seconds(25))
        #expect(await answer.value == 0)
        continuation.finish()
    }

    /// Waits in a task that is not cancelled.
    private static func wait(for stream: AsyncStream<Void>) async -> Int {
        await Task { for await _ in stream {} }.value
        return 7
    }
}
