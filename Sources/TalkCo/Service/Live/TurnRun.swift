import Foundation
import TalkCoWire

/// The limits of one turn.
struct TurnLimits: Hashable, Sendable {
    /// Maximum silence of the engine, after which the turn is ended.
    var silence = Duration.seconds(30)
    /// Maximum size of the samples of one answer, in bytes: more than five minutes. A longer answer is ended.
    var audioSize = 16 * 1_048_576
}

/// The transfer of the pieces of an engine's answer to the feed of a turn.
struct TurnRun: Sendable {
    /// The result of a turn.
    struct Outcome: Sendable {
        /// The learner's words; nil for greetings, and if the engine sent none.
        var transcript: String?
        /// The tutor's answer; nil after a failure.
        var response: String?
        var choices: [String] = []
        /// The reason of the engine for a missing response; nil for none.
        var failure: String?
        /// The samples of the answer; empty without a voice.
        var audio = Data()
        var firstAudio: Duration?
        /// The error that ended the turn; nil if the engine ended the turn itself.
        var error: (any Error)?
    }

    /// The error of a turn that exceeded its limits. The conversation remains usable.
    enum LimitError: Error, Hashable { case silence, tooLong }

    let feed: TurnFeed
    /// The text of a typed turn; nil for others.
    let typed: String?
    let isGreeting: Bool
    /// True for a client that shows the words of an answer before its voice has ended.
    var acceptsText = false
    let limits: TurnLimits
    let clock: any Clock<Duration>

    /// - Parameter elapsed: The time since the beginning of the turn.
    func take(_ piece: TurnPiece, _ outcome: inout Outcome, _ oddByte: inout UInt8?, elapsed: Duration) throws {
        switch piece {
        case .transcript(let text):
            guard typed == nil, !isGreeting, outcome.transcript == nil else { return }
            let text = text.trimmed
            outcome.transcript = text
            feed.append(.transcript(text))
        case .audio(let data):
            // Audio after the response is dropped.
            guard outcome.response == nil else { return }
            var samples = oddByte.map { Data([$0]) + data } ?? data
            oddByte = samples.count % 2 == 0 ? nil : samples.popLast()
            if samples.isEmpty { return }
            guard outcome.audio.count + samples.count <= limits.audioSize else { throw LimitError.tooLong }
            if outcome.firstAudio == nil { outcome.firstAudio = elapsed }
            outcome.audio.append(samples)
            feed.append(.audio(samples))
        case .response(let text):
            let text = text.trimmed
            guard outcome.response == nil, !text.isEmpty else { return }
            // The response is sent once the turn is stored.
            outcome.response = text
        case .text(let text):
            let text = text.trimmed
            if acceptsText, outcome.response == nil, !text.isEmpty { feed.append(.text(text)) }
        case .progress: break
        case .failure(let reason): outcome.failure = reason
        case .substitution(let reason): feed.append(.substitution(detail: reason))
        case .choices(let choices):
            outcome.choices = choices.map(\.trimmed).filter { !$0.isEmpty }
        }
    }
}
