import ServiceLifecycle

/// Runs `work` of a service. When the process is to shut down gracefully, `stop` is called, upon which `work` has to return.
///
/// - Throws: The error of `work`.
package func run(
    _ work: @escaping @Sendable () async throws -> Void, onGracefulShutdown stop: @escaping @Sendable () async -> Void
) async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
            try await work()
            return true
        }
        group.addTask {
            // Throws when the group is cancelled.
            if (try? await gracefulShutdown()) != nil { await stop() }
            return false
        }
        while let isWork = try await group.next(), !isWork {}
        group.cancelAll()
    }
}
