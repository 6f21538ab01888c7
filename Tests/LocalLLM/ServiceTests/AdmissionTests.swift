import Foundation
import LocalLLMWire
import NetworkingKit
import StorageKit
import TestKit
import Testing
import WireKit

@testable import LocalLLMService

/// Phones that connect for the first time: `Docs/Protocols/LocalLLM.md`, section 6.
@Suite struct AdmissionTests {
    /// A host as its command starts it.
    private let usual = ModelHost.Configuration(hostName: "h")
    private let asking = ModelHost.Configuration(hostName: "h", admission: .known)

    /// Runs a host that says nothing.
    private func run(
        _ configuration: ModelHost.Configuration, clock: any Clock<Duration> = ContinuousClock(), folder: TemporaryFolder? = nil,
        _ body: @escaping @Sendable (HostUnderTest) async throws -> Void
    ) async throws {
        try await HostUnderTest.run(ScriptedEngine.saying(["ok"]), configuration: configuration, clock: clock, folder: folder, body)
    }

    // MARK: The first phone

    @Test func firstPhoneIsLetInAndLaterOnesWait() async throws {
        let folder = try TemporaryFolder()
        try await run(usual, folder: folder) { test in
            let first = HostUnderTest.phoneKey(1)
            let owner = try await test.connect(1)
            try await test.until { $0.contains(.phoneAdmitted(first, .first)) }
            #expect(HostNotice.phoneAdmitted(first, .first).words.contains("remove \(first.short)"))
            let second = try await test.dial(2)
            #expect(try await second.nextError() == .approvalPending)
            try await second.start()
            #expect(await test.host.clientCount == 1)
            owner.stream.close()
        }
        // The next process knows it.
        try await run(usual, folder: folder) { test in
            let second = try await test.dial(2)
            #expect(try await second.nextError() == .approvalPending)
            _ = try await test.connect(1)
        }
    }

