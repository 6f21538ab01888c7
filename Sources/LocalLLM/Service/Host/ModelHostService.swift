import ServerKit
import ServiceLifecycle

/// A host as a service of a process: a graceful shutdown notifies the phones, and removes the announcement.
package struct ModelHostService: Service {
    private let host: ModelHost

    package init(_ host: ModelHost) { self.host = host }

    package func run() async throws {
        try await withAsyncGracefulShutdownHandler {
            try await host.run()
        } onGracefulShutdown: {
            await host.quit()
        }
    }
}
