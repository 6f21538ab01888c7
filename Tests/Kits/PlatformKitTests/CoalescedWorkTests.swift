import PlatformKit
import TestKit
import Testing

@MainActor
@Suite struct CoalescedWorkTests {
    @Test func allWhoWantItWhileItIsUnderWayGetOneMoreTurn() async throws {
        let work = CoalescedWork()
        let (begun, ended) = (Counter(), Counter())
        let (gates, gate) = AsyncStream.makeStream(of: Void.self)
        let want = {
            work.want {
                begun.count += 1
                for await _ in gates { break }
                ended.count += 1
            }
        }
        want()
        try await eventually { await begun.count == 1 }
        for _ in 0..<3 { want() }
        gate.yield()
        try await eventually { await begun.count == 2 }
        gate.yield()
        try await eventually { await ended.count == 2 }
        // It is idle again: the next wish is a turn of its own, and the only one.
        want()
        gate.yield()
        try await eventually { await ended.count == 3 }
        #expect(begun.count == 3)
    }

    @MainActor private final class Counter { var count = 0 }
}
