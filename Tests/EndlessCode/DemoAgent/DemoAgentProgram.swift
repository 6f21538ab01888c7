import EndlessCodeDemo
import Foundation

/// The demo agent as a program of its own, which starts faster than the whole `switchboard`.
@main
enum DemoAgentProgram {
    static func main() async {
        exit(await DemoAgent.run(Array(CommandLine.arguments.dropFirst()), ProcessInfo.processInfo.environment))
    }
}
