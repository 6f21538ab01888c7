package import Foundation
package import WireKit

/// An event of a coding agent, in the same shape for every driver.
package struct AgentEvent: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// The agent answered its start, or a field changed since.
        case ready(AgentReady)
        /// A complete text of the agent. It replaces the partial text of the same id.
        case text(AgentText)
        /// A piece of a text that the agent is still writing.
        case partialText(AgentPartialText)
        /// The agent has given up a text that it was writing: its pieces are void. The id may begin another text.
        case textAbandoned(AgentText.ID)
        /// A use of a tool. A later event with the same id replaces it.
        case toolUse(AgentToolUse)
        case toolResult(AgentToolResult)
        /// The agent waits for an answer. Several prompts can be open at once.
        case prompt(AgentPrompt)
        /// The prompt no longer takes an answer: the agent has withdrawn it, or has ended.
        case promptWithdrawn(AgentPrompt.ID)
        /// The agent has taken up a prompt: it has echoed the prompt or begun its turn. Sent once for each prompt.
        case promptTaken(AgentReceipt)
        /// The agent has given up a prompt before its turn.
        case promptDropped(UUID)
        /// The end of a turn. The agent may start another turn by itself, and sub-agents may go on in the background.
        case result(AgentResult)
        /// ``AgentDriver/isInTurn`` has changed.
        case workChanged(Bool)
        /// A remark of the agent's program, outside the conversation.
        case notice(AgentNotice)
        /// A message of an unknown type, as the JSON text that the agent wrote.
        case unknown(String)
        /// A line that was dropped: `PARSE_ERROR` on the wire.
        case dropped(AgentDroppedLine)
        /// A line with nothing to show: a status, a heartbeat, thinking, a line of a log.
        case activity
    }

    package var content: Content
    /// The tool use that started the sub-agent of this event; nil for the agent itself.
    package var parentToolUseID: String?
    /// True for a line over ``AgentLineReader/largeLineLength``.
    package var isLarge: Bool

    package init(_ content: Content, parentToolUseID: String? = nil, isLarge: Bool = false) {
        (self.content, self.parentToolUseID, self.isLarge) = (content, parentToolUseID, isLarge)
    }
}

/// A remark of the agent's program about the conversation.
package struct AgentNotice: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A request to the model has failed and is sent again.
        case retry(AgentRetry)
        /// The agent is replacing the older part of its context by a summary, or has done so.
        case compacting, compacted
        /// The agent has begun a new conversation on the user's command.
        case cleared
        /// The agent could not resume the conversation, and remembers nothing of it.
        case forgotten
        /// The provider's usage limit is near or reached.
        ///
        /// - Parameter resetsAt: Nil if the agent does not report the time.
        case usageLimit(isReached: Bool, resetsAt: Date?)
        case information, warning
    }

    package var kind: Kind
    /// The program's own words.
    package var text: String?

    package init(_ kind: Kind, _ text: String? = nil) { (self.kind, self.text) = (kind, text) }
}

/// A request to the model that failed and is sent again.
package struct AgentRetry: Hashable, Sendable {
    /// The number of the retry, from 1.
    package var attempt: Int
    /// Maximum retries; nil if the agent does not report it.
    package var maximumAttempts: Int?
    /// The time until the retry.
    package var delay: Duration
    /// A stable word: `overloaded`, `rate_limit`, `authentication_failed`, `server_error`, `connection` if no server answered, or
    /// the agent's own.
    package var reason: String
    /// The HTTP status of the failure.
    package var status: Int?

    package init(attempt: Int, maximumAttempts: Int?, delay: Duration, reason: String, status: Int?) {
        (self.attempt, self.maximumAttempts, self.delay) = (attempt, maximumAttempts, delay)
        (self.reason, self.status) = (reason, status)
    }
}

/// The state of a conversation as the agent describes it.
package struct AgentReady: Hashable, Sendable {
    /// The id that resumes the conversation. Differs from the requested id if the agent could not resume it.
    package var conversationID: String?
    package var model: String?
    /// The agent's own name of the mode, such as `default`, `acceptEdits` or `plan`.
    package var permissionMode: String?
    /// The names of the agent's tools.
    package var tools: [String]

    package init(conversationID: String? = nil, model: String? = nil, permissionMode: String? = nil, tools: [String] = []) {
        (self.conversationID, self.model, self.permissionMode, self.tools) = (conversationID, model, permissionMode, tools)
    }
}

