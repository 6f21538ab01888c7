import Foundation
import NIOConcurrencyHelpers
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
    let limits: TurnLimits
    let clock: any Clock<Duration>

    /// Returns when the engine has ended the turn, has failed or was silent for too long, or the calling task is cancelled.
    func run(_ pieces: AsyncThrowingStream<TurnPiece, any Error>) async -> Outcome {
        await run(pieces, by: clock)
    }

    private func run<Time: Clock>(_ pieces: AsyncThrowingStream<TurnPiece, any Error>, by clock: Time) async -> Outcome
    where Time.Duration == Duration {
        let start = clock.now
        let outcome = NIOLockedValueBox(Outcome(transcript: typed))
        let deadline = NIOLockedValueBox(start.advanced(by: limits.silence))
        var failure: (any Error)?
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var oddByte: UInt8?
                    for try await piece in pieces {
                        deadline.withLockedValue { $0 = clock.now.advanced(by: limits.silence) }
                        try outcome.withLockedValue { outcome in
                            try take(piece, &outcome, &oddByte, elapsed: start.duration(to: clock.now))
                        }
                    }
                    // A cancelled iteration just ends.
                    try Task.checkCancellation()
                }
                group.addTask {
                    while case let deadline = deadline.withLockedValue({ $0 }), clock.now < deadline {
                        try await clock.sleep(until: deadline, tolerance: nil)
                    }
                    throw LimitError.silence
                }
                defer { group.cancelAll() }
                _ = try await group.next()
            }
        } catch {
            failure = error
        }
        var result = outcome.withLockedValue { $0 }
        result.error = failure
        return result
    }

    private func take(_ piece: TurnPiece, _ outcome: inout Outcome, _ oddByte: inout UInt8?, elapsed: Duration) throws {
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
            outcome.response = text
        // It goes out when the turn is stored; nothing but a late transcript can be missing.
        case .choices(let choices):
            outcome.choices = choices.map(\.trimmed).filter { !$0.isEmpty }
        }
    }
}
