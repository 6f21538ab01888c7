package import Pager2077Wire
import StorageKit
package import WireKit

/// Reports of users, for the operator.
enum ReportRecords {
    /// Maximum reports of one reporter, and of all reporters. The oldest are removed first.
    static let maximumCount = (perReporter: 100, all: 10_000)
    static let age: Duration = .seconds(180 * 86_400)

    static let migration = Migration(
        "pager-8-reports",
        script: """
            CREATE TABLE reports (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                at INTEGER NOT NULL,
                reason TEXT NOT NULL,
                -- Both NULL for a deleted account.
                reporter TEXT REFERENCES users,
                reported TEXT REFERENCES users,
                -- The name at that time. NULL with the account, and for a user without one.
                name TEXT,
                -- The reported message: its text stays when the message itself goes. NULL with the account, and for a report of the user as such.
                message TEXT,
                text TEXT,
                message_at INTEGER
            );
            CREATE INDEX reports_reporter ON reports (reporter, id);
            CREATE INDEX reports_reported ON reports (reported);
            """)
}

/// The reports of one user, or of one message, combined.
package struct ReportSummary: Hashable, Sendable {
    /// The number of the latest of the reports.
    package var id: Int64
    /// The time of the latest of the reports.
    package var at: Timestamp
    /// The reason of each report, the latest first. Each report comes from a different user.
    package var reasons: [ReportReason]
    /// The reported user's code; nil once the account was deleted.
    package var hexCode: HexCode?
    /// The name of the reported user when the latest report came.
    package var name: String?
    /// The reported message; nil for reports of the user as such.
    package var text: String?
}

private struct ReportRow: RowDecodable {
    var summary: ReportSummary
    var reported: String?
    var message: String?

    init(row: Row) throws {
        reported = try row.get("reported")
        message = try row.get("message")
        summary = ReportSummary(
            id: try row.get("id"), at: try row.get("at"), reasons: [try row.get("reason")], hexCode: try row.get("hex_code"),
            name: try row.get("name"), text: try row.get("text"))
    }
}

extension ReadTransaction {
    /// Returns all reports, grouped by user and message, latest first.
    func reports() throws -> [ReportSummary] {
        let rows: [ReportRow] = try all(
            "SELECT reports.*, hex_code FROM reports LEFT JOIN users ON users.id = reported ORDER BY reports.id DESC")
        var summaries: [ReportSummary] = []
        var indexes: [[String]: Int] = [:]
        for row in rows {
            // Reports of deleted accounts stay apart, since they do not name the account any more.
            let key = [row.reported ?? "\(row.summary.id)", row.message ?? ""]
            if let index = indexes[key] {
                summaries[index].reasons += row.summary.reasons
            } else {
                indexes[key] = summaries.count
                summaries.append(row.summary)
            }
        }
        return summaries
    }
}

extension WriteTransaction {
    /// Stores a report, which replaces an earlier report of the same user or message by the same reporter.
    func store(
        _ report: ReportCreation, by reporter: User.ID, of reported: UserRecord, _ message: (text: String, at: Timestamp)?,
        at time: Timestamp
    ) throws {
        try execute(
            "DELETE FROM reports WHERE reporter = ? AND reported = ? AND COALESCE(message, '') = ?", reporter, reported.id,
            report.messageId?.rawValue ?? "")
        try execute(
            """
            INSERT INTO reports (at, reason, reporter, reported, name, message, text, message_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, time, report.reason, reporter, reported.id, reported.displayName, report.messageId, message?.text, message?.at)
        try execute(
            """
            DELETE FROM reports WHERE reporter = ?1
                AND id <= (SELECT id FROM reports WHERE reporter = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
            """, reporter, ReportRecords.maximumCount.perReporter)
        try execute(
            "DELETE FROM reports WHERE id <= (SELECT id FROM reports ORDER BY id DESC LIMIT 1 OFFSET ?)",
            ReportRecords.maximumCount.all)
    }

    /// Removes a report, with the others of the same user and message.
    ///
    /// - Returns: False if there is no such report.
    func closeReport(_ id: Int64) throws -> Bool {
        try execute(
            """
            DELETE FROM reports WHERE id = ?1 OR EXISTS (SELECT 1 FROM reports AS given WHERE given.id = ?1
                AND given.reported = reports.reported AND COALESCE(given.message, '') = COALESCE(reports.message, ''))
            """, id) > 0
    }

    /// Removes the reports of a user.
    func closeReports(of user: User.ID) throws { try execute("DELETE FROM reports WHERE reported = ?", user) }

    /// Removes a deleted user from the reports. Reports by the user stay without a reporter; reports of the user lose the user's
    /// name and the message.
    func forgetReports(of user: User.ID) throws {
        try execute("UPDATE reports SET reporter = NULL WHERE reporter = ?", user)
        try execute(
            """
            UPDATE reports SET reported = NULL, name = NULL, message = NULL, text = NULL, message_at = NULL WHERE reported = ?
            """, user)
    }

    /// Removes expired reports. Called periodically.
    func removeOldReports(at time: Timestamp) throws {
        try execute("DELETE FROM reports WHERE at < ?", time - ReportRecords.age)
    }
}