    @Test func ofPhonesAtOnceOneIsTheFirst() async throws {
        try await run(usual) { test in
            let phones = try await withThrowingTaskGroup(of: (phone: PhoneOfTests, message: Message?).self) { group in
                // The last one finds the list of waiting phones full, or is the first.
                for number in UInt8(1)...6 {
                    group.addTask {
                        let phone = try await test.dial(number)
                        return (phone, try await phone.next())
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let isServed = phones.map { if case .serverInfo = $0.message { true } else { false } }
            #expect(isServed.count(where: \.self) == 1)
        }
    }

    @Test func removedFirstPhoneIsNotTheFirstAgain() async throws {
        try await run(usual) { test in
            let stranger = try await test.connect(1)
            #expect(try await test.host.remove(HostUnderTest.phoneKey(1)))
            try await stranger.untilEnded()
            for number in [UInt8(1), 2] {
                let phone = try await test.dial(number)
                #expect(try await phone.nextError() == .approvalPending)
            }
            #expect(try await test.store.phones().allSatisfy { !$0.isApproved })
        }
    }

    @Test func phonesOfAnEarlierHostStayKnown() async throws {
        for approved in [0, 1] {
            let folder = try TemporaryFolder()
            try await Self.makeEarlierStore(in: folder, approved: approved)
            try await run(usual, folder: folder) { test in
                _ = try await test.connect(1)
                let second = try await test.dial(2)
                if approved == 0 {
                    guard case .serverInfo = try await second.next() else { throw Unexpected() }
                } else {
                    #expect(try await second.nextError() == .approvalPending)
                }
                let third = try await test.dial(3)
                #expect(try await third.nextError() == .approvalPending)
            }
        }
    }

    /// The store of a host of an earlier version, which has met two phones.
    private static func makeEarlierStore(in folder: TemporaryFolder, approved: Int) async throws {
        let database = try Database(path: folder.file("host.db"), migrations: [AnswerTables.migrations[0]])
        defer { database.close() }
        try await database.write { transaction in
            for number in [UInt8(1), 2] {
                // Where one is approved, the host has asked about each: the other one was refused.
                try transaction.execute(
                    "INSERT INTO phones (key, is_approved, first_seen, last_seen) VALUES (?, ?, 1, 1)",
                    HostUnderTest.phoneKey(number), number == 1 ? approved : 0)
            }
        }
    }

    // MARK: Invitations

    @Test func invitationLetsOnePhoneInOnce() async throws {
        try await run(asking) { test in
            let invitation = try #require(await test.host.invite())
            let phone = try await test.dial(1)
            try await phone.send(.invitation(invitation))
            #expect(try await phone.nextError() == .approvalPending)
            guard case .serverInfo = try await phone.next() else { throw Unexpected() }
            try await test.until { $0.contains(.phoneAdmitted(HostUnderTest.phoneKey(1), .invitation)) }
            // Somebody who has seen the code comes too late, and the phone itself needs none.
            let thief = try await test.dial(2)
            try await thief.send(.invitation(invitation))
            #expect(try await thief.nextError() == .approvalPending)
            #expect(try await thief.nextError() == .invitationInvalid)
            let again = try await test.connect(1)
            try await again.send(.invitation(invitation))
            try await again.start()
            #expect(try await again.answer().chunks.text == "ok")
            // No notice has the secret, nor has the text of a message.
            #expect(test.notices.withLock { !$0.map(\.words).joined().contains(invitation.secret) })
            #expect(
                !"\(Message.invitation(invitation)) \(HostLink(ServerID(HostUnderTest.key.bytes)!, invitation: invitation))"
                    .contains(invitation.secret))
        }
    }

    @Test func connectionHasOneGuess() async throws {
        try await run(asking) { test in
            let invitation = try #require(await test.host.invite())
            let phone = try await test.dial(1)
            try await phone.send(.invitation(Invitation("12345678")!))
            #expect(try await phone.nextError() == .approvalPending)
            #expect(try await phone.nextError() == .invitationInvalid)
            try await phone.send(.invitation(invitation))
            try await phone.send(.abort(RequestID("x")!))
            await test.host.decide(HostUnderTest.phoneKey(1), isApproved: false)
            #expect(try await phone.nextError() == .approvalRefused)
            let second = try await test.dial(2)
            try await second.send(.invitation(invitation))
            #expect(try await second.nextError() == .approvalPending)
            guard case .serverInfo = try await second.next() else { throw Unexpected() }
        }
    }

    @Test func invitationEndsAfterAnHourAndAfterEightOthers() {
        var invitations = Invitations()
        let first = invitations.make(now: .zero)
        let isFirstUsed = invitations.use(first, now: .seconds(3_600))
        let oldest = invitations.make(now: .seconds(3_600))
        let others = (0..<8).map { _ in invitations.make(now: .seconds(3_601)) }
        let isOldestUsed = invitations.use(oldest, now: .seconds(3_602))
        #expect(!isFirstUsed && !isOldestUsed && Set(others).count == 8)
        #expect(others.map { invitations.use($0, now: .seconds(7_200)) } == [Bool](repeating: true, count: 8))
        #expect(others.map { invitations.use($0, now: .seconds(7_200)) } == [Bool](repeating: false, count: 8))
    }

    @Test func waitingStrangersKeepNoInvitedPhoneOut() async throws {
        let clock = TestClock()
        try await run(asking, clock: clock) { test in
            let invitation = try #require(await test.host.invite())
            var waiting: [PhoneOfTests] = []
            for number in UInt8(1)...5 {
                waiting.append(try await test.dial(number))
                #expect(try await waiting.last?.nextError() == .approvalPending)
            }
            // More than may wait for an invitation come, and say nothing. The oldest of them gives way.
            var silent: [PhoneOfTests] = []
            for number in UInt8(6)..<40 { silent.append(try await test.dial(number)) }
            #expect(try await silent[0].nextError() == .modelBusy)
            let phone = try await test.dial(50)
            try await phone.send(.invitation(invitation))
            guard case .serverInfo = try await phone.next() else { throw Unexpected() }
            #expect(await test.host.waitingPhones.count == 5)
            #expect(await test.host.arrivals.count <= 5 + 32)
        }
    }

    // MARK: Known phones

    @Test func knownPhoneDecidesAboutANewOne() async throws {
        try await run(usual) { test in
            let owner = try await test.connect(1)
            let (new, other) = (HostUnderTest.phoneKey(2), HostUnderTest.phoneKey(3))
            let phone = try await test.dial(2)
            #expect(try await phone.nextError() == .approvalPending)
            guard case .serverInfo(let info) = try await owner.next() else { throw Unexpected() }
            #expect(info.waiting == [new.description])
            try await owner.send(.approval(ApprovalDecision(phone: new.description, isApproved: true)))
            guard case .serverInfo(let own) = try await phone.next() else { throw Unexpected() }
            #expect(own.waiting.isEmpty)
            try await test.until { $0.contains(.phoneAdmitted(new, .phone(HostUnderTest.phoneKey(1)))) }
            let third = try await test.dial(3)
            #expect(try await third.nextError() == .approvalPending)
            // Nobody waits under the first name.
            try await phone.send(.approval(ApprovalDecision(phone: "nobody", isApproved: true)))
            try await phone.send(.approval(ApprovalDecision(phone: other.description, isApproved: false)))
            #expect(try await third.nextError() == .approvalRefused)
        }
    }

    @Test func strangerOfAnOpenHostDecidesNothing() async throws {
        try await HostUnderTest.run(ScriptedEngine.saying([])) { test in
            let phone = try await test.connect(1)
            #expect(await test.host.invite() == nil)
            try await phone.send(.approval(ApprovalDecision(phone: HostUnderTest.phoneKey(2).description, isApproved: true)))
            #expect(try await phone.nextError() == .badMessage)
            #expect(try await test.store.phones().allSatisfy { !$0.isApproved })
        }
    }

    // MARK: Places

    @Test func knownPhoneTakesThePlaceOfAStranger() async throws {
        try await HostUnderTest.run(ScriptedEngine.saying(["ok"])) { test in
            try await test.store.approve(HostUnderTest.phoneKey(9))
            var strangers: [PhoneOfTests] = []
            for number in UInt8(1)...5 { strangers.append(try await test.connect(number)) }
            let owner = try await test.connect(9)
            // The one that has done nothing for the longest time is gone; a stranger does not get its place back.
            try await strangers[0].untilEnded()
            let again = try await test.dial(1)
            #expect(try await again.nextError() == .modelBusy)
            try await owner.start()
            #expect(try await owner.answer().chunks.text == "ok")
            #expect(await test.host.clientCount == 5)
        }
    }

    @Test func phoneThatDoesNothingGivesItsPlaceAfterAMinute() async throws {
        let clock = TestClock()
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine, clock: clock) { test in
            var phones: [PhoneOfTests] = []
            for number in UInt8(1)...5 { phones.append(try await test.connect(number)) }
            // The first one waits for an answer, which is no idleness.
            try await phones[0].start()
            try await engine.say("a")
            _ = try await phones[0].nextReply()
            let early = try await test.dial(6)
            #expect(try await early.nextError() == .modelBusy)
            try await clock.advance(by: .seconds(60))
            try await phones[1].send(.abort(RequestID("x")!))
            try await phones[1].start("busy")
            #expect(try await phones[1].nextError() == .modelBusy)
            let late = try await test.connect(6)
            try await phones[2].untilEnded()
            try await phones[0].send(.abort(RequestID("r")!))
            #expect(try await phones[0].nextReply() == .chatEnd(RequestID("r")!, .abort))
            try await late.start()
            try await engine.end()
            #expect(try await late.answer().end == .chatEnd(RequestID("r")!, .stop))
        }
    }
}
