public import WireKit

/// One entry of a conversation.
public struct Message: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        case chat(Chat)
        case toolUse(ToolUse)
        case toolResult(ToolResult)
        case askUser(AskUser)
        /// The end of a turn.
        case result(TurnResult)
        /// A remark outside the conversation, such as a retry, a usage limit or a compacted context.
        case notice(Notice)
        /// Agent output of a kind unknown to the server, or a message of a kind unknown to this reader, as JSON text.
        case unknown(rawJSON: String?)
    }

    public var content: Content
    /// The ``ToolUse/toolUseId`` that started the sub-agent that wrote the message; nil for a message of the main agent.
    public var parentToolUseId: String?
    /// True if the longest text was cut to ``Limits/cutTextSize``. ``EndlessCodeEndpoints/message`` returns the whole message.
    public var isLarge: Bool

    public init(_ content: Content, parentToolUseId: String? = nil, isLarge: Bool = false) {
        (self.content, self.parentToolUseId, self.isLarge) = (content, parentToolUseId, isLarge)
    }
}

/// Text of the user or of the agent.
public struct Chat: Hashable, Sendable {
    public enum Role: String, Codable, Hashable, Sendable { case user, assistant }

    /// The delivery state of a prompt that the agent has not taken up.
    public enum Delivery: String, Codable, Hashable, Sendable {
        /// The server has stored the prompt and will pass it to the agent.
        case queued
        /// The server has given up. Sending the same ``UserMessage/messageId`` again queues the prompt again.
        case undelivered
    }

    /// For a prompt of a phone, the ``UserMessage/messageId``.
    public var id: String
    public var role: Role
    /// The text in Markdown; only a piece of the text if ``offset`` is set.
    public var content: String
    public var timestamp: Timestamp
    /// The position of a piece in the text, in bytes of UTF-8. Nil for the final text, which replaces all pieces with its `id`.
    public var offset: Int?
    /// Nil for a prompt that the agent has taken up, and for texts of the agent.
    public var delivery: Delivery?

    public init(
        id: String, role: Role, content: String, timestamp: Timestamp, offset: Int? = nil, delivery: Delivery? = nil
    ) {
        (self.id, self.role, self.content, self.timestamp) = (id, role, content, timestamp)
        (self.offset, self.delivery) = (offset, delivery)
    }

    public var isPartial: Bool { offset != nil }
}

/// A use of a tool by the agent.
public struct ToolUse: Codable, Hashable, Sendable {
    public var id: String
    public var toolName: String
    public var toolInput: JSONValue
    /// The tool-use id. A later use with the same id replaces the earlier one.
    public var toolUseId: String
    /// The kind of the tool, in a word of the Agent Client Protocol: `read`, `edit`, `delete`, `move`, `search`, `execute`,
    /// `think`, `fetch`, `other`, and `plan` for a list of tasks. Nil if ``toolName`` tells it.
    public var kind: String?
    /// Texts and changes of files that the agent shows with the use.
    public var content: [ToolContent]?
    public var timestamp: Timestamp

    public init(
        id: String, toolName: String, toolInput: JSONValue, toolUseId: String, kind: String? = nil, content: [ToolContent]? = nil,
        timestamp: Timestamp
    ) {
        (self.id, self.toolName, self.toolInput) = (id, toolName, toolInput)
        (self.toolUseId, self.kind, self.content, self.timestamp) = (toolUseId, kind, content, timestamp)
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case toolName = "tool_name"
        case toolInput = "tool_input"
        case toolUseId = "tool_use_id"
        case kind, content, timestamp
    }
}

/// A part of a ``ToolUse`` that people read.
public enum ToolContent: Hashable, Sendable {
    case text(String)
    /// A change of a file. `old` is nil for a new one.
    case diff(path: String, old: String?, new: String)
}

/// The outcome of a ``ToolUse``.
public struct ToolResult: Codable, Hashable, Sendable {
    public var id: String
    public var toolUseId: String
    public var output: String
    public var isError: Bool
    public var timestamp: Timestamp

