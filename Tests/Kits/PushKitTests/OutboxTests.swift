import Foundation
import ServerKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import PushKit

/// Claims, their times, and the states of entries.
@Suite struct OutboxTests {
    let test: OutboxUnderTest

    init() throws {
        test = try OutboxUnderTest()
        test.directory.set([.test("phone")], of: "ada")
        test.directory.set([.test("phone")], of: "bob")
    }

    // MARK: Routes

    @Test func routesAreThoseOfTheMomentOfSending() async throws {
        test.directory.set([], of: "ada")
        try await test.enqueue("hello")
        test.directory.set([PushTarget(id: "phone", routes: [.test("new"), .test("old")])], of: "ada")
        let claim = try #require(try await test.claim())
        #expect(claim.routes.map(\.name) == ["new", "old"])
        #expect(claim.entry.state == .active)
    }

    @Test func recipientWithoutARouteIsUnreachable() async throws {
        test.directory.set([], of: "ada")
        try await test.enqueue("hello")
        #expect(try await test.claimed() == [])
        #expect(try await test.states() == [.unreachable: 1])
        #expect(test.directory.ended.map(\.state) == [.unreachable])
    }

    @Test func routesThatAreGoneBeforeARetryMakeItUnreachable() async throws {
        try await test.enqueue("hello")
        let claim = try #require(try await test.claim())
        try await test.outbox.complete(claim, .retry("busy", by: .ntfy, after: nil))
        test.directory.set([], of: "ada")
        test.clock.advance(by: .seconds(10))
        #expect(try await test.claimed() == [])
        #expect(try await test.states() == [.unreachable: 1])
    }

    @Test func eachDeviceGetsAnEntry() async throws {
        test.directory.set([.test("phone"), .test("tablet"), .test("browser")], of: "ada")
        try await test.enqueue("hello")
        let claims = try await test.outbox.claim(10).claims
        #expect(claims.map(\.entry.target) == ["phone", "tablet", "browser"])
        #expect(claims.map { $0.routes.map(\.name) } == [["phone"], ["tablet"], ["browser"]])
        #expect(Set(claims.map(\.entry.identifier)).count == 3)
        for claim in claims { try await test.outbox.complete(claim, .accepted(PushReceipt(route: claim.routes[0]))) }
        #expect(try await test.states() == [.completed: 3])
    }

    @Test func deadRouteIsForgottenWithTheResult() async throws {
        let (dead, live) = (PushRoute.test("activity"), PushRoute.test("alert"))
        test.directory.set([PushTarget(id: "phone", routes: [dead, live])], of: "ada")
        try await test.enqueue("hello")
        let claim = try #require(try await test.claim())
        let since = test.clock.now
        let state = try await test.outbox.complete(
            claim, .accepted(PushReceipt(route: live)), dead: [DeadRoute(route: dead, since: since)])
        #expect(state == .completed)
        #expect(test.directory.forgotten == [.init(route: dead, since: since)])
        try await test.enqueue("again")
        #expect(try await test.claim()?.routes == [live])
    }

    @Test func unreadableEntryFailsAlone() async throws {
        test.directory.setUnreadable("broken")
        try await test.enqueue("broken")
        try await test.enqueue("hello")
        #expect(try await test.claimed() == ["hello"])
        #expect(try await test.outbox.entries(.failed, limit: 10).map(\.reason) == [.unreadable])
    }

    // MARK: Time

    @Test func delayHoldsAnEntryBack() async throws {
        try await test.enqueue("hello", delay: .seconds(3))
        let found = try await test.outbox.claim(10)
        #expect(found.claims.isEmpty)
        #expect(found.next == test.clock.now + .seconds(3))
        test.clock.advance(by: .milliseconds(2999))
        #expect(try await test.claimed() == [])
        test.clock.advance(by: .milliseconds(1))
        #expect(try await test.claimed() == ["hello"])
    }

    @Test func acknowledgedEntryIsNeverSent() async throws {
        try await test.enqueue("one", cause: 1, delay: .seconds(3))
        try await test.enqueue("two", cause: 2, delay: .seconds(3))
        try await test.enqueue("three", cause: 3, delay: .seconds(3))
        try await test.withdraw(1...2)
        test.clock.advance(by: .seconds(3))
        #expect(try await test.claimed() == ["three"])
        #expect(try await test.states() == [.withdrawn: 2, .active: 1])
        #expect(test.directory.ended.map(\.content) == ["one", "two"])
    }

    @Test func withdrawalReachesItsRecipientOnly() async throws {
        try await test.enqueue("to ada", for: "ada", cause: 1)
        try await test.enqueue("to bob", for: "bob", cause: 1)
        try await test.withdraw(1...1, for: "ada")
        #expect(try await test.claimed() == ["to bob"])
    }

