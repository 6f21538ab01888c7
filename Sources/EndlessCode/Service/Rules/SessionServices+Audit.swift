import EndlessCodeWire
import Logging
import WireKit

extension SessionServices {
    /// Writes a decision down.
    ///
    /// - Returns: False if that failed. The agent must not get the answer then.
    @discardableResult
    func record(
        _ prompt: PromptRecord, _ outcome: PromptResolved.Outcome, answer: PromptAnswer? = nil, phone: String? = nil,
        by name: String? = nil, at time: Timestamp
    ) -> Bool {
        let request = prompt.request
        do {
            try audit.append(
                AuditFile.Entry(
                    at: time, sessionId: request.sessionId, promptId: request.promptId, kind: request.kind ?? .question,
                    outcome: outcome, question: request.question.question, toolName: request.toolName, input: prompt.input,
                    selectedOptions: answer?.selectedOptions, customInput: answer?.customInput, by: name, phone: phone))
            return true
        } catch {
            logger.critical("Could not write to the audit file", metadata: ["error": "\(error)"])
            return false
        }
    }
}
