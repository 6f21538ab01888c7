import Foundation
import SimBridgeWire
import StorageKit
import WireKit

/// A text that the network has, or may have.
struct SentRow: RowDecodable {
    var command: Int64
    var number: String
    var body: String
    var sim: Int
    var isUnknown: Bool
    var receipt: TextReceipt?
    /// The numbers of the delivered parts, from 1.
    var delivered: Set<Int>
    var delivery: EventDetails.Delivery?

    init(row: Row) throws {
        command = try row.get("command")
        number = try row.get("number")
        body = try row.get("body")
        sim = try row.get("sim")
        isUnknown = try row.get("is_unknown")
        if let source = try row.get("source", as: String?.self), let reference = try row.get("reference", as: Int?.self) {
            receipt = TextReceipt(source: source, reference: reference, partCount: try row.get("part_count", as: Int?.self) ?? 1)
        }
        // A damaged list counts as empty: a later report completes it.
        delivered = (try? WireJSON.decode(Set<Int>.self, from: Data(try row.get("delivered", as: String.self).utf8))) ?? []
        delivery = try row.get("delivery", as: String?.self).flatMap { EventDetails.Delivery(rawValue: $0) }
    }

    /// The part that a report is about, from 1; nil when it is about another text.
    func part(of report: DeliveryReport) -> Int? {
        guard let receipt, receipt.source == report.source, Self.isSame(number, report.number) else { return nil }
        let distance = (receipt.reference - report.reference + 256) % 256
        return distance < receipt.partCount ? receipt.partCount - distance : nil
    }

    /// True for two ways of writing one number. The network may add the country's code to one that was dialled without it.
    static func isSame(_ a: String, _ b: String) -> Bool {
        let (a, b) = (a.filter(\.isNumber), b.filter(\.isNumber))
        return a == b || min(a.count, b.count) >= 7 && a.suffix(7) == b.suffix(7)
    }
}

/// A delivery report of a text that is not stored as sent yet.
struct EarlyReport: RowDecodable {
    var id: Int64
    var report: DeliveryReport

    init(row: Row) throws {
        id = try row.get("rowid")
        report = DeliveryReport(
            source: try row.get("source"), number: try row.get("number"), reference: try row.get("reference"),
            outcome: try row.get("outcome", as: String.self) == "failed" ? .failed : .delivered)
    }
}

extension WriteTransaction {
    private static var earlyReportLifetime: Int64 { 3_600_000 }
    private static var maximumEarlyReports: Int { 1000 }

    /// Keeps a text for its delivery reports, or for the end of the doubt about it.
    func keep(_ entry: HostJournal.Entry, receipt: TextReceipt?, isUnknown: Bool, at now: Int64) throws {
        try execute(
            """
            INSERT OR REPLACE INTO host_sent (command, number, body, sim, is_unknown, source, reference, part_count, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, entry.id, entry.command.to ?? "", entry.command.body ?? "", entry.command.sim ?? 1, isUnknown, receipt?.source,
            receipt?.reference, receipt?.partCount, now)
    }

    /// Applies a report to the latest text that it may be about.
    ///
    /// - Returns: False if there is none.
    func take(_ report: DeliveryReport, messageID: () -> String, at now: Int64) throws -> Bool {
        let rows = try all(
            "SELECT * FROM host_sent WHERE source = ? ORDER BY command DESC", report.source, as: SentRow.self)
        // The last parts first: parts are counted by the host, and only the reference of the last one is certain.
        let matches = rows.compactMap { row in row.part(of: report).map { (row: row, part: $0) } }
        guard let match = matches.first(where: { $0.part == $0.row.receipt?.partCount }) ?? matches.first else { return false }
        var row = match.row
        let count = row.receipt?.partCount ?? 1
        switch report.outcome {
        case .pending: return true
        case .failed:
            guard row.delivery == nil else { return true }
            row.delivery = .failed
        case .delivered:
            row.delivered.insert(match.part)
            let isWhole = row.delivered.contains(count) && (row.delivered.count == 1 || row.delivered.count == count)
            if isWhole, row.delivery != .delivered {
                row.delivery = .delivered
            } else {
                try save(row)
                return true
            }
        }
        try save(row)
        let reason = row.delivery == .failed ? "The network could not deliver it" : nil
        try tell(row.command, EventDetails(delivery: row.delivery), reason: reason, messageID: messageID(), at: now)
        return true
    }

    private func save(_ row: SentRow) throws {
        try execute(
            "UPDATE host_sent SET delivered = ?, delivery = ? WHERE command = ?",
            String(decoding: WireJSON.encode(row.delivered.sorted()), as: UTF8.self), row.delivery?.rawValue, row.command)
    }

    /// Notes that a text was sent after all.
    func accept(_ row: SentRow, _ receipt: TextReceipt?, messageID: String, at now: Int64) throws {
        try execute(
            "UPDATE host_sent SET is_unknown = 0, source = ?, reference = ?, part_count = ? WHERE command = ?", receipt?.source,
            receipt?.reference, receipt?.partCount, row.command)
        try tell(row.command, EventDetails(), reason: nil, messageID: messageID, at: now)
    }

    /// Reports on a text that was sent. A command that is forgotten meanwhile has no report.
    private func tell(_ command: Int64, _ details: EventDetails, reason: String?, messageID: String, at now: Int64) throws {
        guard let row = try first("SELECT * FROM host_commands WHERE id = ?", command, as: CommandRow.self) else { return }
        let report = try WireJSON.encode(DeviceMessage(.event(.textSent(.ok, reason: reason)), reqId: row.reqId, details: details))
        try execute("UPDATE host_commands SET report = ? WHERE id = ?", report, command)
        try add(report: report, messageID: messageID, at: now)
    }

    func addEarlyReport(_ report: DeliveryReport, at now: Int64) throws {
        guard report.outcome != .pending else { return }
        try removeEarlyReports(before: now)
        try execute(
            "INSERT INTO host_early_reports (source, number, reference, outcome, at) VALUES (?, ?, ?, ?, ?)", report.source,
            report.number, report.reference, report.outcome == .failed ? "failed" : "delivered", now)
    }

    func removeEarlyReports(before now: Int64) throws {
        try execute("DELETE FROM host_early_reports WHERE at < ?", now - Self.earlyReportLifetime)
        try execute(
            "DELETE FROM host_early_reports WHERE rowid NOT IN (SELECT rowid FROM host_early_reports ORDER BY rowid DESC LIMIT ?)",
            Self.maximumEarlyReports)
    }

    /// - Parameter time: The beginning of the command that may have caused them.
    func earlyReports(since time: Int64) throws -> [EarlyReport] {
        try all("SELECT rowid, * FROM host_early_reports WHERE at >= ? ORDER BY rowid", time, as: EarlyReport.self)
    }

    func removeEarlyReport(_ report: EarlyReport) throws {
        try execute("DELETE FROM host_early_reports WHERE rowid = ?", report.id)
    }
}
