import Foundation
import TalkCoWire
import WireKit

/// The call for the speech of single sentences, of which a bounded number is spoken at once.
final class Speaking: Sendable {
    static let maximumCount = 16
    /// Maximum count of sentences for one network.
    static let maximumCountPerNetwork = 4

    private let voice: (any Voice)?
    private let limits: TurnLimits
    private let clock: any Clock<Duration>
    private let shares = Shares(of: maximumCount, perNetwork: maximumCountPerNetwork, "Too many sentences are being spoken")

    init(_ voice: (any Voice)?, limits: TurnLimits, clock: any Clock<Duration>) {
        self.voice = voice
        self.limits = limits
        self.clock = clock
    }

    /// Returns the stream of a sentence: `audio`, and `done`.
    ///
    /// - Throws: ``TalkError``, also when the voice fails before its first sample; `CancellationError`.
    func speak(_ text: String, for network: CallerNetwork) async throws -> TurnFeed {
        guard let voice else { throw TalkError(.notImplemented, "This service has no voice for single sentences") }
        try shares.take(for: network)
        let feed = TurnFeed()
        let failure = Locked<(any Error)?>(nil)
        let run = TurnRun(feed: feed, typed: nil, isGreeting: true, limits: limits, clock: clock)
        // The feed is read by other requests; its run ends by itself, within the limits of a turn.
        Task { [shares] in
            let outcome = await run.run(Self.pieces(of: voice.speech(text, pace: .normal, for: network)))
            if outcome.audio.isEmpty, let error = outcome.error { failure.withLock { $0 = error } }
            feed.finish()
            shares.release(for: network)
        }
        _ = try await feed.blocks(from: 0)
        switch failure.withLock({ $0 }) {
        case nil: return feed
        case let error as EngineError: throw TalkError(error)
        default: throw TalkError(.gatewayTimeout, "The voice did not answer in time.")
        }
    }

    private static func pieces(of speech: AsyncThrowingStream<Data, any Error>) -> AsyncThrowingStream<TurnPiece, any Error> {
        let (pieces, output) = AsyncThrowingStream.makeStream(of: TurnPiece.self)
        let task = Task {
            do {
                for try await samples in speech { output.yield(.audio(samples)) }
                output.finish()
            } catch {
                output.finish(throwing: error)
            }
        }
        output.onTermination = { _ in task.cancel() }
        return pieces
    }
}
