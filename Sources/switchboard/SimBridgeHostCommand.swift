import ArgumentParser
import Foundation
import Logging
import NIOTransport
import QRCode
import ServerKit
import ServiceLifecycle
import SimBridgeHost
import SimBridgeWire
import StorageKit
import UnixSignals

/// `switchboard simbridge`.
struct SimBridgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simbridge", abstract: "The machine with the SIM cards.", subcommands: [SimBridgeHostCommand.self])
}

/// `switchboard simbridge host`.
struct SimBridgeHostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host",
        abstract: "Send texts and make calls for clients elsewhere, by this machine's SIM cards.",
        discussion: """
            Logs in at a relay, stays connected, and does what paired clients ask for. The
            first time:

              switchboard simbridge host --relay http://localhost:8077/simbridge --register

            --register makes the account; leave it out for one that you have made in the
            app. A relay alone ('switchboard serve simbridge') is at http://localhost:8100.
            User name and password are asked for; the password is not kept. Type the
            pairing code that appears into the client. Later 'switchboard simbridge host'
            is enough, until the relay asks for the password again.

            Without a modem, --driver simulated shows how all this works: two SIM cards
            that exist only here; what they send is written to simulated-sent.jsonl in the
            data folder. Type 'help' while it runs. --driver modemmanager uses the modems
            of ModemManager, by its tool mmcli. Ctrl-C ends it in order.
            """)

    enum Driver: String, ExpressibleByArgument, CaseIterable { case simulated, modemmanager }

    @Option(
        help: ArgumentHelp(
            "The relay's address, http or https, with a path if it has one. [default: the one used last]", valueName: "URL"))
    var relay: String?

    @Option(help: ArgumentHelp("The account's user name. [default: asked for]", valueName: "name"))
    var user: String?

    @Option(help: ArgumentHelp("Read the password from the first line of this file.", valueName: "file"))
    var passwordFile: String?

    @Flag(help: "Make the account first.")
    var register = false

    @Option(help: ArgumentHelp("What clients call this host. [default: this machine's name]", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Keep the token and what is under way in this folder. [default: \(Self.standardFolder.path)]", valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("Where the SIM cards are: simulated or modemmanager.", valueName: "driver"))
    var driver: Driver = .simulated

    @Flag(help: "Show a pairing code even if a client is paired.")
    var pair = false

    @Option(help: ArgumentHelp("How long the simulated network takes for a text.", valueName: "ms", visibility: .hidden))
    var simulatedSendingTime: Int?

    private static var standardFolder: URL { ServeConfiguration.standardDataFolder.appending(path: "simbridge-host") }

    func run() async throws {
        let folder = data.map { URL(filePath: $0) } ?? Self.standardFolder
        try PrivateFiles.ensureFolder(folder)
        do {
            let identityFile = IdentityFile(folder.appending(path: "host.json"))
            let kept = try identityFile.load()
            let relay = try relayAddress(kept)
            let journal = try HostJournal(path: folder.appending(path: "host.db").path)
            defer { journal.close() }
            try await run(relay, kept, identityFile, journal, folder)
        } catch is CancellationError {
            say("Ended.")
        } catch let problem as RelayProblem {
            throw StartupError(problem.description)
        } catch let problem as DataFolderProblem {
            throw StartupError(problem.description)
        } catch let problem as StorageError {
            throw StartupError(problem.description)
        } catch let failure where !(failure is ValidationError || failure is StartupError) {
            // A damaged journal, say: what is under way stays where it is, and goes on at the next start.
            throw StartupError("The host cannot go on: \(failure)")
        }
    }

    private func run(
        _ relay: URL, _ kept: HostIdentity?, _ identityFile: IdentityFile, _ journal: HostJournal, _ folder: URL
    ) async throws {
        var configuration = SimBridgeHost.Configuration(relay: relay, deviceName: try deviceName())
        configuration.username = user
        configuration.registersAccount = register
        configuration.showsCode = pair
        let record = SentRecord(path: folder.appending(path: "simulated-sent.jsonl").path)
        let world = driver == .simulated ? SimulatedDriver(script: try script(), record: record) : nil
        let telephony: any TelephonyDriver =
            world ?? ModemManagerDriver(slotFile: folder.appending(path: "modems.json"))
        let isKnown = kept?.relay == relay.absoluteString && !register
        let account = Account(user: user ?? (isKnown ? kept?.username : nil), passwordFile: passwordFile)
        if !isKnown { try account.checkThatItCanAsk() }
        let host = SimBridgeHost(
            configuration, driver: telephony, journal: journal, identityFile: identityFile, http: AsyncHTTP(), sockets: NIOSocket(),
            credentials: { try await account.credentials() }, notify: { tell($0) })
        greet(relay, record)
        let service = Service(host: host, world: world)
        var logger = Logger(label: "switchboard") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .critical
        var group = ServiceGroupConfiguration(
            services: [
                .init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)
            ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // A text that is being handed over may come to its end; what takes longer is reported as not known at the next start.
        group.maximumGracefulShutdownDuration = .seconds(10)
        try await ServiceGroup(configuration: group).run()
        say("Ended.")
    }

    private func relayAddress(_ kept: HostIdentity?) throws -> URL {
        guard var text = relay ?? kept?.relay else {
            throw ValidationError("--relay is missing: the address of the relay, such as http://localhost:8077/simbridge")
        }
        while text.hasSuffix("/") { text.removeLast() }
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false,
            url.query() == nil, url.fragment() == nil, url.user() == nil
        else {
            throw ValidationError("'\(relay ?? text)' is no address of a relay; one looks like http://localhost:8077/simbridge")
        }
        return url
    }

    private func deviceName() throws -> String {
        let name = name ?? ProcessInfo.processInfo.hostName
        guard Device.nameLength.contains(name.unicodeScalars.count) else {
            throw ValidationError("--name has 1 to \(Device.nameLength.upperBound) characters")
        }
        return name
    }

    private func script() throws -> SimulatedDriver.Script {
        var script = SimulatedDriver.Script()
        if let time = simulatedSendingTime {
            guard (0...60_000).contains(time) else { throw ValidationError("--simulated-sending-time is 0 to 60000") }
            script.sendingTime = .milliseconds(time)
        }
        return script
    }

    private func greet(_ relay: URL, _ record: SentRecord) {
        if driver == .simulated {
            say("The SIM cards are simulated: nothing leaves this machine. Type 'help' for what can happen.")
            say("What they send is written to \(record.path).")
        }
        if relay.scheme == "http", !isLoopback(relay) {
            say("The relay is reached without TLS: the password and all texts travel in the clear.")
        }
    }

    /// Asks who somebody is, once: the password is remembered while the program runs.
    private actor Account {
        private let user: String?
        private let passwordFile: String?
        private var known: Credentials?

        init(user: String?, passwordFile: String?) { (self.user, self.passwordFile) = (user, passwordFile) }

        /// - Throws: `StartupError` when there is nobody to ask and no file to read.
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
            let name = try await terminal.ask("User name: ", echoes: true).trimmingCharacters(in: .whitespaces)
            guard !name.isEmpty else { throw StartupError("There is no user name") }
            return name
        }

        private func password(of name: String) async throws -> String {
            if let passwordFile { return try Self.password(in: passwordFile) }
            let terminal = try Terminal(orElse: Self.noPassword)
            defer { terminal.close() }
            let password = try await terminal.ask("Password of \(name): ", echoes: false)
            guard !password.isEmpty else { throw StartupError("There is no password") }
            return password
        }

        private static func password(in file: String) throws -> String {
            let text = try PrivateFiles.text(of: file)
            guard let line = text.split(whereSeparator: \.isNewline).first else { throw StartupError("\(file) is empty") }
            return String(line)
        }

        private static let noName = "There is no terminal to ask for the user name on; give --user"
        private static let noPassword = "There is no terminal to ask for the password on; give --password-file"
    }

    /// The host, and what a person types meanwhile.
    private struct Service: ServiceLifecycle.Service {
        let host: SimBridgeHost
        let world: SimulatedDriver?

        func run() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await withGracefulShutdownHandler {
                        try await host.run()
                    } onGracefulShutdown: {
                        say("Ending …")
                        // Bridges the callback; the host's own end is waited for above.
                        Task { await host.stop() }
                    }
                }
                group.addTask { await obey() }
                try await group.next()
                group.cancelAll()
            }
        }

        /// Follows standard input until the host ends: there may be none.
        private func obey() async {
            for await line in StandardInput.lines {
                do {
                    guard let command = try HostConsole.parse(line) else { continue }
                    switch command {
                    case .help: say(HostConsole.help)
                    case .pair: await host.showCode()
                    case .quit: await host.stop()
                    default:
                        guard let world else {
                            say("Only simulated SIM cards can do that.")
                            continue
                        }
                        if let answer = await HostConsole.perform(command, in: world) { say(answer) }
                    }
                } catch {
                    say("\(error)")
                }
            }
            // The end of the input is not the end of the host.
            while (try? await Task.sleep(for: .seconds(3600))) != nil {}
        }
    }
}

/// Tells the person at the terminal of a notice. A link for phones is also shown as a QR code where there is a terminal.
private func tell(_ notice: HostNotice) {
    say(notice.words)
    guard case .pairingLink(let link) = notice, isatty(STDOUT_FILENO) == 1, !isLoopback(link),
        let symbol = try? QRSymbol(link.absoluteString)
    else { return }
    try? FileHandle.standardOutput.write(contentsOf: Data("\n\(symbol.terminalText())\n".utf8))
}

/// Another phone does not get to this machine by such an address.
private func isLoopback(_ address: URL) -> Bool { ["localhost", "127.0.0.1", "::1"].contains(address.host()) }

/// Writes what happens to standard output, with the time.
private func say(_ text: String) {
    let style = Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false)
    // Nobody reads it, or the disk is full: that is no reason to stop.
    try? FileHandle.standardOutput.write(contentsOf: Data("\(Date().formatted(style))  \(text)\n".utf8))
}
