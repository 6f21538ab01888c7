public import WireKit

/// The calls of a server, except for the socket (``EndlessCodeSocket``).
///
/// All but ``health`` require `Authorization: Bearer <token>`. A failure is an ``ErrorReply``. Source: `Docs/Protocols/EndlessCode.md`.
public enum EndlessCodeEndpoints {
    public static let health = Endpoint<NoBody, Health>(.get, "/health")
    public static let stats = Endpoint<NoBody, Stats>(.get, "/api/v1/stats")

    /// All projects, the most recently used first.
    public static let projects = Endpoint<NoBody, [Project]>(.get, "/api/v1/projects")
    public static let project = Endpoint<NoBody, Project>(.get, "/api/v1/projects/:id")
    /// All sessions of a project, including the agent's earlier ones; the latest activity first.
    public static let projectSessions = Endpoint<NoBody, [Session]>(.get, "/api/v1/projects/:id/sessions")
    /// Lists a folder. Query: `path`, empty for the project's own folder; `offset`.
    public static let files = Endpoint<NoBody, FolderPage>(.get, "/api/v1/projects/:id/files")
    /// Reads a file. Query: `path`; `full=1` for more than ``Limits/fileSize``.
    public static let file = Endpoint<NoBody, FileContent>(.get, "/api/v1/projects/:id/file")
    public static let diff = Endpoint<NoBody, WorkTreeDiff>(.get, "/api/v1/projects/:id/diff")

    /// All sessions that are not terminated.
    public static let sessions = Endpoint<NoBody, [Session]>(.get, "/api/v1/sessions")
    /// Starts a session. Replies with 201.
    public static let createSession = Endpoint<SessionCreation, Session>(.post, "/api/v1/sessions")
    public static let session = Endpoint<NoBody, Session>(.get, "/api/v1/sessions/:id")
    public static let resumeSession = Endpoint<NoBody, Session>(.post, "/api/v1/sessions/:id/resume")
    public static let pauseSession = Endpoint<NoBody, Session>(.post, "/api/v1/sessions/:id/pause")
    /// Terminates a session and keeps its history. Replies with 204 and no body.
    public static let terminateSession = Endpoint<NoBody, NoBody>(.delete, "/api/v1/sessions/:id")
    /// A page of a session's history. Query: `limit`, within ``Limits/historyPageSizes``; `offset`, counted back from the newest
    /// message, or `before`, a sequence number.
    public static let history = Endpoint<NoBody, HistoryPage>(.get, "/api/v1/sessions/:id/history")
    /// One message in full, also if it was cut elsewhere (``Message/isLarge``).
    public static let message = Endpoint<NoBody, LoggedMessage>(.get, "/api/v1/sessions/:id/messages/:seq")

    /// The push services that the server can use.
    public static let push = Endpoint<NoBody, PushOffer>(.get, "/api/v1/push")
    /// Turns on notifications for a phone, or changes them. `id` is the phone's ``SocketQuery/connectionId``.
    public static let setPush = Endpoint<PushSettings<PushContent>, PushReply>(.put, "/api/v1/phones/:id/push")
    /// Turns off notifications for a phone.
    public static let removePush = Endpoint<NoBody, PushReply>(.delete, "/api/v1/phones/:id/push")
}

/// The reply of `/health`.
public struct Health: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String = "ok") { self.status = status }
}

/// Statistics of a server.
public struct Stats: Codable, Hashable, Sendable {
    public var isRunning: Bool
    /// Count of sessions in the state ``Session/State/active``.
    public var activeSessions: Int
    public var totalSessions: Int
    /// Count of open WebSocket connections.
    public var activeConnections: Int
    /// Count of prompts that wait for an answer.
    public var pendingPrompts: Int

    public init(isRunning: Bool = true, activeSessions: Int, totalSessions: Int, activeConnections: Int, pendingPrompts: Int) {
        (self.isRunning, self.activeSessions, self.totalSessions) = (isRunning, activeSessions, totalSessions)
        (self.activeConnections, self.pendingPrompts) = (activeConnections, pendingPrompts)
    }
}
