import ClientKit
package import EndlessCodeWire
import Foundation
import WireKit

/// The questions of agents.
extension AgentClient {
    /// Returns the open questions of a session, the oldest first.
    package func prompts(of session: Session.ID) -> [OpenPrompt] { prompts.filter { $0.request.sessionId == session } }

    /// Answers a question with labels, with free text, or with both.
    ///
    /// The answer is ``OpenPrompt/answer`` until the server confirms it; a refusal is ``OpenPrompt/problem``. If the connection
    /// breaks, the next one sends the answer again, as long as the question is open. No effect for a question that is closed.
    ///
    /// - Throws: ``CodeProblem``: `notConnected`; `invalidAnswer` for an answer that the question does not allow.
    package func answer(_ prompt: PromptRequest.ID, options: [String], text: String? = nil) throws(CodeProblem) {
        guard let index = prompts.firstIndex(where: { $0.id == prompt }), prompts[index].answer == nil else { return }
        let request = prompts[index].request
        let text = text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        let answer = PromptAnswer(sessionId: request.sessionId, promptId: prompt, selectedOptions: options, customInput: text)
        guard (text ?? "").utf8.count <= Limits.customInputSize, (try? answer.check(against: request.question)) != nil,
            ClientFrame.promptResponse(answer).text.utf8.count <= Limits.frameSize
        else { throw .invalidAnswer }
        guard status == .connected else { throw .notConnected }
        (prompts[index].answer, prompts[index].problem) = (answer, nil)
        write(answer)
    }

    /// Allows the agent to use the tool this time.
    package func allow(_ prompt: PromptRequest.ID) throws(CodeProblem) {
        try answer(prompt, options: [QuestionOption.allow.label])
    }
    /// Allows the tool until the session ends. Only if the question offers it: ``OpenPrompt/offersSession``.
    package func allowForThisSession(_ prompt: PromptRequest.ID) throws(CodeProblem) {
        try answer(prompt, options: [QuestionOption.allowForThisSession.label])
    }
    /// Refuses the tool, with a reason for the agent.
    package func deny(_ prompt: PromptRequest.ID, reason: String? = nil) throws(CodeProblem) {
        try answer(prompt, options: [QuestionOption.deny.label], text: reason)
    }

    /// Keeps the user's unsent options and text, for the next time that the question is shown.
    package func keep(_ draft: OpenPrompt.Draft, of prompt: PromptRequest.ID) {
        guard let index = prompts.firstIndex(where: { $0.id == prompt }) else { return }
        prompts[index].draft = draft
    }

    func write(_ answer: PromptAnswer) {
        expectations.removeAll { $0.what == .answer(answer.promptId) }
        expectations.append(Expectation(session: answer.sessionId, what: .answer(answer.promptId)))
        trimExpectations()
        engine.enqueue(.promptResponse(answer))
    }
}
