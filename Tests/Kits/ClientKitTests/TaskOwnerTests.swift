import TestKit
import Testing

@testable import ClientKit

@MainActor
@Suite struct TaskOwnerTests {
    @MainActor private final class Counter { var count = 0 }

    @Test func requestsDuringTheWorkShareOneRepetition() async throws {
        let owner = TaskOwner()
        let running = Task { await owner.run() }
        defer { running.cancel() }
        let (begun, ended) = (Counter(), Counter())
        let (gates, gate) = AsyncStream.makeStream(of: Void.self)
        let request = {
            owner.request("work") {
                begun.count += 1
                for await _ in gates { break }
                ended.count += 1
            }
        }
        try await eventually { await owner.start {} }
        request()
        try await eventually { await begun.count == 1 }
        for _ in 0..<3 { request() }
        gate.yield()
        try await eventually { await begun.count == 2 }
        gate.yield()
        try await eventually { await ended.count == 2 }
        try await eventually { await !owner.isRunning("work") }
        // The next request is a turn of its own.
        request()
        gate.yield()
        try await eventually { await ended.count == 3 }
        #expect(begun.count == 3)
    }

    @Test func theEndOfTheOwnerCancelsEverything() async throws {
        let owner = TaskOwner()
        let running = Task { await owner.run() }
        let (begun, ended) = (Counter(), Counter())
        try await eventually {
            await owner.start {
                begun.count += 1
                for await _ in AsyncStream<Never>.makeStream().stream {}
                ended.count += 1
            }
        }
        try await eventually { await begun.count == 1 }
        running.cancel()
        await running.value
        #expect(ended.count == 1)
        #expect(!owner.start {})
        owner.request("work") { begun.count += 1 }
        #expect(!owner.isRunning("work"))
    }

    @Test func sharedWorkRunsOnceAndEndsBeforeItsUsersReturn() async throws {
        let work = SharedWork()
        let (begun, ended) = (Counter(), Counter())
        let users = (0..<3).map { _ in
            Task {
                await work.run {
                    begun.count += 1
                    for await _ in AsyncStream<Never>.makeStream().stream {}
                    ended.count += 1
                }
            }
        }
        try await eventually { await begun.count == 1 }
        for user in users.dropLast() {
            user.cancel()
            await user.value
        }
        #expect(ended.count == 0)
        users[2].cancel()
        await users[2].value
        #expect(begun.count == 1 && ended.count == 1)
    }
}
