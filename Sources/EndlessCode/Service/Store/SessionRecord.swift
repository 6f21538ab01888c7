import EndlessCodeAgents
package import EndlessCodeWire
import StorageKit
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
    /// The number of messages that only the agent's own file has: those with the numbers up to it.
    var earlierCount: Int64

    init(row: Row) throws {
        session = Session(
            id: try row.get("id"), projectId: try row.get("project"), state: try row.get("state"),
            createdAt: try row.get("created_at"), lastActiveAt: try row.get("active_at"),
            messageCount: try row.get("message_count"), lastSeq: 0, activity: try row.get("activity"),
            permissionMode: try row.get("permission_mode"))
        folder = try row.get("folder")
        conversation = try row.get("conversation")
        earlierCount = try row.get("earlier_count")
    }
}

/// The state and the activity of a session, without the rest of its row.
struct SessionActivity: RowDecodable, Sendable {
    var state: Session.State
    var activity: Session.Activity

    init(row: Row) throws { (state, activity) = (try row.get("state"), try row.get("activity")) }
}

/// The sessions of a project.
struct ProjectUse: RowDecodable, Sendable {
    var project: Project.ID
    var count: Int
    var last: Timestamp

    init(row: Row) throws {
        project = try row.get("project")
        count = try row.get("count")
        last = try row.get("last")
    }
}

extension ReadTransaction {
    func session(_ id: Session.ID) throws -> SessionRecord? {
        try first("SELECT * FROM sessions WHERE id = ?", id).map(withLastSeq)
    }

    /// All sessions that are not terminated, the latest activity first.
    func liveSessions() throws -> [Session] {
        try all("SELECT * FROM sessions WHERE state <> 'terminated' ORDER BY active_at DESC, id").map(withLastSeq).map(\.session)
    }

    func sessions(of project: Project.ID) throws -> [SessionRecord] {
        try all("SELECT * FROM sessions WHERE project = ? ORDER BY active_at DESC, id", project).map(withLastSeq)
    }

    func session(startedBy request: RequestID) throws -> SessionRecord? {
        try first("SELECT * FROM sessions WHERE request = ?", request).map(withLastSeq)
    }

    /// The state and the activity of a session; nil if there is no such session.
    func activity(of id: Session.ID) throws -> SessionActivity? {
        try first("SELECT state, activity FROM sessions WHERE id = ?", id)
    }

    /// The session with the number of its latest event, which its log has.
    private func withLastSeq(_ record: SessionRecord) throws -> SessionRecord {
        var record = record
        record.session.lastSeq = try range(of: record.session.id.log).last
        return record
    }

    /// The agent's own ids of all conversations.
    func conversations() throws -> Set<String> {
        Set(
            try all(
                """
                SELECT conversation FROM sessions WHERE conversation IS NOT NULL
                UNION SELECT conversation FROM earlier_conversations
                """, as: String.self))
    }

    func projectUses() throws -> [Project.ID: ProjectUse] {
        let uses = try all(
            "SELECT project, COUNT(*) AS count, MAX(active_at) AS last FROM sessions GROUP BY project", as: ProjectUse.self)
        return Dictionary(uses.map { ($0.project, $0) }) { $1 }
    }

    /// True if there are messages of the agent.
    func hasAnswers(_ id: Session.ID) throws -> Bool {
        try exists(
            """
            SELECT 1 FROM sessions WHERE id = ?1 AND message_count > (SELECT COUNT(*) FROM user_messages WHERE session = ?1)
            """, id)
    }

    /// The sequence numbers of a session's log; nil if there is no such session.
    func logRange(of id: Session.ID) throws -> LogRange? {
        try exists("SELECT 1 FROM sessions WHERE id = ?", id) ? range(of: id.log) : nil
    }
}

extension WriteTransaction {
    func addSession(
        _ id: Session.ID, project: Project.ID, folder: String, conversation: String?, request: RequestID?, at time: Timestamp
    ) throws {
        try execute(
            """
            INSERT INTO sessions (id, project, folder, conversation, request, state, activity, created_at, active_at)
            VALUES (?, ?, ?, ?, ?, 'active', 'idle', ?, ?)
            """, id, project, folder, conversation, request, time, time)
    }

