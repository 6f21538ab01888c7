import Logging
import ServerKit
import ServiceLifecycle
import TestKit
import Testing
import WireKit

@Suite struct PeriodicTests {
    private struct Broken: Error {}

    @Test func failedTurnDoesNotStopTheWorkButShutdownDoes() async throws {
        let clock = TestClock()
        let turns = Locked(0)
        let periodic = Periodic("counting", every: .seconds(60), clock: clock, logger: .quiet) {
            let turn = turns.withLock { turns in
                turns += 1
                return turns
            }
            if turn == 1 { throw Broken() }
        }
        let group = ServiceGroup(services: [periodic], logger: .quiet)
        let running = Task { try await group.run() }
        // `advance` waits for a sleeper, so the previous turn has ended.
        try await clock.advance(by: .seconds(59))
        #expect(turns.withLock { $0 } == 1)
        try await clock.advance(by: .seconds(1))
        try await eventually { turns.withLock { $0 } == 2 }
        await group.triggerGracefulShutdown()
        try await within { try await running.value }
    }
}
