import Foundation
package import Logging
package import ServerKit
import ServiceLifecycle

/// A real server on a free local port, for the duration of a test.
package struct ServerUnderTest: Sendable {
    package let port: Int
    private let group: ServiceGroup

    package var http: HTTPProbe { HTTPProbe(port: port) }

    /// Begins a graceful shutdown, like SIGTERM.
    package func shutDown() async { await group.triggerGracefulShutdown() }

    /// Runs `body` with a server and its services' background work, then ends both. The services stay open, so that a test can inspect
    /// their stores.
    package static func run<Value: Sendable>(
        _ services: [ServiceParts], isAlone: Bool = true, front: ServiceParts? = nil,
        configuration: WebServer.Configuration = .init(),
        metrics: MetricsRegistry = .init(), _ body: @escaping @Sendable (ServerUnderTest) async throws -> Value
    ) async throws -> Value {
        let logger = Logger.quiet
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let server = WebServer(
            configuration: configuration, services: services, isAlone: isAlone, front: front, metrics: metrics, logger: logger,
            onReady: { port in
                ready.yield(port)
                ready.finish()
            })
        let group = ServiceGroup(services: (services + (front.map { [$0] } ?? [])).flatMap(\.background) + [server], logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { ready.finish() }
                try await group.run()
            }
            guard let port = await ports.first(where: { _ in true }) else {
                try await tasks.waitForAll()
                throw TimedOut()
            }
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(ServerUnderTest(port: port, group: group)))
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return try result.get()
        }
    }
}

extension Logger {
    /// A logger that prints only critical messages.
    package static var quiet: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }
}
