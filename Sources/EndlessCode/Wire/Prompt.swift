public import WireKit

/// An option of a question.
public struct QuestionOption: Codable, Hashable, Sendable {
    /// The text that names the option in an answer.
    public var label: String
    public var description: String?
    /// The agent's own words for an option of a permission; nil if they equal ``label``.
    public var name: String?
    /// The effect of an option of a permission: `allow_once`, `allow_always`, `reject_once` or `reject_always`. Nil in questions, and for
    /// ``allow``, ``deny`` and ``allowForThisSession`` of agents without words of their own.
    public var kind: String?

    public init(_ label: String, description: String? = nil, name: String? = nil, kind: String? = nil) {
        (self.label, self.description, self.name, self.kind) = (label, description, name, kind)
    }

    /// True for an option of a permission that allows the tool.
    public var allows: Bool {
        kind.map { $0.hasPrefix("allow") } ?? [Self.allow.label, Self.allowForThisSession.label].contains(label)
    }

    /// Allows the tool this time.
    public static let allow = QuestionOption("Allow")
    /// Refuses the tool. ``PromptAnswer/customInput`` tells the agent the reason.
    public static let deny = QuestionOption("Deny")
    /// Allows the tool until the session ends.
    public static let allowForThisSession = QuestionOption("Allow for this session")
}

/// A question for the user.
public struct Question: Hashable, Sendable {
    public var question: String
    /// The options to choose from; empty for a question that is answered freely.
    public var options: [QuestionOption]
    /// True if several options may be chosen.
    public var multiSelect: Bool

    public init(_ question: String, options: [QuestionOption] = [], multiSelect: Bool = false) {
        (self.question, self.options, self.multiSelect) = (question, options, multiSelect)
    }
}

extension Question: Codable {
    private enum CodingKeys: String, CodingKey { case question, options, multiSelect }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(String.self, forKey: .question),
            options: try container.decodeIfPresent([QuestionOption].self, forKey: .options) ?? [],
            multiSelect: try container.decodeIfPresent(Bool.self, forKey: .multiSelect) ?? false)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(question, forKey: .question)
        if !options.isEmpty { try container.encode(options, forKey: .options) }
        try container.encode(multiSelect, forKey: .multiSelect)
    }
}

/// A question that waits for an answer. It stays open until ``PromptResolved``.
public struct PromptRequest: Codable, Hashable, Sendable, Identifiable {
    public typealias ID = Identifier<Prompt>

    public enum Kind: String, Codable, Hashable, Sendable {
        case question
        /// The agent asks to use a tool. The options, in this order: ``QuestionOption/allow`` if the agent can allow one use alone,
        /// ``QuestionOption/deny``, ``QuestionOption/allowForThisSession`` if the agent offers it, and the agent's further options,
        /// whose ``QuestionOption/kind`` is their effect.
        case permission
    }

    public var sessionId: Session.ID
    public var seq: Int64
    public var promptId: ID
    public var question: Question
    /// The time that phones have to answer, in seconds from the creation of the prompt.
    public var timeout: Int
    /// The time at which the prompt expires.
    public var expiresAt: Timestamp?
    /// Nil from earlier servers; nil means a question.
    public var kind: Kind?
    /// The tool; only in permissions.
    public var toolName: String?
    /// The tool's complete input; only in permissions.
    public var toolInput: JSONValue?
    /// The ``ToolUse/toolUseId``; only in permissions.
    public var toolUseId: String?
    /// As ``ToolUse/kind``; only in permissions.
    public var toolKind: String?
    /// As ``ToolUse/content``; only in permissions.
    public var toolContent: [ToolContent]?

    public var id: ID { promptId }

    public init(
        sessionId: Session.ID, seq: Int64, promptId: ID, question: Question, timeout: Int, expiresAt: Timestamp? = nil,
        kind: Kind? = nil, toolName: String? = nil, toolInput: JSONValue? = nil, toolUseId: String? = nil, toolKind: String? = nil,
        toolContent: [ToolContent]? = nil
    ) {
        (self.sessionId, self.seq, self.promptId, self.question) = (sessionId, seq, promptId, question)
        (self.timeout, self.expiresAt, self.kind) = (timeout, expiresAt, kind)
        (self.toolName, self.toolInput, self.toolUseId) = (toolName, toolInput, toolUseId)
        (self.toolKind, self.toolContent) = (toolKind, toolContent)
    }
}

/// An answer to a ``PromptRequest``: `prompt_response`.
public struct PromptAnswer: Codable, Hashable, Sendable {
    public var sessionId: Session.ID
    public var promptId: PromptRequest.ID
    /// Labels of the question's options.
    public var selectedOptions: [String]
    /// A free answer; with ``QuestionOption/deny``, the reason. Maximum ``Limits/customInputSize`` bytes of UTF-8.
    public var customInput: String?

    public init(sessionId: Session.ID, promptId: PromptRequest.ID, selectedOptions: [String] = [], customInput: String? = nil) {
        (self.sessionId, self.promptId) = (sessionId, promptId)
        (self.selectedOptions, self.customInput) = (selectedOptions, customInput)
    }

    /// Checks that the answer fits the question.
    ///
    /// - Throws: ``FieldError`` for a label that was not offered, several labels without `multiSelect`, one label twice, or an answer
    ///   without a label and without text.
    public func check(against question: Question) throws(FieldError) {
        if let label = selectedOptions.first(where: { label in !question.options.contains { $0.label == label } }) {
            throw FieldError("selectedOptions", "contains \(label.prefix(40).debugDescription), which was not offered")
        }
        guard question.multiSelect || selectedOptions.count <= 1 else {
            throw FieldError("selectedOptions", "has several labels, and the question allows one")
        }
        guard Set(selectedOptions).count == selectedOptions.count else { throw FieldError("selectedOptions", "repeats a label") }
        guard !selectedOptions.isEmpty || customInput.map({ !$0.allSatisfy(\.isWhitespace) }) == true else {
            throw FieldError("selectedOptions", "is empty, and there is no customInput")
        }
    }

    /// True if the answer to a permission allows the tool. A text without a label does not allow it.
    public var allows: Bool {
        selectedOptions.contains(QuestionOption.allow.label) || selectedOptions.contains(QuestionOption.allowForThisSession.label)
    }
}

/// The end of a ``PromptRequest``, sent to all phones.
public struct PromptResolved: Codable, Hashable, Sendable {
    public enum Outcome: String, Codable, Hashable, Sendable {
        case answered
        /// No answer came in time. The server denied the agent's request.
        case expired
        /// The agent no longer waits for an answer.
        case withdrawn
    }

    public var sessionId: Session.ID
    public var seq: Int64
    public var promptId: PromptRequest.ID
    public var outcome: Outcome
    public var selectedOptions: [String]?
    public var customInput: String?
    /// The name of the phone that answered.
    public var by: String?
    /// True if the answer to a permission allows the tool; nil for questions.
    public var allows: Bool?

    public init(
        sessionId: Session.ID, seq: Int64, promptId: PromptRequest.ID, outcome: Outcome, selectedOptions: [String]? = nil,
        customInput: String? = nil, by: String? = nil, allows: Bool? = nil
    ) {
        (self.sessionId, self.seq, self.promptId, self.outcome) = (sessionId, seq, promptId, outcome)
        (self.selectedOptions, self.customInput, self.by) = (selectedOptions, customInput, by)
        self.allows = allows
    }
}
