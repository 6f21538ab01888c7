import ArgumentParser
import CryptoPrimitives
import DHTRPC
import HyperDHT
import NIOCore

/// `switchboard swarm connect`.
struct SwarmConnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect", abstract: "Connect to a peer, and pipe standard input and output.",
        discussion: """
            The 32 bytes are tried as a key and as a topic. The end of standard input ends
            this side's direction; the command reads on, and exits with status 0 once both
            ends are done, or with status 1 when the peer dies or closes the connection,
            also while standard input is silent. Two networks with random ports need a
            blind relay: --relay.
            """)

    @OptionGroup var options: SwarmOptions

    @Argument(help: ArgumentHelp("A topic, or the key of a peer.", valueName: "topic or key"))
    var target: KeyArgument

    @Option(help: ArgumentHelp("The seed of this side's key: 64 hexadecimal digits. [default: random]", valueName: "hex"))
    var seed: SeedArgument?

    @Option(
        help: ArgumentHelp(
            "The key of a blind relay, which carries the encrypted packets if no hole punch succeeds. [default: none]",
            valueName: "key"))
    var relay: PublicKeyArgument?

    func run() async throws {
        let target = target.bytes
        try await SwarmRun.perform(options) { report in
            let configuration = try await options.configuration(keyPair: seed?.keyPair ?? .generate(), relay: relay)
            try await SwarmNodes.with(configuration) { node in
                let connection = try await Self.connect(node, to: target)
                let key = Hexadecimal.encode(connection.remotePublicKey.bytes)
                if let relay = connection.relay {
                    report.status(
                        "Connected to \(key) through the blind relay \(relay.hex)", "connected",
                        ["publicKey": key, "relay": relay.hex])
                    await connection.onLeaveRelay {
                        report.status("The packets no longer go through the blind relay", "direct", ["publicKey": key])
                    }
                } else {
                    report.status("Connected to \(key)", "connected", ["publicKey": key])
                }
                try await SwarmPipe.run(connection, input: PipeInput()) { report.peerEnded(connection) }
            }
        }
    }

    /// Tries the bytes as a key and as a topic at the same time, and returns the first connection.
    private static func connect(_ node: DHTNode, to target: [UInt8]) async throws -> PeerConnection {
        try await withThrowingTaskGroup(of: PeerConnection.self) { group in
            // Not every 32 bytes are a key.
            if let key = PublicKey(target) { group.addTask { try await node.connect(to: key) } }
            group.addTask { try await connect(node, toPeerOf: target) }
            var failures: [SwarmFailure] = []
            while let result = await group.nextResult() {
                switch result {
                case .success(let connection):
                    group.cancelAll()
                    // A second connection that opened at the same time is closed.
                    while let other = await group.nextResult() { if case .success(let other) = other { await other.destroy() } }
                    return connection
                case .failure(let error): failures.append(SwarmFailure(error))
                }
            }
            // The wrong reading of the bytes always fails with one of these two codes, so the other failure says more.
            throw failures.first { ![.nothingAnnounced, .invalidKey].contains($0.code) } ?? failures.first {
                $0.code != .invalidKey
            }
                ?? failures[0]
        }
    }

    /// Looks a topic up, and dials the peers in the order in which they are found.
    private static func connect(_ node: DHTNode, toPeerOf topic: [UInt8]) async throws -> PeerConnection {
        guard let topic = DHTKey(topic) else { throw SwarmFailure(.nothingAnnounced, "This is no topic.") }
        let peers = try await node.directory.lookup(topic).peers
        var failure = SwarmFailure(ConnectError(.nothingAnnounced))
        for peer in peers where peer.publicKey != node.configuration.keyPair.publicKey {
            do {
                return try await node.connect(to: peer.publicKey, relayAddresses: peer.relayAddresses)
            } catch {
                failure = SwarmFailure(error)
            }
        }
        throw failure
    }
}
