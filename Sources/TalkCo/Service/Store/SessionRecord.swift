import Foundation
import StorageKit
import TalkCoWire
import WireKit

/// A session as stored.
struct SessionRecord: Hashable, Sendable {
    var id: Session.ID
    var user: Learner.ID
    /// Nil in the mode `review`.
    var topic: Topic.ID?
    var mode: Session.Mode
    var status: Session.Status
    var acceptsChoices: Bool
    var createdAt: Timestamp
}

extension SessionRecord: RowDecodable {
    init(row: Row) throws {
        self.init(
            id: try row.get("id"), user: try row.get("user_id"), topic: try row.get("topic_id"), mode: try row.get("mode"),
            status: try row.get("status"), acceptsChoices: try row.get("accepts_choices"), createdAt: try row.get("created_at"))
    }
}

/// A summary column.
struct SummaryRow: RowDecodable, Sendable {
    var summary: SessionSummary?

    init(row: Row) throws { summary = try row.json("summary") }
}

extension ReadTransaction {
    func session(_ id: Session.ID) throws -> SessionRecord? {
        try first(
            "SELECT id, user_id, topic_id, mode, status, accepts_choices, created_at FROM sessions WHERE id = ?", id)
    }

    /// - Throws: ``TalkError/sessionNotFound``.
    func existingSession(_ id: Session.ID) throws -> SessionRecord {
        guard let session = try session(id) else { throw TalkError.sessionNotFound }
        return session
    }

    func summary(of session: Session.ID) throws -> SessionSummary? {
        try first("SELECT summary FROM sessions WHERE id = ?", session, as: SummaryRow.self)?.summary
    }
}

extension WriteTransaction {
    func insert(_ session: SessionRecord) throws {
        try execute(
            """
            INSERT INTO sessions (id, user_id, topic_id, mode, status, accepts_choices, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
            """, session.id, session.user, session.topic, session.mode, session.status, session.acceptsChoices, session.createdAt)
    }

    /// Moves a session on from one of the states that come before `status`. A state never steps back.
    ///
    /// - Returns: False if the session is in another state.
    func advance(_ session: Session.ID, from earlier: Session.Status, to status: Session.Status) throws -> Bool {
        try execute("UPDATE sessions SET status = ?3 WHERE id = ?1 AND status = ?2", session, earlier, status) == 1
    }
}
