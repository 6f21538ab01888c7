/// Something took far longer than it ever should.
package struct TimedOut: Error {}

/// Runs `body`, and gives up on it after `limit`, so that a test that would hang fails. Not for measuring time.
package func within<Value: Sendable>(
    _ limit: Duration = .seconds(120), _ body: @escaping @Sendable () async throws -> Value
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

/// Asks again until the answer is true. For states that another task or process reaches on its own.
package func eventually(
    within limit: Duration = .seconds(120), _ isTrue: @escaping @Sendable () async throws -> Bool
) async throws {
    try await within(limit) {
        while try await !isTrue() { try await Task.sleep(for: .milliseconds(5)) }
    }
}
