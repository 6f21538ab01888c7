import ArgumentParser
import EndlessCodeService
import EndlessCodeWire
import Foundation
import ServerKit
import WireKit

/// `switchboard endlesscode`.
struct EndlessCodeCommand: AsyncParsableCommand {
    static let name = EndlessCodeService.name
    static let configuration = CommandConfiguration(
        commandName: name, abstract: "Steer the coding agent of this computer from a phone.",
        subcommands: [
            EndlessCodeHostCommand.self, EndlessCodeTokenCommand.self, EndlessCodeProjectsCommand.self,
            EndlessCodeAllowCommand.self, DemoAgentCommand.self,
        ])

    static var standardFolder: URL { ServeConfiguration.standardDataFolder.appending(path: "endlesscode-host") }
}

/// `switchboard endlesscode host`.
struct EndlessCodeHostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host",
        abstract: "Run coding agents in your projects, for phones.",
        discussion: """
            The host prints a QR code, and its text on a line of its own. Scan the code
            in the app, or paste the text. Anyone with it can use the agents: keep it
            secret.

              switchboard endlesscode host --project ~/shop --host 0.0.0.0

            Only this machine can connect, unless --host says otherwise. The host then
            uses TLS with a certificate of its own, which the QR code names, and
            announces itself on the local network. The same data folder keeps token and
            certificate; 'switchboard endlesscode token --new' draws a new token.

            Phones see the projects given here, and the folders in which Claude Code has
            been used once you have shown them, with --project or with 'switchboard
            endlesscode projects'. Without --driver and --program, sessions run 'claude'
            if it is in PATH, and otherwise a built-in demo. An agent over the Agent
            Client Protocol takes its arguments after two hyphens:

              switchboard endlesscode host --driver acp --program gemini -- --acp

            Ctrl-C or SIGTERM ends the agents and the host. Sessions can be resumed.
            """)

    @Option(help: ArgumentHelp("A folder to work in; may be repeated.", valueName: "folder"))
    var project: [String] = []

    @Option(
        help: ArgumentHelp(
            "Show the changes of projects whose git repository is in this folder, outside of all projects; may be repeated.",
            valueName: "folder"))
    var git: [String] = []

    @Option(help: ArgumentHelp("Listen on this address; 0.0.0.0 for every network.", valueName: "address"))
    var host = "localhost"

    // Unconditional: in `--port -1`, the -1 is an invalid port and not an unknown option.
    @Option(parsing: .unconditional, help: ArgumentHelp("Listen on this port; 0 chooses a free one.", valueName: "number"))
    var port = "\(EndlessCodeService.standardPort)"

    @Option(
        help: ArgumentHelp(
            "Keep the token, the certificate and all sessions in this folder. [default: \(EndlessCodeCommand.standardFolder.path)]",
            valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("The kind of agent: claude, acp or demo.", valueName: "driver"))
    var driver: HostAgents.Driver?

    @Option(help: ArgumentHelp("The agent's program: a path, or a name in PATH. [default: claude]", valueName: "path"))
    var program: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The time until an open question or permission is refused.", valueName: "seconds"))
    var promptTimeout = "1800"

    @Option(
        help: ArgumentHelp("Accept requests for this name of the machine as well; may be repeated.", valueName: "name"))
    var allowHost: [String] = []

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("Arguments of the agent's program, after two hyphens.", valueName: "argument"))
    var agentArguments: [String] = []

    func validate() throws {
        for (name, value) in [("host", host), ("data", data ?? "-"), ("program", program ?? "-")] where value.isEmpty {
            throw ValidationError("--\(name) has no value")
        }
        _ = try Self.number("port", port, in: 0...65_535)
        _ = try Self.number("prompt-timeout", promptTimeout, in: EndlessCodeBox.promptTimeouts)
        guard host == "localhost" || (try? ServerAddress.Host(host)) != nil else {
            throw ValidationError("--host is \"\(host)\"; expected an address or a name of this machine, such as 0.0.0.0")
        }
        if driver == .acp, program == nil {
            throw ValidationError("--driver acp needs --program: the agent to run, such as --program gemini -- --acp")
        }
        if driver == .demo, program != nil {
            throw ValidationError("--driver demo has no other program; leave --program out")
        }
    }

    func run() async throws {
        var server = WebServer.Configuration()
        server.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        server.port = try Self.number("port", port, in: 0...65_535)
        server.names = allowHost + EndlessCodeHost.ownNames
        let folder = data.map { URL(filePath: $0) } ?? EndlessCodeCommand.standardFolder
        let projects = try project.map { try HostProjects.checked($0) }
        try PrivateFiles.ensureFolder(folder)
        // Agents work for the user, so their files get the user's own umask. The host makes each of its files private.
        umask(Switchboard.callersMask)
        try HostProjects.confirmed(in: folder).add(projects)
        let repositories = try git.map { try HostProjects.checked($0, option: "--git") }
        let catalog = try HostProjects.catalog(projects, repositories: repositories, secretsIn: folder)
        let isStandard = folder.standardizedFileURL == EndlessCodeCommand.standardFolder.standardizedFileURL
        let hidden = await HostProjects.words(
            aboutUnconfirmed: catalog,
            command: "switchboard endlesscode projects --show-all\(isStandard ? "" : " --data \(folder.path.quotedForShell)")")
        let agents = HostAgents(driver, program: program, arguments: agentArguments)
        var configuration = EndlessCodeConfiguration(dataFolder: folder)
        configuration.promptTimeout = .seconds(
            try Self.number("prompt-timeout", promptTimeout, in: EndlessCodeBox.promptTimeouts))
        // The names have the prefix, such as ENDLESSCODE_NTFY_URL: agents do not inherit variables with it.
        try configuration.readPush(
            Settings(environment: ProcessInfo.processInfo.environment).scoped(to: EndlessCodeService.name))
        try await EndlessCodeHost(
            configuration, server: server, agents: agents,
            projects: catalog,
            notes: [agents.words(isChosen: driver != nil)] + Self.words(about: projects) + [hidden].compactMap(\.self)
        ).run()
    }

    private static func words(about projects: [String]) -> [String] {
        projects.isEmpty
            ? ["Projects: folders of Claude Code that you have shown; --project adds others."] : projects.map { "Project: \($0)" }
    }

    private static func number(_ name: String, _ text: String, in range: ClosedRange<Int>) throws -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw ValidationError(
                "--\(name) is \"\(text)\"; expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}

/// `switchboard endlesscode token`.
struct EndlessCodeTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print the token of a host, or draw a new one.",
        discussion: """
            A new token ends that of every phone: a running host notices it, closes their
            connections and prints a new QR code, which they have to scan.
            """)

    @Flag(help: "Draw a new token.")
    var new = false

    @Option(
        help: ArgumentHelp("The data folder of the host. [default: \(EndlessCodeCommand.standardFolder.path)]", valueName: "folder")
    )
    var data: String?

    func run() async throws {
        if data?.isEmpty == true { throw ValidationError("--data has no value") }
        let folder = data.map { URL(filePath: $0) } ?? EndlessCodeCommand.standardFolder
        guard FileManager.default.fileExists(atPath: folder.appending(path: AccessTokens.fileName).path) else {
            throw StartupError("There is no host in \(folder.path); start one with 'switchboard endlesscode host'")
        }
        // Renewing also replaces a damaged file.
        let token = try new ? AccessTokens.renew(folder: folder) : AccessTokens(folder: folder).current
        print(token.text)
    }
}
