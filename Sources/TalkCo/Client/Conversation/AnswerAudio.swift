import Foundation

/// The voice of one answer, while it arrives and afterwards.
///
/// A repeated turn sends the same voice from its beginning: after ``rewind()``, only samples beyond the known ones are added.
@MainActor
final class AnswerAudio {
    /// Maximum size in bytes: three minutes. The rest of a longer answer is not played.
    nonisolated static let maximumSize = 180 * 48_000
    /// Maximum size of a chunk for the loudspeaker, in bytes: half a second.
    nonisolated static let chunkSize = 24_000

    private(set) var samples = Data()
    private(set) var isComplete = false
    /// Count of replacements: the service sent other samples than before.
    private(set) var replacementCount = 0
    /// The offset in ``samples`` of the next arriving sample, in bytes.
    private var position = 0
    private var waiters: [AsyncStream<Never>.Continuation] = []

    init() {}

    /// Creates a complete voice.
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
            // The service has lost the first answer, and sends another one.
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

    /// Returns the samples from `offset` on, at most ``chunkSize`` bytes, and waits for them; nil at the end or when cancelled.
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
