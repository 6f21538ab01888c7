import ClientKit
import Foundation
import PlatformKit
import TalkCoWire
import WireKit

/// The delivery of one turn, over all its attempts.
@MainActor
final class TurnAttempt {
    let turn: Turn.ID
    let audio = AnswerAudio()
    /// The tutor's message; nil until the first words or samples have arrived.
    var answer: ChatMessage.ID?
    /// True once the first sample has arrived; words may come before.
    var hasVoice = false
    var hasTranscript = false
    var hasResponse = false
    /// The failure that the service has reported, after which the turn is sent again; nil for none.
    var failure: TalkCoProblem?
    /// The engine's reason for a missing response, in the service's words; nil for none.
    var reason: String?
    /// The problem of a turn without a response.
    var problem: TalkCoProblem { reason.map { .unanswered($0) } ?? .noAnswer }
    var choices: [String]?
    /// True if another tutor answers in place of the learner's model.
    var isSubstituted = false
    /// True once the learner has begun to speak or stopped the voice; the answer is not played then.
    var isQuiet = false

    init(turn: Turn.ID) { self.turn = turn }
}

extension ConversationViewModel {
    // MARK: Typed turns

    /// Sends the text in the field.
    package func sendDraft() {
        guard canSend else { return }
        if sendText(draft) { draft = "" }
    }

    /// Sends a typed turn, or a choice that was tapped.
    ///
    /// - Returns: False if the text cannot be sent now; ``problem`` has the reason if the text is invalid.
    @discardableResult
    package func sendText(_ text: String) -> Bool {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard canTalk else { return false }
        guard !text.isEmpty else { return refuse(.textEmpty) }
        guard text.unicodeScalars.count <= Turn.maximumTextLength else { return refuse(.textTooLong) }
        return enqueue(text: text, isSpoken: false) != nil
    }

    private func refuse(_ problem: TalkCoProblem) -> Bool {
        self.problem = problem
        return false
    }

    /// Appends a turn to the waiting ones; nil if too many wait or the conversation is not open.
    @discardableResult
    func enqueue(text: String?, isSpoken: Bool, id: Turn.ID? = nil) -> OutgoingTurn? {
        guard let session, phase == .open, waitingTurns.count < Self.maximumTurnCount else { return nil }
        problem = nil
        let turn = OutgoingTurn(id: id ?? context.makeTurnID(), session: session, text: text)
        turns.append(turn)
        append(ChatMessage(role: .user, text: text ?? "", state: .underWay, isSpoken: isSpoken, turn: turn.id))
        deliverSoon()
        return turn
    }

    func showOutgoing(_ turn: OutgoingTurn) {
        let state: ChatMessage.State = turn.hasFailed ? .failed(.noAnswer) : .underWay
        append(ChatMessage(role: .user, text: turn.text ?? "", state: state, isSpoken: turn.text == nil, turn: turn.id))
    }

    // MARK: Failed turns

    /// Sends the turn of a failed message again.
    package func retry(_ message: ChatMessage) {
        guard phase == .open, case .failed = message.state, let id = message.turn else { return }
        if let index = turns.firstIndex(where: { $0.id == id }) {
            turns[index].hasFailed = false
            change(message.id) { $0.state = .underWay }
            deliverSoon()
        } else if !message.text.isEmpty, waitingTurns.count < Self.maximumTurnCount {
            // The tutor did not answer: the same words are a new turn.
            messages.removeAll { $0.turn == id }
            enqueue(text: message.text, isSpoken: message.isSpoken)
        }
    }

    /// Ends the pause before the next attempt of a turn.
    package func retryNow() { context.wake() }

    /// Discards the turn of an unanswered message. The service may have received the turn nevertheless.
    package func discard(_ message: ChatMessage) {
        guard message.role == .user, message.state != .complete, let id = message.turn else { return }
        discardTurn(id)
        if message.state == .notUnderstood {
            // The tutor's answer to the recording stays.
            if playing == message.id { context.player.stop() }
            audios.remove(message.id)
            messages.removeAll { $0.id == message.id }
        } else {
            messages.removeAll { $0.turn == id }
        }
    }

    func discardTurn(_ id: Turn.ID) {
        turns.removeAll { $0.id == id }
        forgetRecording(of: id)
        guard attempt?.turn == id else { return }
        if let answer = attempt?.answer, playing == answer { context.player.stop() }
        attempt = nil
        isSlow = false
        interruption?.finish()
        context.wake()
    }

    private func forgetRecording(of id: Turn.ID) {
        recordingsInMemory[id] = nil
        context.tasks.start { await self.context.recordings.remove(id) }
    }

    // MARK: Delivery

    func deliverSoon() { context.tasks.request("turns") { await self.deliver() } }

