public import Foundation
public import WireKit

/// An event of a coding agent, in the same shape for every driver.
public struct AgentEvent: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// The agent answered its start, or a field changed since.
        case ready(AgentReady)
        /// A complete text of the agent. It replaces the partial text of the same id.
        case text(AgentText)
        /// A piece of a text that the agent is still writing.
        case partialText(AgentPartialText)
        case toolUse(AgentToolUse)
        case toolResult(AgentToolResult)
        /// The agent waits for an answer. Several prompts can be open at once.
        case prompt(AgentPrompt)
        /// A prompt that takes no answer any more: withdrawn by the agent, or the agent ended.
        case promptWithdrawn(AgentPrompt.ID)
        /// The agent has taken up a prompt: it has repeated it, or has begun its turn. Once for each prompt.
        case promptTaken(AgentReceipt)
        /// The agent has given up a prompt before its turn.
        case promptDropped(UUID)
        /// The end of a turn. The agent may start another turn by itself.
        case result(AgentResult)
        /// A message of an unknown type, as the JSON text that the agent wrote.
        case unknown(String)
        /// A line that was dropped: `PARSE_ERROR` on the wire.
        case dropped(AgentDroppedLine)
        /// A line with nothing to show: a status, a heartbeat, thinking.
        case activity
    }

    public var content: Content
    /// The tool use that started the sub-agent of this event; nil for the agent itself.
    public var parentToolUseID: String?
    /// True for a line over ``AgentLineReader/largeLineLength``.
    public var isLarge: Bool

    public init(_ content: Content, parentToolUseID: String? = nil, isLarge: Bool = false) {
        (self.content, self.parentToolUseID, self.isLarge) = (content, parentToolUseID, isLarge)
    }
}

/// The state of a conversation as the agent describes it.
public struct AgentReady: Hashable, Sendable {
    /// The id that resumes the conversation. Differs from the requested id if the agent could not resume it.
    public var conversationID: String?
    public var model: String?
    /// The agent's own name of the mode, such as `default`, `acceptEdits` or `plan`.
    public var permissionMode: String?
    /// Names of the tools.
    public var tools: [String]

    public init(conversationID: String? = nil, model: String? = nil, permissionMode: String? = nil, tools: [String] = []) {
        (self.conversationID, self.model, self.permissionMode, self.tools) = (conversationID, model, permissionMode, tools)
    }
}

public struct AgentText: Hashable, Sendable, Identifiable {
    /// Unique over all runs of the agent.
    public var id: String
    public var text: String

    public init(id: String, text: String) { (self.id, self.text) = (id, text) }
}

public struct AgentPartialText: Hashable, Sendable, Identifiable {
    /// The id of the ``AgentText`` that replaces the pieces.
    public var id: String
    /// The length of the text before the piece, in UTF-8 bytes. 0 again if the agent starts the text anew.
    public var offset: Int
    public var piece: String

    public init(id: String, offset: Int, piece: String) { (self.id, self.offset, self.piece) = (id, offset, piece) }
}

public struct AgentToolUse: Hashable, Sendable, Identifiable {
    /// The id that the result and a permission request name.
    public var id: String
    public var name: String
    public var input: JSONValue

    public init(id: String, name: String, input: JSONValue) { (self.id, self.name, self.input) = (id, name, input) }
}

public struct AgentToolResult: Hashable, Sendable {
    public var toolUseID: String
    /// The text of the result. Pictures and other media are named in square brackets.
    public var output: String
    public var isError: Bool

    public init(toolUseID: String, output: String, isError: Bool) {
        (self.toolUseID, self.output, self.isError) = (toolUseID, output, isError)
    }
}

/// The confirmation that the agent has a prompt.
public struct AgentReceipt: Hashable, Sendable {
    /// The id of ``AgentCommand/prompt(_:id:isRepeat:)``.
    public var id: UUID
    /// False for a prompt that the conversation has already: the agent does not answer it again.
    public var startsTurn: Bool
    /// True if the agent named the prompt. An agent that does not is taken at its word by the first output of a turn.
    public var isNamed: Bool

    public init(id: UUID, startsTurn: Bool = true, isNamed: Bool = true) {
        (self.id, self.startsTurn, self.isNamed) = (id, startsTurn, isNamed)
    }
}

/// The end of a turn.
public struct AgentResult: Hashable, Sendable {
    /// The ``reason`` of a turn that the user interrupted. Never an error.
    public static let interrupted = "interrupted"

    public var isError: Bool
    /// ``interrupted``, or the agent's own word, such as `success`, `error_max_turns` or `end_turn`.
    public var reason: String
    /// The final answer, or the message of an error.
    public var text: String?
    /// The cost of this turn in US dollars.
    public var costUSD: Double?
    /// The input tokens of this turn, cached ones included.
    public var inputTokens: Int?
    public var outputTokens: Int?
    public var duration: Duration

    public init(
        isError: Bool, reason: String, text: String? = nil, costUSD: Double? = nil, inputTokens: Int? = nil,
        outputTokens: Int? = nil, duration: Duration
    ) {
        (self.isError, self.reason, self.text, self.costUSD) = (isError, reason, text, costUSD)
        (self.inputTokens, self.outputTokens, self.duration) = (inputTokens, outputTokens, duration)
    }
}

/// A line of the agent that could not be read.
public struct AgentDroppedLine: Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        /// Longer than ``AgentLineReader/maximumLineLength``.
        case tooLong
        case notJSON
        /// The agent ended in the middle of the line.
        case unfinished
    }

    public var reason: Reason
    /// The first characters of the line, at most 200, for the log.
    public var beginning: String

    public init(reason: Reason, beginning: String) { (self.reason, self.beginning) = (reason, beginning) }
}
