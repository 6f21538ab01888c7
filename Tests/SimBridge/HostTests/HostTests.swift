import Foundation
import NetworkingKit
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeHost

/// The host on the real relay, in one process.
@Suite struct HostTests {
    /// A simulated network without delays.
    static func world(_ change: (inout SimulatedDriver.Script) -> Void = { _ in }) -> SimulatedDriver {
        var script = SimulatedDriver.Script()
        (script.replyDelay, script.sendingTime) = (.milliseconds(1), .milliseconds(1))
        (script.ringingTime, script.answerTimeout) = (.milliseconds(1), .seconds(3600))
        change(&script)
        return SimulatedDriver(script: script)
    }

    static func relay() async throws -> RelayOfTests {
        let relay = try await RelayOfTests()
        try await relay.register()
        return relay
    }

    // MARK: Commands

    @Test func aTextIsSentReportedAndAnswered() async throws {
        let relay = try await Self.relay()
        let host = try await HostOfTests(relay, driver: Self.world())
        let client = try await host.pairedClient()
        let receipt = try await client.sendText("hello")
        #expect(receipt.status == .sent)
        try await client.untilEvents(2)
        #expect(
            client.events == [
                .textSent(.ok, reason: nil), .incomingText(sim: 1, from: "+4917012345", body: "You said: hello"),
            ])
        #expect(client.all.first { $0.content == .event(.textSent(.ok, reason: nil)) }?.reqId == receipt.reqId)
        #expect(host.recorded.contains(.textSent(to: "+4917012345", sim: 1)))
    }

    @Test func aNetworkRefusalIsReportedAsFailed() async throws {
        let relay = try await Self.relay()
        let driver = DriverOfTests(.fail(.refused("no credit")), .fail(.outcomeUnknown("no confirmation")), .take)
        let host = try await HostOfTests(relay, driver: driver)
        let client = try await host.pairedClient()
        for text in ["a", "b", "c"] { try await client.sendText(text) }
        try await client.untilEvents(3)
        #expect(
            client.events == [
                .textSent(.error, reason: "no credit"),
                .textSent(.unknown, reason: "It is not known whether this text was sent: no confirmation"),
                .textSent(.ok, reason: nil),
            ])
        #expect(driver.sent == ["1 +4917012345 c"])
    }

    @Test func aCallGoesFromDialingToItsEnd() async throws {
        let relay = try await Self.relay()
        let host = try await HostOfTests(relay, driver: Self.world())
        let client = try await host.pairedClient()
        let receipt = try await client.call("+4930")
        try await client.untilEvents(2)
        try await client.write(DeviceMessage(.command(.hangUp), to: client.host, reqId: .random()))
        try await client.untilEvents(3)
        #expect(
            client.events == [
                .callState(.dialing, sim: 1, from: "+4930", reason: nil), .callState(.active, sim: 1, from: "+4930", reason: nil),
                .callState(.ended, sim: 1, from: "+4930", reason: "Hung up"),
            ])
        #expect(
            client.all.filter { if case .event(.callState) = $0.content { true } else { false } }.allSatisfy {
                $0.reqId == receipt.reqId
            })
        try await client.write(DeviceMessage(.command(.hangUp), to: client.host))
        try await client.untilEvents(4)
        #expect(client.events.last == .callState(.ended, sim: nil, from: nil, reason: "There is no call"))
    }

    /// The line stalled: the relay has written the call in time, and the host reads it after the deadline.
    @Test func aLateCallIsNotPlaced() async throws {
        let relay = try await Self.relay()
        let driver = DriverOfTests()
        // As after a delay that the relay does not notice. The host's own clock is wrong all the time.
        let skew = Locked<Int64>(-3_600_000)
        let host = try await HostOfTests(
            relay, driver: driver, now: { Int64(Date().timeIntervalSince1970 * 1000) + skew.withLock { $0 } })
        let client = try await host.pairedClient()
        let deadline = RelayTime(Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000) + 50_000))
        try await client.write(DeviceMessage(.command(.makeCall(sim: 1, to: "1", deadline: deadline)), to: client.host))
        try await eventually { driver.sent == ["1 1"] }
        skew.withLock { $0 += 51_000 }
        for command in [
            Command.makeCall(sim: 1, to: "2", deadline: deadline), .hangUp(call: nil, deadline: deadline),
        ] { try await client.write(DeviceMessage(.command(command), to: client.host)) }
        try await client.untilEvents(2)
        #expect(
            client.events == [
                .callState(.error, sim: 1, from: "2", reason: "It reached the host too late"),
                .callState(.error, sim: nil, from: nil, reason: "It reached the host too late"),
            ])
        #expect(driver.sent == ["1 1"])
    }

    /// The machine's clock is set forward while the line is open.
    @Test func callsArePlacedAgainAfterTheClockWasSet() async throws {
        let relay = try await Self.relay()
        let driver = DriverOfTests()
        let skew = Locked<Int64>(0)
        let host = try await HostOfTests(
            relay, driver: driver, now: { Int64(Date().timeIntervalSince1970 * 1000) + skew.withLock { $0 } })
        let client = try await host.pairedClient()
        skew.withLock { $0 = 3_600_000 }
        let time = Int64(Date().timeIntervalSince1970 * 1000)
        let ping = RelayMessage(.ping, time: RelayTime(Timestamp(milliseconds: time))).text
        relay.way.withLock { $0.inserted = Array(repeating: ping, count: 4) }
        let deadline = RelayTime(Timestamp(milliseconds: time + 50_000))
        try await client.write(DeviceMessage(.command(.makeCall(sim: 1, to: "1", deadline: deadline)), to: client.host))
        try await eventually { driver.sent == ["1 1"] || !client.events.isEmpty }
        #expect(driver.sent == ["1 1"])
    }

    @Test func aHangUpEndsOnlyItsOwnCall() async throws {
        let relay = try await Self.relay()
        let world = Self.world()
        let host = try await HostOfTests(relay, driver: world)
        let client = try await host.pairedClient()
        let first = try await client.call("+4930")
        try await client.untilEvents(2)
        _ = await world.hangUp()
        // The user has called again before the first hang-up arrives.
        let second = try await client.call("+4931")
        try await client.until { $0.contains { $0.content == .event(.callState(.active, sim: 1, from: "+4931", reason: nil)) } }
        func hangUp(_ call: RequestID, _ id: String) async throws {
            try await client.write(DeviceMessage(.command(.hangUp(call: call)), to: client.host, reqId: RequestID(id)))
            try await client.until { $0.contains { $0.reqId == RequestID(id) || $0.content == Self.ended("+4931") } }
        }
        try await hangUp(first.reqId, "late")
        #expect(
            client.all.first { $0.reqId == RequestID("late") }?.content
                == .event(.callState(.ended, sim: nil, from: nil, reason: "That call has ended already")))
        #expect(!client.all.contains { $0.content == Self.ended("+4931") })
        try await hangUp(second.reqId, "now")
        #expect(client.all.last { $0.content == Self.ended("+4931") }?.reqId == second.reqId)
        withExtendedLifetime(host) {}
    }

    private static func ended(_ number: String) -> RelayMessage.Content {
        .event(.callState(.ended, sim: 1, from: number, reason: "Hung up"))
    }

    @Test func reportsReachEveryClient() async throws {
        let relay = try await Self.relay()
        let driver = DriverOfTests()
        let host = try await HostOfTests(relay, driver: driver)
        let first = try await host.pairedClient()
        await host.host.showCode()
        try await eventually { host.recorded.count { if case .pairingCode = $0 { true } else { false } } == 2 }
        var code = ""
        for case .pairingCode(let shown) in host.recorded { code = shown.code }
        let second = try await relay.client(code: code, token: first.token)
        // One client sends the command over its line, and both receive the report.
        try await second.write(
            DeviceMessage(.command(.sendText(sim: 1, to: "1", body: "b")), to: second.host, reqId: RequestID("r")))
        driver.receive("hi")
        for client in [first, second] {
            try await client.untilEvents(2)
            #expect(client.events.contains(.incomingText(sim: 1, from: "+49171", body: "hi")))
            #expect(client.all.first { $0.content == .event(.textSent(.ok, reason: nil)) }?.reqId == RequestID("r"))
        }
        withExtendedLifetime(host) {}
    }

    @Test func anIncomingCallIsReported() async throws {
        let relay = try await Self.relay()
        let world = Self.world()
        let host = try await HostOfTests(relay, driver: world)
        let client = try await host.pairedClient()
        try await world.ring(from: "+49301", sim: 2)
        try await client.untilEvents(1)
        try await world.answer()
        try await client.untilEvents(2)
        #expect(client.events == [.incomingCall(sim: 2, from: "+49301"), .callState(.active, sim: 2, from: "+49301", reason: nil)])
    }

    @Test func simCardsAreReportedOnRequest() async throws {
        let relay = try await Self.relay()
        let host = try await HostOfTests(relay, driver: Self.world())
        let client = try await host.pairedClient()
        try await client.write(DeviceMessage(.command(.getSIMs), to: client.host, reqId: RequestID("who")))
        try await client.until { $0.contains { $0.reqId == RequestID("who") } }
        #expect(client.all.first { $0.reqId == RequestID("who") }?.content == .event(.simInfo(SimulatedDriver.standardCards)))
    }

    @Test func anImpossibleCommandIsReportedAsAnError() async throws {
        let relay = try await Self.relay()
        let host = try await HostOfTests(relay, driver: Self.world())
        let client = try await host.pairedClient()
        try await client.write(DeviceMessage(.command(Command(.init(rawValue: "DANCE"))), to: client.host, reqId: RequestID("1")))
        try await client.write(DeviceMessage(.command(Command(.sendText)), to: client.host, reqId: RequestID("2")))
        try await client.write(DeviceMessage(.command(Command(.makeCall, sim: 9, to: "1")), to: client.host, reqId: RequestID("3")))
        try await client.untilEvents(3)
        #expect(Set(client.all.compactMap(\.reqId).map(\.rawValue)).isSuperset(of: ["1", "2", "3"]))
        #expect(client.events.contains(.callState(.error, sim: 9, from: "1", reason: "There is no SIM 9")))
        try await client.sendText("still here")
        try await client.until { $0.contains { $0.content == .event(.textSent(.ok, reason: nil)) } }
    }

    @Test func aRepeatedCommandSendsOneTextAndTwoReports() async throws {
        let relay = try await Self.relay()
        let driver = DriverOfTests()
        let host = try await HostOfTests(relay, driver: driver)
        let client = try await host.pairedClient()
        // The relay does not compare the ids of commands on the line; the host does.
        let command = DeviceMessage(.command(.sendText(sim: 1, to: "1", body: "once")), to: client.host, reqId: RequestID("again"))
        try await client.write(command)
        try await client.untilEvents(1)
        try await client.write(command)
        try await client.untilEvents(2)
        #expect(client.events == [.textSent(.ok, reason: nil), .textSent(.ok, reason: nil)])
        #expect(driver.sent == ["1 1 once"])
    }

    // MARK: Coming and going

    @Test func aSecondCopyEndsTheFirst() async throws {
        let relay = try await Self.relay()
        let first = try await HostOfTests(relay, driver: DriverOfTests())
        _ = try await first.code()
        let copy = relay.folder.url.appending(path: "copy")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: first.folder.appending(path: "host.json"), to: copy.appending(path: "host.json"))
        let second = try await HostOfTests(relay, driver: DriverOfTests(), folder: copy)
        let problem = try await first.problem()
        #expect((problem as? RelayProblem)?.code == .replaced)
        try await second.until { if case .connected = $0 { true } else { false } }
    }

    @Test func aRefusedTokenIsRenewed() async throws {
        let relay = try await Self.relay()
        let first = try await HostOfTests(relay, driver: DriverOfTests())
        _ = try await first.code()
        let copy = try await first.crash(token: "no.such.token")
        let second = try await HostOfTests(relay, driver: DriverOfTests(), folder: copy)
        try await second.until { if case .connected = $0 { true } else { false } }
        #expect(try second.identityFile.load()?.deviceID == first.identityFile.load()?.deviceID)
        #expect(relay.way.withLock { $0.logins } == 2)
        let attributes = try FileManager.default.attributesOfItem(atPath: copy.appending(path: "host.json").path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func aHostThatWasConnectedBeforeNeedsNoPassword() async throws {
        let relay = try await Self.relay()
        let first = try await HostOfTests(relay, driver: DriverOfTests())
        _ = try await first.code()
        let copy = try await first.crash()
        let second = try await HostOfTests(relay, driver: DriverOfTests(), folder: copy, password: "wrong")
        try await second.until { if case .connected = $0 { true } else { false } }
        #expect(relay.way.withLock { $0.logins } == 1)
    }

    @Test func stoppingWaitsForTheTextInProgress() async throws {
        let relay = try await Self.relay()
        let clock = TestClock()
        let record = SentRecord(path: relay.folder.file("sent.jsonl"))
        let host = try await HostOfTests(relay, driver: SimulatedDriver(record: record, clock: clock))
        let client = try await host.pairedClient()
        try await client.sendText("slowly")
        try await client.sendText("not any more")
        try await eventually { relay.way.withLock { $0.written.contains { $0.contains(#""seq":3"#) } } }
        // The network has the first text, and has not confirmed it.
        try await eventually { (try? record.texts().count) == 1 }
        await host.host.stop()
        try await clock.advance(by: .seconds(1))
        try await host.running.value
        #expect(host.recorded.filter { if case .textSent = $0 { true } else { false } }.count == 1)
        #expect(try record.texts().map(\.body) == ["slowly"])
        #expect(try await host.journal.recover().isEmpty)
    }

    @Test func pairingCodesAreRenewedUntilPairing() async throws {
        let relay = try await Self.relay()
        let clock = TestClock()
        let host = try await HostOfTests(relay, driver: DriverOfTests(), clock: clock)
        let first = try await host.code()
        try await host.until(looking: clock) { $0 == .pairingCodeRanOut }
        try await eventually { host.recorded.count { if case .pairingCode = $0 { true } else { false } } == 2 }
        var last = first
        for case .pairingCode(let code) in host.recorded { last = code.code }
        // The clock stands still until the client is connected: it would miss the cards of an earlier look.
        let client = try await relay.client(code: last, token: try await relay.token())
        // The host notices this without a command.
        try await host.until(looking: clock) { $0 == .paired }
        try await client.until { $0.contains { if case .event(.simInfo) = $0.content { true } else { false } } }
    }

    // MARK: Failures

    @Test(arguments: [
        (nil as String?, "wrong", RelayProblem.Code.wrongPassword), ("<html>", RelayOfTests.password, .notARelay),
        (#"{"detail":"Not Found"}"#, RelayOfTests.password, .notARelay),
    ])
    func startProblemsAreReported(answer: String?, password: String, code: RelayProblem.Code) async throws {
        let relay = try await Self.relay()
        relay.way.withLock { $0.answer = answer.map { (404, $0) } }
        let host = try await HostOfTests(relay, driver: DriverOfTests(), password: password)
        let problem = try await host.problem()
        #expect((problem as? RelayProblem)?.code == code)
    }

    @Test func theFirstStartReportsAnUnreachableRelay() async throws {
        let relay = try await Self.relay()
        relay.way.withLock { $0.isDown = true }
        let host = try await HostOfTests(relay, driver: DriverOfTests())
        let problem = try await host.problem()
        #expect((problem as? RelayProblem)?.code == .unreachable)
    }

    @Test func anAccountIsCreatedOnlyOnRequest() async throws {
        let relay = try await Self.relay()
        let stranger = try await HostOfTests(relay, driver: DriverOfTests(), user: "bob")
        #expect((try await stranger.problem() as? RelayProblem)?.code == .wrongPassword)
        let taken = try await HostOfTests(
            relay, driver: DriverOfTests(), password: "another", change: { $0.registersAccount = true })
        #expect((try await taken.problem() as? RelayProblem)?.code == .usernameTaken)
        let new = try await HostOfTests(relay, driver: DriverOfTests(), user: "bob", change: { $0.registersAccount = true })
        try await new.until { if case .connected = $0 { true } else { false } }
    }

    /// The account was created, but the host never received the reply.
    @Test func anAccountWithALostReplyIsAdopted() async throws {
        let relay = try await RelayOfTests()
        relay.way.withLock { $0.losesRegistrations = 1 }
        let first = try await HostOfTests(relay, driver: DriverOfTests(), change: { $0.registersAccount = true })
        #expect((try await first.problem() as? RelayProblem)?.code == .unreachable)
        let second = try await HostOfTests(relay, driver: DriverOfTests(), change: { $0.registersAccount = true })
        try await second.until { if case .connected = $0 { true } else { false } }
    }

    /// For example, a proxy that answers while the relay starts.
    @Test(arguments: [(502, "<html>"), (500, #"{"detail":"Internal Server Error"}"#)])
    func aTokenIsRenewedDespiteTemporaryFailures(status: Int, body: String) async throws {
        let relay = try await Self.relay()
        let first = try await HostOfTests(relay, driver: DriverOfTests())
        _ = try await first.code()
        let copy = try await first.crash(token: "no.such.token")
        relay.way.withLock { $0.answer = (status, body) }
        let clock = TestClock()
        let second = try await HostOfTests(relay, driver: DriverOfTests(), folder: copy, clock: clock)
        try await second.until { if case .trouble = $0 { true } else { false } }
        relay.way.withLock { $0.answer = nil }
        try await second.until(advancing: clock) { if case .connected = $0 { true } else { false } }
    }

    /// The journal is full, because the relay was away for long: the host continues, and reports the texts once there is room.
    @Test func aFullHostContinues() async throws {
        let relay = try await Self.relay()
        let clock = TestClock()
        let world = SimulatedDriver(clock: clock)
        let host = try await HostOfTests(relay, driver: world)
        _ = try await host.code()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<HostJournal.maximumReports {
                if number >= 1000 { try await group.next() }
                group.addTask { try await host.journal.report(DeviceMessage(.event(.error(nil)))) }
            }
            try await group.waitForAll()
        }
        try await world.receive("too much", from: "+1", sim: 1)
        try await host.until { if case .trouble(let what) = $0 { what.contains("texts stay") } else { false } }
        try await world.ring(from: "+49", sim: 1)
        try await host.until { if case .call = $0 { true } else { false } }
        #expect(try await host.journal.waitingReports() == HostJournal.maximumReports)
        if let report = try await host.journal.nextReport() { try await host.journal.remove(report) }
        try await host.until(advancing: clock) { $0 == .textReceived(from: "+1", sim: 1) }
        // Reported once, after any number of attempts.
        #expect(host.recorded.count { if case .trouble = $0 { true } else { false } } == 1)
    }

    /// As with a full disk: texts are stored once writing works again, and no command is executed twice.
    @Test func theHostWaitsForAWritableJournal() async throws {
        let relay = try await Self.relay()
        let (driver, clock) = (DriverOfTests(), TestClock())
        let host = try await HostOfTests(relay, driver: driver, clock: clock)
        let code = try await host.code()
        let client = try await relay.client(code: code, token: try await relay.token())
        try await host.until(advancing: clock) { $0 == .paired }
        let journal = try Database(existing: host.folder.appending(path: "host.db").path)
        try await journal.write { transaction in
            try transaction.execute(
                script: """
                    CREATE TRIGGER full BEFORE INSERT ON host_reports BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END
                    """)
        }
        driver.receive("one")
        try await client.sendText("two")
        driver.receive("three")
        try await host.until { if case .trouble(let what) = $0 { what.contains("disk is full") } else { false } }
        try await eventually { driver.sent.count == 1 }
        try await journal.write { _ = try $0.execute("DROP TRIGGER full") }
        try await host.until(advancing: clock) { _ in client.events.count >= 3 }
        let bodies = client.events.compactMap { if case .incomingText(_, _, let body) = $0 { body } else { nil } }
        #expect(bodies == ["one", "three"] && client.events.contains(.textSent(.ok, reason: nil)))
        #expect(driver.sent.count == 1)
    }

    /// The client has not fetched its messages: new reports wait on the host, in order.
    @Test func theHostWaitsForAFullRelay() async throws {
        let relay = try await RelayOfTests(quota: 50_000)
        try await relay.register()
        let (driver, clock) = (DriverOfTests(), TestClock())
        let host = try await HostOfTests(relay, driver: driver, clock: clock)
        let code = try await host.code()
        let client = try await relay.client(code: code, token: try await relay.token())
        try await host.until(advancing: clock) { $0 == .paired }
        client.leave()
        let bodies = (0..<10).map { "\($0)" + String(repeating: "x", count: 9000) }
        for body in bodies { driver.receive(body) }
        try await host.until { if case .trouble(let what) = $0 { what.contains("no room") } else { false } }
        // More attempts than for a report that the relay refuses.
        let attempts: @Sendable () -> Int = { relay.way.withLock { $0.written.count { $0.contains("xxxxx") } } }
        for _ in 0..<SimBridgeHost.maximumTries + 2 {
            let before = attempts()
            try await host.until(advancing: clock) { _ in attempts() > before }
        }
        #expect(try await host.journal.nextReport() != nil)
        let again = try await ClientOfTests(
            relay, device: client.device, host: client.host, token: client.token, acknowledges: true)
        try await host.until(advancing: clock) { _ in again.events.count >= bodies.count }
        #expect(again.events == bodies.map { .incomingText(sim: 1, from: "+49171", body: $0) })
        #expect(host.recorded.count { if case .trouble = $0 { true } else { false } } == 1)
    }

    @Test func aNewPairingCodeIsShownOnRequest() async throws {
        let relay = try await Self.relay()
        let host = try await HostOfTests(relay, driver: DriverOfTests())
        _ = try await host.code()
        await host.host.showCode()
        try await eventually { host.recorded.count { if case .pairingCode = $0 { true } else { false } } == 2 }
        #expect(!host.recorded.contains(.pairingCodeRanOut))
    }

    @Test func aDataFolderInUseIsReported() async throws {
        let relay = try await Self.relay()
        let first = try await HostOfTests(relay, driver: DriverOfTests())
        let error = #expect(throws: StorageError.self) {
            _ = try HostJournal(path: first.folder.appending(path: "host.db").path)
        }
        #expect(error?.code == .inUse)
    }
}