    /// Sends the waiting turns one after the other, each until it is answered, fails, or is discarded.
    private func deliver() async {
        var failures = 0
        while !Task.isCancelled, phase == .open, !isGreeting, let turn = waitingTurns.first {
            await context.waitForFront()
            // The turn is on the phone before the service has it: a restart repeats it under the same identifier.
            await context.save()
            guard phase == .open, waitingTurns.first == turn else { continue }
            var failure = await attempt(turn)
            if failure == .sessionGone, resumedTurn != turn.id {
                resumedTurn = turn.id
                failure = await reopen()
                if failure == nil { continue }
                if failure?.isTemporary == true { resumedTurn = nil } else { failure = .sessionGone }
            }
            guard !Task.isCancelled, turns.contains(turn) else { continue }
            isSlow = false
            switch failure {
            case nil:
                failures = 0
                await didAnswer(turn)
            case let problem? where problem.isTemporary:
                failures += 1
                change(userMessage(of: turn.id)) { $0.state = .sendingAgain(problem) }
                await context.pause(afterFailures: failures)
            case let problem?:
                failures = 0
                fail(turn, problem)
            }
        }
    }

    /// Reopens a conversation that the service has closed while idle or by a restart.
    ///
    /// - Returns: The failure; nil after a success.
    private func reopen() async -> TalkCoProblem? {
        guard let session else { return .sessionGone }
        do {
            _ = try await context.api.resume(session, accepting: Self.extensions)
            return nil
        } catch {
            return TalkCoProblem(error)
        }
    }

    private func userMessage(of turn: Turn.ID) -> ChatMessage.ID? {
        messages.last { $0.turn == turn && $0.role == .user }?.id
    }

