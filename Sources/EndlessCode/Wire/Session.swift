public import WireKit

/// A conversation with an agent.
public struct Session: Hashable, Sendable, Identifiable {
    public typealias ID = Identifier<Session>

    public enum State: String, Codable, Hashable, Sendable, CaseIterable {
        /// Prompts are accepted. The agent runs, or is started by the next prompt.
        case active
        /// The agent was ended without an error, and can be resumed.
        case paused
        /// Ended by a user, or an earlier session of the agent. Can be resumed.
        case terminated
        /// The agent ended unexpectedly. Can be resumed.
        case crashed
    }

    public enum Activity: String, Codable, Hashable, Sendable, CaseIterable {
        case idle
        /// A turn is running.
        case working
        /// A turn is running and waits for the answer to a prompt.
        case waiting
    }

    public var id: ID
    public var projectId: Project.ID
    public var state: State
    public var createdAt: Timestamp
    public var lastActiveAt: Timestamp
    /// Count of messages in the history.
    public var messageCount: Int
    /// The sequence number of the session's latest event; 0 before the first.
    public var lastSeq: Int64
    public var activity: Activity
    /// The agent's permission mode, in its own words: `default`, `acceptEdits`, … Nil if the agent reports none.
    public var permissionMode: String?
    /// The path from the project's folder to the work tree that the agent made for the session and works in; nil if it has none.
    /// Only in lists of a project's sessions.
    public var workTree: String?

    public init(
        id: ID, projectId: Project.ID, state: State, createdAt: Timestamp, lastActiveAt: Timestamp, messageCount: Int = 0,
        lastSeq: Int64 = 0, activity: Activity = .idle, permissionMode: String? = nil, workTree: String? = nil
    ) {
        (self.id, self.projectId, self.state) = (id, projectId, state)
        (self.createdAt, self.lastActiveAt) = (createdAt, lastActiveAt)
        (self.messageCount, self.lastSeq) = (messageCount, lastSeq)
        (self.activity, self.permissionMode, self.workTree) = (activity, permissionMode, workTree)
    }
}

extension Session: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, projectId, state, createdAt, lastActiveAt, messageCount, lastSeq, activity, permissionMode, workTree
    }

    /// `lastSeq`, `activity`, `permissionMode` and `workTree` may be missing. An unknown activity is read as `idle`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(ID.self, forKey: .id), projectId: try container.decode(Project.ID.self, forKey: .projectId),
            state: try container.decode(State.self, forKey: .state),
            createdAt: try container.decode(Timestamp.self, forKey: .createdAt),
            lastActiveAt: try container.decode(Timestamp.self, forKey: .lastActiveAt),
            messageCount: try container.decode(Int.self, forKey: .messageCount),
            lastSeq: try container.decodeIfPresent(Int64.self, forKey: .lastSeq) ?? 0,
            activity: try container.decodeIfPresent(String.self, forKey: .activity).flatMap(Activity.init) ?? .idle,
            permissionMode: try container.decodeIfPresent(String.self, forKey: .permissionMode),
            workTree: try container.decodeIfPresent(String.self, forKey: .workTree))
    }
}

/// The body of `POST /api/v1/sessions`.
public struct SessionCreation: Codable, Hashable, Sendable {
    public var projectId: Project.ID
    /// The idempotency key: a repeated request with the same key returns the same session.
    public var requestId: RequestID?

    public init(projectId: Project.ID, requestId: RequestID? = nil) {
        (self.projectId, self.requestId) = (projectId, requestId)
    }
}

/// The identifier of a command, chosen by the phone: a random UUID.
public typealias RequestID = Identifier<SessionCreation>
