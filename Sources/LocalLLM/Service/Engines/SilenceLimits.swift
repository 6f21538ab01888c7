import WireKit

/// The maximum times for which an engine may send nothing. A whole answer has no time limit.
package struct SilenceLimits: Hashable, Sendable {
    /// Maximum time before the first piece, in which a server queues the request, loads the model and reads the prompt.
    package var beforeFirstPiece: Duration
    /// Maximum time between two pieces.
    package var betweenPieces: Duration

    package init(beforeFirstPiece: Duration = .seconds(300), betweenPieces: Duration = .seconds(120)) {
        (self.beforeFirstPiece, self.betweenPieces) = (beforeFirstPiece, betweenPieces)
    }

    /// Activity of a server that works on an answer.
    enum Sign: Hashable, Sendable {
        /// A comment or an event without text, which restarts the current limit.
        case life
        /// A piece of the answer or of thoughts.
        case piece
    }

    /// Runs `body`, and cancels it when it does not call `didReceive` in time.
    ///
    /// - Throws: ``EngineError`` `failed` after a silence; the errors of `body`.
    func run<Time: Clock, Value: Sendable>(
        by clock: Time, _ body: @escaping @Sendable (_ didReceive: @escaping @Sendable (Sign) -> Void) async throws -> Value
    ) async throws -> Value where Time.Duration == Duration {
        let (first, between) = (beforeFirstPiece, betweenPieces)
        let latest = Locked((sign: clock.now, hasPiece: false))
        let firstPiece = Bell()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await body { sign in
                    latest.withLock { $0 = (clock.now, $0.hasPiece || sign == .piece) }
                    if sign == .piece { firstPiece.ring() }
                }
            }
            group.addTask {
                while true {
                    let (sign, hasPiece) = latest.withLock { $0 }
                    if hasPiece { return nil }
                    guard clock.now < sign.advanced(by: first) else { throw Self.silence(first) }
                    try await clock.sleep(until: sign.advanced(by: first), tolerance: nil)
                }
            }
            group.addTask {
                guard await firstPiece.wait() else { throw CancellationError() }
                while true {
                    let deadline = latest.withLock { $0.sign.advanced(by: between) }
                    guard clock.now < deadline else { throw Self.silence(between) }
                    try await clock.sleep(until: deadline, tolerance: nil)
                }
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
