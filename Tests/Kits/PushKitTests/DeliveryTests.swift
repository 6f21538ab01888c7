import Foundation
import Logging
import ServerKit
import ServiceLifecycle
import StorageKit
import TestKit
import Testing
import WireKit

@testable import PushKit

/// A push service in memory. Replies are given by the name of the route; others are accepted.
final class TestSender: PushSender {
    struct Sent: Equatable {
        var text: String
        var route: String
    }

    private struct State {
        var results: [String: [PushResult]] = [:]
        var sent: [Sent] = []
        var active = 0
        var mostActive = 0
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    let channel: PushChannel
    private let state = Locked(State())

    init(_ channel: PushChannel = .ntfy) { self.channel = channel }

    var sent: [Sent] { state.withLock { $0.sent } }
    var texts: [String] { sent.map(\.text) }
    var mostActive: Int { state.withLock { $0.mostActive } }
    var active: Int { state.withLock { $0.active } }

    /// - Parameter results: The results of the next requests by this route, in order.
    func set(_ results: [PushResult], for route: String) { state.withLock { $0.results[route] = results } }

    /// Lets requests wait until ``release()``.
    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let held = state.withLock { state in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for each in held { each.resume() }
    }

    func send(_ entry: PushEntry, by route: PushRoute) async -> PushResult {
        let result = state.withLock { state in
            state.sent.append(Sent(text: entry.text, route: route.name))
            state.active += 1
            state.mostActive = max(state.mostActive, state.active)
            guard let results = state.results[route.name], let first = results.first else {
                return PushResult.accepted(PushReceipt(route: route))
            }
            state.results[route.name] = Array(results.dropFirst())
            return first
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    if state.isHeld && !Task.isCancelled { state.held.append(continuation) }
                    return state.isHeld && !Task.isCancelled
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            release()
        }
        state.withLock { $0.active -= 1 }
        return Task.isCancelled ? .retry(.timedOut) : result
    }
}

/// The task that claims and sends.
@Suite struct DeliveryTests {
    let test: OutboxUnderTest
    let sender = TestSender()

    init() throws {
        var limits = PushLimits()
        limits.waitingPerRecipient = 1000
        test = try OutboxUnderTest(limits: limits)
        test.directory.set([.test("phone")], of: "ada")
    }

    /// Runs `body` while the outbox is sent, and then shuts down gracefully.
    private func deliver(
        _ other: OutboxUnderTest? = nil, clock: some Clock<Duration> = ContinuousClock(),
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let delivery = PushDelivery(of: (other ?? test).outbox, senders: [sender], logger: .quiet, clock: clock, random: { 0 })
        let group = ServiceGroup(services: [delivery], logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let result: Result<Void, any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try result.get()
        }
    }

    private func enqueueForMany(_ count: Int) async throws {
        for number in 0..<count { test.directory.set([.test("phone")], of: "user \(number)") }
        try await test.database.write { [outbox = test.outbox] transaction in
            for number in 0..<count {
                try outbox.enqueue(PushDraft(recipient: "user \(number)", content: Data("\(number)".utf8)), in: transaction)
            }
        }
    }

