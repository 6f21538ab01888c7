import Foundation
import SimBridgeWire
import StorageKit
import TestKit
import Testing

@testable import SimBridgeHost

/// The stored content of the journal, and its use by a new run.
@Suite struct JournalTests {
    private let folder: TemporaryFolder
    private let line = "relay#1"

    init() throws { folder = try TemporaryFolder() }

    private func journal(at now: Int64 = 1000) throws -> HostJournal { try HostJournal(path: folder.file("host.db"), now: { now }) }

    private func reports(_ journal: HostJournal) async throws -> [RelayMessage] {
        var all: [RelayMessage] = []
        while let report = try await journal.nextReport() {
            all.append(try #require(RelayMessage(text: report.text)))
            #expect(report.text.contains(#""msg_id":"\#(report.messageID)""#))
            try await journal.remove(report)
        }
        return all
    }

    private let text = Command.sendText(sim: 1, to: "+1", body: "hi")

    @Test func aSequenceNumberIsAcceptedOnce() async throws {
        let journal = try journal()
        #expect(try await journal.accept(text, reqId: nil, seq: 1, line: line) == .new)
        #expect(try await journal.accept(text, reqId: nil, seq: 1, line: line) == nil)
        #expect(try await journal.accept(text, reqId: nil, seq: 4, line: line) == .new)
        #expect(try await journal.cursor(of: line) == 4)
        // Each line has its own sequence numbers.
        #expect(try await journal.accept(text, reqId: nil, seq: 1, line: "other") == .new)
    }

    @Test func aRepeatedIDIsReportedAgainAndNotExecuted() async throws {
        let journal = try journal()
        #expect(try await journal.accept(text, reqId: RequestID("r"), seq: nil, line: line) == .new)
        let entry = try #require(try await journal.begin(.text1))
        // The command is not finished yet: its report follows anyway.
        #expect(try await journal.accept(text, reqId: RequestID("r"), seq: nil, line: line) == .repeated)
        try await journal.finish(entry, .textSent(.ok, reason: nil))
        #expect(try await journal.accept(text, reqId: RequestID("r"), seq: nil, line: line) == .repeated)
        #expect(try await journal.begin(.text1) == nil)
        let recorded = try await reports(journal)
        #expect(recorded.map(\.content) == [.event(.textSent(.ok, reason: nil)), .event(.textSent(.ok, reason: nil))])
        #expect(recorded.allSatisfy { $0.reqId == RequestID("r") })

        let other = Command.sendText(sim: 1, to: "+1", body: "something else")
        #expect(try await journal.accept(other, reqId: RequestID("r"), seq: nil, line: line) == .conflict)
        #expect(try await reports(journal).map(\.content) == [.event(.error("req_id already used for another command"))])
    }

    /// The points at which a run can end, and the actions of the next run.
    @Test(
        arguments: [
            // (begun, done) → (done by the next run, what is reported)
            (false, false, true, nil), (true, false, false, PhoneEvent.SendStatus.unknown), (true, true, false, .ok),
        ] as [(Bool, Bool, Bool, PhoneEvent.SendStatus?)])
    func anInterruptedCommandIsNeverExecutedTwice(
        begun: Bool, done: Bool, isDoneNext: Bool, status: PhoneEvent.SendStatus?
    ) async throws {
        let first = try journal()
        _ = try await first.accept(text, reqId: RequestID("r"), seq: 1, line: line)
        if begun {
            let entry = try #require(try await first.begin(.text1))
            if done { try await first.finish(entry, .textSent(.ok, reason: nil)) }
        }
        first.close()

        // The value owns the lock, and a crash ends the value.
        let second = try await reopened(first)
        let open = try await second.recover()
        #expect(open.count == (begun && !done ? 1 : 0))
        #expect((try await second.begin(.text1) != nil) == isDoneNext)
        let recorded = try await reports(second)
        #expect(recorded.count == (status == nil ? 0 : 1))
        if let status, case .event(.textSent(let said, let reason))? = recorded.first?.content {
            #expect(said == status)
            #expect((reason != nil) == (status == .unknown))
        }
        // A repeated command gets the same report.
        if let status {
            #expect(try await second.accept(text, reqId: RequestID("r"), seq: nil, line: line) == .repeated)
            guard case .event(.textSent(status, _))? = try await reports(second).first?.content else {
                return #expect(Bool(false), "not reported again")
            }
        }
    }

    private func reopened(_ old: HostJournal) async throws -> HostJournal {
        let folder = folder
        // A copy of the file: the first run's lock lives as long as its value.
        let copy = folder.file("copy-\(UUID().uuidString).db")
        try FileManager.default.copyItem(atPath: folder.file("host.db"), toPath: copy)
        return try HostJournal(path: copy, now: { 2000 })
    }

    @Test func aCallWithUnknownOutcomeIsNotDialledAgain() async throws {
        let first = try journal()
        _ = try await first.accept(.makeCall(sim: 1, to: "+1"), reqId: RequestID("c"), seq: 1, line: line)
        _ = try await first.accept(.getSIMs, reqId: RequestID("s"), seq: 2, line: line)
        _ = try await first.begin(.calls)
        _ = try await first.begin(.sims)
        first.close()
        let second = try await reopened(first)
        #expect(try await second.recover().map(\.command.name) == [.makeCall])
        #expect(try await second.begin(.calls) == nil)
        // A repeated request for SIM cards is harmless.
        #expect(try await second.begin(.sims)?.reqId == RequestID("s"))
        let recorded = try await reports(second)
        guard case .event(.callState(.error, _, _, _?))? = recorded.first?.content else { return #expect(Bool(false)) }
        #expect(recorded.first?.reqId == RequestID("c"))
    }

    @Test func aTextIsStoredOnceWhileTheModemHoldsIt() async throws {
        let journal = try journal()
        let text = IncomingText(id: "a", source: "m", sim: 2, from: "+1", body: "hi")
        #expect(try await journal.store(text))
        #expect(try await journal.store(text) == false)
        try await journal.updateHeld(["a"], of: "m")
        try await journal.updateHeld([], of: "another modem")
        #expect(try await journal.store(text) == false)
        // The modem deleted the text: a later one with the same words is another text.
        try await journal.updateHeld([], of: "m")
        #expect(try await journal.store(text))
        #expect(
            try await reports(journal).map(\.content)
                == Array(
                    repeating: .event(.incomingText(sim: 2, from: "+1", body: "hi")), count: 2))
    }

    @Test func aRefusedReportIsStoredAndDelaysNothing() async throws {
        let first = try journal()
        try await first.report(DeviceMessage(.event(.error("a"))))
        try await first.report(DeviceMessage(.event(.error("b"))))
        try await first.setAside(try #require(try await first.nextReport()))
        #expect(try await first.nextReport()?.text.contains(#""body":"b""#) == true)
        first.close()
        let second = try await reopened(first)
        _ = try await second.recover()
        #expect(try await reports(second).map(\.content) == [.event(.error("a")), .event(.error("b"))])
    }

    @Test func aReportIsSentAgainAsItWas() async throws {
        let first = try journal()
        try await first.report(DeviceMessage(.event(.error("a"))))
        let frame = try await first.frame(of: try #require(try await first.nextReport()), offset: 0)
        #expect(frame.contains("host_time"))
        first.close()
        let second = try await reopened(first)
        // The clocks have moved apart meanwhile.
        #expect(try await second.frame(of: try #require(try await second.nextReport()), offset: 60_000) == frame)
    }

    /// The purpose of a damaged row is unknown: the row is reported, and not executed.
    @Test(arguments: ["accepted", "begun"], ["", "x", "{}", #"{"type":"event","event":"ERROR"}"#])
    func anUnreadableRowIsNotCarriedOut(state: String, content: String) async throws {
        let first = try journal()
        _ = try await first.accept(text, reqId: RequestID("r"), seq: 1, line: line)
        _ = try await first.accept(.sendText(sim: 1, to: "+1", body: "next"), reqId: nil, seq: 2, line: line)
        first.close()
        let path = folder.file("damaged.db")
        try FileManager.default.copyItem(atPath: folder.file("host.db"), toPath: path)
        let database = try Database(existing: path)
        try await database.write {
            _ = try $0.execute(
                "UPDATE host_commands SET state = ?, content = ? WHERE req_id = 'r'", state, Data(content.utf8))
        }
        database.close()
        let second = try HostJournal(path: path, now: { 2000 })
        #expect(try await second.recover().isEmpty)
        #expect(try await second.begin(.text1)?.command.body == "next")
        #expect(try await second.begin(.text1) == nil)
        let recorded = try await reports(second)
        #expect(recorded.map(\.reqId) == [RequestID("r")])
        guard case .event(.error(_?))? = recorded.first?.content else { return #expect(Bool(false)) }
    }

    @Test func lanesDoNotWaitForEachOther() async throws {
        let journal = try journal()
        _ = try await journal.accept(.sendText(sim: 2, to: "+1", body: "b"), reqId: nil, seq: 1, line: line)
        _ = try await journal.accept(text, reqId: nil, seq: 2, line: line)
        _ = try await journal.accept(.hangUp, reqId: nil, seq: 3, line: line)
        #expect(try await journal.begin(.text1)?.command == text)
        #expect(try await journal.begin(.calls)?.command == .hangUp)
        #expect(try await journal.begin(.text2)?.command.body == "b")
    }
}
