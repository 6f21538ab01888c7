import ArgumentParser
import Foundation
import ServerKit

/// The command line. `serve` runs what belongs on a box; verbs of one system will follow its name.
@main
struct Switchboard: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "switchboard",
        abstract: "Phone apps and the servers they call, on your own machine.",
        discussion: """
            Start here:
              switchboard serve                 run everything; the first line printed is the address to open
              switchboard serve pager2077       run one system alone, on its own port
              switchboard simbridge host        send texts and make calls by this machine's SIM cards

            Everything is kept in one folder, readable by you only (see 'switchboard serve --help').
            """,
        version: version,
        subcommands: [Serve.self, SimBridgeCommand.self])

    static func main() async {
        // Databases, secrets and folders are for their owner only.
        umask(0o077)
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
        } catch {
            // Help and version go to standard output and are no failure; a mistake gets one line and where to read on.
            let code = exitCode(for: error)
            if code == .success { exit(withError: error) }
            fail("\(message(for: error)) (try '\(Self.meant) --help')", code: code.rawValue)
        }
    }

    /// The command that the arguments name, as far as they name one.
    private static var meant: String {
        var (words, command): ([String], any ParsableCommand.Type) = (["switchboard"], Self.self)
        for word in CommandLine.arguments.dropFirst() {
            guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word }) else { break }
            words.append(word)
            command = next
        }
        return words.joined(separator: " ")
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        // The exit code is left to tell of it when this cannot be written.
        try? FileHandle.standardError.write(contentsOf: Data("switchboard: \(message)\n".utf8))
        Foundation.exit(code)
    }
}