    /// Takes over an earlier session of the agent, whose messages keep their numbers.
    func adopt(_ earlier: Session, folder: String, at time: Timestamp) throws {
        try execute(
            """
            INSERT INTO sessions (id, project, folder, conversation, state, activity, created_at, active_at, message_count,
                earlier_count) VALUES (?1, ?2, ?3, ?1, 'active', 'idle', ?4, ?5, ?6, ?7)
            """, earlier.id, earlier.projectId, folder, earlier.createdAt, time, earlier.messageCount, earlier.lastSeq)
        try begin(earlier.id.log, after: earlier.lastSeq)
    }

    /// The conversation before, if another one, stays the session's: no list shows it again.
    func setConversation(_ conversation: String?, permissionMode: String?, of id: Session.ID) throws {
        try execute(
            """
            INSERT OR IGNORE INTO earlier_conversations (session, conversation)
            SELECT id, conversation FROM sessions WHERE id = ?2 AND conversation <> ?1
            """, conversation, id)
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
    ) throws -> LoggedEvent? {
        let changed = try execute(
            "UPDATE sessions SET state = ?1, activity = ?2 WHERE id = ?3 AND (state <> ?1 OR activity <> ?2)", state, activity, id)
        return changed > 0 ? try logState(state, activity, of: id, error: error, at: time) : nil
    }

    /// Sets the activity of an active session: it waits while a question is open, and works while its agent does or prompts are queued.
    ///
    /// - Parameter namesPrompts: False for an agent that may have joined queued prompts with the turn before.
    /// - Returns: Nil where nothing changed.
    func setActivity(
        of id: Session.ID, isWorking: Bool, namesPrompts: Bool?, at time: Timestamp
    ) throws -> LoggedEvent? {
        guard let state = try activity(of: id)?.state else { return nil }
        let isWaiting = try exists("SELECT 1 FROM prompts WHERE session = ? AND outcome IS NULL", id)
        let works = try isWorking || namesPrompts != false && queuedPrompt(of: id) != nil
        return try setState(state, isWaiting ? .waiting : works ? .working : .idle, of: id, at: time)
    }

    func logState(
        _ state: Session.State, _ activity: Session.Activity, of id: Session.ID, error: String? = nil,
        permissionMode: String? = nil, at time: Timestamp
    ) throws -> LoggedEvent {
        try append(to: id, at: time) {
            .sessionState(
                SessionStateChange(
                    sessionId: id, seq: $0, state: state, error: error, activity: activity, permissionMode: permissionMode))
        }
    }

    /// Withdraws what waits for an answer, ends the turn and changes the state.
    ///
    /// - Returns: The withdrawn questions.
    func endSession(
        _ id: Session.ID, _ state: Session.State, at time: Timestamp, _ events: inout [LoggedEvent]
    ) throws -> [PromptRecord] {
        guard let session = try session(id)?.session else { return [] }
        let open = try openPrompts(of: id)
        for prompt in open { events += try [resolve(prompt, .withdrawn, at: time)].compactMap { $0 } }
        events += try endTurn(of: session, reason: AgentResult.interrupted, at: time)
        events += try [setState(state, .idle, of: id, at: time)].compactMap { $0 }
        return open
    }
}

extension WriteTransaction {
    /// Logs the end of a turn that the agent did not end; nothing between turns.
    func endTurn(of session: Session, reason: String, at time: Timestamp) throws -> [LoggedEvent] {
        guard session.activity != .idle else { return [] }
        let result = TurnResult(
            id: SessionServices.newID(), isError: reason != AgentResult.interrupted, reason: reason, durationMs: 0, timestamp: time)
        return [try appendOwn(Message(.result(result)), id: result.id, to: session.id, at: time)]
    }

    /// Appends a message that is no answer of the agent: ``ReadTransaction/hasAnswers(_:)``.
    func appendOwn(_ message: Message, id: String, to session: Session.ID, at time: Timestamp) throws -> LoggedEvent {
        try execute("INSERT INTO user_messages (session, id) VALUES (?, ?)", session, id)
        return try append(message, to: session, at: time)
    }
}