    public init(id: String, toolUseId: String, output: String, isError: Bool, timestamp: Timestamp) {
        (self.id, self.toolUseId, self.output) = (id, toolUseId, output)
        (self.isError, self.timestamp) = (isError, timestamp)
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case toolUseId = "tool_use_id"
        case output
        case isError = "is_error"
        case timestamp
    }
}

/// A question of the agent, as an entry of the conversation. It is answered through its ``PromptRequest``.
public struct AskUser: Hashable, Sendable {
    public var id: String
    public var toolUseId: String
    public var question: Question
    public var timestamp: Timestamp

    public init(id: String, toolUseId: String, question: Question, timestamp: Timestamp) {
        (self.id, self.toolUseId, self.question, self.timestamp) = (id, toolUseId, question, timestamp)
    }
}

/// A remark by the agent's program or by the server, outside the conversation.
public struct Notice: Codable, Hashable, Sendable {
    /// Readers show the ``Notice/text`` of kinds that they do not know.
    public enum Kind {
        /// A request to the model has failed and is sent again: ``Notice/attempt``, ``Notice/nextAttemptAt``, ``Notice/reason``.
        public static let retry = "retry"
        /// The agent is replacing the older part of its context by a summary, or has done so.
        public static let (compacting, compacted) = ("compacting", "compacted")
        /// The user has cleared the conversation: the agent remembers nothing from before.
        public static let cleared = "cleared"
        /// The agent could not resume the conversation, and remembers nothing of it.
        public static let forgotten = "forgotten"
        /// The provider's usage limit is near, or is reached until ``Notice/nextAttemptAt``.
        public static let (limitNear, limitReached) = ("limit_near", "limit_reached")
        public static let (information, warning) = ("information", "warning")
    }

    public var id: String
    /// See ``Kind``.
    public var kind: String
    /// A sentence for people; nil if the kind says everything.
    public var text: String?
    /// The reason of a failure: `overloaded`, `rate_limit`, `authentication_failed`, `server_error`, `connection`, or the agent's own word.
    public var reason: String?
    /// The HTTP status of a failure.
    public var status: Int?
    /// The number of the retry, from 1, and the maximum number of retries.
    public var attempt: Int?
    public var maxAttempts: Int?
    public var nextAttemptAt: Timestamp?
    public var timestamp: Timestamp

    public init(
        id: String, kind: String, text: String? = nil, reason: String? = nil, status: Int? = nil, attempt: Int? = nil,
        maxAttempts: Int? = nil, nextAttemptAt: Timestamp? = nil, timestamp: Timestamp
    ) {
        (self.id, self.kind, self.text, self.reason) = (id, kind, text, reason)
        (self.status, self.attempt, self.maxAttempts) = (status, attempt, maxAttempts)
        (self.nextAttemptAt, self.timestamp) = (nextAttemptAt, timestamp)
    }
}

/// The end of a turn.
public struct TurnResult: Codable, Hashable, Sendable {
    public var id: String
    public var isError: Bool
    /// A stable word: `success`, `interrupted`, `crashed`, or the agent's own.
    public var reason: String
    /// A sentence for people, such as the agent's error; nil if it would repeat the agent's last text.
    public var text: String?
    /// The cost of the turn in US dollars.
    public var costUSD: Double?
    public var inputTokens: Int?
    public var outputTokens: Int?
    /// The duration of the turn in milliseconds.
    public var durationMs: Int
    public var timestamp: Timestamp

    public init(
        id: String, isError: Bool, reason: String, text: String? = nil, costUSD: Double? = nil, inputTokens: Int? = nil,
        outputTokens: Int? = nil, durationMs: Int, timestamp: Timestamp
    ) {
        (self.id, self.isError, self.reason, self.text, self.costUSD) = (id, isError, reason, text, costUSD)
        (self.inputTokens, self.outputTokens) = (inputTokens, outputTokens)
        (self.durationMs, self.timestamp) = (durationMs, timestamp)
    }
}
