package import EndlessCodeWire
package import Foundation
import WireKit

/// A question that waits for an answer.
package struct OpenPrompt: Hashable, Sendable, Identifiable {
    package var request: PromptRequest
    /// The answer that this phone has sent, until the server confirms it.
    package internal(set) var answer: PromptAnswer?
    /// The server's refusal of the last answer, after which the question is still open; nil without one.
    package internal(set) var problem: CodeProblem?
    /// The answer that the user has begun: options and text that are not sent.
    package internal(set) var draft = Draft()

    /// An answer that the user has begun. It is kept as long as the app runs and the question is open.
    package struct Draft: Hashable, Sendable {
        /// Labels of options.
        package var selected: [String] = []
        package var text = ""

        package init() {}
    }

    package var id: PromptRequest.ID { request.promptId }
    package var isPermission: Bool { request.kind == .permission }
    /// True if the agent offers to remember the permission until the session ends.
    package var offersSession: Bool { request.question.options.contains { $0.label == QuestionOption.allowForThisSession.label } }
    /// The time at which the question expires, and the server denies the agent's request.
    package var expiresAt: Date? { request.expiresAt?.date }

    init(_ request: PromptRequest) { self.request = request }
}

/// A question that is closed.
package struct ClosedPrompt: Codable, Hashable, Sendable {
    package var outcome: PromptResolved.Outcome
    package var selectedOptions: [String]
    package var customInput: String?
    /// The name of the phone that answered.
    package var by: String?
    /// True if this phone answered.
    package var isOwn: Bool
    /// True if the answer allows the tool (``PromptResolved/allows``); nil for questions, and from earlier servers.
    package var isAllowed: Bool?

    /// True if the tool of a permission was allowed.
    package var allows: Bool {
        outcome == .answered
            && isAllowed
                ?? (selectedOptions.contains(QuestionOption.allow.label)
                    || selectedOptions.contains(QuestionOption.allowForThisSession.label))
    }
}
