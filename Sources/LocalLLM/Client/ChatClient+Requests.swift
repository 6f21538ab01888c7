import ClientKit
import Foundation
import LocalLLMWire
import NetworkingKit
import PlatformKit

extension ChatClient {
    /// Maximum time for a host's first response.
    static let responseTimeout = Duration.seconds(30)
    /// Maximum age of a progress report that shows that the host works on a request.
    static let progressTimeout = Duration.seconds(10)
    /// Maximum time for a host to confirm an abort.
    static let abortTimeout = Duration.seconds(5)

    // MARK: Screen state

    /// True while an answer is in progress. The screen then offers Stop instead of Send and Clear.
    package var isGenerating: Bool { conversation?.active != nil }
    /// True if the prompt in the field is too long.
    package var isDraftTooLong: Bool { prompt.utf8.count > Limits.promptSize }
    package var canSend: Bool { link == .open && !isGenerating && Limits.accepts(prompt: prompt) }
    package var canClear: Bool { !isGenerating && conversation?.exchanges.isEmpty == false }

    private var prompt: String { draft.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// The text that the user is writing to the host. Kept with the transcript.
    package var draft: String {
        get { conversation?.draft ?? "" }
        set {
            guard let conversation, conversation.draft != newValue else { return }
            conversation.draft = newValue
            didChange(conversation)
        }
    }

    /// The model that answers the next prompt; nil before the host's introduction.
    package var model: String? {
        guard let info else { return nil }
        return conversation?.model.flatMap { info.models.contains($0) ? $0 : nil } ?? info.model
    }

    /// Chooses one of the host's models; nil for its own choice.
    package func choose(model: String?) {
        guard let conversation else { return }
        conversation.model = model
        didChange(conversation)
    }

    // MARK: Commands

    /// Sends the prompt in the field.
    package func send() {
        guard canSend else { return }
        let text = prompt
        draft = ""
        send(text)
    }

    /// Sends a prompt.
    ///
    /// - Returns: False if the prompt cannot be sent now, as for ``canSend``.
    @discardableResult
    package func send(_ text: String) -> Bool {
        guard link == .open, !isGenerating, Limits.accepts(prompt: text), let conversation, let info else { return false }
        let offered = Set(info.features)
        let chosen = conversation.model.flatMap { offered.contains(.models) && info.models.contains($0) ? $0 : nil }
        let exchange = Exchange(
            prompt: text, model: chosen, accept: [.messages, .progress, .resume].filter(offered.contains), startedAt: now())
        conversation.exchanges.append(exchange)
        didChange(conversation)
        didChange(exchange)
        let connection = connectionCount
        let isStarted = tasks.start {
            // Saves the request before it is sent, so that a restarted app finds it.
            await self.save()
            guard connection == self.connectionCount, !exchange.isFinished, exchange.connection == 0 else { return }
            self.start(exchange, in: conversation)
        }
        // Without the running client nothing can be sent.
        if !isStarted { fail(exchange, ChatProblem(.hostDisconnected)) }
        return true
    }

    /// Stops the answer in progress.
    package func stop() {
        guard let exchange = conversation?.active, exchange.state != .stopping else { return }
        guard exchange.connection != 0 else { return finish(exchange, .abort) }
        exchange.needsAbort = true
        setState(.stopping, of: exchange)
        if link == .open { abort(exchange) }
        limitStopping(exchange)
    }

    /// Continues to wait for a slow answer.
    package func wait(for exchange: Exchange) {
        guard exchange.state == .slow else { return }
        setState(.waiting, of: exchange)
        guardResponse(to: exchange)
    }

    /// Sends the prompt of a failed exchange again, as a new request. Removes the failed exchange unless a part of its answer came.
    package func retry(_ exchange: Exchange) {
        guard let conversation, exchange.problem != nil, link == .open, !isGenerating else { return }
        guard send(exchange.prompt), exchange.answer.isEmpty else { return }
        conversation.exchanges.removeAll { $0 === exchange }
        // A pending abort of the exchange is dropped with it.
        remove([exchange])
        didChange(conversation)
    }

    /// Removes the transcript. Further answers are not based on it.
    package func clear() {
        guard canClear, let conversation else { return }
        remove(conversation.exchanges)
        conversation.exchanges = []
        didChange(conversation)
    }

    // MARK: Writing

    private func start(_ exchange: Exchange, in conversation: Conversation) {
        let (turns, omitted) = exchange.accept.contains(.messages) ? conversation.turns(before: exchange) : ([], 0)
        exchange.omittedByPhone = omitted
        let start = ChatStart(
            prompt: exchange.prompt, messages: turns, model: exchange.model,
            // The host offers `messages`; a request does not ask for it.
            accept: exchange.accept.filter { $0 != .messages }, after: exchange.after)
        exchange.connection = connectionCount
        post(.chatStart(exchange.requestID, start))
        if !exchange.hasResponse, exchange.state == .waiting { guardResponse(to: exchange) }
    }

    private func abort(_ exchange: Exchange) {
        exchange.needsAbort = true
        didChange(exchange)
        post(.abort(exchange.requestID))
    }

    func post(_ message: Message) {
        note("sent \(message.summary)")
        runner?.enqueue(message)
    }

    // MARK: Connections

    /// Resumes the requests that have not ended, after a reconnect or a restart.
    func resume(_ conversation: Conversation) {
        let canResume = info?.features.contains(.resume) == true
        for exchange in conversation.exchanges where !exchange.isFinished || exchange.needsAbort {
            let age = Duration.seconds(now().timeIntervalSince(exchange.startedAt))
            if age > Limits.retention {
                exchange.needsAbort = false
                if !exchange.isFinished { fail(exchange, ChatProblem(.generationFailed, .expired)) }
            } else if !canResume || !exchange.canResume {
                exchange.needsAbort = false
                if !exchange.isFinished { fail(exchange, ChatProblem(.hostDisconnected)) }
            } else {
                if exchange.state == .slow { exchange.state = .waiting }
                start(exchange, in: conversation)
                if exchange.needsAbort { post(.abort(exchange.requestID)) }
                if exchange.state == .stopping { limitStopping(exchange) }
            }
            didChange(exchange)
        }
    }

    /// Ends the requests that a host without ``Feature/resume`` has lost with the connection.
    func requestsDidLoseConnection() {
        for exchange in conversation?.exchanges ?? [] where !exchange.isFinished {
            // The timeout of a request counts on one connection only.
            if exchange.state != .stopping { exchange.timer += 1 }
            exchange.progress = nil
            if !exchange.canResume { fail(exchange, ChatProblem(.hostDisconnected)) }
        }
    }

    // MARK: Reading

    func received(_ message: Message, of target: Target) {
        guard target == self.target else { return }
        if case .chatChunk = message {} else { note("received \(message.summary)") }
        if case .serverInfo(let info) = message { return received(info, of: target) }
        guard let id = message.requestID else { return receivedError(message) }
        guard let exchange = conversation?.exchanges.last(where: { $0.requestID == id }) else { return }
        switch message {
        case .chatChunk(_, let chunk): received(chunk, for: exchange)
        case .chatProgress(_, let progress):
            guard !exchange.hasResponse, !exchange.isFinished else { return }
            exchange.progressAt = elapsed()
            if exchange.progress != progress { exchange.progress = progress }
        case .chatEnd(_, let reason, let omitted):
            exchange.omittedByHost = omitted
            ended(exchange, .finished(reason))
        case .error(_, let report): ended(exchange, .failed(ChatProblem(report)))
        default: break
        }
    }

    /// Processes an error that names no request.
    private func receivedError(_ message: Message) {
        guard case .error(nil, let report) = message, let exchange = conversation?.active, !exchange.hasResponse else { return }
        // The host could not read the request.
        if report.code == .badMessage { ended(exchange, .failed(ChatProblem(report))) }
    }

    private func received(_ chunk: ChatChunk, for exchange: Exchange) {
        if let seq = chunk.seq {
            guard seq > exchange.after else { return }
            exchange.after = seq
        }
        exchange.hasResponse = true
        switch exchange.state {
        case .waiting, .slow:
            exchange.progress = nil
            exchange.state = .streaming
        case .streaming, .stopping: break
        // Text that arrives after the response timeout is still shown.
        case .failed(let problem) where problem.code == .timeoutNoResponse: break
        case .finished, .failed: return didChange(exchange)
        }
        exchange.append(chunk.text)
        didChange(exchange)
        // A host ends an answer at the limit. A host that does not must not fill the phone.
        guard exchange.receivedSize > Limits.answerSize + Limits.chunkSize, !exchange.isFinished else { return }
        abort(exchange)
        finish(exchange, .length)
    }

    private func ended(_ exchange: Exchange, _ state: Exchange.State) {
        exchange.hasResponse = true
        exchange.needsAbort = false
        switch (exchange.state, state) {
        // A late answer replaces the error; the confirmation of the abort does not.
        case (.failed(let problem), .finished(let reason)) where problem.code == .timeoutNoResponse && reason != .abort: break
        case (.finished, _), (.failed, _): return didChange(exchange)
        default: break
        }
        setState(state, of: exchange)
        if link == .open, let conversation { didChange(conversation) }
    }

    private func fail(_ exchange: Exchange, _ problem: ChatProblem) { setState(.failed(problem), of: exchange) }
    private func finish(_ exchange: Exchange, _ reason: FinishReason) { setState(.finished(reason), of: exchange) }

    private func setState(_ state: Exchange.State, of exchange: Exchange) {
        exchange.timer += 1
        exchange.state = state
        if exchange.isFinished {
            exchange.progress = nil
            exchange.endText()
        }
        didChange(exchange)
    }

    // MARK: Timers

    private func after(_ delay: Duration, of exchange: Exchange, _ body: @escaping @MainActor () -> Void) {
        exchange.timer += 1
        let (timer, clock) = (exchange.timer, phone.clock)
        tasks.start {
            guard (try? await clock.sleep(for: delay)) != nil, timer == exchange.timer, !exchange.isFinished else { return }
            body()
        }
    }

    private func guardResponse(to exchange: Exchange) {
        after(Self.responseTimeout, of: exchange) {
            guard !exchange.hasResponse, self.link == .open else { return }
            if let at = exchange.progressAt, self.elapsed() - at <= Self.progressTimeout {
                self.setState(.slow, of: exchange)
            } else {
                self.abort(exchange)
                self.fail(exchange, ChatProblem(.timeoutNoResponse))
            }
        }
    }

    private func limitStopping(_ exchange: Exchange) {
        after(Self.abortTimeout, of: exchange) { self.finish(exchange, .abort) }
    }
}

extension Message {
    /// A description for the log, without texts of users and models.
    fileprivate var summary: String {
        switch self {
        case .serverInfo: "server_info"
        case .chatStart(let id, let start): "chat_start \(id) of \(start.prompt.utf8.count) bytes, after \(start.after)"
        case .chatChunk(let id, _): "chat_chunk \(id)"
        case .chatProgress(let id, let progress): "chat_progress \(id) \(progress.stage.rawValue)"
        case .chatEnd(let id, let reason, let omitted):
            "chat_end \(id) \(reason.rawValue)\(omitted > 0 ? ", \(omitted) turns left out" : "")"
        case .abort(let id): "abort \(id)"
        case .invitation: "invitation"
        case .approval(let decision): "approval of \(decision.phone.prefix(ChatClient.nameLength)): \(decision.isApproved)"
        case .error(let id, let report): "error \(id?.text ?? "") \(report.code.rawValue): \(report.message)"
        }
    }
}
