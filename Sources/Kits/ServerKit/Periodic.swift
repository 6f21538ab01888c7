package import Logging
import ServiceLifecycle

/// Background work that runs at once and then repeatedly until the server shuts down.
package struct Periodic: Service {
    private let pause: Duration
    private let name: String
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let work: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - name: The name of the work in the log. A failure is logged; the next turn runs as usual.
    ///   - pause: The time between the end of one turn and the start of the next.
    package init(
        _ name: String, every pause: Duration, clock: any Clock<Duration> = ContinuousClock(), logger: Logger,
        _ work: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.pause = pause
        self.clock = clock
        self.logger = logger
        self.work = work
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                do {
                    try await work()
                } catch is CancellationError {
                    // The next turn tries again, or the sleep below ends the loop.
                } catch {
                    logger.error("Work in the background failed", metadata: ["work": "\(name)", "error": "\(error)"])
                }
            } while (try? await clock.sleep(for: pause)) != nil
        }
    }
}
