import ArgumentParser
import CryptoPrimitives
import Foundation
import LocalLLMClient
import NetworkingKit
import PlatformKit
import ServerKit
import SwarmTransport
import UnixSignals
import WireKit

/// `switchboard localllm chat`.
struct LocalLLMChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Chat with a host from this terminal, as a phone does.",
        discussion: """
            Type a prompt and press Return; the answer appears as it is written. Ctrl-C
            stops an answer, and ends the chat where there is none. In a pipe every line of
            input is one prompt, and only answers go to standard output.

            A lost connection is restored, and the answer goes on where it broke off. The
            transcript stays in the data folder.
            """)

    @Argument(
        help: ArgumentHelp(
            "The Server ID that the host has printed, or its link, which may carry an invitation.",
            valueName: "Server ID or localllm://ID"))
    var host: String

    @Option(
        name: .customLong("bootstrap"),
        help: ArgumentHelp("A node to join the network by; may be repeated. [default: the public network]", valueName: "host:port"))
    var bootstrapNodes: [HostAndPort] = []

    @Option(
        help: ArgumentHelp(
            "Keep this side's key and the transcript in this folder. [default: \(Self.standardFolder.path)]", valueName: "folder"))
    var data: String?

    private static var standardFolder: URL { ServeConfiguration.standardDataFolder.appending(path: "localllm-chat") }

    func run() async throws {
        let folder = data.map { URL(filePath: $0) } ?? Self.standardFolder
        try PrivateFiles.ensureFolder(folder)
        var network = SwarmOptions()
        network.bootstrapNodes = bootstrapNodes
        do {
            try await SwarmNodes.with(try await network.configuration()) { node in
                let hosts = HostNetwork { secret, _ in
                    guard let keyPair = KeyPair(seed: Array(secret)) else { throw PhoneError.failed("the key is not usable") }
                    return SwarmTransport(node: node, keyPair: keyPair)
                }
                try await chat(ChatClient.shared(on: TerminalPhone.phone(in: folder), network: hosts))
            }
        } catch let failure as SwarmFailure {
            throw StartupError("CONNECT_FAILED: \(failure.message)")
        } catch let end as Interruption {
            // Ctrl-C is the normal end of a chat in a terminal.
            if end.signal != .sigint || isatty(STDIN_FILENO) == 0 { throw ExitCode(end.status) }
        }
    }

    /// The signal that ended the chat.
    private struct Interruption: Error {
        var signal: UnixSignal
        /// The exit status that shells give a command that a signal ended.
        var status: Int32 { 128 + (signal == .sigint ? SIGINT : signal == .sighup ? SIGHUP : SIGTERM) }
    }

    @MainActor
    private func chat(_ client: ChatClient) async throws {
        let isInteractive = isatty(STDIN_FILENO) == 1
        let chat = TerminalChat(client, isInteractive: isInteractive)
        let interruption = Locked<UnixSignal?>(nil)
        let running = Task { await client.run() }
        let reading = Task { await chat.read(StandardInput.lines) }
        let chatting = Task { try await chat.run(with: host) }
        let listening = Task {
            for await signal in await UnixSignalsSequence(trapping: EndingSignals.all) {
                if signal == .sigint, isInteractive, chat.stop() { continue }
                interruption.withLock { $0 = $0 ?? signal }
                chatting.cancel()
            }
        }
        let result = await chatting.result
        listening.cancel()
        reading.cancel()
        running.cancel()
        await running.value
        do {
            try result.get()
        } catch is CancellationError {
            throw Interruption(signal: interruption.withLock { $0 } ?? .sigterm)
        }
    }
}
