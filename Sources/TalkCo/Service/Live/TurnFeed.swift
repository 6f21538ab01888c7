import Foundation
import TalkCoWire
import WireKit

/// The event stream of one turn. Any number of readers follow the stream from its beginning; a slow reader does not delay the turn.
final class TurnFeed: Sendable {
    private struct State {
        var blocks: [Data] = []
        var isFinished = false
        /// Resolved and replaced with each change.
        var change = Arrival<Void>()
    }

    private let state = Locked(State())

    /// Appends an event. Has no effect after the end.
    func append(_ event: TalkEvent) {
        // Encoding fails only for a number that is not finite, and `timing` has finite ones.
        guard let block = try? event.block() else { return }
        change { $0.blocks.append(block) }
    }

    /// Appends `done` and ends the stream. A second call has no effect.
    func finish() {
        append(.done)
        change { $0.isFinished = true }
    }

    private func change(_ body: (inout State) -> Void) {
        let change = state.withLock { state -> Arrival<Void>? in
            guard !state.isFinished else { return nil }
            body(&state)
            defer { state.change = Arrival() }
            return state.change
        }
        change?.resolve(.success(()))
    }

    /// Returns the events from `index` on, and waits for at least one.
    ///
    /// - Returns: nil at the end.
    /// - Throws: `CancellationError`.
    func blocks(from index: Int) async throws -> [Data]? {
        while true {
            let (blocks, isFinished, change) = state.withLock { state in
                (Array(state.blocks[min(index, state.blocks.count)...]), state.isFinished, state.change)
            }
            if !blocks.isEmpty { return blocks }
            if isFinished { return nil }
            try await change.value()
        }
    }

    /// Waits for the end.
    ///
    /// - Throws: `CancellationError`.
    func waitUntilFinished() async throws {
        var index = 0
        while let blocks = try await blocks(from: index) { index += blocks.count }
    }

    /// A stream with nothing but `done`.
    static var empty: TurnFeed {
        let feed = TurnFeed()
        feed.finish()
        return feed
    }
}

extension TurnFeed {
    /// Maximum size of the samples in one event of a replay, in bytes: half a second.
    private static let chunkSize = 24_000

    /// Creates the stream of a stored answer.
    convenience init(replaying turn: TurnRecord, withChoices: Bool) {
        self.init()
        append(turn, withChoices: withChoices)
        finish()
    }

    /// Creates the stream of stored samples.
    convenience init(replaying samples: Data) {
        self.init()
        append(audio: samples)
        finish()
    }

    /// Appends the events of a stored answer, all but `done`.
    func append(_ turn: TurnRecord, withChoices: Bool) {
        append(.transcript(turn.transcript))
        append(audio: turn.audio ?? Data())
        append(.response(turn.response))
        if withChoices, let choices = turn.choices, !choices.isEmpty { append(.choices(choices)) }
    }

    private func append(audio: Data) {
        var rest = audio[...]
        while !rest.isEmpty {
            append(.audio(Data(rest.prefix(Self.chunkSize))))
            rest = rest.dropFirst(Self.chunkSize)
        }
    }
}
