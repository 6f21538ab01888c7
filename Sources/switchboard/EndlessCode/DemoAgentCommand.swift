import ArgumentParser
import EndlessCodeDemo
import Foundation

/// `switchboard endlesscode demo-agent`: the agent of hosts that have no other agent. Hosts start it; the help does not show it.
struct DemoAgentCommand: AsyncParsableCommand {
    static let name = "demo-agent"
    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Run the demo agent on the standard streams.", shouldDisplay: false)

    @Argument(parsing: .captureForPassthrough)
    var arguments: [String] = []

    func run() async throws {
        throw ExitCode(await DemoAgent.run(arguments, ProcessInfo.processInfo.environment))
    }
}
