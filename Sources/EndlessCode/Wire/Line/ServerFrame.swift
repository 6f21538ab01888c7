import Foundation
public import WireKit

/// A frame from the server on the socket: one JSON object with its kind in `type`.
public enum ServerFrame: Hashable, Sendable {
    /// `sync`: the first frame.
    case sync(Sync)
    /// `cli_output`: a message of a session, or a piece of one.
    case output(Output)
    /// `user_message_update`: a prompt with a new ``Chat/delivery``. The prompt moves to this position in the conversation.
    case promptUpdate(Output)
    /// `session_state`.
    case sessionState(SessionStateChange)
    /// `prompt_request`: the agent waits for an answer.
    case promptRequest(PromptRequest)
    /// `prompt_resolved`.
    case promptResolved(PromptResolved)
    /// `error`.
    case error(SocketError)
    /// `gap`: events that are not replayed.
    case gap(Gap)
    /// `user_message_accepted`: the reply to a prompt that the server already has. The prompt's event is not sent again.
    case promptAccepted(PromptAccepted)
    /// A frame of a type that this version does not know. Its sequence number, if any, advances the cursor.
    case unknown(type: String, sessionId: Session.ID?, seq: Int64?)

    /// The session and the sequence number of an event of the log; nil for other frames.
    public var position: (sessionId: Session.ID, seq: Int64)? {
        switch self {
        case .output(let output), .promptUpdate(let output): output.seq.map { (output.sessionId, $0) }
        case .sessionState(let change): (change.sessionId, change.seq)
        case .promptRequest(let request): (request.sessionId, request.seq)
        case .promptResolved(let resolved): (resolved.sessionId, resolved.seq)
        case .unknown(_, let sessionId?, let seq?): (sessionId, seq)
        case .sync, .error, .gap, .promptAccepted, .unknown: nil
        }
    }
}

/// The state of the server when a socket opens.
public struct Sync: Codable, Hashable, Sendable {
    public var connectionId: String
    /// All sessions that are not terminated.
    public var sessions: [Session]
    /// The latest messages of sessions that `after` does not name, oldest first; at most ``Limits/recentMessageCount``.
    public var recentMessages: [LoggedMessage]
    /// The prompts that wait for an answer; nil from earlier servers.
    public var prompts: [PromptRequest]?

    public init(connectionId: String, sessions: [Session], recentMessages: [LoggedMessage] = [], prompts: [PromptRequest]? = nil) {
        (self.connectionId, self.sessions) = (connectionId, sessions)
        (self.recentMessages, self.prompts) = (recentMessages, prompts)
    }
}

/// A message of a session.
public struct Output: Codable, Hashable, Sendable {
    public var sessionId: Session.ID
    /// The sequence number; nil for a piece of a text that the agent is still writing (``Chat/isPartial``).
    public var seq: Int64?
    public var message: Message
    public var timestamp: Timestamp

    public init(sessionId: Session.ID, seq: Int64?, message: Message, timestamp: Timestamp) {
        (self.sessionId, self.seq, self.message, self.timestamp) = (sessionId, seq, message, timestamp)
    }
}

/// A new state or activity of a session.
public struct SessionStateChange: Hashable, Sendable {
    public var sessionId: Session.ID
    public var seq: Int64
    public var state: Session.State
    /// The reason for ``Session/State/crashed``, in words for people.
    public var error: String?
    public var activity: Session.Activity?
    /// The new ``Session/permissionMode``; nil if the mode has not changed.
    public var permissionMode: String?

    public init(
        sessionId: Session.ID, seq: Int64, state: Session.State, error: String? = nil, activity: Session.Activity? = nil,
        permissionMode: String? = nil
    ) {
        (self.sessionId, self.seq, self.state) = (sessionId, seq, state)
        (self.error, self.activity, self.permissionMode) = (error, activity, permissionMode)
    }
}

extension SessionStateChange: Codable {
    private enum CodingKeys: String, CodingKey { case sessionId, seq, state, error, activity, permissionMode }

    /// An unknown activity is read as none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            sessionId: try container.decode(Session.ID.self, forKey: .sessionId),
            seq: try container.decode(Int64.self, forKey: .seq), state: try container.decode(Session.State.self, forKey: .state),
            error: try container.decodeIfPresent(String.self, forKey: .error),
            activity: try container.decodeIfPresent(String.self, forKey: .activity).flatMap(Session.Activity.init),
            permissionMode: try container.decodeIfPresent(String.self, forKey: .permissionMode))
    }
}

