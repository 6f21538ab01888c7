import LocalLLMWire
import NetworkingKit
import TestKit
import Testing
import WireKit

@testable import LocalLLMService

private let request = RequestID("r")!

/// Phones that leave or stop reading, and answers that wait for them.
@Suite struct SessionEndTests {
    private let approving = ModelHost.Configuration(hostName: "h", admission: .known)

    // MARK: Approval

    @Test func phoneThatLeavesDoesNotWaitForApproval() async throws {
        let clock = TestClock()
        try await HostUnderTest.run(ScriptedEngine.saying([]), configuration: approving, clock: clock) { test in
            var phones: [PhoneOfTests] = []
            for number in 1...5 {
                let phone = try await test.dial(UInt8(number))
                #expect(try await phone.nextError() == .approvalPending)
                phones.append(phone)
            }
            // It may have an invitation.
            let sixth = try await test.dial(6)
            try await eventually { clock.hasSleeper(for: .seconds(5)) }
            try await clock.advance(by: .seconds(5))
            #expect(try await sixth.nextError() == .modelBusy)
            try await sixth.untilEnded()
            // Its place is free at once, and it is gone from the list.
            phones.removeFirst().stream.close()
            let key = HostUnderTest.phoneKey(1)
            try await test.until { $0.contains(.approvalAbandoned(key)) }
            #expect(await !test.host.waitingPhones.contains(key))
            let again = try await test.dial(6)
            #expect(try await again.nextError() == .approvalPending)
            await test.host.decide(HostUnderTest.phoneKey(6), isApproved: true)
            guard case .serverInfo = try await again.next() else { throw Unexpected() }
        }
    }

    @Test func bytesBeforeTheApprovalAreNotLost() async throws {
        try await HostUnderTest.run(ScriptedEngine.saying(["ok"]), configuration: approving) { test in
            let phone = try await test.dial()
            #expect(try await phone.nextError() == .approvalPending)
            try await phone.start()
            try await eventually { await !test.host.waitingPhones.isEmpty }
            await test.host.decide(HostUnderTest.phoneKey(0), isApproved: true)
            #expect(try await phone.answer().chunks.text == "ok")
        }
    }

    // MARK: Phones that do not read

    @Test func phoneThatDoesNotReadIsDisconnected() async throws {
        let clock = TestClock()
        let text = String(repeating: "x", count: 10_000)
        let engine = ScriptedEngine.saying([String](repeating: text, count: 20))
        try await HostUnderTest.run(engine, clock: clock, capacity: 1_000) { test in
            let reader = try await test.connect(1)
            let stalled = try await test.dial(2)
            try await stalled.start("r", "p", [.resume])
            // The engine has finished; the phone has read nothing.
            try await test.until { $0.contains(.generationFinished(.stop, size: 200_000)) }
            #expect(await test.host.clientCount == 2)
            let key = HostUnderTest.phoneKey(2)
            // One check finds a message under way; a later one finds the same message.
            var checks = 0
            while test.notices.withLock({ !$0.contains(.phoneStalled(key)) }) {
                // The search for new models may sleep as long. Then this moment passes without a check.
                try await eventually { clock.hasSleeper(for: ModelHost.stallInterval) }
                try await clock.advance(by: ModelHost.stallInterval)
                checks += 1
            }
            #expect(checks >= 2)
            try await test.until { $0.contains(.phoneDisconnected(key, count: 1)) }
            // The other phone has nothing to read, and stays; the answer waits.
            #expect(await test.host.clientCount == 1)
            #expect(test.notices.withLock { $0.contains(.answerUnseen(key)) })
            try await reader.start("other")
            #expect(try await reader.answer("other").chunks.text.utf8.count == 200_000)
            let again = try await test.connect(2)
            try await again.start("r", "p", [.resume])
            #expect(try await again.answer().chunks.text.utf8.count == 200_000)
        }
    }

    // MARK: Answers that nobody saw

    @Test func answerThatEndsWithoutItsPhoneIsUnseen() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let key = HostUnderTest.phoneKey(1)
            let (phone, other) = (try await test.connect(1), try await test.connect(2))
            try await phone.start("r", "p", [.resume])
            try await engine.say("a")
            _ = try await phone.nextReply()
            phone.stream.close()
            try await eventually { await test.host.clientCount == 1 }
            try await engine.end()
            try await test.until { $0.contains(.answerUnseen(key)) }
            // The notice has nothing of the answer but its owner.
            #expect(HostNotice.answerUnseen(key).words == "The answer waits for phone \(key.short).")
            try await other.start()
            try await engine.end()
            _ = try await other.answer()
            let again = try await test.connect(1)
            try await again.start("r", "p", [.resume], after: 1)
            #expect(try await again.answer().end == .chatEnd(request, .stop))
            #expect(test.notices.withLock { $0.filter { $0 == .answerUnseen(key) }.count } == 1)
        }
    }

    @Test func seenStoppedAndFailedAnswersAreNotUnseen() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let phone = try await test.connect()
            try await phone.start("seen", "p", [.resume])
            try await engine.end()
            _ = try await phone.answer("seen")
            try await phone.start("stopped", "p", [.resume])
            try await engine.say("a")
            try await phone.send(.abort(RequestID("stopped")!))
            _ = try await phone.answer("stopped")
            try await phone.start("failed", "p", [.resume])
            try await engine.say("a")
            phone.stream.close()
            try await eventually { await test.host.clientCount == 0 }
            try await engine.fail(EngineError(.failed, "why"))
            try await test.until { $0.contains { if case .generationFailed = $0 { true } else { false } } }
            #expect(test.notices.withLock { !$0.contains(.answerUnseen(HostUnderTest.phoneKey(0))) })
        }
    }
}
