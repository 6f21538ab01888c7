import Foundation
import Subprocess
import SystemTypes
import WireKit

/// The child process of an agent, from start to end.
///
/// ```
///  run ──▶ start ──▶ output … ──▶ exit ──▶ kill the rest of the group ──▶ rest of the output ──▶ reap
///            end(timeout) ──▶ close input ──▶ timeout ──▶ SIGTERM ──▶ timeout ──▶ SIGKILL
/// ```
final class AgentProcess: Sendable {
    private let input: ChildInput
    private let output: DescriptorReader
    private let errors: DescriptorReader
    /// The pipe ends that the agent inherits.
    private let childOutput: CInt
    private let childErrors: CInt
    /// The process group; nil before the start and when the process has ended.
    private let group = Locked<pid_t?>(nil)
    private let mark = UUID().uuidString
    private let isAsked = Locked(false)
    private let isKilled = Locked(false)
    private let endRequests: AsyncStream<Duration>
    private let endRequest: AsyncStream<Duration>.Continuation
    private let clock: any Clock<Duration>

    init(clock: any Clock<Duration>) throws(AgentError) {
        self.clock = clock
        input = try ChildInput()
        let pipes = (try Self.pipe(), try Self.pipe())
        (childOutput, childErrors) = (pipes.0.write, pipes.1.write)
        output = DescriptorReader(pipes.0.read)
        errors = DescriptorReader(pipes.1.read)
        (endRequests, endRequest) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4))
    }

    /// True unless the agent does not read its input.
    var hasRoom: Bool { input.hasRoom }

    /// Queues a line to the agent.
    func write(_ line: String) throws(AgentError) { try input.write(line) }

    /// True after ``end(timeout:)``.
    var wasAsked: Bool { isAsked.withLock { $0 } }

    /// Closes the agent's input, then sends SIGTERM and SIGKILL, each after `timeout`.
    func end(timeout: Duration) {
        isAsked.withLock { $0 = true }
        endRequest.yield(timeout)
    }

    /// Calls the handler of ``run(_:arguments:records:handle:)`` with an empty chunk.
    func wake() { output.wake() }

    /// Kills the agent and all that it started.
    func kill() {
        isKilled.withLock { $0 = true }
        signal(SIGKILL)
        AgentRecords.killAll(marked: mark)
    }

    /// Runs the program to its end.
    ///
    /// Cancellation of the calling task has no effect; call ``end(timeout:)`` instead.
    ///
    /// - Parameter handle: Takes the output, and an empty chunk after ``wake()``.
    func run(
        _ launch: AgentLaunch, arguments: [String], records: AgentRecords?, handle: ([UInt8]) async -> Void
    ) async throws -> (status: AgentExit.Status, errorTail: String) {
        var options = PlatformOptions()
        options.processGroupID = 0
        let variables = AgentEnvironment.inherited(from: launch.environment, folder: launch.folder, mark: mark)
            .compactMap { name, value in Environment.Key(rawValue: name).map { ($0, value) } }
        do {
            try records?.add(mark)
        } catch {
            for end in [input.childEnd, childOutput, childErrors] { close(end) }
            throw error
        }
        defer {
            records?.remove(mark)
            endRequest.finish()
            input.abandon()
            output.shut()
            errors.shut()
        }
        let result = try await Subprocess.run(
            Configuration(
                executable: .path(FilePath(launch.program)), arguments: Arguments(arguments),
                environment: .custom(Dictionary(variables) { $1 }), workingDirectory: FilePath(launch.folder),
                platformOptions: options),
            input: .fileDescriptor(FileDescriptor(rawValue: input.childEnd), closeAfterSpawningProcess: true),
            output: .fileDescriptor(FileDescriptor(rawValue: childOutput), closeAfterSpawningProcess: true),
            error: .fileDescriptor(FileDescriptor(rawValue: childErrors), closeAfterSpawningProcess: true)
        ) { execution in
            let identifier = execution.processIdentifier.value
            group.withLock { $0 = identifier }
            // ``kill()`` was called while the process was starting.
            if isKilled.withLock({ $0 }) { kill() }
            try? records?.add(mark, process: identifier)
            return await withTaskGroup(of: String?.self) { tasks in
                tasks.addTask { await self.readErrors() }
                tasks.addTask {
                    await self.runEnds()
                    return nil
                }
                tasks.addTask {
                    await Self.exit(of: identifier)
                    self.didExit()
                    return nil
                }
                reading: while true {
                    switch await output.read() {
                    case .bytes(let bytes): await handle(bytes)
                    case .woken: await handle([])
                    case .end: break reading
                    }
                }
                // The agent may close its output and keep running.
                var tail = ""
                for await task in tasks { tail = task ?? tail }
                return tail
            }
        }
        return switch result.terminationStatus {
        case .exited(let code): (.code(code), result.closureResult)
        case .signaled(let signal): (.signal(signal), result.closureResult)
        }
    }

    // MARK: Ending

    private func runEnds() async {
        await withDiscardingTaskGroup { steps in
            for await timeout in endRequests {
                steps.addTask { await self.runEnd(timeout) }
            }
            steps.cancelAll()
        }
    }

    private func runEnd(_ timeout: Duration) async {
        input.finish()
        do {
            try await clock.sleep(for: timeout)
            signal(SIGTERM)
            try await clock.sleep(for: timeout)
            kill()
        } catch {
            // The process has ended.
        }
    }

    /// Signals the process group, which exists until the process is reaped.
    private func signal(_ signal: CInt) {
        group.withLock { group in
            if let group { _ = Foundation.kill(-group, signal) }
        }
    }

    private func didExit() {
        // The rest of the group would run without an owner, and may hold the output open.
        signal(SIGKILL)
        group.withLock { $0 = nil }
        endRequest.finish()
        input.abandon()
        output.finish()
        errors.finish()
    }

    /// Waits for the exit of a child process without reaping it, so that its id is not reused.
    private static func exit(of identifier: pid_t) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var information = siginfo_t()
                while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
                continuation.resume()
            }
        }
    }

    // MARK: Reading

    private func readErrors() async -> String {
        var tail = ErrorTail()
        while case .bytes(let bytes) = await errors.read() { tail.append(bytes) }
        return tail.text
    }

    private static func pipe() throws(AgentError) -> (read: CInt, write: CInt) {
        var ends: [CInt] = [0, 0]
        guard Foundation.pipe(&ends) == 0 else { throw .startFailed(String(cString: strerror(errno))) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
