import WireKit

// A file without Foundation: with it, Swift 6.3 on Linux refuses to open the existential clock in the call below.

extension TurnRun {
    /// Runs the turn until the engine ends it, fails or is silent for too long, or the calling task is cancelled.
    func run(_ pieces: AsyncThrowingStream<TurnPiece, any Error>) async -> Outcome {
        await run(pieces, by: clock)
    }

    private func run<Time: Clock>(_ pieces: AsyncThrowingStream<TurnPiece, any Error>, by clock: Time) async -> Outcome
    where Time.Duration == Duration {
        let start = clock.now
        let outcome = Locked(Outcome(transcript: typed))
        let deadline = Locked(start.advanced(by: limits.silence))
        var failure: (any Error)?
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var oddByte: UInt8?
                    for try await piece in pieces {
                        deadline.withLock { $0 = clock.now.advanced(by: limits.silence) }
                        try outcome.withLock { outcome in
                            try take(piece, &outcome, &oddByte, elapsed: start.duration(to: clock.now))
                        }
                    }
                    // A cancelled iteration ends without an error.
                    try Task.checkCancellation()
                }
                group.addTask {
                    while case let deadline = deadline.withLock({ $0 }), clock.now < deadline {
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
        var result = outcome.withLock { $0 }
        result.error = failure
        return result
    }
}
