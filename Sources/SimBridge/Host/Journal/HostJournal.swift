import Foundation
import GRDB
package import SimBridgeWire
import StorageKit
import WireKit

/// What a host must not forget: commands it has taken, what it has to report, texts it has stored. One SQLite file.
///
/// ```
///   command ─▶ accepted ─▶ begun ─▶ done + report ─▶ (the relay has it) ─▶ gone
///                 │          └─ crash ─▶ done + report "nobody knows"      never done a second time
///                 └─ crash ─▶ done at the next start                       nothing had happened
///
///   text ─▶ report + held ─▶ (the modem forgets it) ─▶ not held any more
/// ```
package struct HostJournal: Sendable {
    /// A command that was taken.
    package struct Entry: Hashable, Sendable {
        package var id: Int64
        package var command: Command
        package var reqId: RequestID?
        package var at: Int64
    }

    /// Something the relay is to have.
    package struct Report: Hashable, Sendable {
        package var id: Int64
        /// By it the relay knows that it has it already (`msg_id`).
        package var messageID: String
        /// The text frame.
        package var text: String
    }

    /// What became of a command that came.
    package enum Acceptance: Hashable, Sendable {
        case new
        /// It had come before: what was reported is reported again.
        case repeated
        /// Its id has been used for another command.
        case conflict
    }

    /// The relay has not taken anything for so long that no more is kept: texts stay in their modems.
    package struct Full: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String { "More than \(HostJournal.mostReports) reports wait for the relay" }
    }

    package static let mostReports = 10_000
    /// How long a command is remembered, once it is done (`Docs/Protocols/SimBridge-Line.md`).
    static let memory: Duration = .seconds(30 * 86_400)

    private let store: SQLiteStore
    private let now: @Sendable () -> Int64
    private let makeID: @Sendable () -> String

    /// - Throws: `StorageError`.
    package init(
        path: String, now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1000) },
        makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) throws {
        store = try SQLiteStore(path: path, migrations: JournalTables.migrations)
        (self.now, self.makeID) = (now, makeID)
    }

    package func close() { store.close() }

    /// Whether what failed may work later: not with a damaged file, nor where the failure is none of the disk's.
    static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError: ![.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
        case let error as StorageError: error.code == .overloaded
        default: error is DataFolderProblem
        }
    }

    /// To be called once, before anything else: settles what an earlier run has left open.
    ///
    /// - Returns: The commands of which nobody knows whether they were carried out.
    package func recover() async throws -> [Entry] {
        let (now, makeID) = (now, makeID)
        return try await store.write { transaction in
            let database = transaction.database
            try database.execute(sql: "UPDATE host_reports SET is_refused = 0")
            // Asking for SIM cards does nothing that could be done twice.
            try database.execute(sql: "UPDATE host_commands SET state = 'accepted' WHERE state = 'begun' AND lane = 'sims'")
            let rows = try Row.fetchAll(database, sql: "SELECT * FROM host_commands WHERE state = 'begun' ORDER BY id")
            var open: [Entry] = []
            for row in rows {
                guard let entry = Entry(row) else {
                    try Self.giveUp(row, messageID: makeID(), at: now(), in: database)
                    continue
                }
                let report = DeviceMessage(entry.unknownOutcome, reqId: entry.reqId)
                try Self.finish(entry.id, report, messageID: makeID(), at: now(), in: database)
                open.append(entry)
            }
            try Self.tidy(database, now())
            return open
        }
    }

    /// Forgets commands that were done so long ago that they do not come again.
    package func tidy() async throws {
        let now = now()
        try await store.write { try Self.tidy($0.database, now) }
    }

    private static func tidy(_ database: Database, _ now: Int64) throws {
        try database.execute(
            sql: "DELETE FROM host_commands WHERE state = 'done' AND at < ?", arguments: [now - memory.components.seconds * 1000])
    }

    // MARK: Commands

    /// The number of the last message taken over a line.
    package func cursor(of line: String) async throws -> Int64? {
        try await store.read { try Int64.fetchOne($0, sql: "SELECT seq FROM host_lines WHERE line = ?", arguments: [line]) }
    }

    /// The relay does not have what came after the cursor any more, or has begun anew.
    package func setCursor(_ seq: Int64, of line: String) async throws {
        try await store.write { try Self.setCursor(seq, of: line, in: $0.database) }
    }

    private static func setCursor(_ seq: Int64, of line: String, in database: Database) throws {
        try database.execute(
            sql: "INSERT INTO host_lines (line, seq) VALUES (?, ?) ON CONFLICT (line) DO UPDATE SET seq = excluded.seq",
            arguments: [line, seq])
    }

    /// Takes a command: once this has returned it may be acknowledged.
    ///
    /// - Parameter seq: Its number on `line`; a number that is not higher than the last is one that came before.
    /// - Returns: nil for one that came before by its number: there is nothing to say.
    package func accept(
        _ command: Command, reqId: RequestID?, seq: Int64?, line: String
    ) async throws -> Acceptance? {
        let (now, makeID) = (now(), makeID())
        let content = try WireJSON.encode(DeviceMessage(.command(command)))
        return try await store.write { transaction -> Acceptance? in
            let database = transaction.database
            if let seq {
                let last = try Int64.fetchOne(database, sql: "SELECT seq FROM host_lines WHERE line = ?", arguments: [line]) ?? 0
                guard seq > last else { return nil }
                try Self.setCursor(seq, of: line, in: database)
            }
            if let reqId,
                let known = try Row.fetchOne(
                    database, sql: "SELECT * FROM host_commands WHERE req_id = ?", arguments: [reqId.rawValue])
            {
                guard known["content"] == content else { return .conflict }
                // One that is not done yet will be reported then.
                if known["state"] == "done", let report: Data = known["report"] {
                    try Self.add(report: report, messageID: makeID, at: now, in: database)
                }
                return .repeated
            }
            try database.execute(
                sql: "INSERT INTO host_commands (req_id, content, lane, state, at) VALUES (?, ?, ?, 'accepted', ?)",
                arguments: [reqId?.rawValue, content, command.lane.rawValue, now])
            return .new
        }
    }

    /// Takes the number of a message that needs nothing else.
    package func pass(_ seq: Int64, line: String) async throws {
        try await store.write { transaction in
            let last = try Int64.fetchOne(
                transaction.database, sql: "SELECT seq FROM host_lines WHERE line = ?", arguments: [line])
            if seq > last ?? 0 { try Self.setCursor(seq, of: line, in: transaction.database) }
        }
    }

    /// The next command of a lane, which from now on counts as begun: whoever gets it carries it out at once.
    func begin(_ lane: Lane) async throws -> Entry? {
        let (now, makeID) = (now(), makeID)
        return try await store.write { transaction in
            let database = transaction.database
            while let row = try Row.fetchOne(
                database, sql: "SELECT * FROM host_commands WHERE state = 'accepted' AND lane = ? ORDER BY id LIMIT 1",
                arguments: [lane.rawValue])
            {
                guard let entry = Entry(row) else {
                    try Self.giveUp(row, messageID: makeID(), at: now, in: database)
                    continue
                }
                try database.execute(sql: "UPDATE host_commands SET state = 'begun' WHERE id = ?", arguments: [entry.id])
                return entry
            }
            return nil
        }
    }

    /// Ends a command that cannot be read from its row: nobody knows what it was, so it is not carried out.
    private static func giveUp(_ row: Row, messageID: String, at: Int64, in database: Database) throws {
        let event = PhoneEvent.error("The host cannot read this command in its journal any more. It was not carried out again.")
        let message = DeviceMessage(.event(event), reqId: (row["req_id"] as String?).map { RequestID($0) })
        try finish(row["id"], message, messageID: messageID, at: at, in: database)
    }

    /// The id of the entry of the command with `reqId`.
    func entry(of reqId: RequestID) async throws -> Int64? {
        try await store.read {
            try Int64.fetchOne($0, sql: "SELECT id FROM host_commands WHERE req_id = ?", arguments: [reqId.rawValue])
        }
    }

    /// The command is done. What is to be told of it, if anything, is kept with that.
    func finish(_ entry: Entry, _ event: PhoneEvent?) async throws {
        let (now, makeID) = (now(), makeID())
        let report = event.map { DeviceMessage(.event($0), reqId: entry.reqId) }
        try await store.write { try Self.finish(entry.id, report, messageID: makeID, at: now, in: $0.database) }
    }

    private static func finish(
        _ id: Int64, _ message: DeviceMessage?, messageID: String, at: Int64, in database: Database
    ) throws {
        let report = try message.map { try WireJSON.encode($0) }
        try database.execute(
            // What a call has told meanwhile stays.
            sql: "UPDATE host_commands SET state = 'done', report = coalesce(?, report) WHERE id = ?", arguments: [report, id])
        if let report { try add(report: report, messageID: messageID, at: at, in: database) }
    }

    // MARK: What comes in

    /// Stores a text, unless it is stored already.
    ///
    /// - Returns: Whether it was new.
    /// - Throws: ``Full``.
    func store(_ text: IncomingText) async throws -> Bool {
        let (now, makeID) = (now(), makeID())
        let message = DeviceMessage(.event(.incomingText(sim: text.sim, from: text.from, body: text.body)))
        let report = try WireJSON.encode(message)
        return try await store.write { transaction in
            let database = transaction.database
            try database.execute(
                sql: "INSERT INTO host_held (source, text_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [text.source, text.id])
            guard database.changesCount > 0 else { return false }
            guard try !Self.isFull(database) else { throw Full() }
            try Self.add(report: report, messageID: makeID, at: now, in: database)
            return true
        }
    }

    private static func isFull(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM host_reports") ?? 0 >= mostReports
    }

    /// Only these texts are still in their modem.
    func keepHeld(_ ids: Set<IncomingText.ID>, of source: String) async throws {
        try await store.write { transaction in
            let known = try String.fetchAll(
                transaction.database, sql: "SELECT text_id FROM host_held WHERE source = ?", arguments: [source])
            for id in known where !ids.contains(id) {
                try transaction.database.execute(
                    sql: "DELETE FROM host_held WHERE source = ? AND text_id = ?", arguments: [source, id])
            }
        }
    }

    /// Keeps what is to be told of a call; of one that came in not when there is no room any more.
    ///
    /// - Returns: What is told.
    @discardableResult
    func store(_ call: TelephonyCall) async throws -> PhoneEvent {
        let (now, makeID) = (now(), makeID())
        let event: PhoneEvent =
            call.direction == .incoming && call.state == .ringing
            ? .incomingCall(sim: call.sim, from: call.number)
            : .callState(call.state, sim: call.sim, from: call.number, reason: call.reason)
        try await store.write { transaction in
            let database = transaction.database
            var message = DeviceMessage(.event(event))
            if let reference = call.reference,
                let row = try Row.fetchOne(database, sql: "SELECT req_id FROM host_commands WHERE id = ?", arguments: [reference])
            {
                message.reqId = (row["req_id"] as String?).map { RequestID($0) }
                try database.execute(
                    sql: "UPDATE host_commands SET report = ? WHERE id = ?", arguments: [try WireJSON.encode(message), reference])
            } else if try Self.isFull(database) {
                return
            }
            try Self.add(report: try WireJSON.encode(message), messageID: makeID, at: now, in: database)
        }
        return event
    }

    // MARK: Reports

    /// Tells of something that belongs to no command that was taken.
    func report(_ message: DeviceMessage) async throws {
        let (now, makeID) = (now(), makeID())
        let report = try WireJSON.encode(message)
        try await store.write { try Self.add(report: report, messageID: makeID, at: now, in: $0.database) }
    }

    private static func add(report: Data, messageID: String, at: Int64, in database: Database) throws {
        guard case .object(var fields) = try WireJSON.decode(JSONValue.self, from: report) else { return }
        fields["msg_id"] = .string(messageID)
        try database.execute(
            sql: "INSERT INTO host_reports (msg_id, message, at) VALUES (?, ?, ?)",
            arguments: [messageID, try WireJSON.encode(JSONValue.object(fields)), at])
    }

    /// The oldest thing that the relay does not have.
    package func nextReport() async throws -> Report? {
        try await store.read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM host_reports WHERE is_refused = 0 ORDER BY id LIMIT 1").map { row in
                Report(id: row["id"], messageID: row["msg_id"], text: String(decoding: row["message"] as Data, as: UTF8.self))
            }
        }
    }

    /// The relay has it, or never will.
    package func settle(_ report: Report) async throws {
        try await store.write { try $0.database.execute(sql: "DELETE FROM host_reports WHERE id = ?", arguments: [report.id]) }
    }

    /// The relay does not take it. The next run tries again.
    func setAside(_ report: Report) async throws {
        try await store.write {
            try $0.database.execute(sql: "UPDATE host_reports SET is_refused = 1 WHERE id = ?", arguments: [report.id])
        }
    }

    /// How much waits for the relay.
    package func waitingReports() async throws -> Int {
        try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM host_reports") ?? 0 }
    }
}

extension HostJournal.Entry {
    /// - Returns: nil for a row whose content is not a command.
    init?(_ row: Row) {
        guard let content: Data = row["content"],
            case .command(let command)? = (try? WireJSON.decode(RelayMessage.self, from: content))?.content
        else { return nil }
        self.init(id: row["id"], command: command, reqId: (row["req_id"] as String?).map { RequestID($0) }, at: row["at"])
    }

    /// What is told of it when this program ended while it was being carried out.
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
