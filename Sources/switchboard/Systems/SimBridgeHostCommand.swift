import ArgumentParser
import EndlessCodeWire
import Foundation
import Logging
import NIOTransport
import ServerKit
import ServiceLifecycle
import SimBridgeHost
import SimBridgeWire
import StorageKit
import UnixSignals
import WireKit

/// `switchboard simbridge`.
struct SimBridgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simbridge", abstract: "Lend the SIM cards of this machine to phones elsewhere.",
        subcommands: [SimBridgeHostCommand.self])
}

/// `switchboard simbridge host`.
struct SimBridgeHostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host",
        abstract: "Send texts and make calls for paired clients, with the SIM cards of this machine.",
        discussion: """
            The host logs in at a relay, stays connected, and carries out the commands of
            paired clients. The first time:

              switchboard simbridge host --relay http://localhost:8077/simbridge --register

            --register creates the account; omit it for an account that exists. The host
            asks for the user name and password, and prints a pairing code to type into
            the client. Afterwards 'switchboard simbridge host' is enough, until the relay
            asks for the password again; the host does not store it. A relay that runs
            alone ('switchboard serve simbridge') is at http://localhost:8100.

            --driver simulated needs no modem: two SIM cards that exist only here. Type
            'help' while it runs; sent texts are written to simulated-sent.jsonl in the
            data folder. --driver modemmanager uses the modems of ModemManager, through
            its tool mmcli. Ctrl-C stops the host.
            """)

    enum Driver: String, ExpressibleByArgument, CaseIterable { case simulated, modemmanager }

    @Option(
        help: ArgumentHelp(
            "The http or https address of the relay, with its path. [default: the last one]", valueName: "URL"))
    var relay: String?

    @Option(
        help: ArgumentHelp(
            "The address at which phones open the app, for the pairing link. [default: in the relay's box]", valueName: "URL"))
    var app: String?

    @Option(help: ArgumentHelp("The user name of the account. [default: ask]", valueName: "name"))
    var user: String?

    @Option(help: ArgumentHelp("Read the password from the first line of this file.", valueName: "file"))
    var passwordFile: String?

    @Flag(help: "Create the account first.")
    var register = false

    @Option(help: ArgumentHelp("The name that clients show for this host. [default: the name of this machine]", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Keep the token and unfinished commands in this folder. [default: \(Self.standardFolder.path)]", valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("The source of SIM cards: simulated or modemmanager.", valueName: "driver"))
    var driver: Driver = .simulated

    @Flag(help: "Print a pairing code even if a client is paired.")
    var pair = false

    @Option(help: ArgumentHelp("The time that the simulated network takes for a text.", valueName: "ms", visibility: .hidden))
    var simulatedSendingTime: Int?

    private static var standardFolder: URL { ServeConfiguration.standardDataFolder.appending(path: "simbridge-host") }

    func run() async throws {
        let folder = data.map { URL(filePath: $0) } ?? Self.standardFolder
        try PrivateFiles.ensureFolder(folder)
        do {
            let identityFile = IdentityFile(folder.appending(path: "host.json"))
            let stored = try identityFile.load()
            let relay = try relayAddress(stored)
            let journal = try HostJournal(path: folder.appending(path: "host.db").path)
            defer { journal.close() }
            try await run(relay, stored, identityFile, journal, folder)
        } catch is CancellationError {
            write("Stopped.")
        } catch let problem as RelayProblem {
            throw StartupError(problem.description)
        } catch let problem as DataFolderProblem {
            throw StartupError(problem.description)
        } catch let problem as StorageError {
            throw StartupError(problem.description)
        } catch let failure where !(failure is ValidationError || failure is StartupError) {
            // For example a damaged journal. Unfinished commands stay in it, and continue at the next start.
            throw StartupError("Cannot continue: \(failure)")
        }
    }

    private func run(
        _ relay: URL, _ stored: HostIdentity?, _ identityFile: IdentityFile, _ journal: HostJournal, _ folder: URL
    ) async throws {
        var configuration = SimBridgeHost.Configuration(relay: relay, deviceName: try deviceName())
        configuration.username = user
        configuration.registersAccount = register
        configuration.showsCode = pair
        configuration.app = try app.map { try Self.address($0, option: "--app", example: "https://box.example/apps/simbridge") }
        configuration.ownAddresses = { HostInterfaces.addresses(ipv6: false).map(\.description) }
        let record = SentRecord(path: folder.appending(path: "simulated-sent.jsonl").path)
        let world = driver == .simulated ? SimulatedDriver(script: try script(), record: record) : nil
        let telephony: any TelephonyDriver =
            world ?? ModemManagerDriver(slotFile: folder.appending(path: "modems.json"))
        let isKnown = stored?.relay == relay.absoluteString && !register
        let account = Account(user: user ?? (isKnown ? stored?.username : nil), passwordFile: passwordFile)
        if !isKnown { try account.checkThatItCanAsk() }
        let host = SimBridgeHost(
            configuration, driver: telephony, journal: journal, identityFile: identityFile, http: AsyncHTTP(), sockets: NIOSocket(),
            credentials: { try await account.credentials() }, notify: { show($0) })
        greet(relay, record)
        let service = Service(host: host, world: world)
        var logger = Logger(label: "switchboard") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .critical
        var group = ServiceGroupConfiguration(
            services: [.named(service, endsGroup: true)], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // The host needs time to finish a text at the modem. The next start reports an unfinished text as unknown.
        group.maximumGracefulShutdownDuration = .seconds(10)
        try await ServiceGroup(configuration: group).run()
        write("Stopped.")
    }

    private func relayAddress(_ stored: HostIdentity?) throws -> URL {
        guard let text = relay ?? stored?.relay else {
            throw ValidationError("Missing option --relay: the address of the relay, such as http://localhost:8077/simbridge")
        }
        return try Self.address(text, option: "--relay", example: "http://localhost:8077/simbridge")
    }

    private static func address(_ text: String, option: String, example: String) throws -> URL {
        var trimmed = text
        while trimmed.hasSuffix("/") { trimmed.removeLast() }
        guard let url = URL(string: trimmed), ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false,
            url.query() == nil, url.fragment() == nil, url.user() == nil
        else { throw ValidationError("\(option) is \"\(text)\"; expected an http or https address such as \(example)") }
        return url
    }

    private func deviceName() throws -> String {
        let name = name ?? ProcessInfo.processInfo.hostName
        guard Device.nameLength.contains(name.unicodeScalars.count) else {
            throw ValidationError("--name must have 1 to \(Device.nameLength.upperBound) characters")
        }
        return name
    }

    private func script() throws -> SimulatedDriver.Script {
        var script = SimulatedDriver.Script()
        if let time = simulatedSendingTime {
            guard (0...60_000).contains(time) else { throw ValidationError("--simulated-sending-time must be 0 to 60000") }
            script.sendingTime = .milliseconds(time)
        }
        return script
    }

    private func greet(_ relay: URL, _ record: SentRecord) {
        if driver == .simulated {
            write("The SIM cards are simulated: nothing leaves this machine. Type 'help' for a list of commands.")
            write("Sent texts are written to \(record.path).")
        }
        if relay.scheme == "http", !relay.isOnThisMachineOnly {
            write("Warning: the connection to the relay has no TLS. The password and all texts are sent unencrypted.")
        }
    }

    /// The credentials of the account. Prompted for once, and stored in memory only.
    private actor Account {
        private let user: String?
        private let passwordFile: String?
        private var known: Credentials?

        init(user: String?, passwordFile: String?) { (self.user, self.passwordFile) = (user, passwordFile) }

        /// - Throws: `StartupError` without a terminal for prompts and without a password file.
        nonisolated func checkThatItCanAsk() throws {
            if user == nil { try Terminal(orElse: Self.noName).close() }
            if let passwordFile { _ = try Self.password(in: passwordFile) } else { try Terminal(orElse: Self.noPassword).close() }
        }

        func credentials() async throws -> Credentials {
            if let known { return known }
            let name = try await userName()
            let credentials = Credentials(username: name, password: try await password(of: name))
            known = credentials
            return credentials
        }

        private func userName() async throws -> String {
            if let user { return user }
            let terminal = try Terminal(orElse: Self.noName)
            defer { terminal.close() }
            let name = try await terminal.prompt("User name: ", echoes: true).trimmingCharacters(in: .whitespaces)
            guard !name.isEmpty else { throw StartupError("The user name is empty") }
            return name
        }

        private func password(of name: String) async throws -> String {
            if let passwordFile { return try Self.password(in: passwordFile) }
            let terminal = try Terminal(orElse: Self.noPassword)
            defer { terminal.close() }
            let password = try await terminal.prompt("Password for \(name): ", echoes: false)
            guard !password.isEmpty else { throw StartupError("The password is empty") }
            return password
        }

        private static func password(in file: String) throws -> String {
            let text = try PrivateFiles.secret(in: URL(filePath: file))
            guard let line = text.split(whereSeparator: \.isNewline).first else { throw StartupError("\(file) is empty") }
            return String(line)
        }

        private static let noName = "Cannot ask for the user name without a terminal; use --user"
        private static let noPassword = "Cannot ask for the password without a terminal; use --password-file"
    }

    /// The host, and the commands typed at its terminal.
    private struct Service: ServiceLifecycle.Service {
        let host: SimBridgeHost
        let world: SimulatedDriver?

        func run() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await withAsyncGracefulShutdownHandler {
                        try await host.run()
                    } onGracefulShutdown: {
                        write("Stopping …")
                        await host.stop()
                    }
                }
                group.addTask { await obey() }
                try await group.next()
                group.cancelAll()
            }
        }

        /// Carries out the commands on standard input. Returns only when cancelled: the input may end early, or never begin.
        private func obey() async {
            for await line in StandardInput.lines {
                do {
                    guard let command = try HostConsole.parse(line) else { continue }
                    switch command {
                    case .help: write(HostConsole.help)
                    case .pair: await host.showCode()
                    case .quit: await host.stop()
                    default:
                        guard let world else {
                            write("This command needs simulated SIM cards (--driver simulated).")
                            continue
                        }
                        if let answer = await HostConsole.perform(command, in: world) { write(answer) }
                    }
                } catch {
                    write("\(error)")
                }
            }
            // The host continues after the end of its input.
            await waitForCancellation()
        }
    }
}

/// Prints a notice. On a terminal, a link for phones is also printed as a QR code.
private func show(_ notice: HostNotice) {
    write(notice.words)
    guard case .pairingLink(let link) = notice, isatty(STDOUT_FILENO) == 1 else { return }
    try? FileHandle.standardOutput.write(contentsOf: Data("\n\(TerminalCode.block(link.absoluteString))\n".utf8))
}

/// Writes a line with the time of day to standard output.
private func write(_ text: String) {
    let style = Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false)
    // A closed pipe or a full disk is no reason to stop.
    try? FileHandle.standardOutput.write(contentsOf: Data("\(Date().formatted(style))  \(text)\n".utf8))
}
