public import WireKit

/// A conversation between a learner and the tutor, with the review that follows.
public enum Session {
    /// The identifier of a session, a UUID.
    public typealias ID = Identifier<Session>

    /// The purpose of a session.
    public enum Mode: String, Codable, Hashable, Sendable {
        /// A free talk on a topic, reviewed afterwards.
        case conversation
        /// Practice of the learner's weak points. Not reviewed.
        case review
    }

    /// The state of a session. A state never steps back. `Docs/Protocols/TalkCo.md`, section 2.
    public enum Status: String, Codable, Hashable, Sendable, CaseIterable {
        /// The conversation is open.
        case active
        /// The marks are being written.
        case reviewing
        /// The marks are final.
        case reviewed
        /// The summary and the profile are being written.
        case completing
        /// Final. The summary is present unless it failed or nothing was said.
        case completed
        /// A session in the mode `review` is over.
        case ended
    }
}

/// The body of `POST /sessions`.
public struct SessionCreation: Codable, Hashable, Sendable {
    public var userId: Learner.ID
    /// The topic; required in the mode `conversation`.
    public var topicId: Topic.ID?
    /// Text, because a client may send an unknown mode. Nil means ``Session/Mode/conversation``.
    public var mode: String?
    public var userName: String?
    /// The extensions that the client understands; nil for none.
    public var accept: [Extension]?
    /// Extension: true if the learner allows that recordings are kept for the review.
    public var keepsRecordings: Bool?

    /// An extension of the event streams.
    public enum Extension: String, Codable, Hashable, Sendable {
        /// The event `choices`.
        case choices
        /// The event `text`.
        case text
    }

    public init(
        userId: Learner.ID, topicId: Topic.ID?, mode: Session.Mode? = nil, userName: String? = nil, accept: [Extension]? = nil,
        keepsRecordings: Bool? = nil
    ) {
        self.userId = userId
        self.topicId = topicId
        self.mode = mode?.rawValue
        self.userName = userName
        self.accept = accept
        self.keepsRecordings = keepsRecordings
    }

    private enum CodingKeys: String, CodingKey {
        case mode, accept
        case keepsRecordings = "keep_recordings"
        case userId = "user_id"
        case topicId = "topic_id"
        case userName = "user_name"
    }
}

/// The reply of `POST /sessions`.
public struct CreatedSession: Codable, Hashable, Sendable {
    public var sessionId: Session.ID
    public var createdAt: TalkTime

    public init(sessionId: Session.ID, createdAt: TalkTime) {
        self.sessionId = sessionId
        self.createdAt = createdAt
    }

    private enum CodingKeys: String, CodingKey {
        case sessionId = "session_id"
        case createdAt = "created_at"
    }
}

/// The body of `POST /sessions/{id}/resume`.
public struct ResumeRequest: Codable, Hashable, Sendable {
    /// The extensions that the client understands; nil for none.
    public var accept: [SessionCreation.Extension]?

    public init(accept: [SessionCreation.Extension]? = nil) {
        self.accept = accept
    }
}

/// The reply of `POST /sessions/{id}/resume`.
public struct ResumedSession: Codable, Hashable, Sendable {
    public var sessionId: Session.ID
    public var status: Session.Status

    public init(sessionId: Session.ID, status: Session.Status = .active) {
        self.sessionId = sessionId
        self.status = status
    }

    private enum CodingKeys: String, CodingKey {
        case sessionId = "session_id"
        case status
    }
}

/// The reply of `DELETE /sessions/{id}`.
public struct ClosedSession: Codable, Hashable, Sendable {
    public var sessionId: Session.ID
    /// `reviewing` in the mode `conversation`, `ended` in the mode `review`.
    public var status: Session.Status
    public var mode: Session.Mode

    public init(sessionId: Session.ID, status: Session.Status, mode: Session.Mode) {
        self.sessionId = sessionId
        self.status = status
        self.mode = mode
    }

    private enum CodingKeys: String, CodingKey {
        case sessionId = "session_id"
        case status, mode
    }
}

/// The body of `POST /sessions/{id}/end`.
public struct EndRequest: Codable, Hashable, Sendable {
    public init() {}
}

/// The reply of `POST /sessions/{id}/end`.
public struct EndedSession: Codable, Hashable, Sendable {
    public var sessionId: Session.ID
    /// `completing`, or `completed` when nothing was said.
    public var status: Session.Status

    public init(sessionId: Session.ID, status: Session.Status) {
        self.sessionId = sessionId
        self.status = status
    }

    private enum CodingKeys: String, CodingKey {
        case sessionId = "session_id"
        case status
    }
}

/// The body of `POST /sessions/{id}/chat/text`.
public struct TypedTurn: Codable, Hashable, Sendable {
    public var text: String
    public var turnId: Turn.ID?

    public init(text: String, turnId: Turn.ID?) {
        self.text = text
        self.turnId = turnId
    }

    private enum CodingKeys: String, CodingKey {
        case text
        case turnId = "turn_id"
    }
}
