import ArgumentParser
import Foundation
import ServerKit

/// The command line: `serve`, and the verbs of single systems after their names.
@main
struct Switchboard: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "switchboard",
        abstract: "Phone apps and the servers they call, on your own machine.",
        discussion: """
            Start here:
              switchboard serve             serve everything, and print the address
              switchboard serve pager2077   serve one system only, on its own port
              switchboard simbridge host    lend this machine's SIM cards to phones
              switchboard localllm host     chat with this machine's model from a phone
              switchboard endlesscode host  steer this machine's coding agent from a phone

            All data is kept in one folder, readable by you only.
            """,
        version: version,
        subcommands: [Serve.self] + databases + [SwarmCommand.self] + System.all.compactMap { $0.command?() })

    #if os(Linux)
        private static let databases: [any ParsableCommand.Type] = [DatabaseCommand.self]
    #else
        // StorageKit has no PostgreSQL there.
        private static let databases: [any ParsableCommand.Type] = []
    #endif

    /// The umask that this process was started with. Reading it for the first time sets the umask to 077.
    static let callersMask = umask(0o077)

    static func main() async {
        // Databases, secrets and folders are readable by their owner only.
        _ = callersMask
        // Before the first secret is read. The demo agent has no secrets, and its host has to find it by its environment.
        if !CommandLine.arguments.dropFirst().starts(with: HostAgents.demoVerb) { PrivateMemory.protect() }
        // A peer that goes away is an error of one write, not the end of the program.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as StartupError {
            fail(error.description, code: 1)
        } catch let code as ExitCode {
            // The command has reported the failure itself.
            Foundation.exit(code.rawValue)
        } catch {
            // Help and version go to standard output with status 0. An error is one line that names the help to read.
            let code = exitCode(for: error)
            if code == .success { exit(withError: error) }
            fail("\(message(for: error)) (try '\(Self.givenCommand) --help')", code: code.rawValue)
        }
    }

    /// The command in the arguments, for the hint after an error: `switchboard serve`.
    private static var givenCommand: String {
        var (words, command): ([String], any ParsableCommand.Type) = (["switchboard"], Self.self)
        for word in CommandLine.arguments.dropFirst() {
            guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word }) else { break }
            words.append(word)
            command = next
        }
        return words.joined(separator: " ")
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        // The exit code still reports the failure if this cannot be written.
        try? FileHandle.standardError.write(contentsOf: Data("switchboard: \(message)\n".utf8))
        Foundation.exit(code)
    }
}