    /// Makes one attempt to deliver a turn.
    ///
    /// - Returns: The failure; nil when the stream has ended with `done`.
    private func attempt(_ turn: OutgoingTurn) async -> TalkCoProblem? {
        let attempt = attempt?.turn == turn.id ? attempt! : TurnAttempt(turn: turn.id)
        self.attempt = attempt
        attempt.failure = nil
        attempt.reason = nil
        attempt.audio.rewind()
        let samples: Data?
        do {
            samples = turn.text == nil ? try await self.samples(of: turn.id) : nil
        } catch {
            return .storage
        }
        let (interruptions, interruption) = AsyncStream.makeStream(of: Never.self)
        self.interruption = interruption
        defer { self.interruption = nil }
        return await withTaskGroup(of: TalkCoProblem?.self) { group in
            group.addTask { await self.send(turn, samples, attempt) }
            group.addTask {
                for await _ in interruptions {}
                return .network
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func send(_ turn: OutgoingTurn, _ samples: Data?, _ attempt: TurnAttempt) async -> TalkCoProblem? {
        do {
            try await context.read { api in
                if let text = turn.text { return try await api.chat(text, turn: turn.id, in: turn.session) }
                return try await api.chat(samples ?? Data(), turn: turn.id, in: turn.session)
            } onSilence: {
                if self.attempt === attempt, !self.isSlow { self.isSlow = true }
            } handle: {
                if self.attempt === attempt { self.received($0, attempt) }
            }
            return attempt.hasResponse ? nil : attempt.failure
        } catch {
            return TalkCoProblem(error)
        }
    }

    private func samples(of turn: Turn.ID) async throws -> Data {
        if let samples = recordingsInMemory[turn] { return samples }
        return try await context.recordings.read(turn)
    }

    private func received(_ event: TalkEvent, _ attempt: TurnAttempt) {
        if isSlow { isSlow = false }
        let user = userMessage(of: attempt.turn)
        change(user) { if case .sendingAgain = $0.state { $0.state = .underWay } }
        switch event {
        case .transcript(let text):
            attempt.hasTranscript = true
            if !text.isEmpty { change(user) { $0.text = text } }
        case .audio(let samples):
            attempt.audio.append(samples)
            let isFirst = !attempt.hasVoice
            attempt.hasVoice = true
            let answer = showAnswer(attempt)
            if isFirst { audios.add(attempt.audio, of: answer) }
            if isFirst, !attempt.isQuiet, !isPaused, recordingState == .idle { play(attempt.audio, of: answer) }
        case .response(let text):
            attempt.hasResponse = true
            // The learner's model answers again.
            if case .substituted = problem, !attempt.isSubstituted { problem = nil }
            change(showAnswer(attempt)) { $0.text = text }
        case .choices(let choices): attempt.choices = choices
        case .text(let text): change(showAnswer(attempt)) { $0.text = text }
        case .failure(let code, let detail):
            if TalkEvent.Failure(rawValue: code) == .storageFull { attempt.failure = .serviceFull } else { attempt.reason = detail }
        case .substitution(let detail):
            attempt.isSubstituted = true
            problem = .substituted(detail)
        case .timing, .done: break
        }
    }

    /// Returns true while the answer to a learner's message arrives.
    package func isBeingAnswered(_ message: ChatMessage) -> Bool {
        message.turn != nil && messages.contains { $0.role == .ai && $0.turn == message.turn }
    }

    private func showAnswer(_ attempt: TurnAttempt) -> ChatMessage.ID {
        if let answer = attempt.answer { return answer }
        let message = ChatMessage(role: .ai, text: "", state: .underWay, turn: attempt.turn)
        attempt.answer = message.id
        // The answer belongs below its own turn, although another one may wait already.
        if let index = messages.lastIndex(where: { $0.turn == attempt.turn }) {
            messages.insert(message, at: index + 1)
        } else {
            append(message)
        }
        return message.id
    }

    private func didAnswer(_ turn: OutgoingTurn) async {
        guard let attempt else { return }
        attempt.audio.finish()
        audios.trim()
        // The engine has failed before it understood anything: the recording can be sent again.
        guard turn.text != nil || attempt.hasTranscript || attempt.hasResponse else { return fail(turn, attempt.problem) }
        self.attempt = nil
        if attempt.hasResponse {
            change(attempt.answer) { $0.state = .complete }
            if !(await keepUnheard(turn)) { change(userMessage(of: turn.id)) { $0.state = .complete } }
            setChoices(attempt.choices ?? [])
        } else {
            if let answer = attempt.answer, attempt.audio.samples.isEmpty { messages.removeAll { $0.id == answer } }
            change(attempt.answer) { $0.state = .complete }
            if await keepUnheard(turn) {
                problem = .nothingHeard
            } else {
                change(userMessage(of: turn.id)) { $0.state = .failed(attempt.problem) }
            }
            if let choices = attempt.choices { setChoices(choices) }
        }
        let wasShownTwice = restoredTurns.remove(turn.id) != nil
        turns.removeAll { $0.id == turn.id }
        forgetRecording(of: turn.id)
        if wasShownTwice, turns.isEmpty { await reload() }
    }

    /// Keeps the message and the samples of a recording without recognized words.
    ///
    /// - Returns: False for a turn with words.
    private func keepUnheard(_ turn: OutgoingTurn) async -> Bool {
        guard turn.text == nil, let user = userMessage(of: turn.id), messages.contains(where: { $0.id == user && $0.text.isEmpty })
        else { return false }
        // Without its file, the message stays but cannot be played.
        if let samples = try? await samples(of: turn.id) { audios.add(AnswerAudio(samples), of: user) }
        change(user) { $0.state = .notUnderstood }
        return true
    }

    /// Shows a recording in which the phone itself has recognized nothing.
    func showUnheard(_ samples: Data) {
        let message = ChatMessage(role: .user, text: "", state: .notUnderstood, isSpoken: true, turn: context.makeTurnID())
        audios.add(AnswerAudio(samples), of: message.id)
        append(message)
    }

    /// Returns true if the recording of a message that was not understood can be sent again now.
    package func canSendAgain(_ message: ChatMessage) -> Bool {
        message.state == .notUnderstood && audios[message.id] != nil && canTalk
    }

    /// Sends the recording of a message that was not understood as a new turn.
    package func sendAgain(_ message: ChatMessage) {
        guard canSendAgain(message), let samples = audios[message.id]?.samples else { return }
        if playing == message.id { stopPlaying() }
        discard(message)
        recordingState = .finishing
        recordingCount += 1
        let own = recordingCount
        let isStarted = context.tasks.start {
            let problem = await self.send(samples, own)
            guard own == self.recordingCount else { return }
            self.endRecording()
            if let problem { self.problem = problem }
        }
        if !isStarted { cancelRecording() }
    }

    private func setChoices(_ choices: [String]) {
        self.choices = choices
        context.openSession?.choices = choices
    }

    private func fail(_ turn: OutgoingTurn, _ problem: TalkCoProblem) {
        attempt = nil
        if let index = turns.firstIndex(of: turn) { turns[index].hasFailed = true }
        change(userMessage(of: turn.id)) { $0.state = .failed(problem) }
        messages.removeAll { $0.turn == turn.id && $0.role == .ai && $0.state != .complete }
        if problem.code != TalkCoProblem.noAnswer.code { self.problem = problem }
        if problem == .sessionGone { phase = .closed }
    }

    /// Shows the messages that the service has stored: it may have stored an answer before the app was restarted.
    private func reload() async {
        // After a failure, the messages on the screen do not change.
        guard let session, let review = try? await context.api.review(of: session) else { return }
        guard phase == .open, turns.isEmpty else { return }
        show(review.segments)
    }
}
