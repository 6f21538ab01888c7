import EndlessCodeAgents
import EndlessCodeWire
import Foundation
import Logging
import StorageKit
import WireKit

/// Prompts of users, and answers to questions of agents.
extension Sessions {
    /// Queues a prompt for the agent. The same prompt again has no effect, unless it was given up.
    ///
    /// - Returns: The answer to a prompt that the server has already; nil for a new one, which its event confirms.
    /// - Throws: ``ServiceFailure`` `SESSION_NOT_ACTIVE`, `SESSION_LIMIT`, `QUEUE_FULL`.
    @discardableResult
    func accept(_ message: UserMessage) async throws -> PromptAccepted? {
        let (session, time) = (message.sessionId, services.now())
        let id = message.messageId?.rawValue.lowercased() ?? SessionServices.newID()
        guard UUID(uuidString: id) != nil else { throw ServiceFailure(.invalidMessage, "messageId is not a UUID.") }
        await enter(session)
        defer { leave(session) }
        let (found, known) = try await store.read { (try $0.session(session), try $0.prompt(id, from: session)) }
        guard let record = found else { throw ServiceFailure.notActive(try await earlierSession(session).state) }
        if let known, known.delivery != .undelivered, let messageId = message.messageId {
            return PromptAccepted(sessionId: session, messageId: messageId, position: known.seq)
        }
        guard record.session.state == .active else { throw ServiceFailure.notActive(record.session.state) }
        // An agent that ended between turns needs a place among the five again.
        let needsPlace = await isIdle(session)
        if needsPlace { try await reservePlace(for: session) }
        defer { if needsPlace { leavePlace(of: session) } }
        guard let run = run(of: record) else { throw ServiceFailure(.internalError, "The server is ending.") }
        await run.announcePrompt()
        let chat = Chat(id: message.messageId?.rawValue ?? id, role: .user, content: message.content, timestamp: time)
        do {
            try await services.commit { transaction, events in
                // A crash may have come between.
                guard let activity = try transaction.activity(of: session) else { throw ServiceFailure.noSession }
                guard activity.state == .active else { throw ServiceFailure.notActive(activity.state) }
                guard try transaction.queueLength(of: session) < Limits.queuedPromptCount else {
                    throw ServiceFailure(.queueFull, "\(Limits.queuedPromptCount) messages wait for the agent.")
                }
                if known == nil {
                    events.append(try transaction.queue(chat, as: id, in: session, at: time))
                } else {
                    events += try [transaction.setDelivery(.queued, of: id, in: session, at: time)].compactMap { $0 }
                }
                if activity.activity == .idle {
                    events += try [transaction.setState(.active, .working, of: session, at: time)].compactMap { $0 }
                }
            }
        } catch {
            await run.cancelPrompt()
            throw error
        }
        // A prompt that was given up is logged with its first text.
        await run.deliver(id, known == nil ? chat : nil)
        return nil
    }

    /// Stores an answer, records it, and hands it to the agent.
    ///
    /// - Throws: ``ServiceFailure`` `PROMPT_CLOSED`, unless the same phone gave the same answer before; `INVALID_MESSAGE`.
    func answer(_ answer: PromptAnswer, from phone: String, named name: String?) async throws {
        let time = services.now()
        let record = try await services.commit { transaction, events -> PromptRecord? in
            guard try transaction.session(answer.sessionId) != nil else { throw ServiceFailure.noSession }
            guard let record = try transaction.prompt(answer.promptId, of: answer.sessionId) else {
                throw ServiceFailure(.promptClosed, "There is no such question.")
            }
            if record.outcome != nil {
                if record.phone == phone, record.answer == answer { return nil }
                throw ServiceFailure(.promptClosed, "The question is closed.")
            }
            // `tick` has not come to it yet.
            if let end = record.request.expiresAt, end <= time { throw ServiceFailure(.promptClosed, "The question has expired.") }
            do throws(FieldError) {
                try answer.check(against: record.request.question)
            } catch {
                throw ServiceFailure(error)
            }
            events += try [transaction.resolve(record, .answered, answer: answer, phone: phone, by: name, at: time)].compactMap {
                $0
            }
            return record
        }
        guard let record else { return }
        let isRecorded = services.record(record, .answered, answer: answer, phone: phone, by: name, at: time)
        guard let run = runs[answer.sessionId] else { return }
        if isRecorded {
            try await run.answered(record, answer)
        } else {
            try await run.deny(record, reason: "The host could not record the decision.")
        }
    }

    /// Closes overdue questions, and reports silent agents. Called once a second.
    func tick() async throws {
        let time = services.now()
        if try await store.read({ try !$0.overduePrompts(at: time).isEmpty }) { try await expirePrompts(at: time) }
        for run in runs.values { await run.tick() }
    }

    private func expirePrompts(at time: Timestamp) async throws {
        let expired = try await services.commit { transaction, events -> [PromptRecord] in
            let overdue = try transaction.overduePrompts(at: time)
            for record in overdue { events += try [transaction.resolve(record, .expired, at: time)].compactMap { $0 } }
            return overdue
        }
        for record in expired {
            services.record(record, .expired, at: time)
            do {
                try await runs[record.request.sessionId]?.deny(record, reason: "Nobody answered in time.")
            } catch {
                // The agent is refused all the same. The others must be, too.
                services.logger.error("Could not log a refusal", metadata: ["error": "\(error)"])
            }
        }
    }
}