package struct AgentText: Hashable, Sendable, Identifiable {
    /// Unique over all runs of the agent.
    package var id: String
    package var text: String

    package init(id: String, text: String) { (self.id, self.text) = (id, text) }
}

package struct AgentPartialText: Hashable, Sendable, Identifiable {
    /// The id of the ``AgentText`` that replaces the pieces.
    package var id: String
    /// The length of the text before the piece, in UTF-8 bytes. 0 again if the agent starts the text anew.
    package var offset: Int
    package var piece: String

    package init(id: String, offset: Int, piece: String) { (self.id, self.offset, self.piece) = (id, offset, piece) }
}

package struct AgentToolUse: Hashable, Sendable, Identifiable {
    /// The ``kind`` of an agent's list of tasks: the input is `{"todos": [{"content", "status"}]}`.
    package static let plan = "plan"

    /// The id by which the result and a permission request refer to the use.
    package var id: String
    package var name: String
    package var input: JSONValue
    /// The kind of the tool, as a word of the Agent Client Protocol: `read`, `edit`, `execute`, `plan`. Nil if the name tells it.
    package var kind: String?
    /// Texts and changes of files that the agent shows with the call.
    package var content: [AgentToolContent]

    package init(id: String, name: String, input: JSONValue, kind: String? = nil, content: [AgentToolContent] = []) {
        (self.id, self.name, self.input) = (id, name, input)
        (self.kind, self.content) = (kind, content)
    }
}

package enum AgentToolContent: Hashable, Sendable {
    case text(String)
    /// A change of a file. `old` is nil for a new file.
    case diff(path: String, old: String?, new: String)
}

package struct AgentToolResult: Hashable, Sendable {
    package var toolUseID: String
    /// The text of the result. Pictures and other media are named in square brackets.
    package var output: String
    package var isError: Bool

    package init(toolUseID: String, output: String, isError: Bool) {
        (self.toolUseID, self.output, self.isError) = (toolUseID, output, isError)
    }
}

/// The confirmation that the agent has a prompt.
package struct AgentReceipt: Hashable, Sendable {
    /// The id of ``AgentCommand/prompt(_:id:isRepeat:)``.
    package var id: UUID
    /// True if the agent answers the prompt; false if the conversation already has the prompt.
    package var startsTurn: Bool
    /// True if the agent named the prompt; false if the driver inferred the receipt from the first output of a turn.
    package var isNamed: Bool

    package init(id: UUID, startsTurn: Bool = true, isNamed: Bool = true) {
        (self.id, self.startsTurn, self.isNamed) = (id, startsTurn, isNamed)
    }
}

/// The end of a turn.
package struct AgentResult: Hashable, Sendable {
    /// The ``reason`` of a turn that the user interrupted. Never an error.
    package static let interrupted = "interrupted"

    package var isError: Bool
    /// ``interrupted``, or the agent's own word, such as `success`, `error_max_turns` or `end_turn`.
    package var reason: String
    /// The final answer, or the message of an error.
    package var text: String?
    /// The cost of this turn in US dollars.
    package var costUSD: Double?
    /// The input tokens of this turn, cached ones included.
    package var inputTokens: Int?
    package var outputTokens: Int?
    package var duration: Duration

    package init(
        isError: Bool, reason: String, text: String? = nil, costUSD: Double? = nil, inputTokens: Int? = nil,
        outputTokens: Int? = nil, duration: Duration
    ) {
        (self.isError, self.reason, self.text, self.costUSD) = (isError, reason, text, costUSD)
        (self.inputTokens, self.outputTokens, self.duration) = (inputTokens, outputTokens, duration)
    }
}

/// A line of the agent that could not be read.
package struct AgentDroppedLine: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// Longer than ``AgentLineReader/maximumLineLength``.
        case tooLong
        case notJSON
        /// The agent ended in the middle of the line.
        case unfinished
    }

    package var reason: Reason
    /// The first characters of the line, at most 200, for the log.
    package var beginning: String

    package init(reason: Reason, beginning: String) { (self.reason, self.beginning) = (reason, beginning) }
}
