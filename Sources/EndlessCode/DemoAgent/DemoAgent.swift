import EndlessCodeAgents
import Foundation

/// A coding agent without a model: it follows a script, and speaks Claude Code's `stream-json` on its standard streams.
///
/// For hosts on which no agent is installed. It lists, reads and edits files of the folder in which it was started, and nothing else.
package enum DemoAgent {
    /// Runs the agent until its standard input ends.
    ///
    /// - Parameter arguments: The words after the program's name.
    /// - Returns: The exit code.
    package static func run(_ arguments: [String], _ environment: [String: String]) async -> Int32 {
        let options: Options
        do {
            options = try Options(arguments, environment)
        } catch {
            FileHandle.standardError.write(Data("demo-agent: \(error)\n".utf8))
            return 2
        }
        if options.showsHelp {
            print(Options.help)
            return 0
        }
        let output = Output()
        let agent: Conversation
        do {
            agent = try Conversation(options, output)
        } catch {
            FileHandle.standardError.write(Data("demo-agent: \(error)\n".utf8))
            return 1
        }
        await agent.run(Input.lines())
        return 0
    }
}

/// The lines of the standard input.
enum Input {
    /// Reads the lines on a thread of its own, because reading blocks. Unbounded: the host writes only a few lines per turn.
    static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                var reader = AgentLineReader()
                while true {
                    let data = FileHandle.standardInput.availableData
                    if data.isEmpty { break }
                    reader.append(data)
                    while let line = reader.next() {
                        if case .text(let text, _) = line { continuation.yield(text) }
                    }
                }
                continuation.finish()
            }
        }
    }
}
