import ClientKit
import Foundation
import PlatformKit
import TalkCoWire
import WireKit

extension ConversationViewModel {
    /// Maximum number of attempts to receive the greeting. The conversation works without a greeting.
    private static let greetingAttemptCount = 4

    /// Plays and shows the tutor's greeting. Its first event opens the conversation.
    ///
    /// - Throws: ``TalkCoProblem`` when the engine refuses, or the service cannot be reached.
    func greet() async throws {
        isGreeting = true
        defer { isGreeting = false }
        let greeting = greeting ?? TurnAttempt(turn: Turn.ID(""))
        self.greeting = greeting
        var failures = 0
        while let session, phase == .connecting || phase == .open {
            await context.waitForFront()
            greeting.audio.rewind()
            do {
                try await context.read {
                    try await $0.start(session)
                } onSilence: {
                    if !self.isSlow { self.isSlow = true }
                } handle: {
                    if self.session == session { self.receivedGreeting($0, greeting) }
                }
                break
            } catch TalkCoProblem.busy {
                // The first attempt has reached the service.
                break
            } catch let error as TalkCoProblem where error.isTemporary {
                failures += 1
                if failures == Self.greetingAttemptCount {
                    guard phase == .connecting else { break }
                    throw error
                }
                problem = error
                await context.pause(afterFailures: failures)
                try Task.checkCancellation()
            }
        }
        try Task.checkCancellation()
        greetingDidEnd(greeting)
    }

    private func receivedGreeting(_ event: TalkEvent, _ greeting: TurnAttempt) {
        if isSlow { isSlow = false }
        if phase == .connecting {
            problem = nil
            phase = .open
        }
        switch event {
        case .audio(let samples):
            greeting.audio.append(samples)
            guard !greeting.hasVoice else { return }
            greeting.hasVoice = true
            let message = showGreeting(greeting)
            audios.add(greeting.audio, of: message)
            if recordingState == .idle, !isPaused { play(greeting.audio, of: message) }
        case .text(let text): change(showGreeting(greeting)) { $0.text = text }
        case .response(let text):
            let message = showGreeting(greeting)
            change(message) { $0.text = text }
            context.openSession?.greeting = text
        case .choices(let choices):
            self.choices = choices
            context.openSession?.choices = choices
        case .failure(_, let detail): greeting.reason = detail
        case .substitution(let detail): problem = .substituted(detail)
        case .transcript, .timing, .done: break
        }
    }

    private func showGreeting(_ greeting: TurnAttempt) -> ChatMessage.ID {
        if let message = greeting.answer { return message }
        let message = ChatMessage(role: .ai, text: "", state: .underWay)
        greeting.answer = message.id
        // A turn may wait for the end of the greeting already.
        messages.insert(message, at: 0)
        return message.id
    }

    private func greetingDidEnd(_ greeting: TurnAttempt) {
        self.greeting = nil
        isSlow = false
        greeting.audio.finish()
        if phase == .connecting {
            problem = nil
            phase = .open
        }
        if context.openSession?.greeting == nil { problem = greeting.reason.map { .ungreeted($0) } ?? .noGreeting }
        change(greeting.answer) { $0.state = .complete }
        if let id = greeting.answer, messages.contains(where: { $0.id == id && $0.text.isEmpty }), greeting.audio.samples.isEmpty {
            messages.removeAll { $0.id == id }
        }
        if context.openSession?.id == session { context.openSession?.isGreeted = true }
    }

    // MARK: Playing

    /// The duration of a slow replay, as a multiple of the normal one.
    package static let slowReplay = 4.0 / 3

    /// Plays the tutor's words, or a recording that was not understood, again.
    ///
    /// - Parameter isSlow: True to stretch the sound by a third, at the same pitch.
    package func playAgain(_ message: ChatMessage, slowly isSlow: Bool = false) {
        guard canPlay(message), recordingState == .idle else { return }
        let stretch = isSlow ? Self.slowReplay : 1
        if let audio = audios[message.id] { return play(audio, of: message.id, stretchedBy: stretch) }
        let audio = AnswerAudio()
        audios.add(audio, of: message.id)
        play(audio, of: message.id, stretchedBy: stretch)
        context.speak(message.text, into: audio) { problem in
            self.audios.remove(message.id)
            self.problem = problem
        }
    }

    /// Stops the voice.
    package func stopPlaying() {
        attempt?.isQuiet = true
        context.player.stop()
    }

    func play(_ audio: AnswerAudio, of message: ChatMessage.ID, stretchedBy stretch: Double = 1) {
        context.player.play(audio, of: .message(message), on: context.device.speaker, stretchedBy: stretch) {
            self.problem = .cannotPlay
        }
    }
}

extension TalkContext {
    /// Maximum length of a spoken text, in Unicode scalar values. The rest is omitted.
    private static let maximumSpokenLength = SpeechRequest.textLength.upperBound

    /// Asks the service for the voice of a text.
    ///
    /// - Parameter onFailure: Called when the voice does not arrive completely; the samples that did arrive are played.
    func speak(_ text: String, into audio: AnswerAudio, onFailure: @escaping @MainActor (TalkCoProblem) -> Void) {
        let text = text.prefix(scalars: Self.maximumSpokenLength)
        let isStarted = tasks.start {
            do {
                try await self.read {
                    try await $0.speak(text)
                } handle: {
                    if case .audio(let samples) = $0 { audio.append(samples) }
                }
                if audio.samples.isEmpty { onFailure(.cannotSpeak) }
            } catch is CancellationError {
                // The app is closed.
            } catch {
                let problem = TalkCoProblem(error)
                // The service lacks this extension of the contract.
                onFailure(problem == .notTalkCo || problem == .service("Not Found") ? .cannotSpeak : problem)
            }
            audio.finish()
        }
        if !isStarted { audio.finish() }
    }
}
