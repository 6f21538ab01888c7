import Foundation

/// The voice of one answer, while it arrives and afterwards.
///
/// A repeated turn replays the same voice from its beginning: ``rewind()``, then only what is beyond the known samples is added.
@MainActor
final class AnswerAudio {
    /// The maximum size in bytes: three minutes. The rest of a longer answer is not played.
    nonisolated static let maximumSize = 180 * 48_000
    /// The size of a chunk that is given to the loudspeaker: half a second.
    nonisolated static let chunkSize = 24_000

    private(set) var samples = Data()
    private(set) var isComplete = false
    /// The number of times that another voice took the place of this one.
    private(set) var replacementCount = 0
    /// The position in ``samples`` of the next sample that arrives.
    private var position = 0
    private var waiters: [AsyncStream<Never>.Continuation] = []

    init() {}

    /// A voice that is there as a whole.
    init(_ samples: Data) {
        append(samples)
        finish()
    }

    /// Expects the samples from the beginning again.
    func rewind() { position = 0 }

    func append(_ new: Data) {
        let new = Data(new.prefix(max(Self.maximumSize - position, 0)))
        let knownCount = min(samples.count - position, new.count)
        let isKnown = samples.dropFirst(position).prefix(knownCount) == new.prefix(knownCount)
        if isKnown {
            samples += new.dropFirst(knownCount)
        } else {
            // Another answer: the service has lost the first one.
            samples = Data(samples.prefix(position)) + new
            replacementCount += 1
        }
        position += new.count
        notify()
    }

    func finish() {
        isComplete = true
        notify()
    }

    /// Returns the samples from `offset` on, at most ``chunkSize`` bytes. Waits for them; nil at the end.
    func chunk(from offset: Int) async -> Data? {
        while !Task.isCancelled {
            let rest = samples.dropFirst(offset)
            if !rest.isEmpty { return Data(rest.prefix(Self.chunkSize)) }
            if isComplete { return nil }
            let (changes, continuation) = AsyncStream.makeStream(of: Never.self)
            waiters.append(continuation)
            for await _ in changes {}
        }
        return nil
    }

    private func notify() {
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.finish() }
    }
}
