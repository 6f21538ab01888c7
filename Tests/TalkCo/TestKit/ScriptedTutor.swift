package import Foundation
package import TalkCoService
import WireKit

/// A tutor that greets, hears and answers as a test wants.
package final class ScriptedTutor: SpeechEngine, Voice {
    package struct Script: Sendable {
        package var greeting = "Hello! What did you do today?"
        /// The sentence with which opening a conversation fails.
        package var refusal: String?
        /// True to hold every answer after its first sample.
        package var isHeld = false
        /// The learner's words in a recording.
        package var transcript: @Sendable (Data) -> String = { "A recording of \($0.count) bytes." }
        package var choices: [String] = []
        /// True to answer a recording without words.
        package var answersSilence = false
        /// The words that get no answer.
        package var unanswered: Set<String> = []
        /// The reason for that.
        package var reason: String?
        /// True to send the words of an answer before its voice.
        package var writesFirst = false
        /// The number of recordings at which the engine fails before it understands a word.
        package var failureCount = 0
        /// False for answers without a voice.
        package var speaks = true
        /// The learner's words, in the order in which they were answered.
        package fileprivate(set) var heard: [String] = []
        package fileprivate(set) var openCount = 0
    }

    private let script = Changing(Script())

    package init() {}

    package var heard: [String] { script.value.heard }
    package var openCount: Int { script.value.openCount }

    package func set(_ change: @Sendable (inout Script) -> Void) { script.change(change) }

    /// The answer to the learner's words.
    package static func answer(to words: String) -> String { "You said: \(words) Tell me more." }

    /// The voice of a text: different samples for each text, a tenth of a second for each word.
    package static func voice(of text: String) -> Data {
        let bytes = Array(text.utf8)
        let count = 4_800 * max(text.split(separator: " ").count, 1)
        return Data((0..<count).map { $0.isMultiple(of: 2) ? bytes[$0 / 2 % bytes.count] : UInt8($0 / 4_800 % 8) })
    }

    package func open(_ brief: TalkBrief) async throws -> any Conversation {
        let refusal = script.change { script in
            script.openCount += 1
            return script.refusal
        }
        if let refusal { throw EngineError(.refused, refusal) }
        return ScriptedConversation(tutor: self)
    }

    package func speech(_ text: String) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { continuation in
            for chunk in Self.chunks(of: text) { continuation.yield(chunk) }
            continuation.finish()
        }
    }

    private static func chunks(of text: String) -> [Data] {
        let voice = voice(of: text)
        return stride(from: 0, to: voice.count, by: 4_800).map { voice[$0..<min($0 + 4_800, voice.count)] }.map { Data($0) }
    }

    fileprivate func pieces(_ input: TurnInput?) -> AsyncThrowingStream<TurnPiece, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    try await self.write(input, to: continuation)
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func write(_ input: TurnInput?, to continuation: AsyncThrowingStream<TurnPiece, any Error>.Continuation) async throws {
        let script = script.value
        var words: String?
        switch input {
        case .speech(let samples):
            if script.failureCount > 0 {
                self.script.change { $0.failureCount -= 1 }
                continuation.yield(.audio(Samples.tone()))
                throw EngineError(.unreachable, "The engine has failed.")
            }
            words = script.transcript(samples)
            continuation.yield(.transcript(words ?? ""))
        case .text(let text): words = text
        case nil: break
        }
        if let words {
            self.script.change { $0.heard.append(words) }
            if script.unanswered.contains(words), let reason = script.reason { continuation.yield(.failure(reason)) }
            if words.isEmpty && !script.answersSilence || script.unanswered.contains(words) { return }
        }
        let answer = words.map(Self.answer) ?? script.greeting
        if script.writesFirst { continuation.yield(.text(answer)) }
        let chunks = script.speaks ? Self.chunks(of: answer) : []
        if let first = chunks.first { continuation.yield(.audio(first)) }
        await self.script.wait(while: \.isHeld)
        for chunk in chunks.dropFirst() { continuation.yield(.audio(chunk)) }
        continuation.yield(.response(answer))
        if !script.choices.isEmpty { continuation.yield(.choices(script.choices)) }
    }
}

private final class ScriptedConversation: Conversation {
    let tutor: ScriptedTutor

    init(tutor: ScriptedTutor) { self.tutor = tutor }

    func greeting() -> AsyncThrowingStream<TurnPiece, any Error> { tutor.pieces(nil) }
    func answer(_ input: TurnInput) -> AsyncThrowingStream<TurnPiece, any Error> { tutor.pieces(input) }
    func close() async {}
}
