import Foundation

/// One run of a coding agent: a child process in a project's folder.
///
///     let agent = Agent(ClaudeDriver(), launch, records: records)
///     let exit = try await agent.run { event in await session.received(event) }
///
/// The process has no shell around it, its own process group, and no descriptor of the host beside its standard ones. Its output is
/// read as fast as the handler takes events, and at most one line of it is kept in memory.
///
/// An agent is ended by closing its standard input, ``endTimeout`` later by SIGTERM and again later by SIGKILL to its process group.
/// When its process has ended, the rest of its group is killed.
package actor Agent {
    /// The time between the steps of an end.
    package static let endTimeout = Duration.seconds(5)
    /// The time within which an agent has to answer its start.
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
    /// Events for the handler.
    private var waiting: [AgentEvent] = []
    /// The last ``AgentEvent/Content/workChanged(_:)``.
    private var isWorking = false
    private var startTimedOut = false
    /// The reason for which the agent cannot be used.
    private var failure: String?
    /// Ends when the agent is ready or has ended.
    private var startTimer: Task<Void, Never>?

    /// - Parameters:
    ///   - records: Where the process is recorded while it runs, so that the next start of the host kills what a killed host left.
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

    /// Runs the agent to its end. Once.
    ///
    /// The agent is asked to end when the calling task is cancelled, and this method returns when it has ended.
    ///
    /// - Parameter handle: Takes the events, in order, one at a time. The agent waits while it runs.
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
        // Not a child task: the process has to end in its own time when the caller is cancelled.
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
        // Before the driver takes it: a refused command changes nothing.
        guard process.hasRoom else { throw AgentError.inputFull }
        perform(try driver.perform(command, at: elapsed()))
        process.wake()
    }

    /// Asks the agent to end. ``run(_:)`` returns when it has ended.
    ///
    /// - Parameter timeout: The time between the steps. A second call with a shorter one hastens the end.
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
            // An agent that ended or does not read gets nothing more; its end is reported by its exit.
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

    /// The last line of an agent that was killed is cut anywhere.
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

    /// The time since now. `any Clock` hides the type of its instants.
    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
