import ArgumentParser
import EndlessCodeAgents
import EndlessCodeService
import Foundation

/// The agents of a host, as its user chose them.
struct HostAgents: Sendable {
    enum Driver: String, CaseIterable, ExpressibleByArgument { case claude, acp, demo }

    /// The program of the driver ``Driver/claude``.
    static let claude = "claude"
    /// The arguments that make this program the demo agent.
    static let demoVerb = [EndlessCodeCommand.name, DemoAgentCommand.name]

    let driver: Driver
    /// A path, or a name that is looked up in `PATH` at each start; nil for the driver's default.
    private let program: String?
    /// The user's arguments of the program.
    private let arguments: [String]
    private let environment: [String: String]

    /// - Parameters:
    ///   - driver: The kind of agent; nil for Claude Code if a program is named or `claude` is found, and otherwise the demo.
    ///   - environment: The environment of this program. Agents inherit the part that ``AgentVariables`` leaves.
    init(
        _ driver: Driver? = nil, program: String? = nil, arguments: [String] = [],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        (self.program, self.arguments) = (program, arguments)
        let hasClaude = program != nil || (try? AgentProgram.find(name: Self.claude, environment: environment)) != nil
        self.driver = driver ?? (hasClaude ? .claude : .demo)
        self.environment = AgentVariables.inherited(from: environment, keepsModelKeys: self.driver != .demo)
    }

    /// Returns one row about the agent, for the user.
    ///
    /// - Parameter isChosen: False if the driver is the host's choice.
    func words(isChosen: Bool) -> String {
        if driver == .demo {
            let words = "Agent: the built-in demo, a script without a model"
            return isChosen
                ? words
                : "\(words), because `\(Self.claude)` is not in PATH. Install it, or name it with --program, and start again."
        }
        do {
            return "Agent: \(try path())"
        } catch {
            return "Agent: \(program ?? Self.claude) was not found. Sessions start once it is there; --program names another one."
        }
    }

    /// - Parameter records: The records of running agents, for the next start of the host.
    func launcher(_ records: AgentRecords) -> AgentLauncher {
        AgentLauncher(
            check: { _ = try path() }, killLeftovers: { try records.killLeftovers() },
            make: { folder, conversation in
                let launch = AgentLaunch(
                    program: try path(), verb: driver == .demo ? Self.demoVerb : [], folder: folder, conversation: conversation,
                    environment: environment, arguments: arguments)
                return Agent(protocolDriver, launch, records: records)
            })
    }

    private var protocolDriver: any AgentDriver {
        switch driver {
        // The demo agent speaks as Claude Code does.
        case .claude, .demo: ClaudeDriver()
        case .acp: ACPDriver()
        }
    }

    /// Returns the current path of the program, which an update may move.
    private func path() throws(AgentError) -> String {
        guard driver == .demo else {
            return try AgentProgram.find(program, name: Self.claude, environment: environment)
        }
        guard let own = Bundle.main.executableURL?.resolvingSymlinksInPath().path else { throw .programNotFound("switchboard") }
        return try AgentProgram.find(own, name: own)
    }
}
