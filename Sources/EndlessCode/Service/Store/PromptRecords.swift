package import EndlessCodeWire
import Foundation
import StorageKit
import WireKit

extension PromptResolved.Outcome: SQLValue {}

/// A question of an agent.
struct PromptRecord: RowDecodable, Sendable {
    var request: PromptRequest
    /// The agent's own id of the request to which the question belongs.
    var agentPrompt: String
    /// The tool's input as the agent wrote it.
    var input: String?
    /// Nil while the question is open.
    var outcome: PromptResolved.Outcome?
    var answer: PromptAnswer?
    /// The id of the phone that gave the answer.
    var phone: String?

    init(row: Row) throws {
        request = try WireJSON.decode(from: Data(try row.get("request", as: String.self).utf8))
        agentPrompt = try row.get("agent_prompt")
        input = try row.get("input")
        outcome = try row.get("outcome")
        answer = try row.get("answer", as: String?.self).map { try WireJSON.decode(from: Data($0.utf8)) }
        phone = try row.get("phone")
    }
}

extension ReadTransaction {
    func prompt(_ id: PromptRequest.ID, of session: Session.ID) throws -> PromptRecord? {
        try first("SELECT * FROM prompts WHERE id = ? AND session = ?", id, session)
    }

    /// The open questions of all sessions, in the order of their end.
    func openPrompts() throws -> [PromptRecord] {
        try all("SELECT * FROM prompts WHERE outcome IS NULL ORDER BY expires_at, id")
    }

    func openPrompts(of session: Session.ID) throws -> [PromptRecord] {
        try all("SELECT * FROM prompts WHERE session = ? AND outcome IS NULL ORDER BY expires_at, id", session)
    }

    func overduePrompts(at time: Timestamp) throws -> [PromptRecord] {
        try all("SELECT * FROM prompts WHERE outcome IS NULL AND expires_at <= ? ORDER BY expires_at, id", time)
    }
}

extension WriteTransaction {
    /// Opens a question and logs it.
    func ask(
        _ question: Question, id: PromptRequest.ID, in session: Session.ID, agentPrompt: String, input: String?,
        timeout: Duration, at time: Timestamp, _ details: (inout PromptRequest) -> Void
    ) throws -> LoggedEvent {
        let expiry = time + timeout
        var request = PromptRequest(
            sessionId: session, seq: 0, promptId: id, question: question, timeout: Int(timeout.components.seconds),
            expiresAt: expiry)
        details(&request)
        let frame = try append(to: session, at: time) {
            request.seq = $0
            return .promptRequest(request)
        }
        try execute(
            "INSERT INTO prompts (id, session, agent_prompt, request, input, expires_at) VALUES (?, ?, ?, ?, ?, ?)", id, session,
            agentPrompt, String(decoding: try WireJSON.encode(request), as: UTF8.self), input, expiry)
        return frame
    }

    /// Closes a question and logs it.
    ///
    /// - Returns: Nil if it was closed before.
    func resolve(
        _ prompt: PromptRecord, _ outcome: PromptResolved.Outcome, answer: PromptAnswer? = nil, phone: String? = nil,
        by name: String? = nil, at time: Timestamp
    ) throws -> LoggedEvent? {
        let text = try answer.map { String(decoding: try WireJSON.encode($0), as: UTF8.self) }
        let (id, session) = (prompt.request.promptId, prompt.request.sessionId)
        let options = prompt.request.question.options
        let allows =
            prompt.request.kind == .permission
            ? answer.map { answer in options.contains { $0.allows && answer.selectedOptions.contains($0.label) } } : nil
        let changed = try execute(
            "UPDATE prompts SET outcome = ?, answer = ?, phone = ? WHERE id = ? AND outcome IS NULL", outcome, text, phone, id)
        guard changed > 0 else { return nil }
        return try append(to: session, at: time) {
            .promptResolved(
                PromptResolved(
                    sessionId: session, seq: $0, promptId: id, outcome: outcome, selectedOptions: answer?.selectedOptions,
                    customInput: answer?.customInput, by: name, allows: allows))
        }
    }
}
