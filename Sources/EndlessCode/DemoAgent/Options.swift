import Foundation

/// The command-line options: those of `claude` that a host uses.
struct Options: Sendable {
    static let help = """
        demo-agent: a scripted coding agent that speaks stream-json on its standard streams.

          --session-id=ID          the id of a new conversation (a UUID)
          --resume=ID              continues a conversation of this folder
          --replay-user-messages   repeats each prompt when its turn begins
          --permission-mode MODE   default, acceptEdits, plan or dontAsk
          --model NAME             ignored: the demo has no model

        CLAUDE_CONFIG_DIR      the folder of the conversations; else .claude in the home folder
        DEMO_AGENT_PACE        milliseconds between two pieces of a text; 25
        """

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    var showsHelp = false
    var session = UUID()
    var resumes = false
    var permissionMode = "default"
    /// True if each prompt is repeated on the output when its turn begins.
    var repeatsPrompts = false
    var configuration: URL
    var folder: URL
    var pace = Duration.milliseconds(25)

    init(_ arguments: [String], _ environment: [String: String]) throws {
        let home = environment["HOME"] ?? NSHomeDirectory()
        configuration = URL(filePath: environment["CLAUDE_CONFIG_DIR"] ?? home + "/.claude")
        // The path without links, from which the folder of the transcript is named.
        folder = URL(filePath: FileManager.default.currentDirectoryPath).resolvingSymlinksInPath()
        if let pace = environment["DEMO_AGENT_PACE"].flatMap({ Int($0) }) { self.pace = .milliseconds(min(max(0, pace), 10_000)) }
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            func value() throws -> String {
                if parts.count == 2 { return parts[1] }
                guard let next = rest.popFirst() else { throw Failure(description: "\(argument) needs a value") }
                return next
            }
            switch parts.first {
            case "--help", "-h": showsHelp = true
            case "--session-id": session = try Self.identifier(try value())
            case "--resume": (session, resumes) = (try Self.identifier(try value()), true)
            case "--permission-mode":
                permissionMode = try value()
                guard ["default", "acceptEdits", "plan", "dontAsk"].contains(permissionMode) else {
                    throw Failure(description: "unknown permission mode \(permissionMode)")
                }
            case "--replay-user-messages": repeatsPrompts = true
            case "-p", "--print", "--verbose", "--include-partial-messages": break
            case "--output-format", "--input-format":
                guard try value() == "stream-json" else { throw Failure(description: "\(argument) can be stream-json only") }
            case "--permission-prompt-tool", "--model", "--append-system-prompt", "--setting-sources": _ = try value()
            default: throw Failure(description: "unknown option \(argument)")
            }
        }
    }

    private static func identifier(_ text: String) throws -> UUID {
        guard let id = UUID(uuidString: text) else { throw Failure(description: "\(text) is not a UUID") }
        return id
    }
}
