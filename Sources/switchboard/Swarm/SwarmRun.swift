import ArgumentParser
import Foundation
import HyperDHT
import UnixSignals

/// The frame of a command: its body runs until it ends, its time is over, or a signal stops it.
enum SwarmRun {
    /// - Parameters:
    ///   - endsQuietly: True for a command that serves until it is stopped: the end of its time is no failure.
    ///   - body: Cancelled by SIGTERM, SIGINT and the timeout. Its cleanup may take 8 seconds then.
    static func perform(
        _ options: SwarmOptions, endsQuietly: Bool = false, _ body: @escaping @Sendable (SwarmReport) async throws -> Void
    ) async throws {
        let report = SwarmReport(isJSON: options.json)
        let end = await outcome(of: options.timeout?.duration, lateStatus: endsQuietly ? 0 : 1, { try await body(report) })
        switch end {
        case .done, .stopped: return
        case .timedOut where endsQuietly: return
        case .timedOut: try fail(SwarmFailure(.timedOut, "The time given by --timeout is over."))
        case .failed(let error): try fail(SwarmFailure(error))
        }
        func fail(_ failure: SwarmFailure) throws {
            report.failure(failure)
            throw ExitCode.failure
        }
    }

    private enum End: Sendable {
        case done, stopped, timedOut
        case failed(any Error)
    }

    /// - Parameter lateStatus: The exit status when the timeout has passed and the cleanup takes too long.
    private static func outcome(
        of timeout: Duration?, lateStatus: Int32, _ body: @escaping @Sendable () async throws -> Void
    ) async -> End {
        await withTaskGroup(of: End.self) { group in
            group.addTask {
                do {
                    try await body()
                    return .done
                } catch {
                    return .failed(error)
                }
            }
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) { return .stopped }
                return .stopped
            }
            if let timeout {
                group.addTask {
                    // Cancelled: another end came first.
                    try? await Task.sleep(for: timeout)
                    return .timedOut
                }
            }
            let first = await group.next() ?? .done
            group.cancelAll()
            // The body gets at most 8 seconds for its cleanup, such as removing announcements.
            if case .done = first { return first }
            if case .failed = first { return first }
            var status: Int32 = 0
            if case .timedOut = first { status = lateStatus }
            let deadline = Task { [status] in
                try await Task.sleep(for: .seconds(8))
                Foundation.exit(status)
            }
            await group.waitForAll()
            deadline.cancel()
            return first
        }
    }
}

/// Calls that block a thread, away from the threads of Swift's tasks.
enum Blocking {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }
}
