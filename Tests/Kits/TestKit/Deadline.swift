/// The failure of a test step that exceeded its time limit.
package struct TimedOut: Error {}

/// More than any step takes on a slow machine on which all tests run at once. A long step of a soak has half an hour.
package let ampleTime = Duration.seconds(Effort.isSoak ? 1800 : 300)

/// Runs `body` with a time limit, so that a test fails instead of hanging. Not for measuring time.
package func within<Value: Sendable>(
    _ limit: Duration = ampleTime, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw TimedOut()
        }
        defer { group.cancelAll() }
        return try await group.next()!
    }
}

/// Polls until the condition is true. For state that another task or process changes.
///
/// Polls often at first, and then every 50 ms: hundreds of tests that wait at once must not keep the others from running.
package func eventually(
    within limit: Duration = ampleTime, _ isTrue: @escaping @Sendable () async throws -> Bool
) async throws {
    try await within(limit) {
        var pause = Duration.milliseconds(2)
        while try await !isTrue() {
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }
}