    @Test func entryExpires() async throws {
        try await test.enqueue("hello", lifetime: .seconds(60))
        test.clock.advance(by: .seconds(60))
        #expect(try await test.claimed() == [])
        #expect(try await test.states() == [.expired: 1])
    }

    // MARK: Attempts

    @Test func attemptsGoOnWithGrowingPausesUntilTheEntryExpires() async throws {
        try await test.enqueue("hello", lifetime: .seconds(3600))
        var pauses: [Int] = []
        while true {
            let claim = try #require(try await test.claim())
            if try await test.outbox.complete(claim, .retry("busy", by: .apns, after: nil)) == .expired { break }
            let waiting = try #require(try await test.outbox.entries(.waiting, limit: 1).first)
            let pause = Duration.milliseconds(waiting.dueAt.milliseconds - test.clock.now.milliseconds)
            test.clock.advance(by: pause - .milliseconds(1))
            #expect(try await test.claim() == nil)
            test.clock.advance(by: .milliseconds(1))
            pauses.append(Int(pause / .seconds(1)))
        }
        #expect(pauses.prefix(9) == [2, 4, 8, 16, 32, 64, 128, 256, 300])
        #expect(pauses.reduce(0, +) > 3300)
        let letter = try #require(try await test.outbox.entries(.expired, limit: 10).first)
        #expect((letter.reason, letter.route) == ("busy", .apns))
        #expect(test.directory.ended.map(\.state) == [.expired])
    }

    @Test func pausesHaveJitterAndFitTheLifetime() {
        let (limits, day) = (PushLimits(), Duration.seconds(86_400))
        #expect(limits.pause(after: 1, lifetime: day, random: 0) == .seconds(2))
        #expect(limits.pause(after: 2, lifetime: day, random: 0) == .seconds(4))
        #expect(limits.pause(after: 200, lifetime: day, random: 0) == .seconds(300))
        #expect(abs(limits.pause(after: 1, lifetime: day, random: 1) / .seconds(1) - 2.4) < 0.001)
        #expect(limits.pause(after: 9, lifetime: .seconds(60), random: 0) == .seconds(6), "a call rings soon after an outage")
        #expect(limits.pause(after: 9, lifetime: .seconds(1), random: 0) == .seconds(2))
    }

    @Test func callOvertakesATextThatIsTriedAgainLater() async throws {
        try await test.enqueue("text")
        let claim = try #require(try await test.claim())
        try await test.outbox.complete(claim, .retry("busy", by: .apns, after: .seconds(90)))
        try await test.enqueue("later text", lifetime: .seconds(2 * 86_400))
        try await test.enqueue("call", lifetime: .seconds(60))
        #expect(try await test.claimed() == ["call"])
        test.clock.advance(by: .seconds(90))
        #expect(try await test.claimed() == ["text"])
    }

    @Test func entryThatWasWithdrawnOrHasExpiredGoesToNoFurtherRoute() async throws {
        test.directory.set([PushTarget(id: "phone", routes: [.test("a"), .test("b")])], of: "ada")
        try await test.enqueue("call", cause: 1)
        let over = try #require(try await test.claim())
        try await test.withdraw(1...1)
        #expect(try await !test.outbox.proceed(over, to: .test("b"), forgetting: []))
        try await test.enqueue("late", lifetime: .seconds(10))
        let late = try #require(try await test.claim())
        test.clock.advance(by: .seconds(10))
        #expect(try await !test.outbox.proceed(late, to: .test("b"), forgetting: []))
        #expect(test.directory.ended.map(\.state) == [.withdrawn, .expired])
    }

    @Test func pauseOfThePushServiceCounts() async throws {
        try await test.enqueue("hello")
        let claim = try #require(try await test.claim())
        try await test.outbox.complete(claim, .retry("too many requests", by: .webPush, after: .seconds(90)))
        test.clock.advance(by: .seconds(89))
        #expect(try await test.claim() == nil)
        test.clock.advance(by: .seconds(1))
        #expect(try await test.claimed() == ["hello"])
    }

    @Test func pausePastTheExpiryEndsIt() async throws {
        try await test.enqueue("hello", lifetime: .seconds(60))
        let claim = try #require(try await test.claim())
        #expect(try await test.outbox.complete(claim, .retry("too many requests", by: .webPush, after: .seconds(90))) == .expired)
        #expect(test.directory.ended.map(\.reason) == ["too many requests"])
    }

    @Test func refusedEntryFailsAtOnce() async throws {
        try await test.enqueue("hello")
        let claim = try #require(try await test.claim())
        #expect(try await test.outbox.complete(claim, .failed(.payloadTooLarge, by: .apns)) == .failed)
        #expect(try await test.outbox.entries(.failed, limit: 10).map(\.reason) == [.payloadTooLarge])
    }

    // MARK: Leases

