import WireKit

/// A timeout for servers that send nothing.
enum Silence {
    /// Maximum silence: less than the 30 s of the contract (`Docs/Protocols/TalkCo.md`, section 3), so that the turn's failure
    /// names the silent server.
    static let limit = Duration.seconds(28)

    /// Runs `body`, and cancels it when it does not call `didHear` in time.
    ///
    /// - Parameter subject: The server, for the error: "The chat server".
    /// - Throws: ``EngineError`` `timedOut` after a silence; the errors of `body`.
    static func limited<Time: Clock, Value: Sendable>(
        to limit: Duration = limit, by clock: Time, of subject: String,
        _ body: @escaping @Sendable (_ didHear: @escaping @Sendable () -> Void) async throws -> Value
    ) async throws -> Value where Time.Duration == Duration {
        let heard = Locked(clock.now)
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await body { heard.withLock { $0 = clock.now } } }
            group.addTask {
                var deadline = heard.withLock { $0 }.advanced(by: limit)
                while clock.now < deadline {
                    try await clock.sleep(until: deadline, tolerance: nil)
                    deadline = heard.withLock { $0 }.advanced(by: limit)
                }
                throw EngineError(.timedOut, "\(subject) said nothing for \(limit.components.seconds) seconds.")
            }
            defer { group.cancelAll() }
            return try await group.next()!
        }
    }
}
