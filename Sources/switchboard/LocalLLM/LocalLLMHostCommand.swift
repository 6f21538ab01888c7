import ArgumentParser
import CryptoPrimitives
import Foundation
import HyperDHT
import LocalLLMService
import LocalLLMWire
import Logging
import NIOTransport
import NetworkingKit
import ServerKit
import ServiceLifecycle
import StorageKit
import SwarmTransport
import UnixSignals
import WireKit

/// `switchboard localllm host`.
struct LocalLLMHostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host",
        abstract: "Let phones chat with a language model of this computer.",
        discussion: """
            The host prints a Server ID, and a QR code on a terminal. Scan or paste it in
            the app; phone and computer then talk directly, encrypted, without a server in
            between. The same data folder keeps the same Server ID.

            Every node of the network that carries the announcement sees the Server ID, so
            it does not suffice to use the model. The first phone of a new host is let in.
            A later one needs your approval, that of a phone which is known, or the
            invitation in the QR code and the link: for one phone, for an hour.

            Without --engine the host uses Ollama if it answers, then the server of
            OPENAI_BASE_URL, and otherwise a built-in demo, which is not a language model.
            A server that needs a key gets that of OPENAI_API_KEY.

            Type 'help' while the host runs. Ctrl-C stops it.
            """)

    @Option(help: ArgumentHelp("The model that answers. [default: the engine's first]", valueName: "model"))
    var model: String?

    @Option(help: ArgumentHelp("The name that phones show for this host. [default: the name of this machine]", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("The engine: ollama, openai (any compatible server) or demo.", valueName: "engine"))
    var engine: EngineChoice?

    @Option(
        help: ArgumentHelp("The address of the engine. [default: OLLAMA_HOST or OPENAI_BASE_URL]", valueName: "URL"))
    var engineURL: String?

    @Flag(help: "Let every phone that knows the Server ID use the host, without approval.")
    var open = false

    @Flag(help: "Ask about the first phone of a new host, too.")
    var approvePhones = false

    @Option(
        name: .customLong("bootstrap"),
        help: ArgumentHelp("A node to join the network by; may be repeated. [default: the public network]", valueName: "host:port"))
    var bootstrapNodes: [HostAndPort] = []

    @Option(
        help: ArgumentHelp(
            "Keep the key, the known phones and recent answers in this folder. [default: \(LocalLLMCommand.standardFolder.path)]",
            valueName: "folder"))
    var data: String?

    func validate() throws {
        if open, approvePhones { throw ValidationError("--open and --approve-phones exclude each other") }
        if let name, DisplayName.clean(name).isEmpty { throw ValidationError("--name has no visible character") }
        if let model, !DisplayName.isClean(model) {
            throw ValidationError("--model must have 1 to \(DisplayName.maximumSize) bytes, without control characters")
        }
    }

    func run() async throws {
        // Longer than the five minutes after which an engine ends a silent reply itself.
        let http = AsyncHTTP(idleTimeout: .seconds(600))
        let candidates: EngineChoice.Candidates
        do {
            candidates = try EngineChoice.candidates(
                engine, at: engineURL, environment: ProcessInfo.processInfo.environment, http: http)
        } catch {
            throw ValidationError(error.description)
        }
        let folder = data.map { URL(filePath: $0) } ?? LocalLLMCommand.standardFolder
        try PrivateFiles.ensureFolder(folder)
        let identity = try HostIdentity(file: folder.appending(path: "host.key"))
        let store = try LocalLLMCommand.openStore(folder)
        defer { store.close() }
        do {
            try await run(identity, candidates, store)
        } catch let failure as SwarmFailure {
            throw StartupError(failure.message)
        } catch let problem as StorageError {
            throw StartupError(problem.description)
        } catch let problem as EngineChoice.Problem {
            throw StartupError(problem.description)
        }
    }

    private func run(_ identity: HostIdentity, _ candidates: EngineChoice.Candidates, _ store: AnswerStore) async throws {
        guard let keyPair = KeyPair(seed: identity.seed) else { preconditionFailure("an identity has a seed of 32 bytes") }
        var network = SwarmOptions()
        network.bootstrapNodes = bootstrapNodes
        let configuration = try await network.configuration(keyPair: keyPair)
        let terminal = HostTerminal(identity.serverID)
        terminal.showServerID()
        let selection = try await EngineChoice.select(candidates)
        if selection.isSubstitute {
            terminal.write(
                "Neither Ollama nor another model server answers: phones get the built-in demo, which is not a language model.")
        } else {
            terminal.write("\(selection.engine.name) is the engine.")
        }
        if isatty(STDOUT_FILENO) == 1 { terminal.write("Type 'help' for a list of commands.") }
        try await SwarmNodes.with(configuration) { node in
            let host = ModelHost(
                ModelHost.Configuration(
                    hostName: name ?? ProcessInfo.processInfo.hostName, model: model,
                    admission: open ? .open : approvePhones ? .known : .firstPhone),
                acceptor: SwarmTransport(node: node), engine: selection.engine, store: store
            ) { terminal.show($0) }
            terminal.write(try await admissionWords(store))
            terminal.showCode(HostTerminal.isTerminal ? await host.invite() : nil)
            var logger = Logger(label: "switchboard") { StreamLogHandler.standardError(label: $0) }
            logger.logLevel = .critical
            var group = ServiceGroupConfiguration(
                services: [
                    .named(
                        HostService(host: host, engine: selection.engine, store: store, terminal: terminal), endsGroup: true)
                ], gracefulShutdownSignals: EndingSignals.all, logger: logger)
            // The host needs time to inform the phones and to remove the announcement.
            group.maximumGracefulShutdownDuration = .seconds(9)
            try await ServiceGroup(configuration: group).run()
        }
        terminal.write("Stopped.")
    }

    /// Returns the sentence about the phones that may use the host.
    private func admissionWords(_ store: AnswerStore) async throws -> String {
        if open {
            return
                "Open: every phone that knows the Server ID can use this host, and every node that carries the announcement knows it."
        }
        if try await store.isFresh, !approvePhones {
            return "The first phone that connects is let in. Later ones need your approval or an invitation."
        }
        let count = try await store.phones().count(where: \.isApproved)
        return "\(count) known phone\(count == 1 ? "" : "s"). New ones need your approval or an invitation."
    }
}

