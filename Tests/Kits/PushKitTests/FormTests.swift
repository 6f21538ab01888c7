import ServiceLifecycle
import TestKit
import Testing
import WireKit

@testable import PushKit

/// A message that may have been accepted in one form is not shown in another one as well.
@Suite struct FormTests {
    private let test: OutboxUnderTest
    private let activities = TestSender(.apns)
    private let alerts = TestSender()

    init() throws {
        test = try OutboxUnderTest()
        set([.activity("start"), .test("alert")])
    }

    private func set(_ routes: [PushRoute]) { test.directory.set([PushTarget(id: "phone", routes: routes)], of: "ada") }

    private var delivery: PushDelivery {
        PushDelivery(of: test.outbox, senders: [activities, alerts], logger: .quiet, random: { 0 })
    }

    /// Sends until `isTrue`, and then shuts down gracefully.
    private func deliver(until isTrue: @escaping @Sendable () async throws -> Bool) async throws {
        let group = ServiceGroup(services: [delivery], logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let result: Result<Void, any Error>
            do {
                result = .success(try await eventually(isTrue))
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try result.get()
        }
    }

    private func deliver(until states: [PushState: Int]) async throws {
        try await deliver { [test] in try await test.states() == states }
    }

    /// Lets the first request by the activity fail with `result`, and makes the entry due again.
    private func attempt(_ result: PushResult) async throws {
        activities.set([result], for: "start")
        try await test.enqueue("hello")
        try await deliver { [test, activities] in
            let states = try await test.states()
            return activities.sent.count == 1 && states == [.waiting: 1]
        }
        test.clock.advance(by: .seconds(2))
    }

    private func reason() async throws -> PushReason? { try await test.outbox.entries(.failed, limit: 1).first?.reason }

    @Test func activityThatMayBeShownIsNotFollowedByAnAlert() async throws {
        try await attempt(.retry(.timedOut))
        activities.set([.dead("Unregistered", since: test.clock.now)], for: "start")
        try await deliver(until: [.failed: 1])
        #expect((activities.sent.count, alerts.sent.count) == (2, 0))
        #expect(try await reason() == .unknownResult)
        #expect(test.directory.forgotten.map(\.route.name) == ["start"])
    }

    @Test func activityThatDiedBeforeItsFirstRequestIsFollowedByAnAlert() async throws {
        let before = test.clock.now
        try await attempt(.retry(.unreachableService))
        activities.set([.dead("Unregistered", since: before)], for: "start")
        try await deliver(until: [.completed: 1])
        #expect((activities.sent.count, alerts.sent.count) == (2, 1))
    }

    @Test(arguments: ["BadDeviceToken", "DeviceTokenNotForTopic"] as [PushReason])
    func tokenThatWasNeverValidIsFollowedByAnAlert(_ reason: PushReason) async throws {
        try await attempt(.retry(.timedOut))
        activities.set([.dead(reason)], for: "start")
        try await deliver(until: [.completed: 1])
        #expect(alerts.sent.count == 1)
    }

    @Test func earlierAttemptStaysUnknownAfterARefusedOne() async throws {
        try await attempt(.retry(.timedOut))
        let start = test.clock.now
        activities.set([.retry("ServiceUnavailable")], for: "start")
        try await deliver { [test, activities] in
            let states = try await test.states()
            return activities.sent.count == 2 && states == [.waiting: 1]
        }
        test.clock.advance(by: .seconds(4))
        activities.set([.dead("Unregistered", since: start)], for: "start")
        try await deliver(until: [.failed: 1])
        #expect(alerts.sent.isEmpty)
    }

    @Test func refusedAttemptLeavesTheChoice() async throws {
        try await attempt(.retry("ServiceUnavailable"))
        activities.set([.dead("Unregistered", since: test.clock.now)], for: "start")
        try await deliver(until: [.completed: 1])
        #expect((activities.sent.count, alerts.sent.count) == (2, 1))
    }

    @Test func activitySwitchedOffAfterAnUnknownResultIsADeadLetter() async throws {
        try await attempt(.retry(.timedOut))
        set([.test("alert")])
        try await deliver(until: [.failed: 1])
        #expect(alerts.sent.isEmpty)
        #expect(try await reason() == .unknownResult)
    }

    @Test func newTokenAfterAnUnknownResultIsUsed() async throws {
        try await attempt(.retry(.timedOut))
        set([.test("alert"), .activity("renewed")])
        try await deliver(until: [.completed: 1])
        #expect(activities.sent.map(\.route) == ["start", "renewed"])
        #expect(alerts.sent.isEmpty)
    }

    @Test func refusalAfterAnUnknownResultKeepsTheForm() async throws {
        try await attempt(.retry(.timedOut))
        activities.set([.misconfigured("InvalidProviderToken")], for: "start")
        try await deliver { [test] in
            try await test.outbox.entries(.waiting, limit: 1).first?.reason == "InvalidProviderToken"
        }
        test.clock.advance(by: .seconds(4))
        try await deliver(until: [.completed: 1])
        #expect((activities.sent.count, alerts.sent.count) == (3, 0))
    }

    /// The process dies while it sends the alert, and the app has sent a new start token when it lives again.
    @Test(.onSQLite) func killedAlertIsRepeatedAsAnAlert() async throws {
        activities.set([.dead("Unregistered", since: test.clock.now)], for: "start")
        alerts.hold()
        try await test.enqueue("hello")
        let killed = Task { [delivery] in try await delivery.run() }
        try await eventually { [alerts] in alerts.active == 1 }
        killed.cancel()
        try await killed.value
        #expect(try await test.states() == [.active: 1])
        // The dead token is forgotten already.
        #expect(test.directory.forgotten.map(\.route.name) == ["start"])
        alerts.release()
        set([.activity("renewed"), .test("alert")])
        try await deliver(until: [.completed: 1])
        #expect(activities.sent.map(\.route) == ["start"])
        #expect(alerts.sent.map(\.route) == ["alert", "alert"])
    }

    @Test(.onSQLite) func killedActivityIsNotFollowedByAnAlert() async throws {
        activities.hold()
        try await test.enqueue("hello")
        let killed = Task { [delivery] in try await delivery.run() }
        try await eventually { [activities] in activities.active == 1 }
        killed.cancel()
        try await killed.value
        activities.release()
        test.clock.advance(by: .seconds(1))
        activities.set([.dead("Unregistered", since: test.clock.now)], for: "start")
        try await deliver(until: [.failed: 1])
        #expect(alerts.sent.isEmpty)
    }

    /// A route without a sender is no attempt.
    @Test func routeWithoutASenderIsNotAttempted() async throws {
        try await test.enqueue("hello")
        let claim = try #require(try await test.outbox.claim(1, by: [.ntfy]).claims.first)
        #expect(claim.routes.map(\.name) == ["alert"])
        try await test.outbox.complete(claim, .retry(.timedOut, by: .ntfy, after: nil))
        test.clock.advance(by: .seconds(2))
        let again = try #require(try await test.outbox.claim(1).claims.first)
        #expect(again.routes.map(\.name) == ["alert", "start"])
        #expect(again.earlier?.form == .ntfy)
    }
}
