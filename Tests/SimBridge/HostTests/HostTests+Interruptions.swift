import Foundation
import NetworkingKit
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeHost

/// Crashes and interruptions.
extension HostTests {
    /// Crashes between acceptance, sending and report: never sent twice, always reported.
    @Test(arguments: [(DriverOfTests.Step.crashBefore, 0), (.crashAfter, 1)])
    func aCrashWhileSendingIsReportedAsUnknown(step: DriverOfTests.Step, sent: Int) async throws {
        let relay = try await Self.relay()
        let driver = DriverOfTests(step)
        let first = try await HostOfTests(relay, driver: driver)
        let client = try await first.pairedClient()
        let receipt = try await client.sendText("perhaps")
        // The next command of the same lane: accepted, but not begun.
        try await client.sendText("certainly")
        #expect(await driver.crashed.first { _ in true } != nil)
        try await eventually { relay.way.withLock { $0.written.contains { $0.contains(#""seq":3"#) } } }
        let copy = try await first.crash()

        let next = DriverOfTests()
        let second = try await HostOfTests(relay, driver: next, folder: copy)
        try await client.untilEvents(2)
        #expect(driver.sent.count == sent)
        #expect(next.sent == ["1 +4917012345 certainly"])
        let report = client.all.first { $0.reqId == receipt.reqId }
        guard case .event(.textSent(.unknown, _?))? = report?.content else {
            return #expect(Bool(false), "\(String(describing: report))")
        }
        #expect(second.recorded.contains(.recovered(1)))
    }

    /// The other lanes wait for commands that nobody would carry out.
    @Test func anUnexpectedFailureOfOneLaneEndsTheHost() async throws {
        let relay = try await Self.relay()
        let host = try await HostOfTests(relay, driver: DriverOfTests(.malfunction))
        try await host.pairedClient().sendText("one")
        #expect(try await host.problem() is Malfunction)
    }

    /// The line breaks between a command and its acknowledgement: the command is repeated, and executed once.
    @Test func aRepeatedCommandIsCarriedOutOnce() async throws {
        let relay = try await Self.relay()
        let driver = DriverOfTests()
        let host = try await HostOfTests(relay, driver: driver)
        let client = try await host.pairedClient()
        relay.way.withLock { $0.breaksAfterCommands = 2 }
        for text in ["a", "b", "c", "d"] { try await client.sendText(text) }
        try await client.untilEvents(4)
        #expect(driver.sent.map { $0.suffix(1) } == ["a", "b", "c", "d"])
        #expect(client.events == Array(repeating: .textSent(.ok, reason: nil), count: 4))
        #expect(relay.way.withLock { $0.breaksAfterCommands } == 0)
        withExtendedLifetime(host) {}
    }

    /// The line breaks while the host acknowledges a command: no later command has to come for it to be carried out.
    @Test func aCommandIsCarriedOutThoughItsAcknowledgementBreaksOff() async throws {
        let relay = try await Self.relay()
        let driver = DriverOfTests()
        let host = try await HostOfTests(relay, driver: driver)
        let client = try await host.pairedClient()
        relay.way.withLock { $0.breaksAfterAcknowledgements = 1 }
        try await client.sendText("hello")
        try await client.untilEvents(1)
        #expect(relay.way.withLock { $0.breaksAfterAcknowledgements } == 0)
        #expect(driver.sent == ["1 +4917012345 hello"])
        #expect(client.events == [.textSent(.ok, reason: nil)])
        withExtendedLifetime(host) {}
    }

    /// The line breaks after a report was written and before the relay's answer was read: it is written again, and delivered once.
    @Test func receivedTextsAreReportedOnceAndInOrder() async throws {
        let relay = try await Self.relay()
        let driver = DriverOfTests()
        let host = try await HostOfTests(relay, driver: driver)
        let client = try await host.pairedClient()
        relay.way.withLock { $0.breaksAfterReports = 3 }
        let texts = (1...6).map { "text \($0)" }
        for text in texts { driver.receive(text) }
        try await client.untilEvents(6)
        try await eventually { try await host.journal.waitingReports() == 0 }
        #expect(client.events == texts.map { .incomingText(sim: 1, from: "+49171", body: $0) })
        #expect(relay.way.withLock { $0.breaksAfterReports } == 0)
    }

    @Test func reportsWaitOnDiskForTheRelay() async throws {
        let relay = try await Self.relay()
        let driver = DriverOfTests()
        let first = try await HostOfTests(relay, driver: driver)
        let client = try await first.pairedClient()
        relay.way.withLock { $0.isDown = true }
        relay.cut()
        try await first.until { if case .disconnected = $0 { true } else { false } }
        driver.receive("one", id: "1")
        driver.receive("two", id: "2")
        try await eventually { try await first.journal.waitingReports() == 2 }
        let copy = try await first.crash()
        relay.way.withLock { $0.isDown = false }
        let next = DriverOfTests()
        let second = try await HostOfTests(relay, driver: next, folder: copy)
        // The modem still had one of the texts.
        next.receive("two", id: "2")
        next.receive("three", id: "3")
        try await client.untilEvents(3)
        #expect(client.events == ["one", "two", "three"].map { .incomingText(sim: 1, from: "+49171", body: $0) })
        withExtendedLifetime(second) {}
    }

    @Test func waitingCommandsAreCarriedOutOnConnect() async throws {
        let relay = try await Self.relay()
        let first = try await HostOfTests(relay, driver: DriverOfTests())
        let client = try await first.pairedClient()
        let copy = try await first.crash()
        try await client.until { $0.contains { if case .event(.deviceOffline) = $0.content { true } else { false } } }
        #expect(try await client.sendText("later").status == .queued)
        let driver = DriverOfTests()
        let second = try await HostOfTests(relay, driver: driver, folder: copy)
        try await client.untilEvents(1)
        #expect(driver.sent == ["1 +4917012345 later"])
        withExtendedLifetime(second) {}
    }

    @Test func anOverdueTextIsNotSent() async throws {
        let relay = try await Self.relay()
        let driver = DriverOfTests(.crashBefore)
        let first = try await HostOfTests(relay, driver: driver)
        let client = try await first.pairedClient()
        try await client.sendText("on its way")
        try await client.sendText("behind it")
        try await client.call("+1")
        #expect(await driver.crashed.first { _ in true } != nil)
        try await eventually { relay.way.withLock { $0.written.contains { $0.contains(#""seq":4"#) } } }
        let copy = try await first.crash()
        let next = DriverOfTests()
        let day = 86_400_000 as Int64
        let second = try await HostOfTests(
            relay, driver: next, folder: copy, now: { Int64(Date().timeIntervalSince1970 * 1000) + day + 1000 })
        try await client.untilEvents(2)
        #expect(!next.sent.contains("1 +4917012345 behind it"))
        #expect(client.events.contains { if case .textSent(.error, let why?) = $0 { why.contains("too long") } else { false } })
        withExtendedLifetime(second) {}
    }

    /// A relay before version 2 sends no receipts.
    @Test func anOlderRelayWorksToo() async throws {
        let relay = try await Self.relay()
        relay.way.withLock { $0.isOld = true }
        let host = try await HostOfTests(relay, driver: DriverOfTests())
        let client = try await host.pairedClient()
        try await client.sendText("hello")
        try await client.untilEvents(1)
        try await host.until { $0 == .olderRelay }
        #expect(client.events == [.textSent(.ok, reason: nil)])
    }
}
