import Foundation
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeHost

/// The fate of texts that were sent: delivery reports, and outcomes that were unknown.
@Suite struct DeliveryTests {
    private let folder: TemporaryFolder
    private let journal: HostJournal

    init() throws {
        folder = try TemporaryFolder()
        journal = try HostJournal(path: folder.file("host.db"), now: { 1000 })
    }

    private func reports() async throws -> [RelayMessage] {
        var all: [RelayMessage] = []
        while let report = try await journal.nextReport() {
            all.append(try #require(RelayMessage(text: report.text)))
            try await journal.remove(report)
        }
        return all
    }

    /// Sends a text of so many parts.
    private func send(
        _ id: String, to number: String = "+49170555", reference: Int?, parts: Int = 1, body: String = "hi",
        _ event: PhoneEvent = .textSent(.ok, reason: nil)
    ) async throws {
        _ = try await journal.accept(.sendText(sim: 1, to: number, body: body), reqId: RequestID(id), seq: nil, line: "l")
        let entry = try #require(try await journal.begin(.text1))
        let receipt = reference.map { TextReceipt(source: "card", reference: $0, partCount: parts) }
        try await journal.finish(entry, event, receipt: receipt)
    }

    private func report(
        _ reference: Int, _ outcome: DeliveryReport.Outcome = .delivered, number: String = "+49170555", source: String = "card"
    ) async throws -> [String] {
        try await journal.store(DeliveryReport(source: source, number: number, reference: reference, outcome: outcome))
        return try await reports().map { "\($0.reqId?.rawValue ?? "") \($0.details.delivery?.rawValue ?? "-")" }
    }

    @Test func aDeliveredTextIsReportedOnce() async throws {
        try await send("a", reference: 7)
        _ = try await reports()
        #expect(try await report(7, .pending) == [])
        #expect(try await report(7) == ["a delivered"])
        #expect(try await report(7) == [])
        #expect(try await report(7, .failed) == [])
    }

    @Test func aTextIsDeliveredWithItsLastPart() async throws {
        // References go on from 0 after 255.
        try await send("a", reference: 1, parts: 3)
        _ = try await reports()
        #expect(try await report(0) == [])
        #expect(try await report(0) == [])
        // All parts are reported, so all are awaited.
        #expect(try await report(1) == [])
        #expect(try await report(255) == ["a delivered"])

        // ModemManager asks for a report on the last part only.
        try await send("b", reference: 10, parts: 3)
        _ = try await reports()
        #expect(try await report(10) == ["b delivered"])
        #expect(try await report(8) == [])
        #expect(try await report(7) == [])
    }

    @Test func oneLostPartIsAFailure() async throws {
        try await send("a", reference: 5, parts: 2)
        _ = try await reports()
        #expect(try await report(4, .failed) == ["a failed"])
        #expect(try await report(5, .failed) == [])
    }

    @Test func reportsOfOthersAreNoneOfThisText() async throws {
        try await send("a", reference: 7)
        _ = try await reports()
        #expect(try await report(8) == [])
        #expect(try await report(7, number: "+4917055") == [])
        #expect(try await report(7, source: "other card") == [])
        // The network writes the number with its country.
        try await send("b", to: "0170555123", reference: 8)
        #expect(try await report(8, number: "+49170555123") == ["b -", "b delivered"])
    }

    @Test func theLatestTextWithAReferenceIsMeant() async throws {
        try await send("a", reference: 7)
        try await send("b", reference: 7)
        _ = try await reports()
        #expect(try await report(7) == ["b delivered"])
    }

    @Test func aReportMayComeBeforeTheTextIsNoted() async throws {
        _ = try await journal.accept(.sendText(sim: 1, to: "+49170555", body: "hi"), reqId: RequestID("a"), seq: nil, line: "l")
        let entry = try #require(try await journal.begin(.text1))
        #expect(try await report(3) == [])
        try await journal.finish(
            entry, .textSent(.ok, reason: nil), receipt: TextReceipt(source: "card", reference: 3, partCount: 1))
        #expect(try await reports().map(\.details.delivery) == [nil, .delivered])
    }

    @Test func aLateReportFindsItsTextAfterARestart() async throws {
        try await send("a", reference: 7)
        _ = try await reports()
        journal.close()
        let later = try HostJournal(path: folder.file("host.db"), now: { 1000 + 20 * 86_400_000 })
        defer { later.close() }
        _ = try await later.recover()
        try await later.store(DeliveryReport(source: "card", number: "+49170555", reference: 7, outcome: .delivered))
        let report = try #require(try await later.nextReport())
        #expect(RelayMessage(text: report.text)?.details.delivery == .delivered)
    }

    @Test func anUnknownOutcomeIsClearedUpOnce() async throws {
        try await send("a", reference: nil, .textSent(.unknown, reason: "?"))
        _ = try await reports()
        func accept(_ body: String, _ number: String = "+49170555") async throws -> [RequestID?] {
            let receipt = TextReceipt(source: "card", reference: 9, partCount: 1)
            try await journal.store(AcceptedText(sim: 1, number: number, body: body, receipt: receipt))
            return try await reports().map(\.reqId)
        }
        #expect(try await accept("other") == [])
        #expect(try await accept("hi", "+1") == [])
        #expect(try await accept("hi") == [RequestID("a")])
        #expect(try await accept("hi") == [])
        #expect(try await report(9) == ["a delivered"])
    }

    /// The host was killed while the modem sent the text.
    @Test func theOutcomeOfAKilledHostIsClearedUp() async throws {
        _ = try await journal.accept(.sendText(sim: 1, to: "+49170555", body: "hi"), reqId: RequestID("a"), seq: nil, line: "l")
        _ = try await journal.begin(.text1)
        #expect(try await journal.recover().count == 1)
        _ = try await reports()
        try await journal.store(AcceptedText(sim: 1, number: "+49170555", body: "hi", receipt: nil))
        #expect(try await reports().map(\.content) == [.event(.textSent(.ok, reason: nil))])
    }

    @Test func eventsSayWhenTheyHappened() async throws {
        _ = try await journal.store(
            IncomingText(id: "i", source: "s", sim: 1, from: "+1", body: "b", serviceCentreTime: .init(milliseconds: 500)))
        let report = try #require(try await journal.nextReport())
        let message = try #require(RelayMessage(text: report.text(offset: 60_000)))
        #expect(message.details.serviceCentreTime == RelayTime("1970-01-01T00:00:00.500"))
        #expect(message.details.hostTime == RelayTime("1970-01-01T00:01:01.000"))
        #expect(report.text(offset: .max).contains(report.messageID))
    }
}