    @Test func leaseRunsOutAndALateResultChangesNothing() async throws {
        try await test.enqueue("hello")
        let lost = try #require(try await test.claim())
        test.clock.advance(by: .seconds(59))
        #expect(try await test.claim() == nil)
        test.clock.advance(by: .seconds(1))
        let again = try #require(try await test.claim())
        #expect(again.entry.identifier == lost.entry.identifier)
        #expect(again.entry.attempts == 0)
        #expect(try await test.outbox.complete(lost, .failed("late", by: .ntfy)) == nil)
        #expect(try await test.states() == [.active: 1])
        #expect(try await test.outbox.complete(again, .accepted(PushReceipt(route: again.routes[0]))) == .completed)
        #expect(try await test.outbox.complete(again, .accepted(PushReceipt(route: again.routes[0]))) == nil)
        #expect(test.directory.ended.map(\.state) == [.completed])
    }

    @Test func endOfALeaseIsTheNextTime() async throws {
        try await test.enqueue("hello")
        _ = try await test.claim()
        #expect(try await test.outbox.claim(1).next == test.clock.now + .seconds(60))
    }

    @Test func entryWithdrawnWhileItIsSentIsNotTriedAgain() async throws {
        try await test.enqueue("hello", cause: 1)
        let claim = try #require(try await test.claim())
        try await test.withdraw(1...1)
        #expect(try await test.outbox.complete(claim, .retry("busy", by: .ntfy, after: nil)) == .withdrawn)

        try await test.enqueue("killed", cause: 2)
        _ = try await test.claim()
        try await test.withdraw(2...2)
        test.clock.advance(by: .seconds(60))
        #expect(try await test.claim() == nil)
        #expect(try await test.states() == [.withdrawn: 2])
    }

    // MARK: Order

    @Test func alertsComeBeforeSilentEntries() async throws {
        try await test.enqueue("silent", for: "ada", urgency: .silent)
        try await test.enqueue("alert", for: "bob")
        #expect(try await test.claimed(1) == ["alert"])
        #expect(try await test.claimed(1) == ["silent"])
    }

    @Test func laterEntryWaitsForTheEarlierOne() async throws {
        try await test.enqueue("one")
        try await test.enqueue("two")
        try await test.enqueue("other", for: "bob")
        let claims = try await test.outbox.claim(10).claims
        #expect(claims.map(\.entry.text) == ["one", "other"])
        try await test.outbox.complete(claims[0], .retry("busy", by: .ntfy, after: nil))
        #expect(try await test.claimed() == [])
        test.clock.advance(by: .seconds(2))
        let again = try #require(try await test.claim())
        #expect(again.entry.text == "one")
        try await test.outbox.complete(again, .accepted(PushReceipt(route: again.routes[0])))
        #expect(try await test.claimed() == ["two"])
    }

    @Test func laterEntryWaitsThoughItIsDueEarlier() async throws {
        try await test.enqueue("one", cause: 1, delay: .seconds(3))
        try await test.enqueue("two", cause: 2)
        #expect(try await test.claimed() == [])
        try await test.withdraw(1...1)
        #expect(try await test.claimed() == ["two"])
    }

    @Test func slowDeviceHoldsUpNoOther() async throws {
        test.directory.set([.test("phone"), .test("tablet")], of: "ada")
        try await test.enqueue("one")
        try await test.enqueue("two")
        let first = try await test.outbox.claim(10).claims
        try await test.outbox.complete(first[0], .retry("busy", by: .ntfy, after: .seconds(600)))
        try await test.outbox.complete(first[1], .accepted(PushReceipt(route: first[1].routes[0])))
        let second = try await test.outbox.claim(10).claims
        #expect(second.map(\.entry.text) == ["two"])
        #expect(second.map(\.entry.target) == ["tablet"])
    }

    @Test func newerEntryOnATopicReplacesWaitingOnes() async throws {
        try await test.enqueue("online", urgency: .silent, topic: "status of bob")
        try await test.enqueue("other", urgency: .silent, topic: "status of cyd")
        try await test.enqueue("offline", urgency: .silent, topic: "status of bob")
        let other = try #require(try await test.claim())
        #expect(other.entry.text == "other")
        try await test.outbox.complete(other, .accepted(PushReceipt(route: other.routes[0])))
        #expect(try await test.claimed() == ["offline"])
        #expect(test.directory.ended.first == .init(recipient: "ada", content: "online", state: .withdrawn, reason: .replaced))
    }

    // MARK: Bounds

    @Test func silentAndOldEntriesFailFirstWhenTooManyWait() async throws {
        var limits = PushLimits()
        limits.waitingPerRecipient = 3
        let test = try OutboxUnderTest(limits: limits)
        test.directory.set([.test("phone")], of: "ada")
        try await test.enqueue("alert 1")
        try await test.enqueue("silent", urgency: .silent)
        for number in 2...4 { try await test.enqueue("alert \(number)") }
        #expect(try await test.outbox.entries(.waiting, limit: 10).map(\.text).sorted() == ["alert 2", "alert 3", "alert 4"])
        #expect(test.directory.ended.map(\.content) == ["silent", "alert 1"])
        #expect(test.directory.ended.allSatisfy { $0.reason == .tooManyWaiting })
    }

