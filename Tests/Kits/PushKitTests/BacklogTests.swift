import Foundation
import StorageKit
import Testing
import WireKit

@testable import PushKit

/// More entries than one transaction looks at, and more devices than one.
@Suite struct BacklogTests {
    let test: OutboxUnderTest

    init() throws { test = try OutboxUnderTest() }

    private func enqueue(_ count: Int, lifetime: Duration = .seconds(86_400)) async throws {
        try await test.database.write { [outbox = test.outbox] transaction in
            for number in 0..<count {
                try outbox.enqueue(
                    PushDraft(recipient: "user \(number)", content: Data("\(number)".utf8), lifetime: lifetime), in: transaction)
            }
        }
    }

    /// Claims as ``PushDelivery`` does: again at once when the outbox says so.
    private func claimAll() async throws -> Int {
        var count = 0
        while true {
            let found = try await test.outbox.claim(10)
            count += found.claims.count
            if found.claims.isEmpty, found.next.map({ $0 > test.clock.now }) ?? true { return count }
        }
    }

    @Test func unreachableRecipientsAreAllLookedUp() async throws {
        try await enqueue(250)
        #expect(try await claimAll() == 0)
        #expect(try await test.states() == [.unreachable: 250])
    }

    @Test func expiredEntriesAreNeverSent() async throws {
        for number in 0..<250 { test.directory.set([.test("phone")], of: "user \(number)") }
        try await enqueue(250, lifetime: .seconds(60))
        // Looks up the devices of the first ones.
        let claim = try #require(try await test.claim())
        try await test.outbox.complete(claim, .accepted(PushReceipt(route: claim.routes[0])))
        test.clock.advance(by: .seconds(60))
        #expect(try await claimAll() == 0)
        #expect(try await test.states() == [.completed: 1, .expired: 249])
    }

    /// Ten devices of a recipient make one notification ten entries.
    @Test func waitingNotificationsAreCountedOnceForAllDevices() async throws {
        var limits = PushLimits()
        limits.waitingPerRecipient = 2
        let test = try OutboxUnderTest(limits: limits)
        test.directory.set([.test("phone"), .test("tablet"), .test("browser")], of: "ada")
        try await test.enqueue("one")
        try await test.enqueue("two")
        #expect(try await test.claim()?.entry.target == "phone")
        #expect(try await test.states() == [.active: 1, .waiting: 5])
        try await test.enqueue("three")
        #expect(try await test.outbox.entries(.failed, limit: 10).map(\.text) == ["one", "one"])
        #expect(try await test.states() == [.active: 1, .waiting: 4, .failed: 2])
    }

    @Test func entryIsFoundByItsIdentifier() async throws {
        test.directory.set([.test("phone"), .test("tablet")], of: "ada")
        try await test.enqueue("hello")
        for claim in try await test.outbox.claim(10).claims {
            let found = try #require(try await test.outbox.entry(claim.entry.identifier))
            #expect(found == claim.entry)
            #expect(try await test.database.read { try $0.pushes(origin: found.origin).count } == 2)
        }
        #expect(try await test.outbox.entry(Identifier("")) == nil)
    }
}
