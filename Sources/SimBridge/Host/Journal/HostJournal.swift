import Foundation
package import SimBridgeWire
package import StorageKit
import WireKit

/// The host's durable state: accepted commands, reports for the relay, stored texts. One SQLite file.
///
/// ```
///   command ─▶ accepted ─▶ begun ─▶ done + report ─▶ (the relay has it) ─▶ removed
///                 │          └─ crash ─▶ done + report "unknown"           never carried out a second time
///                 └─ crash ─▶ carried out at the next start                nothing had happened
///
///   text ─▶ report + held ─▶ (the modem deletes it) ─▶ not held any more
/// ```
package struct HostJournal: Sendable {
    /// An accepted command.
    package struct Entry: Hashable, Sendable {
        package var id: Int64
        package var command: Command
        package var reqId: RequestID?
        package var at: Int64
    }

    /// A message for the relay.
    package struct Report: Hashable, Sendable {
        package var id: Int64
        /// The idempotency key, `msg_id`.
        package var messageID: String
        /// The text frame, without its time.
        package var text: String
        /// The time at which the host noticed the event, in milliseconds since 1970 by its own clock.
        package var at: Int64
        /// The text frame as it was sent first, with its time; nil before.
        fileprivate var frame: String?

        /// The text frame with ``EventDetails/hostTime``.
        ///
        /// - Parameter offset: The relay's clock minus the host's, in milliseconds.
        func text(offset: Int64) -> String {
            let time = RelayTime(Timestamp(milliseconds: at.addingReportingOverflow(offset).partialValue))
            return "{\"host_time\":\"\(time)\",\(text.dropFirst())"
        }
    }

    /// The result of accepting a command.
    package enum Acceptance: Hashable, Sendable {
        case new
        /// Accepted before: its report is sent again.
        case repeated
        /// Its id was used for another command. Its sender is told.
        case conflict
    }

    /// The relay has been away for so long that the journal is full. Further texts stay in their modems.
    package struct Full: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String { "More than \(HostJournal.maximumReports) reports wait for the relay" }
    }

    package static let maximumReports = 10_000
    /// The retention of a finished command (`Docs/Protocols/SimBridge-Line.md`).
    static let memory: Duration = .seconds(30 * 86_400)

    private let store: Database
    private let now: @Sendable () -> Int64
    private let makeID: @Sendable () -> String

    /// - Throws: `StorageError`.
    package init(
        path: String, now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) },
        makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) throws {
        store = try Database(path: path, migrations: JournalTables.migrations)
        (self.now, self.makeID) = (now, makeID)
    }

    package func close() { store.close() }

    /// True if a retry may succeed: with a full disk, not with a damaged file.
    static func isTemporary(_ error: any Error) -> Bool {
        switch error {
        case let error as StorageError: [.unusable, .full, .overloaded].contains(error.code)
        default: error is DataFolderProblem
        }
    }

    /// Ends the commands that an earlier run has left unfinished. Called once, before anything else.
    ///
    /// - Returns: The commands whose outcome is unknown.
    package func recover() async throws -> [Entry] {
        let (now, makeID) = (now, makeID)
        return try await store.write { transaction in
            try transaction.execute("UPDATE host_reports SET is_refused = 0")
            // Reading the SIM cards again does no harm.
            try transaction.execute("UPDATE host_commands SET state = 'accepted' WHERE state = 'begun' AND lane = 'sims'")
            var open: [Entry] = []
            let begun = try transaction.all("SELECT * FROM host_commands WHERE state = 'begun' ORDER BY id", as: CommandRow.self)
            for row in begun {
                guard let entry = row.entry else {
                    try transaction.fail(row, messageID: makeID(), at: now())
                    continue
                }
                let report = DeviceMessage(entry.unknownOutcome, reqId: entry.reqId)
                try transaction.finish(entry.id, report, messageID: makeID(), at: now())
                if entry.command.name == .sendText { try transaction.keep(entry, receipt: nil, isUnknown: true, at: now()) }
                open.append(entry)
            }
            try transaction.removeFinishedCommands(at: now())
            return open
        }
    }

    /// Removes commands that finished so long ago that the relay does not send them again.
    package func tidy() async throws {
        let now = now()
        try await store.write { try $0.removeFinishedCommands(at: now) }
    }

    /// Removes all commands and reports. Texts in modems stay known, so that they are not reported once more.
    package func removeWork() async throws {
        try await store.write { transaction in
            for table in ["host_lines", "host_commands", "host_reports", "host_sent", "host_early_reports"] {
                try transaction.execute("DELETE FROM \(table)")
            }
        }
    }

    // MARK: Commands

    /// The sequence number of the last message accepted on a line.
    package func cursor(of line: String) async throws -> Int64? {
        try await store.read { try $0.cursor(of: line) }
    }

    /// Sets the cursor after a reset: the relay no longer has the messages after it, or has a new log.
    package func setCursor(_ seq: Int64, of line: String) async throws {
        try await store.write { try $0.setCursor(seq, of: line) }
    }

    /// Stores a command. Once this has returned it may be acknowledged.
    ///
    /// - Parameters:
    ///   - sender: The device that is told of a conflict; nil: the relay chooses.
    ///   - seq: Its sequence number on `line`. One that is not higher than the cursor was accepted before.
    /// - Returns: nil for a sequence number that was accepted before.
    package func accept(
        _ command: Command, from sender: Device.ID? = nil, reqId: RequestID?, seq: Int64?, line: String
    ) async throws -> Acceptance? {
        let (now, makeID) = (now(), makeID())
        let content = try WireJSON.encode(DeviceMessage(.command(command)))
        return try await store.write { transaction -> Acceptance? in
            if let seq {
                guard seq > (try transaction.cursor(of: line) ?? 0) else { return nil }
                try transaction.setCursor(seq, of: line)
            }
            if let reqId,
                let earlier = try transaction.first(
                    "SELECT * FROM host_commands WHERE req_id = ?", reqId.rawValue, as: CommandRow.self)
            {
                guard earlier.content == content else {
                    let report = DeviceMessage(
                        .event(.error("req_id already used for another command")), to: sender, reqId: reqId)
                    try transaction.add(report: WireJSON.encode(report), messageID: makeID, at: now)
                    return .conflict
                }
                // An unfinished command is reported when it ends.
                if earlier.state == "done", let report = earlier.report {
                    try transaction.add(report: report, messageID: makeID, at: now)
                }
                return .repeated
            }
            try transaction.execute(
                "INSERT INTO host_commands (req_id, content, lane, state, at) VALUES (?, ?, ?, 'accepted', ?)", reqId?.rawValue,
                content, command.lane.rawValue, now)
            return .new
        }
    }

    /// Advances the cursor past a message that needs nothing else.
    package func skip(_ seq: Int64, line: String) async throws {
        try await store.write { transaction in
            if seq > (try transaction.cursor(of: line) ?? 0) { try transaction.setCursor(seq, of: line) }
        }
    }

    /// The next command of a lane. It counts as begun from now on: the caller carries it out at once.
    func begin(_ lane: Lane) async throws -> Entry? {
        let (now, makeID) = (now(), makeID)
        return try await store.write { transaction in
            while let row = try transaction.first(
                "SELECT * FROM host_commands WHERE state = 'accepted' AND lane = ? ORDER BY id LIMIT 1", lane.rawValue,
                as: CommandRow.self)
            {
                guard let entry = row.entry else {
                    try transaction.fail(row, messageID: makeID(), at: now)
                    continue
                }
                try transaction.execute("UPDATE host_commands SET state = 'begun' WHERE id = ?", entry.id)
                return entry
            }
            return nil
        }
    }

    /// The id of the entry of the command with `reqId`.
    func entry(of reqId: RequestID) async throws -> Int64? {
        try await store.read { try $0.first("SELECT id FROM host_commands WHERE req_id = ?", reqId.rawValue) }
    }

    /// Ends a command. Its report, if it has one, is stored in the same transaction.
    ///
    /// - Parameters:
    ///   - details: Further fields of the event.
    ///   - receipt: The key of the delivery reports of a text that was sent.
    func finish(
        _ entry: Entry, _ event: PhoneEvent?, details: EventDetails = EventDetails(), receipt: TextReceipt? = nil
    ) async throws {
        let (now, makeID) = (now(), makeID)
        let report = event.map { DeviceMessage(.event($0), reqId: entry.reqId, details: details) }
        let isUnknown = if case .textSent(.unknown, _) = event { true } else { false }
        try await store.write { transaction in
            try transaction.finish(entry.id, report, messageID: makeID(), at: now)
            guard receipt != nil || isUnknown else { return }
            try transaction.keep(entry, receipt: receipt, isUnknown: isUnknown, at: now)
            // The receiver may have the text before the host has noted it.
            for early in try transaction.earlyReports(since: entry.at) {
                if try transaction.take(early.report, messageID: makeID, at: now) { try transaction.removeEarlyReport(early) }
            }
        }
    }

    // MARK: Incoming texts and calls

    /// Stores a text and its report, unless it is stored already.
    ///
    /// - Returns: True if the text was new.
    /// - Throws: ``Full``.
    func store(_ text: IncomingText) async throws -> Bool {
        let (now, makeID) = (now(), makeID())
        let message = DeviceMessage(
            .event(.incomingText(sim: text.sim, from: text.from, body: text.body)),
            details: EventDetails(serviceCentreTime: text.serviceCentreTime.map { RelayTime($0) }, kind: text.kind))
        let report = try WireJSON.encode(message)
        return try await store.write { transaction in
            let count = try transaction.execute(
                "INSERT INTO host_held (source, text_id) VALUES (?, ?) ON CONFLICT DO NOTHING", text.source, text.id)
            guard count > 0 else { return false }
            guard try transaction.reportCount() < Self.maximumReports else { throw Full() }
            try transaction.add(report: report, messageID: makeID, at: now)
            return true
        }
    }

    /// Removes the texts that are not in their modem any more.
    ///
    /// - Parameter ids: The texts that are still in the modem.
    func updateHeld(_ ids: Set<IncomingText.ID>, of source: String) async throws {
        try await store.write { transaction in
            let held = try transaction.all("SELECT text_id FROM host_held WHERE source = ?", source, as: String.self)
            for id in held where !ids.contains(id) {
                try transaction.execute("DELETE FROM host_held WHERE source = ? AND text_id = ?", source, id)
            }
        }
    }

    /// Stores the report of a call. A report that belongs to no command is dropped when the journal is full.
    ///
    /// - Returns: The reported event.
    @discardableResult
    func store(_ call: TelephonyCall) async throws -> PhoneEvent {
        let (now, makeID) = (now(), makeID())
        let event: PhoneEvent =
            call.direction == .incoming && call.state == .ringing && !call.isKnown
            ? .incomingCall(sim: call.sim, from: call.number)
            : .callState(call.state, sim: call.sim, from: call.number, reason: call.reason)
        try await store.write { transaction in
            var message = DeviceMessage(.event(event))
            if let reference = call.reference,
                let command = try transaction.first("SELECT * FROM host_commands WHERE id = ?", reference, as: CommandRow.self)
            {
                message.reqId = command.reqId
                try transaction.execute("UPDATE host_commands SET report = ? WHERE id = ?", WireJSON.encode(message), reference)
            } else if try transaction.reportCount() >= Self.maximumReports {
                return
            }
            try transaction.add(report: WireJSON.encode(message), messageID: makeID, at: now)
        }
        return event
    }

    // MARK: Delivery

    /// Stores what the network says about the delivery of a text.
    ///
    /// A text counts as delivered when its last part is: ModemManager asks for a report on that part only. Where reports on other parts
    /// came first, all are asked for, and all must be delivered. A report that belongs to no text yet is kept for an hour.
    func store(_ report: DeliveryReport) async throws {
        let (now, makeID) = (now(), makeID)
        try await store.write { transaction in
            if try transaction.take(report, messageID: makeID, at: now) { return }
            try transaction.addEarlyReport(report, at: now)
        }
    }

    /// Ends the doubt about a text: the modem has sent it.
    func store(_ accepted: AcceptedText) async throws {
        let (now, makeID) = (now(), makeID())
        try await store.write { transaction in
            let rows = try transaction.all("SELECT * FROM host_sent WHERE is_unknown = 1 ORDER BY command", as: SentRow.self)
            guard
                let row = rows.first(where: {
                    $0.sim == accepted.sim && $0.body == accepted.body && SentRow.isSame($0.number, accepted.number)
                })
            else { return }
            try transaction.accept(row, accepted.receipt, messageID: makeID, at: now)
        }
    }

    // MARK: Reports

    /// Stores a report that belongs to no accepted command.
    func report(_ message: DeviceMessage) async throws {
        let (now, makeID) = (now(), makeID())
        let report = try WireJSON.encode(message)
        try await store.write { try $0.add(report: report, messageID: makeID, at: now) }
    }

    /// The oldest report that the relay does not have and has not refused.
    package func nextReport() async throws -> Report? {
        try await store.read { try $0.first("SELECT * FROM host_reports WHERE is_refused = 0 ORDER BY id LIMIT 1") }
    }

    /// The text frame of a report, with its time by the relay's clock.
    ///
    /// Settled and stored before it is sent first: the relay refuses a repetition that differs, and the clocks may.
    ///
    /// - Parameter offset: The relay's clock minus the host's, in milliseconds.
    package func frame(of report: Report, offset: Int64) async throws -> String {
        if let frame = report.frame { return frame }
        let frame = report.text(offset: offset)
        try await store.write { _ = try $0.execute("UPDATE host_reports SET frame = ? WHERE id = ?", Data(frame.utf8), report.id) }
        return frame
    }

    /// Removes a report that the relay has stored, or never will.
    package func remove(_ report: Report) async throws {
        try await store.write { _ = try $0.execute("DELETE FROM host_reports WHERE id = ?", report.id) }
    }

    /// Skips a report that the relay refused. The next run sends it again.
    func setAside(_ report: Report) async throws {
        try await store.write { _ = try $0.execute("UPDATE host_reports SET is_refused = 1 WHERE id = ?", report.id) }
    }

    /// The number of reports that wait for the relay.
    package func waitingReports() async throws -> Int {
        try await store.read { try $0.reportCount() }
    }
}

