import EndlessCodeAgents
import EndlessCodeWire
import Foundation
import Logging
import StorageKit
import WireKit

/// The prompts of a session on their way to its agent. The queue itself is in the store: `PromptQueue.swift`.
extension SessionRun {
    /// Announces a prompt before it is stored. Followed by ``deliver(_:_:)`` or ``cancelPrompt()``.
    func announcePrompt() { announced += 1 }

    func cancelPrompt() { announced -= 1 }

    /// Hands a prompt that was queued to the agent, which is started if it does not run.
    ///
    /// - Parameter chat: The prompt; nil to read it from the log.
    func deliver(_ id: String, _ chat: Chat?) async {
        announced -= 1
        if let chat, chat.content.utf8.count <= Limits.cutTextSize, prompts.count < Limits.queuedPromptCount { prompts[id] = chat }
        awaitsLineSince = services.uptime()
        hasNews = true
        if isReady { await flush() } else { start() }
    }

    /// True while the session has prompts that no agent has taken up.
    func hasQueue() async -> Bool {
        let id = id
        return (try? await services.store.read { try $0.queuedPrompt(of: id) }) != nil
    }

    /// Tells the agent the prompts of the queue, in their order: the next one once it has taken up the one before, so that at most one is
    /// told twice if the server is killed. An agent that takes up prompts without naming them is told all.
    func flush() async {
        hasNews = true
        guard !isFlushing else { return }
        isFlushing = true
        defer { isFlushing = false }
        while hasNews, isReady, !isStopped, told.isEmpty || namesPrompts == false {
            hasNews = false
            do {
                hasNews = try await tellNext()
            } catch {
                services.logger.error(
                    "Could not read the queue of prompts", metadata: ["endlesscode.session.id": "\(id)", "error": "\(error)"])
                // `tick` tries again.
                hasNews = true
                return
            }
        }
    }

    /// - Returns: False if the queue has no further prompt.
    private func tellNext() async throws -> Bool {
        let (id, after, run, time) = (id, toldThrough, runCount, services.now())
        guard try await services.store.read({ try $0.queuedPrompt(of: id, after: after) }) != nil else { return hasNews }
        // Counted before it is told: a prompt whose host is killed each time is given up.
        let next = try await services.commit { [prompts] in try $0.tellNext(of: id, after: after, knowing: prompts, at: time, &$1) }
        guard let next, let uuid = UUID(uuidString: next.id), isReady, !isStopped, run == runCount, let agent else { return true }
        (toldThrough, awaitsLineSince) = (next.seq, services.uptime())
        told.insert(uuid)
        firstTellingAt = firstTellingAt ?? awaitsLineSince
        do {
            try await agent.send(.prompt(next.text, id: uuid, isRepeat: next.isRepeat))
        } catch AgentError.notRunning {
            // It has ended between turns just now. Its task starts it again, or has gone.
            told.remove(uuid)
            isReady = false
            if !isStopped { start() }
        } catch {
            told.remove(uuid)
            try await giveUp(uuid)
            report(.internalError, "The agent does not read its input. Stop it, and send the message again.")
        }
        return true
    }

    func giveUp(_ prompt: UUID) async throws {
        let (id, time, prompt) = (id, services.now(), prompt.uuidString.lowercased())
        try await services.commit { [chat = prompts[prompt]] transaction, events in
            events += try [transaction.setDelivery(.undelivered, of: prompt, chat, in: id, at: time)].compactMap { $0 }
        }
        prompts[prompt] = nil
    }

    /// Logs that the agent has a prompt, and tells it the next one.
    func take(_ receipt: AgentReceipt, at time: Timestamp) async throws {
        let (id, prompt) = (id, receipt.id.uuidString.lowercased())
        try await services.commit { [chat = prompts[prompt]] transaction, events in
            guard let frame = try transaction.setDelivery(nil, of: prompt, chat, in: id, at: time),
                var session = try transaction.session(id)?.session
            else { return }
            events.append(frame)
            guard receipt.startsTurn, session.activity == .idle else { return }
            if session.state == .active {
                events += try [transaction.setState(.active, .working, of: id, at: time)].compactMap { $0 }
            } else {
                // The agent is ending, and goes on with its queue after the interruption.
                session.activity = .working
                events += try transaction.endTurn(of: session, reason: AgentResult.interrupted, at: time)
            }
        }
        prompts[prompt] = nil
        told.remove(receipt.id)
        namesPrompts = receipt.isNamed || namesPrompts == true
        await flush()
    }
}