extension EngineChoice: ExpressibleByArgument {}

/// The host, and the commands typed at its terminal.
private struct HostService: ServiceLifecycle.Service {
    let host: ModelHost
    let engine: any Engine
    let store: AnswerStore
    let terminal: HostTerminal

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await withGracefulShutdownHandler {
                    try await ModelHostService(host).run()
                } onGracefulShutdown: {
                    terminal.write("Stopping …")
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
                try await perform(command)
            } catch is CancellationError {
                return
            } catch {
                terminal.write("\(error)")
            }
        }
        await waitForCancellation()
    }

    private func perform(_ command: HostConsole.Command) async throws {
        switch command {
        case .model(let model):
            try await host.selectModel(model)
            terminal.write("\(await host.model) answers from now on.")
        case .name(let name):
            await host.setHostName(name)
            terminal.write("Phones show this host as \(await host.hostName).")
        case .logs(let isOn):
            terminal.setShowsPhones(isOn)
            terminal.write("Logs are \(isOn ? "on" : "off").")
        case .stop:
            guard await host.wantsToServe else { return terminal.write("The host is stopped already. Type 'start' to start it.") }
            await host.stop()
        case .start:
            guard await !host.wantsToServe else { return terminal.write("The host is running already.") }
            terminal.write("Starting …")
            await host.start()
        case .status: await showStatus()
        case .qr:
            terminal.showServerID()
            terminal.showCode(await host.invite())
        case .phones: try await showPhones()
        case .approve(let text): try await decide(text, isApproved: true)
        case .refuse(let text): try await decide(text, isApproved: false)
        case .remove(let text):
            let phone = try HostConsole.phone(text, of: try await store.phones().map(\.key))
            _ = try await host.remove(phone)
            terminal.write("Phone \(phone.short) and its answers were removed.")
        case .help: terminal.writeBlock(HostConsole.help)
        case .quit: await host.quit()
        }
    }

    private func showStatus() async {
        let (state, model, phones) = (await host.state, await host.model, await host.connectedPhones)
        let stateWord = state == .stopped ? "Stopped" : state == .ready ? "Ready" : "Busy"
        terminal.write("\(stateWord): \(await host.hostName), model \(model.isEmpty ? "unknown" : model). \(engine.name).")
        let names = phones.map(\.short).sorted().joined(separator: ", ")
        terminal.write("Connected phones: \(names.isEmpty ? "none" : names).")
        let waiting = await host.waitingPhones.map(\.short).sorted().joined(separator: ", ")
        if !waiting.isEmpty { terminal.write("Waiting for an approval: \(waiting).") }
    }

    private func showPhones() async throws {
        let (known, connected, waiting) = (try await store.phones(), await host.connectedPhones, await host.waitingPhones)
        if known.isEmpty { terminal.write("No phone has connected yet.") }
        for phone in known {
            let state = waiting.contains(phone.key) ? ", waits for an approval" : connected.contains(phone.key) ? ", connected" : ""
            terminal.writeBlock("\(phone.words)\(state)")
        }
    }

    private func decide(_ text: String, isApproved: Bool) async throws {
        let phone = try HostConsole.phone(text, of: await host.waitingPhones)
        await host.decide(phone, isApproved: isApproved)
    }
}
