import TestKit
import Testing
import WireKit

/// Wakes and ends of waiting tasks.
@Suite struct BellTests {
    @Test func ringsBeforeAWaitCountAsOne() async throws {
        let bell = Bell()
        bell.ring()
        bell.ring()
        #expect(await bell.wait())
        let waiting = Task { await bell.wait() }
        bell.ring()
        #expect(await waiting.value)
    }

    @Test func allWaitingTasksAreWoken() async throws {
        let (bell, woken) = (Bell(), Locked(0))
        let waiting = (0..<3).map { _ in
            Task { if await bell.wait() { woken.withLock { $0 += 1 } } }
        }
        try await eventually {
            bell.ring()
            return woken.withLock { $0 } == 3
        }
        for task in waiting { await task.value }
    }

    /// The task of a cancelled wait does not take the next ring with it.
    @Test func cancellationEndsOneWait() async throws {
        let bell = Bell()
        let cancelled = Task { await bell.wait() }
        cancelled.cancel()
        #expect(await !cancelled.value)
        bell.ring()
        #expect(await bell.wait())
    }

    @Test func finishedBellEndsAllWaitsAfterItsLastRing() async throws {
        let bell = Bell()
        bell.ring()
        bell.finish()
        #expect(await bell.wait())
        #expect(await !bell.wait())
    }

    @Test func waitingForCancellationEndsWithIt() async throws {
        let task = Task { await waitForCancellation() }
        task.cancel()
        await task.value
    }
}
