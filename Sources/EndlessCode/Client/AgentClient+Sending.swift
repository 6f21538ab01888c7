import ClientKit
import EndlessCodeWire
import Foundation
package import NetworkingKit
import PlatformKit
import WireKit

/// The sending of this phone's prompts, each exactly once.
extension AgentClient {
    /// Maximum time for a server to confirm a prompt.
    static let confirmationTimeout = Duration.seconds(15)

    /// A prompt as the outbox stores it.
    struct QueuedPrompt: Codable {
        var server: SavedServer.ID
        var session: Session.ID
        var text: String
        var sentAt: Timestamp
    }

    /// An item of the outbox with its decoded prompt.
    struct WaitingPrompt {
        var item: OutboxItem
        var prompt: QueuedPrompt

        var id: OutboxItem.ID { item.id }
        var server: SavedServer.ID { prompt.server }
        var session: Session.ID { prompt.session }
    }

    /// The result of one attempt to send a prompt.
    enum Confirmation: Sendable {
        /// The server has the prompt, with this sequence number; 0 if the number is not known.
        case accepted(Int64)
        case refused(CodeProblem)
        /// The connection broke.
        case lost
    }

    // MARK: Commands

    /// Sends a prompt. The outbox stores it before this method returns, and delivers it once when the line is open.
    ///
    /// The prompt is among ``Conversation/entries`` at once, as ``ChatEntry/Content/outgoing(_:)``.
    ///
    /// - Throws: ``CodeProblem``: `promptTooLong`, `storage`, `outboxFull`. Nothing is sent then, and the draft stays.
    package func send(_ text: String, in conversation: Conversation) async throws(CodeProblem) {
        guard let current else { throw .noServer }
        guard conversations[conversation.id] === conversation else { throw .elsewhere }
        guard Limits.accepts(prompt: text) else { throw .promptTooLong }
        let prompt = QueuedPrompt(server: current, session: conversation.id, text: text, sentAt: Timestamp(now()))
        // Escapes of JSON may make the frame larger than the server accepts.
        let fits = Limits.jsonSize(ofTexts: text.utf8.count) <= Limits.frameSize
        guard fits || Self.frame(of: prompt, id: UUID().uuidString).text.utf8.count <= Limits.frameSize else {
            throw .promptTooLong
        }
        let hadDraft = conversation.draft == text
        do {
            let draft: SavedChange? = hadDraft ? SavedChange(String?.none, for: Key.draft(conversation.id, of: current)) : nil
            let id = OutboxItem.newID()
            queued[id] = prompt
            defer { queued[id] = nil }
            try await engine.deliver(prompt, id: id, lane: conversation.id.rawValue, saving: draft)
        } catch {
            throw CodeProblem(error)
        }
        // The user may have continued to write.
        if hadDraft, conversation.draft.hasPrefix(text) { conversation.draft.removeFirst(text.count) }
    }

    /// Sends a refused prompt again.
    package func retry(_ id: OutgoingPrompt.ID) async {
        do {
            try await engine.outbox?.retry(id: id)
        } catch {
            alert = .storage
        }
    }

    /// Sends a prompt again that the server could not deliver. The server queues it again; a failure is an ``alert``.
    package func sendAgain(_ entry: ChatEntry, of conversation: Conversation) {
        guard status == .connected else { return alert = .notConnected }
        guard case .undelivered(let text) = entry.content, let seq = entry.seq,
            let id = conversation.log.last(where: { $0.seq == seq })?.message.chatID
        else { return }
        engine.enqueue(
            .userMessage(
                UserMessage(
                    sessionId: conversation.id, content: text, timestamp: Timestamp(now()), messageId: UserMessage.ID(id))))
    }

    /// Removes a waiting or refused prompt from the outbox. Returns its text for the field; nil if the prompt is no longer there.
    @discardableResult
    package func discard(_ id: OutgoingPrompt.ID) async -> String? {
        guard let waiting = waiting.first(where: { $0.id == id }) else { return nil }
        do {
            try await engine.outbox?.remove(id: id)
            return waiting.prompt.text
        } catch {
            alert = .storage
            return nil
        }
    }

    // MARK: Delivery

    private static func frame(of prompt: QueuedPrompt, id: String) -> ClientFrame {
        .userMessage(
            UserMessage(
                sessionId: prompt.session, content: prompt.text, timestamp: prompt.sentAt, messageId: UserMessage.ID(id)))
    }

    package func deliver(_ item: OutboxItem) async -> Outbox<Int64>.Delivery {
        guard let prompt = prompt(of: item) else { return .refused(CodeProblem.storage.code) }
        guard prompt.server == current else { return .refused(CodeProblem.elsewhere.code) }
        if conversation(prompt.session).hasPrompt(item.id) { return .accepted(0) }
        guard status == .connected else { return .notNow(CodeProblem.notConnected.code) }
        switch await attempt(item, prompt) {
        case .accepted(let seq): return .accepted(seq)
        case .refused(let problem): return problem.isFault ? .failed(problem.code) : .refused(problem.code)
        case .lost: return .notNow(CodeProblem.notConnected.code)
        }
    }