    /// The queue is empty again before the second is over in which its depth was recorded first.
    @Test func depthOfAnEmptyQueueIsRecorded() async throws {
        try await enqueueForMany(20)
        try await deliver {
            try await eventually { try await test.states() == [.completed: 20] }
            try await eventually {
                test.metrics.text().split(separator: "\n").contains(#"push_entries{system="test",state="active"} 0"#)
            }
        }
    }

    @Test func pretendedEntryIsMarked() async throws {
        sender.set([.accepted(PushReceipt(route: .test("phone"), isPretended: true))], for: "phone")
        try await deliver {
            try await test.enqueue("hello")
            try await eventually { try await test.states() == [.completed: 1] }
        }
        #expect(try await test.outbox.entries(.completed, limit: 1).map(\.reason) == [.pretended])
    }

    @Test func entriesAreSentAsTheyAreEnqueued() async throws {
        try await test.enqueue("before")
        try await deliver { [test, sender] in
            try await eventually { sender.texts == ["before"] }
            try await test.enqueue("while it runs")
            try await eventually { try await test.states() == [.completed: 2] }
        }
        #expect(sender.texts == ["before", "while it runs"])
    }

    @Test func entriesOfARecipientAreSentInOrder() async throws {
        for number in 0..<50 { try await test.enqueue("\(number)") }
        try await deliver { [test] in try await eventually { try await test.states() == [.completed: 50] } }
        #expect(sender.texts == (0..<50).map { "\($0)" })
        #expect(sender.mostActive == 1)
    }

    @Test func tenRequestsAreUnderWayAtMost() async throws {
        try await enqueueForMany(40)
        sender.hold()
        try await deliver { [test, sender] in
            try await eventually { sender.active == 10 }
            sender.release()
            try await eventually { try await test.states() == [.completed: 40] }
        }
        #expect(sender.mostActive == 10)
    }

    @Test func hundredRequestsBeginInASecond() async throws {
        let clock = TestClock()
        try await enqueueForMany(250)
        try await deliver(clock: clock) { [test, sender] in
            for count in [100, 200, 250] {
                try await eventually { try await test.states()[.completed] == count && sender.active == 0 }
                #expect(sender.sent.count == count)
                // The rights of the second are used up: nothing more is sent until the clock moves.
                if count < 250 {
                    try await eventually { clock.hasSleeper(for: .seconds(1)) }
                    #expect(sender.sent.count == count)
                    try await clock.advance(by: .seconds(1))
                }
            }
        }
    }

    @Test func deadRouteFallsBackToTheNextOne() async throws {
        test.directory.set([PushTarget(id: "phone", routes: [.test("activity"), .test("alert")])], of: "ada")
        sender.set([.dead("Unregistered")], for: "activity")
        try await test.enqueue("one")
        try await test.enqueue("two")
        try await deliver { [test] in try await eventually { try await test.states() == [.completed: 2] } }
        #expect(sender.sent.map(\.route) == ["activity", "alert", "alert"])
        #expect(test.directory.forgotten.map(\.route.name) == ["activity"])
        #expect(test.directory.ended.map(\.receipt?.route.name) == ["alert", "alert"])
    }

    @Test func routeThatMayHaveAcceptedIsNotLeftForAnother() async throws {
        test.directory.set([PushTarget(id: "phone", routes: [.test("activity"), .test("alert")])], of: "ada")
        sender.set([.retry(.timedOut)], for: "activity")
        try await test.enqueue("hello")
        try await deliver { [test, sender] in
            try await eventually {
                let states = try await test.states()
                return sender.sent.count == 1 && states == [.waiting: 1]
            }
            test.clock.advance(by: .seconds(2))
            try await test.enqueue("bell", for: "nobody")
            try await eventually { try await test.states() == [.completed: 1, .unreachable: 1] }
        }
        #expect(sender.sent.map(\.route) == ["activity", "activity"])
    }

    /// The operator renews a key, or a push service was wrong for a moment.
    @Test func refusedCredentialsAreTriedAgain() async throws {
        sender.set([.misconfigured("InvalidProviderToken"), .misconfigured("InvalidProviderToken")], for: "phone")
        try await test.enqueue("hello")
        try await deliver { [test, sender] in
            for (count, pause) in [(1, Duration.seconds(2)), (2, .seconds(4))] {
                try await eventually {
                    let waiting = try await test.outbox.entries(.waiting, limit: 1)
                    return sender.sent.count == count && waiting.first?.attempts == count
                }
                #expect(try await test.outbox.entries(.waiting, limit: 1).map(\.reason) == ["InvalidProviderToken"])
                test.clock.advance(by: pause)
                try await test.enqueue("bell", for: "nobody")
            }
            try await eventually { try await test.states()[.completed] == 1 }
        }
        #expect(sender.texts == ["hello", "hello", "hello"])
    }

    @Test func refusedCredentialsOfOneRouteCountIfNoOtherRouteAccepts() async throws {
        test.directory.set([PushTarget(id: "phone", routes: [.test("a"), .test("b")])], of: "ada")
        sender.set([.misconfigured("Forbidden")], for: "a")
        sender.set([.refused(.payloadTooLarge)], for: "b")
        try await test.enqueue("hello")
        try await deliver { [test] in
            try await eventually { try await test.outbox.entries(.waiting, limit: 1).map(\.reason) == ["Forbidden"] }
        }
        #expect(sender.sent.map(\.route) == ["a", "b"])
    }

    @Test func allRoutesDeadIsADeadLetter() async throws {
        sender.set([.dead("Unregistered")], for: "phone")
        try await test.enqueue("hello")
        try await deliver { [test] in try await eventually { try await test.states() == [.failed: 1] } }
        #expect(try await test.outbox.entries(.failed, limit: 1).map(\.reason) == ["Unregistered"])
        #expect(test.directory.forgotten.count == 1)
    }

    @Test func routeWithoutASenderIsNotConfigured() async throws {
        test.directory.set(
            [
                PushTarget(
                    id: "phone", routes: [.apns(APNSRoute(token: "aa", notification: .init(.alert, .background(custom: [:]))))])
            ],
            of: "ada")
        try await test.enqueue("hello")
        try await deliver { [test] in try await eventually { try await test.states() == [.failed: 1] } }
        #expect(try await test.outbox.entries(.failed, limit: 1).map(\.reason) == [.notConfigured])
    }

    @Test func silentPushServiceIsAnAttempt() async throws {
        let clock = TestClock()
        sender.hold()
        try await test.enqueue("hello")
        try await deliver(clock: clock) { [test, sender] in
            try await eventually { sender.active == 1 && clock.hasSleeper(for: .seconds(30)) }
            try await clock.advance(by: .seconds(30))
            try await eventually { try await test.states() == [.waiting: 1] }
        }
        let waiting = try await test.outbox.entries(.waiting, limit: 1)
        #expect(waiting.map(\.attempts) == [1])
        #expect(waiting.map(\.reason) == [.timedOut])
    }

    @Test func routesAreNotTriedBeyondTheLease() async throws {
        var limits = PushLimits()
        limits.lease = .seconds(45)
        let test = try OutboxUnderTest(limits: limits)
        test.directory.set([PushTarget(id: "phone", routes: [.test("a"), .test("b")])], of: "ada")
        sender.set([.dead("gone")], for: "a")
        sender.hold()
        try await test.enqueue("hello")
        let clock = TestClock()
        try await deliver(test, clock: clock) { [sender] in
            try await eventually { sender.active == 1 && clock.hasSleeper(for: .seconds(30)) }
            // A reply in the last moment: a request by the next route could take longer than the rest of the lease.
            try await clock.advance(by: .seconds(29))
            sender.release()
            try await eventually { try await test.states() == [.waiting: 1] }
        }
        #expect(sender.sent.map(\.route) == ["a"])
        #expect(test.directory.forgotten.map(\.route.name) == ["a"])
    }

    @Test func gracefulShutdownLetsRequestsEnd() async throws {
        sender.hold()
        try await test.enqueue("one")
        try await test.enqueue("two")
        let delivery = PushDelivery(of: test.outbox, senders: [sender], logger: .quiet)
        let group = ServiceGroup(services: [delivery], logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await eventually { [sender] in sender.active == 1 }
            await group.triggerGracefulShutdown()
            sender.release()
            try await tasks.waitForAll()
        }
        #expect(sender.texts == ["one"])
        #expect(try await test.states() == [.completed: 1, .waiting: 1])
    }

    @Test func deliveryRunsAgainAfterAShutdown() async throws {
        let delivery = PushDelivery(of: test.outbox, senders: [sender], logger: .quiet)
        for count in 1...2 {
            try await test.enqueue("\(count)")
            let group = ServiceGroup(services: [delivery], logger: .quiet)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                try await eventually { [test] in try await test.states() == [.completed: count] }
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
            }
        }
    }

