package import ServiceLifecycle

/// Runs `operation`. When a graceful shutdown begins, `stop` is called, and `operation` has to return.
///
/// Unlike `withGracefulShutdownHandler`, whose handler cannot wait.
///
/// - Throws: The error of `operation`.
package func withAsyncGracefulShutdownHandler(
    _ operation: @escaping @Sendable () async throws -> Void, onGracefulShutdown stop: @escaping @Sendable () async -> Void
) async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
            try await operation()
            return true
        }
        group.addTask {
            // Throws when the group is cancelled.
            if (try? await gracefulShutdown()) != nil { await stop() }
            return false
        }
        while let hasReturned = try await group.next(), !hasReturned {}
        group.cancelAll()
    }
}

extension ServiceGroupConfiguration.ServiceConfiguration {
    /// Returns the configuration of a service that messages name by its type. Without a name, ServiceLifecycle describes the whole service
    /// there, secrets included, and makes that text at each start.
    ///
    /// - Parameter endsGroup: True if the other services shut down gracefully when this one ends; false if its end is a failure.
    package static func named(_ service: any Service, endsGroup: Bool = false) -> Self {
        Self(
            service: service, successTerminationBehavior: endsGroup ? .gracefullyShutdownGroup : .cancelGroup,
            serviceName: String(describing: type(of: service)))
    }
}