/// A failure on the socket.
public struct SocketError: Codable, Hashable, Sendable {
    public var code: ErrorCode
    /// A sentence for developers; with ``ErrorCode/agentCrashed``, the last lines of the agent's standard error.
    public var message: String
    public var sessionId: Session.ID?

    public init(_ code: ErrorCode, _ message: String, sessionId: Session.ID? = nil) {
        (self.code, self.message, self.sessionId) = (code, message, sessionId)
    }
}

/// Events of a session that are not replayed. The history has their messages.
public struct Gap: Codable, Hashable, Sendable {
    public var sessionId: Session.ID
    /// The first and the last sequence number that is left out.
    public var from: Int64
    public var to: Int64

    public init(sessionId: Session.ID, from: Int64, to: Int64) { (self.sessionId, self.from, self.to) = (sessionId, from, to) }
}

/// The reply to a prompt that a phone sent again although the server had it.
public struct PromptAccepted: Codable, Hashable, Sendable {
    public var sessionId: Session.ID
    public var messageId: UserMessage.ID
    /// The sequence number of the prompt's latest event; nil for a prompt of an earlier version. Not `seq`, as this is not an
    /// event.
    public var position: Int64?

    public init(sessionId: Session.ID, messageId: UserMessage.ID, position: Int64?) {
        (self.sessionId, self.messageId, self.position) = (sessionId, messageId, position)
    }
}

extension ServerFrame {
    /// Decodes the text of a frame.
    ///
    /// - Throws: ``FieldError``. A frame of an unknown type is no error.
    public init(text: String) throws(FieldError) {
        self = try EndlessCodeJSON.decode(from: Data(text.utf8))
    }

    public var text: String { frameText(of: self) }
}

extension ServerFrame: Codable {
    private enum CodingKeys: String, CodingKey { case type, sessionId, seq }

    private enum Kind: String, Codable {
        case sync
        case output = "cli_output"
        case promptUpdate = "user_message_update"
        case sessionState = "session_state"
        case promptRequest = "prompt_request"
        case promptResolved = "prompt_resolved"
        case promptAccepted = "user_message_accepted"
        case error, gap
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let type = try container.decode(String.self, forKey: .type)
        switch Kind(rawValue: type) {
        case .sync: self = .sync(try Sync(from: decoder))
        case .output: self = .output(try Output(from: decoder))
        case .promptUpdate: self = .promptUpdate(try Output(from: decoder))
        case .sessionState: self = .sessionState(try SessionStateChange(from: decoder))
        case .promptRequest: self = .promptRequest(try PromptRequest(from: decoder))
        case .promptResolved: self = .promptResolved(try PromptResolved(from: decoder))
        case .error: self = .error(try SocketError(from: decoder))
        case .gap: self = .gap(try Gap(from: decoder))
        case .promptAccepted: self = .promptAccepted(try PromptAccepted(from: decoder))
        case nil:
            // In an unknown frame, these fields may have other types.
            self = .unknown(
                type: type, sessionId: try? container.decodeIfPresent(Session.ID.self, forKey: .sessionId),
                seq: try? container.decodeIfPresent(Int64.self, forKey: .seq))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .sync(let sync):
            try container.encode(Kind.sync, forKey: .type)
            try sync.encode(to: encoder)
        case .output(let output):
            try container.encode(Kind.output, forKey: .type)
            try output.encode(to: encoder)
        case .promptUpdate(let output):
            try container.encode(Kind.promptUpdate, forKey: .type)
            try output.encode(to: encoder)
        case .sessionState(let change):
            try container.encode(Kind.sessionState, forKey: .type)
            try change.encode(to: encoder)
        case .promptRequest(let request):
            try container.encode(Kind.promptRequest, forKey: .type)
            try request.encode(to: encoder)
        case .promptResolved(let resolved):
            try container.encode(Kind.promptResolved, forKey: .type)
            try resolved.encode(to: encoder)
        case .error(let error):
            try container.encode(Kind.error, forKey: .type)
            try error.encode(to: encoder)
        case .gap(let gap):
            try container.encode(Kind.gap, forKey: .type)
            try gap.encode(to: encoder)
        case .promptAccepted(let accepted):
            try container.encode(Kind.promptAccepted, forKey: .type)
            try accepted.encode(to: encoder)
        case .unknown(let type, let sessionId, let seq):
            try container.encode(type, forKey: .type)
            try container.encodeIfPresent(sessionId, forKey: .sessionId)
            try container.encodeIfPresent(seq, forKey: .seq)
        }
    }
}
