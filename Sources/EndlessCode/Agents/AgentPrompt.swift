package import WireKit

/// A request of the agent that waits for an ``AgentAnswer``. The agent sets no time limit.
package struct AgentPrompt: Hashable, Sendable, Identifiable {
    package enum Kind: Hashable, Sendable {
        /// Answered with ``AgentAnswer/allow``, ``AgentAnswer/allowForSession`` or ``AgentAnswer/deny(reason:)``.
        case permission(AgentPermission)
        /// At least one question. Answered together with ``AgentAnswer/answers(_:)``, or with ``AgentAnswer/deny(reason:)``.
        case questions([AgentQuestion])
    }

    /// Unique within one run of the agent.
    package var id: String
    /// The tool use that waits; nil if the agent does not name it.
    package var toolUseID: String?
    package var kind: Kind

    package init(id: String, toolUseID: String? = nil, kind: Kind) { (self.id, self.toolUseID, self.kind) = (id, toolUseID, kind) }
}

/// The use of a tool that needs the user's permission.
package struct AgentPermission: Hashable, Sendable {
    package var toolName: String
    /// The complete input.
    package var input: JSONValue
    /// The input as the JSON text that the agent wrote. An allow returns it unchanged.
    package var inputText: String
    /// The agent's own title of the request.
    package var title: String?
    /// True if ``AgentAnswer/allowForSession`` is offered.
    package var offersSession: Bool
    /// The answers that the agent offers, in its own words and order. Empty if the agent only takes ``AgentAnswer/allow``,
    /// ``AgentAnswer/deny(reason:)`` and, with ``offersSession``, ``AgentAnswer/allowForSession``.
    package var options: [AgentPermissionOption]
    /// See ``AgentToolUse/kind``.
    package var kind: String?
    /// See ``AgentToolUse/content``.
    package var content: [AgentToolContent]

    package init(
        toolName: String, input: JSONValue, inputText: String, title: String? = nil, offersSession: Bool,
        options: [AgentPermissionOption] = [], kind: String? = nil, content: [AgentToolContent] = []
    ) {
        (self.toolName, self.input, self.inputText) = (toolName, input, inputText)
        (self.title, self.offersSession) = (title, offersSession)
        (self.options, self.kind, self.content) = (options, kind, content)
    }
}

/// An answer that an agent offers to a permission request.
package struct AgentPermissionOption: Hashable, Sendable, Identifiable {
    package enum Kind: String, Hashable, Sendable {
        case allowOnce = "allow_once"
        /// Allows this use and further ones, for as long as the agent says in ``AgentPermissionOption/name``.
        case allowAlways = "allow_always"
        case rejectOnce = "reject_once"
        case rejectAlways = "reject_always"
    }

    package var id: String
    /// The answer in the agent's words.
    package var name: String
    package var kind: Kind

    package init(id: String, name: String, kind: Kind) { (self.id, self.name, self.kind) = (id, name, kind) }
}

package struct AgentQuestion: Hashable, Sendable {
    package struct Option: Hashable, Sendable {
        package var label: String
        package var description: String?

        package init(label: String, description: String? = nil) { (self.label, self.description) = (label, description) }
    }

    package var question: String
    /// A short title of the question.
    package var header: String?
    /// The options to choose from; empty if the answer is free text.
    package var options: [Option]
    package var multiSelect: Bool

    package init(question: String, header: String? = nil, options: [Option] = [], multiSelect: Bool = false) {
        (self.question, self.header, self.options, self.multiSelect) = (question, header, options, multiSelect)
    }
}

/// An answer to an ``AgentPrompt``.
package enum AgentAnswer: Hashable, Sendable {
    /// Allows this one use.
    case allow
    /// Allows this use and similar ones until the agent ends. Only if ``AgentPermission/offersSession``.
    case allowForSession
    /// One of ``AgentPermission/options``.
    case option(AgentPermissionOption.ID)
    /// - Parameter reason: The reason for the agent. Agents over ACP receive none.
    case deny(reason: String?)
    /// One answer for each question, in their order.
    case answers([AgentQuestionAnswer])
}

/// The answer to one ``AgentQuestion``: labels, free text or both. Must not be empty.
package struct AgentQuestionAnswer: Hashable, Sendable {
    package var labels: [String]
    package var text: String?

    package init(labels: [String] = [], text: String? = nil) { (self.labels, self.text) = (labels, text) }
}
