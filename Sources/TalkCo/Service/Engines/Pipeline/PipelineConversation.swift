import Foundation
import Logging
import TalkCoWire
import WireKit

/// A conversation with a chat model. No failure ends the conversation: a substitute answers the turns in which the model fails.
///
/// ```
///   recording ─▶ transcription ─▶ chat ─▶ sentence ─▶ speech ─▶ audio
///                                    └──▶ sentence ─▶ speech ─▶ audio     requested ahead, heard in order
/// ```
final class PipelineConversation: Conversation {
    /// Maximum count of messages that the model gets with a turn.
    private static let maximumMessageCount = 40
    /// Maximum length of an answer, in characters. The rest is neither spoken nor kept.
    private static let maximumAnswerLength = 20_000
    /// Maximum count of sentences whose speech waits while another is played. One more is being requested.
    private static let speechAhead = 1

    private let engine: PipelineEngine
    private let substitute: Substitute?
    private let network: CallerNetwork
    private let instructions: String
    private let ears: EarlyTranscription?
    private let pace: Pace
    private let history: Locked<[ChatMessage]>

    init(_ engine: PipelineEngine, _ brief: TalkBrief) {
        (self.engine, network, pace) = (engine, brief.network, brief.pace)
        substitute = engine.substitute.map { Substitute($0, brief) }
        ears = engine.transcription.map { EarlyTranscription($0) }
        instructions = ConversationPrompt.instructions(for: brief) + "\n\n" + ConversationPrompt.plainText
        history = Locked(brief.turns.flatMap { [ChatMessage(.user, $0.learner), ChatMessage(.assistant, $0.tutor)] })
    }

    func greeting() -> AsyncThrowingStream<TurnPiece, any Error> {
        BoundedStream.make { send in try await self.run(nil, send) }
    }

    func answer(_ input: TurnInput) -> AsyncThrowingStream<TurnPiece, any Error> {
        BoundedStream.make { send in try await self.run(input, send) }
    }

    func listen(_ samples: Data) { ears?.listen(samples) }

    func close() async {
        ears?.close()
        await substitute?.close()
    }

    private func run(_ input: TurnInput?, _ send: @escaping BoundedStream<TurnPiece>.Send) async throws {
        do {
            let question: String
            switch input {
            case .speech(let samples):
                guard let ears else {
                    throw EngineError(.refused, "This tutor does not understand speech. Write your answer.")
                }
                question = try await ears.text(of: samples)
                try await send(.transcript(question))
                guard !question.isEmpty else { return }
            case .text(let text): question = text
            // Models expect a message of the user first.
            case nil: question = "(The learner has joined. Begin.)"
            }
            let answer = try await answer(to: question, isGreeting: input == nil, send)
            guard !answer.isEmpty else { return }
            history.withLock { history in
                history = (history + [ChatMessage(.user, question), ChatMessage(.assistant, answer)]).suffix(
                    Self.maximumMessageCount)
            }
            try await send(.response(answer))
        } catch let error as EngineError {
            engine.logger.warning("A turn ended without an answer", metadata: ["talkco.reason": "\(error)"])
            try await send(.failure(error.description))
        }
    }

    /// Returns the answer of the model, or of the substitute if the model fails before any text or audio was sent.
    private func answer(
        to question: String, isGreeting: Bool, _ send: @escaping BoundedStream<TurnPiece>.Send
    ) async throws -> String {
        let messages = history.withLock { $0.suffix(Self.maximumMessageCount) } + [ChatMessage(.user, question)]
        let hasBegun = Locked(false)
        do {
            return try await answer([ChatMessage(.system, instructions)] + messages) { piece in
                switch piece {
                case .audio, .text: hasBegun.withLock { $0 = true }
                default: break
                }
                try await send(piece)
            }
        } catch let error as EngineError {
            guard !hasBegun.withLock({ $0 }), let substitute = try await substitute?.conversation() else { throw error }
            engine.logger.warning("The substitute answers a turn", metadata: ["talkco.reason": "\(error)"])
            try await send(.substitution(error.description))
            var response = ""
            for try await piece in isGreeting ? substitute.greeting() : substitute.answer(.text(question)) {
                switch piece {
                case .response(let text): response = text
                // The transcript was sent before, and the substitute's choices are not needed: it gets typed words.
                case .transcript, .choices: break
                default: try await send(piece)
                }
            }
            try Task.checkCancellation()
            return response
        }
    }

    /// Asks the model, and speaks its answer sentence by sentence.
    private func answer(_ messages: [ChatMessage], _ send: @escaping BoundedStream<TurnPiece>.Send) async throws -> String {
        // The capacity is the length of the longest answer, so the voice never stalls the model.
        let sentences = Mailbox<String>(capacity: Self.maximumAnswerLength)
        let whole = Locked("")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { sentences.finish() }
                let text = try await self.write(messages, into: sentences, send)
                whole.withLock { $0 = text }
                if !text.isEmpty { try await send(.text(text)) }
            }
            group.addTask { try await self.speak(sentences, send) }
            // The failure of one task cancels the other.
            for try await _ in group {}
        }
        return whole.withLock { $0 }
    }

    private func write(
        _ messages: [ChatMessage], into sentences: Mailbox<String>, _ send: @escaping BoundedStream<TurnPiece>.Send
    ) async throws -> String {
        let chat = engine.chat
        return try await Silence.limited(by: chat.clock, of: chat.subject) { didHear in
            let writing = AnswerWriting(startsInThoughts: chat.startsInThoughts, maximumLength: Self.maximumAnswerLength, sentences)
            try await chat.stream(messages) { piece in
                didHear()
                // A model that thinks for a long time does not count as silent.
                try await send(.progress)
                try await writing.receive(piece)
            }
            return try await writing.finish()
        }
    }

    /// Speaks sentences in order. After a failure of the voice, the answer continues without it.
    private func speak(_ sentences: Mailbox<String>, _ send: @escaping BoundedStream<TurnPiece>.Send) async throws {
        guard let voice = engine.speech else { return }
        let speeches = Mailbox<AsyncThrowingStream<Data, any Error>>(capacity: Self.speechAhead)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { speeches.finish() }
                while let sentence = try await sentences.next() {
                    try await speeches.send(voice.speechAhead(sentence, pace: self.pace, for: self.network))
                }
            }
            do {
                while let speech = try await speeches.next() {
                    for try await samples in speech { try await send(.audio(samples)) }
                    try Task.checkCancellation()
                }
            } catch let error as EngineError {
                engine.logger.warning("An answer goes on without its voice", metadata: ["talkco.reason": "\(error)"])
            }
            group.cancelAll()
        }
    }
}