    // MARK: Pretended

    /// Whatever the limit of requests is: nothing is sent.
    @Test func entriesForALogEndWithTheirClaim() async throws {
        for number in 1...3 { try await test.enqueue("\(number)") }
        let found = try await test.outbox.claim(1, pretended: [.ntfy])
        #expect(found.claims == [])
        #expect(found.pretended.map(\.entry.text) == ["1", "2", "3"])
        #expect(found.pretended.map(\.route.name) == ["phone", "phone", "phone"])
        #expect(try await test.outbox.entries(.completed, limit: 10).map(\.reason) == [.pretended, .pretended, .pretended])
        #expect(test.directory.ended.map(\.receipt?.isPretended) == [true, true, true])
    }

    @Test func manyEntriesForALogEndInSeveralClaims() async throws {
        for number in 1...101 { try await test.enqueue("hello", for: "user \(number)") }
        for number in 1...101 { test.directory.set([.test("phone")], of: "user \(number)") }
        let first = try await test.outbox.claim(200, pretended: [.ntfy])
        #expect(first.pretended.count == 100)
        #expect(first.next == test.clock.now)
        #expect(try await test.outbox.claim(200, pretended: [.ntfy]).pretended.count == 1)
        #expect(try await test.states() == [.completed: 101])
    }

    // MARK: Waking the sender

    @Test(arguments: [(3, true), (5, false), (7, false)])
    func onlyAnEntryDueBeforeTheNextClaimWakesTheSender(seconds: Int, isWoken: Bool) async throws {
        try await test.enqueue("hello", delay: .seconds(5))
        #expect(await test.outbox.bell.wait())
        #expect(try await test.outbox.claim(10).next == test.clock.now + .seconds(5))
        try await test.enqueue("hello", for: "bob", delay: .seconds(seconds))
        #expect(await test.isBellRung() == isWoken)
    }

    /// The sender still waits, by a clock that nobody sets.
    @Test func afterTheClockWasSetAheadAnEntryWakesTheSender() async throws {
        try await test.enqueue("hello", delay: .seconds(5))
        #expect(await test.outbox.bell.wait())
        #expect(try await test.claimed() == [])
        test.clock.advance(by: .seconds(3600))
        try await test.enqueue("hello", for: "bob")
        #expect(await test.isBellRung())
    }

    @Test(arguments: [true, false]) func withdrawalWakesTheSenderForEntriesThatHaveWaited(hasOther: Bool) async throws {
        try await test.enqueue("first", cause: 1, delay: .seconds(5))
        if hasOther { try await test.enqueue("second", cause: 2) }
        #expect(await test.outbox.bell.wait())
        #expect(try await test.claimed() == [])
        try await test.withdraw(1...1)
        #expect(await test.isBellRung() == hasOther)
        #expect(try await test.claimed() == (hasOther ? ["second"] : []))
    }

    // MARK: Ends

    @Test func endedEntriesAreRemovedAfterAWeek() async throws {
        try await test.enqueue("hello")
        let claim = try #require(try await test.claim())
        try await test.outbox.complete(claim, .accepted(PushReceipt(route: claim.routes[0])))
        try await test.enqueue("waiting", lifetime: .seconds(30 * 86_400))
        test.clock.advance(by: .seconds(7 * 86_400))
        try await test.outbox.prune()
        #expect(try await test.states() == [.completed: 1, .waiting: 1])
        test.clock.advance(by: .milliseconds(1))
        try await test.outbox.prune()
        #expect(try await test.states() == [.waiting: 1])
    }

    @Test func entryOfAFailedTransactionDoesNotExist() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await test.database.write { [outbox = test.outbox] transaction in
                try outbox.enqueue(PushDraft(recipient: "ada", content: Data()), in: transaction)
                throw Failure()
            }
        }
        #expect(try await test.states() == [:])
    }

    @Test func endsAreCountedByReason() async throws {
        try await test.enqueue("one", lifetime: .seconds(1))
        try await test.enqueue("two", for: "bob")
        test.clock.advance(by: .seconds(1))
        let claim = try #require(try await test.claim())
        try await test.outbox.complete(claim, .failed(.payloadTooLarge, by: .apns))
        let lines = test.metrics.text().split(separator: "\n")
        #expect(lines.contains(#"push_entries_total{system="test",state="expired",reason=""} 1"#))
        #expect(lines.contains(#"push_entries_total{system="test",state="failed",reason="payload too large"} 1"#))
    }
}
