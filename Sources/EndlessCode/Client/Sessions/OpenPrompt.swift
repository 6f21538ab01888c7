public import EndlessCodeWire
public import Foundation
public import WireKit

/// A question that waits for an answer.
public struct OpenPrompt: Hashable, Sendable, Identifiable {
    public var request: PromptRequest
    /// The answer that this phone has sent, until the server confirms it.
    public internal(set) var answer: PromptAnswer?
    /// The reason why the server refused an answer. The question is open still.
    public internal(set) var problem: CodeProblem?
    /// The answer that the user has begun: options and text that are not sent.
    public internal(set) var draft = Draft()

    /// An answer that the user has begun. It is kept as long as the app runs and the question is open.
    public struct Draft: Hashable, Sendable {
        /// Labels of options.
        public var selected: [String] = []
        public var text = ""

        public init() {}
    }

    public var id: PromptRequest.ID { request.promptId }
    public var isPermission: Bool { request.kind == .permission }
    /// The agent offers to remember the permission until the session ends.
    public var offersSession: Bool { request.question.options.contains { $0.label == QuestionOption.allowForThisSession.label } }
    /// The end of the time to answer, after which the agent is told: deny.
    public var expiresAt: Date? { request.expiresAt?.date }

    init(_ request: PromptRequest) { self.request = request }
}

/// A question that is closed.
public struct ClosedPrompt: Codable, Hashable, Sendable {
    public var outcome: PromptResolved.Outcome
    public var selectedOptions: [String]
    public var customInput: String?
    /// The name of the phone that answered.
    public var by: String?
    /// This phone answered.
    public var isOwn: Bool
    /// See ``PromptResolved/allows``. Nil from an earlier server.
    public var isAllowed: Bool?

    /// True when the tool of a permission was allowed.
    public var allows: Bool {
        outcome == .answered
            && isAllowed
                ?? (selectedOptions.contains(QuestionOption.allow.label)
                    || selectedOptions.contains(QuestionOption.allowForThisSession.label))
    }
}
