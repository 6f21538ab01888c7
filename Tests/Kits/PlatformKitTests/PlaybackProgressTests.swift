import PlatformKit
import TestKit
import Testing

@Suite struct PlaybackProgressTests {
    private let progress = PlaybackProgress(capacity: 100)

    @Test func roomAndEndAreWaitedFor() async throws {
        try await progress.waitForRoom()
        try await progress.waitForEnd()
        progress.didSchedule(100)
        let steps = Steps()
        async let room: Void = {
            try await progress.waitForRoom(); await steps.add("room")
        }()
        async let end: Void = {
            try await progress.waitForEnd(); await steps.add("end")
        }()
        progress.didPlay(1)
        try await room
        #expect(await steps.all == ["room"])
        progress.didPlay(99)
        try await end
        #expect(await steps.all == ["room", "end"])
    }

    /// The system reports nothing of samples that it drops.
    @Test func endIsWaitedForAsLongAsTheSamplesLast() async throws {
        let clock = TestClock()
        progress.didSchedule(2 * SpeechFormat.sampleRate)
        let end = Task { [progress] in try await progress.waitForEnd(clock: clock) }
        try await eventually { clock.hasSleeper(for: .seconds(5)) }
        try await clock.advance(by: .seconds(5))
        await #expect(throws: PhoneError.failed("the sound has not ended in its time")) { try await end.value }
        progress.didPlay(2 * SpeechFormat.sampleRate)
        try await progress.waitForEnd(clock: clock)
        progress.stop()
        await #expect(throws: PhoneError.absent) { try await progress.waitForEnd(clock: clock) }
    }

    @Test func stopFailsEveryWait() async throws {
        progress.didSchedule(100)
        let waits = [
            Task { [progress] in try await progress.waitForRoom() }, Task { [progress] in try await progress.waitForEnd() },
        ]
        progress.stop()
        for wait in waits { await #expect(throws: PhoneError.absent) { try await wait.value } }
        await #expect(throws: PhoneError.absent) { try await progress.waitForRoom() }
        #expect(progress.isStopped)
    }

    @Test func waitEndsWithItsTask() async throws {
        progress.didSchedule(100)
        let wait = Task { [progress] in try await progress.waitForEnd() }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        // A later sample that is played resumes nobody twice.
        progress.didPlay(100)
        try await progress.waitForEnd()
    }

    private actor Steps {
        var all: [String] = []
        func add(_ step: String) { all.append(step) }
    }
}
