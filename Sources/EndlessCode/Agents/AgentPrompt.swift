public import WireKit

/// A request of the agent that waits for an ``AgentAnswer``. The agent sets no time limit.
public struct AgentPrompt: Hashable, Sendable, Identifiable {
    public enum Kind: Hashable, Sendable {
        /// Answered with ``AgentAnswer/allow``, ``AgentAnswer/allowForSession`` or ``AgentAnswer/deny(reason:)``.
        case permission(AgentPermission)
        /// At least one question. Answered together with ``AgentAnswer/answers(_:)``, or with ``AgentAnswer/deny(reason:)``.
        case questions([AgentQuestion])
    }

    /// Unique within one run of the agent.
    public var id: String
    /// The tool use that waits; nil if the agent does not name it.
    public var toolUseID: String?
    public var kind: Kind

    public init(id: String, toolUseID: String? = nil, kind: Kind) { (self.id, self.toolUseID, self.kind) = (id, toolUseID, kind) }
}

/// The use of a tool that needs the user's permission.
public struct AgentPermission: Hashable, Sendable {
    public var toolName: String
    /// The complete input.
    public var input: JSONValue
    /// The input as the JSON text that the agent wrote. An allow gives it back unchanged.
    public var inputText: String
    /// The agent's own title of the request.
    public var title: String?
    /// True if ``AgentAnswer/allowForSession`` is offered.
    public var offersSession: Bool
    /// The answers that the agent offers, in its own words and order. Empty for one that only takes ``AgentAnswer/allow``,
    /// ``AgentAnswer/deny(reason:)`` and, where ``offersSession``, ``AgentAnswer/allowForSession``.
    public var options: [AgentPermissionOption]
    /// See ``AgentToolUse/kind``.
    public var kind: String?
    /// See ``AgentToolUse/content``.
    public var content: [AgentToolContent]

    public init(
        toolName: String, input: JSONValue, inputText: String, title: String? = nil, offersSession: Bool,
        options: [AgentPermissionOption] = [], kind: String? = nil, content: [AgentToolContent] = []
    ) {
        (self.toolName, self.input, self.inputText) = (toolName, input, inputText)
        (self.title, self.offersSession) = (title, offersSession)
        (self.options, self.kind, self.content) = (options, kind, content)
    }
}

/// An answer that an agent offers to a permission request.
public struct AgentPermissionOption: Hashable, Sendable, Identifiable {
    public enum Kind: String, Hashable, Sendable {
        case allowOnce = "allow_once"
        /// Allows this use and further ones, for as long as the agent says in ``AgentPermissionOption/name``.
        case allowAlways = "allow_always"
        case rejectOnce = "reject_once"
        case rejectAlways = "reject_always"
    }

    public var id: String
    /// The agent's words.
    public var name: String
    public var kind: Kind

    public init(id: String, name: String, kind: Kind) { (self.id, self.name, self.kind) = (id, name, kind) }
}

public struct AgentQuestion: Hashable, Sendable {
    public struct Option: Hashable, Sendable {
        public var label: String
        public var description: String?

        public init(label: String, description: String? = nil) { (self.label, self.description) = (label, description) }
    }

    public var question: String
    /// A word or two above the question.
    public var header: String?
    /// May be empty: the answer is free text.
    public var options: [Option]
    public var multiSelect: Bool

    public init(question: String, header: String? = nil, options: [Option] = [], multiSelect: Bool = false) {
        (self.question, self.header, self.options, self.multiSelect) = (question, header, options, multiSelect)
    }
}

/// An answer to an ``AgentPrompt``.
public enum AgentAnswer: Hashable, Sendable {
    /// Allows this one use.
    case allow
    /// Allows this use and those like it, until the agent ends. Where ``AgentPermission/offersSession``.
    case allowForSession
    /// One of ``AgentPermission/options``.
    case option(AgentPermissionOption.ID)
    /// - Parameter reason: Handed to the agent. Agents over ACP get none.
    case deny(reason: String?)
    /// One answer for each question, in their order.
    case answers([AgentQuestionAnswer])
}

/// The answer to one ``AgentQuestion``: labels, free text or both. Must not be empty.
public struct AgentQuestionAnswer: Hashable, Sendable {
    public var labels: [String]
    public var text: String?

    public init(labels: [String] = [], text: String? = nil) { (self.labels, self.text) = (labels, text) }
}
