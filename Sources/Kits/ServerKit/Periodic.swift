public import Logging
public import ServiceLifecycle

/// Work of a service that is done at once, and again and again until the server shuts down.
public struct Periodic: Service {
    private let pause: Duration
    private let name: String
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let work: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - name: What is done, for the log: a failure is logged and costs one turn.
    ///   - pause: Between two turns.
    public init(
        _ name: String, every pause: Duration, clock: any Clock<Duration> = ContinuousClock(), logger: Logger,
        _ work: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.pause = pause
        self.clock = clock
        self.logger = logger
        self.work = work
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                do {
                    try await work()
                } catch is CancellationError {
                    // Tried again, or the end.
                } catch {
                    logger.error("Work in the background failed", metadata: ["work": "\(name)", "error": "\(error)"])
                }
            } while (try? await clock.sleep(for: pause)) != nil
        }
    }
}
