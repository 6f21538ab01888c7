import Foundation
import TalkCoWire

/// The limits of one turn.
struct TurnLimits: Hashable, Sendable {
    /// The silence of the engine that ends a turn.
    var silence = Duration.seconds(30)
    /// The bytes of samples of one answer, more than five minutes. A longer answer is ended.
    var audioSize = 16 * 1_048_576
}

/// Carries the pieces of an engine's answer to the feed of a turn.
struct TurnRun: Sendable {
    /// The result of a turn.
    struct Outcome: Sendable {
        /// Nil in greetings, and if the engine gave none.
        var transcript: String?
        /// Nil after a failure.
        var response: String?
        var choices: [String] = []
        /// The reason of the engine for a missing response.
        var failure: String?
        /// Empty without a voice, and if the answer is too long to be kept.
        var audio = Data()
        var firstAudio: Duration?
        /// Nil if the engine ended the turn itself.
        var error: (any Error)?
    }

    /// The turn took longer than its limits allow. The conversation remains usable.
    enum LimitError: Error, Hashable { case silence, tooLong }

    let feed: TurnFeed
    /// The text of a typed turn.
    let typed: String?
    let isGreeting: Bool
    /// True for a client that shows the words of an answer before its voice has ended.
    var acceptsText = false
    let limits: TurnLimits
    let clock: any Clock<Duration>

    /// - Parameter elapsed: Since the beginning of the turn.
    func take(_ piece: TurnPiece, _ outcome: inout Outcome, _ oddByte: inout UInt8?, elapsed: Duration) throws {
        switch piece {
        case .transcript(let text):
            guard typed == nil, !isGreeting, outcome.transcript == nil else { return }
            let text = text.trimmed
            outcome.transcript = text
            feed.append(.transcript(text))
        case .audio(let data):
            // After the answer's text there is no audio.
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
            // It is sent when the turn is stored.
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