extension HostJournal.Report: RowDecodable {
    package init(row: Row) throws {
        self.init(
            id: try row.get("id"), messageID: try row.get("msg_id"),
            text: String(decoding: try row.get("message", as: Data.self), as: UTF8.self), at: try row.get("at"),
            frame: try row.get("frame", as: Data?.self).map { String(decoding: $0, as: UTF8.self) })
    }
}

/// A stored command.
struct CommandRow: RowDecodable {
    var id: Int64
    var reqId: RequestID?
    var content: Data
    var state: String
    var report: Data?
    var at: Int64

    init(row: Row) throws {
        id = try row.get("id")
        reqId = try row.get("req_id", as: String?.self).map { RequestID($0) }
        content = try row.get("content")
        state = try row.get("state")
        report = try row.get("report")
        at = try row.get("at")
    }

    /// Nil when the content is not a command.
    var entry: HostJournal.Entry? {
        guard let value = try? WireJSON.decode(JSONValue.self, from: content),
            case .command(let command) = RelayMessage(value).content
        else {
            return nil
        }
        return HostJournal.Entry(id: id, command: command, reqId: reqId, at: at)
    }
}

extension ReadTransaction {
    fileprivate func cursor(of line: String) throws -> Int64? { try first("SELECT seq FROM host_lines WHERE line = ?", line) }

