public import Foundation

/// One run of a coding agent: a child process in a project's folder.
///
///     let agent = Agent(ClaudeDriver(), launch, records: records)
///     let exit = try await agent.run { event in await session.received(event) }
///
/// The process has no shell around it, its own process group, and no descriptor of the host beside its standard ones. Its output is
/// read as fast as the handler takes events; nothing else is buffered than one line.
///
/// An agent is ended by closing its standard input, ``endTimeout`` later by SIGTERM and again later by SIGKILL to its process group.
/// When its process has ended, what is left of the group is killed.
public actor Agent {
    /// The time between the steps of an end.
    public static let endTimeout = Duration.seconds(5)
    /// The time within which an agent has to answer its start.
    public static let startTimeout = Duration.seconds(60)

    private var driver: any AgentDriver
    private let launch: AgentLaunch
    private let records: AgentRecords?
    private let clock: any Clock<Duration>
    private var process: AgentProcess?
    private var state = State.idle
    /// Events that commands caused, for the handler.
    private var waiting: [AgentEvent] = []
    /// Ends with the steps of ``end(timeout:)``.
    private var ending: Task<Void, Never>?
    private var startTimedOut = false

    private enum State { case idle, running, ended }

    /// - Parameters:
    ///   - records: Where the process is recorded while it runs, so that the next start of the host ends what a killed host left.
    ///   - clock: Measures time-outs and durations.
    public init(
        _ driver: any AgentDriver, _ launch: AgentLaunch, records: AgentRecords? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.driver, self.launch, self.records, self.clock) = (driver, launch, records, clock)
    }
}
