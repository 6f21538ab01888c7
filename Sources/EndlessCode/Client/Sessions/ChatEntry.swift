package import EndlessCodeWire
package import Foundation
import NetworkingKit
package import WireKit

/// One entry of a conversation as a screen shows it.
package struct ChatEntry: Hashable, Sendable, Identifiable {
    package enum Content: Hashable, Sendable {
        /// A prompt that the agent has, of this phone or of another one.
        case user(String)
        /// A prompt that the server has accepted and the agent has not taken up. Shown after the running turn.
        case queued(String)
        /// A prompt that the server could not deliver: ``AgentClient/sendAgain(_:of:)``.
        case undelivered(String)
        /// A prompt of this phone that the server has not accepted yet.
        case outgoing(OutgoingPrompt)
        /// Text of the agent, in Markdown. `isWriting` is true while the agent is writing it.
        case agent(String, isWriting: Bool)
        case tool(ToolCall)
        /// A question of the agent, with its answer once it is closed.
        case question(AskedQuestion)
        /// The end of a turn.
        case result(TurnResult)
        /// A remark outside the conversation. Of several remarks about one wait, only the latest is shown.
        case notice(Notice)
        /// A message of a kind that the server or this version does not know, as JSON.
        case unknown(String?)
    }

    /// Stable while the entry is shown, also when a text that is being written becomes final.
    package let id: String
    /// The sequence number; nil for text that is being written, and for outgoing prompts.
    package var seq: Int64?
    package var date: Date
    package var content: Content
    /// The ``ToolUse/toolUseId`` that started the sub-agent of this entry; nil for the main agent.
    package var parentToolUseId: String?
    /// True if a text was cut. ``AgentClient/loadWhole(_:of:)`` fetches the whole text.
    package var isCut: Bool { !cutSeqs.isEmpty }
    /// The sequence numbers of the entry's messages whose texts were cut, such as a use of a tool and its result.
    var cutSeqs: [Int64]

    init(id: String, seq: Int64?, date: Date, _ content: Content, parentToolUseId: String? = nil, cutSeqs: [Int64] = []) {
        (self.id, self.seq, self.date, self.content) = (id, seq, date, content)
        (self.parentToolUseId, self.cutSeqs) = (parentToolUseId, cutSeqs)
    }
}

/// A use of a tool, with its result once it has one.
package struct ToolCall: Hashable, Sendable {
    /// ``ToolUse/toolUseId``.
    package var id: String
    /// Nil for a result whose use is on an earlier page.
    package var name: String?
    package var input: JSONValue?
    /// See ``ToolUse/kind`` and ``ToolUse/content``.
    package var kind: String?
    package var content: [ToolContent] = []
    package var output: String?
    package var isError: Bool
    /// The user's decision; nil if the agent did not ask.
    package var permission: ClosedPrompt?
    /// True if the turn was stopped, or the agent ended, before a result arrived.
    package var wasStopped = false

    /// True until a result arrives, or the turn is stopped.
    package var isRunning: Bool { output == nil && !wasStopped }
}

/// A question in the conversation.
package struct AskedQuestion: Hashable, Sendable {
    /// The ``PromptRequest/promptId``: open while it is among ``AgentClient/prompts``.
    package var id: PromptRequest.ID
    package var question: Question
    /// Nil while it is open, and if this phone does not know the answer.
    package var closed: ClosedPrompt?
}

/// A prompt of this phone on its way to the server.
package struct OutgoingPrompt: Hashable, Sendable, Identifiable {
    package typealias ID = String

    package enum State: Hashable, Sendable {
        /// The prompt waits for the line.
        case waiting
        /// The prompt was sent, and is not confirmed yet.
        case sending
        /// The session takes no prompts. ``AgentClient/resume(_:)`` sends the prompt.
        case needsResume
        /// The server refused the prompt: ``AgentClient/retry(_:)`` or ``AgentClient/discard(_:)``.
        case refused(CodeProblem)
    }

    /// The ``UserMessage/messageId``.
    package let id: ID
    package var sessionId: Session.ID
    package var text: String
    package var date: Date
    package var state: State
}