    fileprivate func reportCount() throws -> Int { try one("SELECT COUNT(*) FROM host_reports") }
}

extension WriteTransaction {
    fileprivate func setCursor(_ seq: Int64, of line: String) throws {
        try execute(
            "INSERT INTO host_lines (line, seq) VALUES (?, ?) ON CONFLICT (line) DO UPDATE SET seq = excluded.seq", line, seq)
    }

    fileprivate func removeFinishedCommands(at now: Int64) throws {
        try execute(
            "DELETE FROM host_commands WHERE state = 'done' AND at < ?", now - HostJournal.memory.components.seconds * 1000)
        try execute("DELETE FROM host_sent WHERE at < ?", now - HostJournal.memory.components.seconds * 1000)
        try removeEarlyReports(before: now)
    }

    /// Ends a command that cannot be decoded from its row. The command is unknown, so it is not executed.
    fileprivate func fail(_ row: CommandRow, messageID: String, at time: Int64) throws {
        let event = PhoneEvent.error("The host cannot read this command in its journal any more. It was not carried out again.")
        try finish(row.id, DeviceMessage(.event(event), reqId: row.reqId), messageID: messageID, at: time)
    }

    fileprivate func finish(_ id: Int64, _ message: DeviceMessage?, messageID: String, at time: Int64) throws {
        let report = try message.map { try WireJSON.encode($0) }
        // The report of a call that was stored meanwhile stays.
        try execute("UPDATE host_commands SET state = 'done', report = COALESCE(?, report) WHERE id = ?", report, id)
        if let report { try add(report: report, messageID: messageID, at: time) }
    }

    /// - Parameter report: A JSON object with at least one field. The message is the same object with its `msg_id`.
    func add(report: Data, messageID: String, at time: Int64) throws {
        let message = try Data(#"{"msg_id":"#.utf8) + WireJSON.encode(messageID) + Data(",".utf8) + report.dropFirst()
        try execute("INSERT INTO host_reports (msg_id, message, at) VALUES (?, ?, ?)", messageID, message, time)
    }
}

extension HostJournal.Entry {
    /// The report of a command during which this program ended.
    var unknownOutcome: DeviceMessage.Content {
        switch command.name {
        case .sendText:
            .event(
                .textSent(
                    .unknown,
                    reason: "It is not known whether this text was sent: the host stopped while it was handing it to the network"))
        case .makeCall, .hangUp:
            .event(
                .callState(
                    .error, sim: command.sim, from: command.to,
                    reason: "It is not known what became of this call: the host stopped while it was being placed or ended"))
        default: .event(.error("It is not known whether \(command.name.rawValue) was carried out: the host stopped meanwhile"))
        }
    }
}