    @Test(.onSQLite) func requestOfAKilledTaskIsMadeAgainAtTheNextStart() async throws {
        sender.hold()
        try await test.enqueue("hello")
        let delivery = PushDelivery(of: test.outbox, senders: [sender], logger: .quiet)
        let killed = Task { try await delivery.run() }
        try await eventually { [sender] in sender.active == 1 }
        killed.cancel()
        try await killed.value
        #expect(try await test.states() == [.active: 1])
        sender.release()
        try await deliver { [test] in try await eventually { try await test.states() == [.completed: 1] } }
        #expect(sender.texts == ["hello", "hello"])
        #expect(test.directory.ended.count == 1)
    }

    @Test func requestsAreCountedByResult() async throws {
        test.directory.set([PushTarget(id: "phone", routes: [.test("a"), .test("b"), .test("c")])], of: "ada")
        sender.set([.dead("gone")], for: "a")
        sender.set([.misconfigured("VAPID refused")], for: "b")
        try await test.enqueue("hello")
        try await deliver { [test] in try await eventually { try await test.states() == [.completed: 1] } }
        let lines = test.metrics.text().split(separator: "\n")
        for (result, reason) in [("dead", "gone"), ("misconfigured", "VAPID refused"), ("accepted", "")] {
            let line = #"push_requests_total{system="test",channel="ntfy",result="\#(result)",reason="\#(reason)"} 1"#
            #expect(lines.contains { $0 == line }, "\(line)")
        }
        #expect(lines.contains { $0.hasPrefix(#"push_entries{system="test",state="waiting"}"#) })
    }
}

/// The count of requests within a second.
@Suite struct PaceTests {
    @Test func rightsReturnASecondAfterTheyWereUsed() {
        var pace = PushPace(perSecond: 3)
        #expect(pace.take(2, at: .zero) == (2, .zero))
        #expect(pace.take(2, at: .milliseconds(400)) == (1, .zero))
        #expect(pace.take(1, at: .milliseconds(900)) == (0, .milliseconds(100)))
        #expect(pace.take(5, at: .seconds(1)) == (2, .zero))
        #expect(pace.take(1, at: .milliseconds(1100)) == (0, .milliseconds(300)))
    }

    @Test func rightsThatWereNotUsedAreGivenBack() {
        var pace = PushPace(perSecond: 3)
        _ = pace.take(3, at: .zero)
        pace.release(2)
        #expect(pace.take(3, at: .zero) == (2, .zero))
    }
}
