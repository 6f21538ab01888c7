import Foundation
import StorageKit
import TalkCoWire
import WireKit

/// A session as stored.
struct SessionRecord: Hashable, Sendable {
    /// Maximum size of a talk's texts, in bytes. A talk of this size takes no further turn or question.
    static let maximumSize = 1_048_576

    var id: Session.ID
    var user: Learner.ID
    /// The topic; nil in the mode `review`.
    var topic: Topic.ID?
    var mode: Session.Mode
    var status: Session.Status
    var acceptsChoices: Bool
    /// True if the client accepts the event `text`. Not stored, because only an open conversation needs it.
    var acceptsText = false
    /// True if the learner allows that recordings are kept for the review.
    var keepsRecordings = false
    var createdAt: Timestamp
    /// The network that the session was created from.
    var network = CallerNetwork.machine
}

extension SessionRecord: RowDecodable {
    init(row: Row) throws {
        self.init(
            id: try row.get("id"), user: try row.get("user_id"), topic: try row.get("topic_id"), mode: try row.get("mode"),
            status: try row.get("status"), acceptsChoices: try row.get("accepts_choices"),
            keepsRecordings: try row.get("keeps_recordings"), createdAt: try row.get("created_at"),
            network: try row.get("network"))
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
            """
            SELECT id, user_id, topic_id, mode, status, accepts_choices, keeps_recordings, created_at, network
            FROM sessions WHERE id = ?
            """, id)
    }

    /// - Throws: ``TalkError/sessionNotFound``.
    func existingSession(_ id: Session.ID) throws -> SessionRecord {
        guard let session = try session(id) else { throw TalkError.sessionNotFound }
        return session
    }

    /// - Throws: ``TalkError/conversationFull`` for a talk of the maximum size.
    func checkSize(of session: Session.ID) throws {
        let size = try first("SELECT size FROM sessions WHERE id = ?", session, as: Int.self) ?? 0
        guard size < SessionRecord.maximumSize else { throw TalkError.conversationFull }
    }

    func summary(of session: Session.ID) throws -> SessionSummary? {
        try first("SELECT summary FROM sessions WHERE id = ?", session, as: SummaryRow.self)?.summary
    }
}

extension WriteTransaction {
    func insert(_ session: SessionRecord) throws {
        try execute(
            """
            INSERT INTO sessions (id, user_id, topic_id, mode, status, accepts_choices, keeps_recordings, created_at, network, number)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT COALESCE(MAX(number), 0) + 1 FROM sessions))
            """, session.id, session.user, session.topic, session.mode, session.status, session.acceptsChoices,
            session.keepsRecordings, session.createdAt, session.network)
    }

    /// Advances a session from an earlier state to `status`. A state never steps back.
    ///
    /// - Returns: False if the session is in another state.
    func advance(_ session: Session.ID, from earlier: Session.Status, to status: Session.Status) throws -> Bool {
        try execute("UPDATE sessions SET status = ?3 WHERE id = ?1 AND status = ?2", session, earlier, status) == 1
    }
}
