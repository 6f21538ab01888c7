import Foundation

/// One run of a coding agent: a child process in a project's folder.
///
///     let agent = Agent(ClaudeDriver(), launch, records: records)
///     let exit = try await agent.run { event in await session.received(event) }
///
/// The process runs without a shell, in its own process group, and inherits only its standard descriptors. Its output is read only
/// as fast as the handler takes events, with at most one line in memory.
///
/// To end an agent, the host closes its standard input, sends SIGTERM to its process group after ``endTimeout``, and SIGKILL after
/// another ``endTimeout``. When the process has ended, the rest of its group is killed.
package actor Agent {
    /// Time between the steps of ending an agent.
    package static let endTimeout = Duration.seconds(5)
    /// Maximum time until a started agent is ready.
    package static let startTimeout = Duration.seconds(60)

    private enum State { case idle, running, ended }

    private var driver: any AgentDriver
    private let launch: AgentLaunch
    private let records: AgentRecords?
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private var process: AgentProcess?
    private var state = State.idle
    private var reader = AgentLineReader()
    /// Events not yet passed to the handler.
    private var waiting: [AgentEvent] = []
    /// True if the last ``AgentEvent/Content/workChanged(_:)`` reported a turn.
    private var isWorking = false
    private var startTimedOut = false
    /// The driver's error message about an agent that cannot be used; nil for a usable agent.
    private var failure: String?
    /// Kills the agent if it is not ready within ``startTimeout``.
    private var startTimer: Task<Void, Never>?

    /// - Parameters:
    ///   - records: Records the process while it runs, so that the next start of the host kills what a killed host left.
    ///   - clock: Measures time-outs and durations.
    package init(
        _ driver: any AgentDriver, _ launch: AgentLaunch, records: AgentRecords? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.driver, self.launch, self.records, self.clock) = (driver, launch, records, clock)
        elapsed = Self.stopwatch(clock)
    }

    /// See ``AgentDriver/isInTurn``.
    package var isInTurn: Bool { driver.isInTurn }

    /// Runs the agent until its process has ended. Call once.
    ///
    /// If the calling task is cancelled, the agent is asked to end, and this method returns when the agent has ended.
    ///
    /// - Parameter handle: Takes the events in order, one at a time. While it runs, no output is read.
    /// - Throws: ``AgentError`` if the agent could not be started.
    package func run(_ handle: @escaping @Sendable (AgentEvent) async -> Void) async throws -> AgentExit {
        precondition(state == .idle, "An agent runs once")
        state = .running
        defer { state = .ended }
        let arguments = try launch.verb + driver.arguments(for: launch) + launch.arguments
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: launch.folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw AgentError.folderNotFound(launch.folder)
        }
        guard FileManager.default.isExecutableFile(atPath: launch.program) else { throw AgentError.programNotFound(launch.program) }
        let process = try AgentProcess(clock: clock)
        self.process = process
        perform(driver.start(launch))
        // Not a child task: cancellation of the caller must not cut the steps of the end short.
        let work = Task { try await run(process, arguments, handle) }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            process.end(timeout: Self.endTimeout)
        }
    }

    /// Sends a command. Its events go to the handler of ``run(_:)``.
    ///
    /// - Throws: ``AgentError``.
    package func send(_ command: AgentCommand) throws {
        guard state == .running, let process, !process.wasAsked else { throw AgentError.notRunning }
        if case .prompt(let text, _, _) = command, text.allSatisfy(\.isWhitespace) { throw AgentError.emptyPrompt }
        // Checked before the driver takes the command, so that a refused command changes nothing.
        guard process.hasRoom else { throw AgentError.inputFull }
        perform(try driver.perform(command, at: elapsed()))
        process.wake()
    }

    /// Asks the agent to end. ``run(_:)`` returns when it has ended.
    ///
    /// - Parameter timeout: The time between the steps. A second call with a shorter timeout ends the agent sooner.
    package func end(timeout: Duration = Agent.endTimeout) { process?.end(timeout: timeout) }

    // MARK: Running

    private func run(
        _ process: AgentProcess, _ arguments: [String], _ handle: @escaping @Sendable (AgentEvent) async -> Void
    ) async throws -> AgentExit {
        startTimer = Task { await limitStart() }
        defer { startTimer?.cancel() }
        let ending: (status: AgentExit.Status, errorTail: String)
        do {
            ending = try await process.run(launch, arguments: arguments, records: records) { bytes in
                await received(bytes, handle)
            }
        } catch {
            throw AgentError.startFailed("\(error)")
        }
        if let failure { throw AgentError.startFailed(failure) }
        if let rest = reader.finish() { perform(driver.receive(rest, at: elapsed()).map(Self.unfinished)) }
        let wasInTurn = driver.isInTurn
        waiting += driver.end()
        state = .ended
        await deliver(handle)
        let reason =
            driver.hasLostConversation(errorTail: ending.errorTail)
            ? .conversationNotFound : reason(ending.status, wasInTurn: wasInTurn)
        return AgentExit(status: ending.status, reason: reason, errorTail: ending.errorTail, lifetime: elapsed())
    }

    private func reason(_ status: AgentExit.Status, wasInTurn: Bool) -> AgentExit.Reason {
        if startTimedOut { return .startTimedOut }
        if process?.wasAsked == true { return .asked }
        if wasInTurn { return .crash }
        return driver.hasFinishedTurn || status == .code(0) ? .betweenTurns : .crash
    }

    private func received(_ bytes: [UInt8], _ handle: @Sendable (AgentEvent) async -> Void) async {
        reader.append(bytes)
        await deliver(handle)
        while let line = reader.next() {
            perform(driver.receive(line, at: elapsed()))
            if driver.isReady { startTimer?.cancel() }
            await deliver(handle)
        }
    }

    private func perform(_ actions: [AgentAction]) {
        for action in actions {
            switch action {
            // A write fails if the agent has ended or does not read; the exit reports the end.
            case .write(let line): try? process?.write(line)
            case .event(let event): waiting.append(event)
            case .fail(let reason):
                failure = failure ?? reason
                process?.kill()
            }
        }
        guard driver.isInTurn != isWorking else { return }
        isWorking.toggle()
        waiting.append(AgentEvent(.workChanged(isWorking)))
    }

    /// Marks a dropped last line as unfinished: an agent may be killed in the middle of a line.
    private static func unfinished(_ action: AgentAction) -> AgentAction {
        guard case .event(var event) = action, case .dropped(var line) = event.content else { return action }
        line.reason = .unfinished
        event.content = .dropped(line)
        return .event(event)
    }

    private func deliver(_ handle: @Sendable (AgentEvent) async -> Void) async {
        while !waiting.isEmpty { await handle(waiting.removeFirst()) }
    }

    private func limitStart() async {
        do { try await clock.sleep(for: Self.startTimeout) } catch { return }
        guard state == .running, !driver.isReady, process?.wasAsked == false else { return }
        startTimedOut = true
        process?.kill()
    }

    /// Returns a function that measures the time since this call. Generic, because `any Clock` hides the type of its instants.
    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
