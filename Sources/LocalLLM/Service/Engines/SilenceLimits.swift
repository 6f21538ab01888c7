import WireKit

/// The times for which an engine may be silent. There is no limit for a whole answer.
package struct SilenceLimits: Hashable, Sendable {
    /// The limit before the first piece, in which a server queues the request, loads the model and reads the prompt.
    package var beforeFirstPiece: Duration
    /// The limit between two pieces.
    package var betweenPieces: Duration

    package init(beforeFirstPiece: Duration = .seconds(300), betweenPieces: Duration = .seconds(120)) {
        (self.beforeFirstPiece, self.betweenPieces) = (beforeFirstPiece, betweenPieces)
    }

    /// Runs `body`, and cancels it when it does not call `didReceivePiece` in time.
    ///
    /// - Throws: ``EngineError`` `failed` after a silence; the errors of `body`.
    func run<Time: Clock, Value: Sendable>(
        by clock: Time, _ body: @escaping @Sendable (_ didReceivePiece: @escaping @Sendable () -> Void) async throws -> Value
    ) async throws -> Value where Time.Duration == Duration {
        let (first, between) = (beforeFirstPiece, betweenPieces)
        let beginning = clock.now
        // Nil before the first piece.
        let latest = Locked<Time.Instant?>(nil)
        let firstPiece = Bell()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await body {
                    latest.withLock { $0 = clock.now }
                    firstPiece.ring()
                }
            }
            group.addTask {
                try await clock.sleep(until: beginning.advanced(by: first), tolerance: nil)
                if latest.withLock({ $0 }) == nil { throw Self.silence(first) }
                return nil
            }
            group.addTask {
                guard await firstPiece.wait() else { throw CancellationError() }
                while let deadline = latest.withLock({ $0?.advanced(by: between) }), clock.now < deadline {
                    try await clock.sleep(until: deadline, tolerance: nil)
                }
                throw Self.silence(between)
            }
            defer { group.cancelAll() }
            while let value = try await group.next() { if let value { return value } }
            throw CancellationError()
        }
    }

    private static func silence(_ limit: Duration) -> EngineError {
        EngineError(.failed, "The model server said nothing for \(limit.components.seconds) seconds.")
    }
}
