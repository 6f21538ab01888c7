public import EndlessCodeWire
public import StorageKit
import WireKit

extension Session.State: SQLValue {}
extension Session.Activity: SQLValue {}

/// A session with what only the server knows.
struct SessionRecord: RowDecodable, Sendable {
    var session: Session
    /// The folder in which the agent works.
    var folder: String
    /// The agent's own id of the conversation.
    var conversation: String?

    init(row: Row) throws {
        session = Session(
            id: try row.get("id"), projectId: try row.get("project"), state: try row.get("state"),
            createdAt: try row.get("created_at"), lastActiveAt: try row.get("active_at"),
            messageCount: try row.get("message_count"), lastSeq: try row.get("last_seq"), activity: try row.get("activity"),
            permissionMode: try row.get("permission_mode"))
        folder = try row.get("folder")
        conversation = try row.get("conversation")
    }
}

/// The numbers of the events that the log has of a session.
struct LogRange: RowDecodable, Sendable {
    var last: Int64
    var removed: Int64

    init(row: Row) throws {
        last = try row.get("last_seq")
        removed = try row.get("removed_seq")
    }
}

extension ReadTransaction {
    func session(_ id: Session.ID) throws -> SessionRecord? {
        try first("SELECT * FROM sessions WHERE id = ?", id)
    }

    /// All sessions that are not terminated, the latest activity first.
    func liveSessions() throws -> [Session] {
        try all("SELECT * FROM sessions WHERE state <> 'terminated' ORDER BY active_at DESC, id", as: SessionRecord.self).map(
            \.session)
    }

    func sessions(of project: Project.ID) throws -> [SessionRecord] {
        try all("SELECT * FROM sessions WHERE project = ? ORDER BY active_at DESC, id", project)
    }

    func logRange(of id: Session.ID) throws -> LogRange? {
        try first("SELECT last_seq, removed_seq FROM sessions WHERE id = ?", id)
    }
}

extension WriteTransaction {
    /// - Returns: False for a request that started a session before.
    func addSession(
        _ id: Session.ID, project: Project.ID, folder: String, conversation: String?, request: RequestID?, at time: Timestamp
    ) throws {
        try execute(
            """
            INSERT INTO sessions (id, project, folder, conversation, request, state, activity, created_at, active_at)
            VALUES (?, ?, ?, ?, ?, 'active', 'idle', ?, ?)
            """, id, project, folder, conversation, request, time, time)
    }

    func session(startedBy request: RequestID) throws -> SessionRecord? {
        try first("SELECT * FROM sessions WHERE request = ?", request)
    }

    func setConversation(_ conversation: String?, permissionMode: String?, of id: Session.ID) throws {
        try execute(
            """
            UPDATE sessions SET conversation = COALESCE(?, conversation), permission_mode = COALESCE(?, permission_mode) WHERE id = ?
            """, conversation, permissionMode, id)
    }

    /// Changes state and activity, and logs it unless both are as before.
    ///
    /// - Returns: Nil where nothing changed.
    func setState(
        _ state: Session.State, _ activity: Session.Activity, of id: Session.ID, error: String? = nil, at time: Timestamp
    ) throws -> LoggedFrame? {
        let changed = try execute(
            "UPDATE sessions SET state = ?1, activity = ?2 WHERE id = ?3 AND (state <> ?1 OR activity <> ?2)", state, activity, id)
        guard changed > 0 else { return nil }
        return try append(to: id, at: time) {
            .sessionState(SessionStateChange(sessionId: id, seq: $0, state: state, error: error, activity: activity))
        }
    }
}