    private func attempt(_ item: OutboxItem, _ prompt: QueuedPrompt) async -> Confirmation {
        let (results, continuation) = AsyncStream.makeStream(of: Confirmation.self, bufferingPolicy: .bufferingOldest(1))
        confirmations[item.id] = continuation
        inFlight.insert(item.id)
        reportsBefore[item.id] = activeReports[prompt.session]
        showOutgoing(of: prompt.session)
        defer {
            confirmations[item.id] = nil
            expectations.removeAll { $0.what == .prompt(item.id) }
            inFlight.remove(item.id)
            showOutgoing(of: prompt.session)
        }
        expectations.append(Expectation(session: prompt.session, what: .prompt(item.id)))
        trimExpectations()
        do {
            try await engine.send(Self.frame(of: prompt, id: item.id))
            return try await withTimeout(Self.confirmationTimeout, clock: phone.clock) {
                for await result in results { return result }
                throw CancellationError()
            }
        } catch let error as TransportError where error.code == .timedOut {
            // If the server already had the prompt, and its event was applied before, the history has it.
            let (id, session) = (item.id, prompt.session)
            let page = try? await call { try await $0.history(of: session, before: nil) }
            return (page?.messages.first { $0.message.chatID == id }).map { .accepted($0.seq) } ?? .lost
        } catch {
            return .lost
        }
    }

    /// Confirms prompts that arrived with a `sync` or with a page of the history.
    func confirmFromLogs() {
        for (id, confirmation) in confirmations {
            guard let session = waiting.first(where: { $0.id == id })?.session, conversations[session]?.hasPrompt(id) == true else {
                continue
            }
            confirmation.yield(.accepted(0))
        }
    }

    /// Limits the expectations of frames without an answer, such as interrupts.
    func trimExpectations() { if expectations.count > 100 { expectations.removeFirst() } }

    // MARK: State

    package func outboxDidChange(_ change: Outbox<Int64>.Change) {
        guard case .items(let items) = change else { return }
        let before = waiting
        waiting = items.compactMap { item in prompt(of: item).map { WaitingPrompt(item: item, prompt: $0) } }
        let sessions = Set((before + waiting).map(\.session))
        for session in sessions { showOutgoing(of: session) }
        reportsBefore = reportsBefore.filter { id, _ in items.contains { $0.id == id } }
        sendSuspended()
        // Retries prompts that failed while another server was in use.
        for prompt in waiting where prompt.item.state == .failed(CodeProblem.elsewhere.code) && prompt.server == current {
            engine.tasks.start { try? await self.engine.outbox?.retry(id: prompt.id) }
        }
    }

    /// Sends the refused prompts again whose session was reported as active after the attempt had begun.
    func sendSuspended() {
        let suspended = waiting.filter { waiting in
            guard waiting.item.needsResume else { return false }
            defer { reportsBefore[waiting.id] = activeReports[waiting.session] }
            return activeReports[waiting.session] != reportsBefore[waiting.id]
        }
        guard !suspended.isEmpty else { return }
        engine.tasks.start {
            for item in suspended { try? await self.engine.outbox?.retry(id: item.id) }
        }
    }

    private func showOutgoing(of session: Session.ID) {
        conversations[session]?.setOutgoing(outgoing(of: session))
    }

    /// Returns the prompts that the server has not accepted, in their order.
    func outgoing(of session: Session.ID) -> [OutgoingPrompt] {
        waiting.filter { $0.session == session && $0.server == current }.map { waiting in
            OutgoingPrompt(
                id: waiting.id, sessionId: session, text: waiting.prompt.text, date: waiting.prompt.sentAt.date,
                state: state(of: waiting.item))
        }
    }

    private func state(of item: OutboxItem) -> OutgoingPrompt.State {
        guard case .failed(let code) = item.state else { return inFlight.contains(item.id) ? .sending : .waiting }
        return item.needsResume ? .needsResume : .refused(CodeProblem(code: code))
    }

    /// Returns the content of an item, which is decoded only if another run of the app stored it; nil if another version wrote it in
    /// another form.
    private func prompt(of item: OutboxItem) -> QueuedPrompt? {
        queued[item.id] ?? waiting.first { $0.id == item.id }?.prompt ?? item.content()
    }
}

extension OutboxItem {
    /// True if the session takes no prompts until it is resumed.
    var needsResume: Bool {
        guard case .failed(let code) = state, case .server(.sessionNotActive, _) = CodeProblem(code: code) else { return false }
        return true
    }
}
