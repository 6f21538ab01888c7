import ArgumentParser
import CryptoPrimitives
import DHTRPC
import HyperDHT
import Hyperswarm
import NIOCore

/// `switchboard swarm announce`.
struct SwarmAnnounceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "announce", abstract: "Announce a topic, and serve the peers that connect.",
        discussion: """
            Standard input and output belong to one peer at a time; further peers wait. The command ends when standard input has ended and that peer
            is done. A peer that dies or closes the connection is done as well. With --echo it returns complete lines to every peer until it is
            stopped. Ctrl-C removes the announcement.
            """)

    @OptionGroup var options: SwarmOptions

    @Argument(help: "A topic.")
    var topic: KeyArgument

    @Option(help: ArgumentHelp("The seed of this side's key: 64 hexadecimal digits. [default: random]", valueName: "hex"))
    var seed: SeedArgument?

    @Option(
        help: ArgumentHelp(
            "The key of a blind relay, which carries the encrypted packets if no hole punch succeeds. [default: none]",
            valueName: "key"))
    var relay: PublicKeyArgument?

    @Flag(help: "Return each complete line to its sender.")
    var echo = false

    func run() async throws {
        let topic = DHTKey(topic.bytes)!
        let keyPair = seed?.keyPair ?? .generate()
        try await SwarmRun.perform(options, endsQuietly: true) { report in
            try await SwarmNodes.with(try await options.configuration(keyPair: keyPair, relay: relay)) { node in
                let swarm = Swarm(node: node)
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        await swarm.run()
                        return false
                    }
                    group.addTask {
                        await swarm.join(topic, server: true, client: false)
                        _ = try await swarm.joined(topic)
                        let key = keyPair.publicKey.hex
                        report.status("Announced \(topic) as \(key)", "announced", ["topic": "\(topic)", "publicKey": key])
                        return false
                    }
                    group.addTask {
                        try await serve(swarm.connections, report)
                        return true
                    }
                    while let isOver = try await group.next() { if isOver { group.cancelAll() } }
                }
            }
        }
    }

    /// Serves the peers. Returns when standard input has ended and its peer is done; with ``echo`` only when cancelled.
    private func serve(_ connections: AsyncStream<PeerConnection>, _ report: SwarmReport) async throws {
        guard !echo else {
            return await withDiscardingTaskGroup { group in
                for await connection in connections {
                    group.addTask {
                        await attend(connection, report) {
                            try await SwarmPipe.onEventLoop(of: connection) { try await Self.echo(connection) }
                        }
                    }
                }
            }
        }
        let input = PipeInput()
        for await connection in connections {
            await attend(connection, report) {
                try await SwarmPipe.run(connection, input: input) { report.peerEnded(connection) }
            }
            if input.isOver { return }
        }
    }

    /// Reports the connection and its end. The failure of one connection is no failure of the command.
    private func attend(_ connection: PeerConnection, _ report: SwarmReport, _ body: () async throws -> Void) async {
        let key = connection.remotePublicKey.hex
        report.status("Connected: \(key)", "connected", ["publicKey": key])
        do {
            try await body()
        } catch {
            await connection.destroy()
        }
        report.status("Disconnected: \(key)", "disconnected", ["publicKey": key])
    }

    /// Maximum length of a line to return, in bytes.
    private static let maximumLineLength = 16 * 1024 * 1024

    /// Returns complete lines byte for byte, and answers the peer's end with an end.
    private static func echo(_ connection: PeerConnection) async throws {
        var line = ByteBuffer()
        for try await bytes in connection {
            guard let end = bytes.readableBytesView.lastIndex(of: UInt8(ascii: "\n")) else {
                line.writeImmutableBuffer(bytes)
                if line.readableBytes > maximumLineLength { throw SwarmFailure(.streamFailed, "A line is too long.") }
                continue
            }
            var rest = bytes
            line.writeImmutableBuffer(rest.readSlice(length: end - bytes.readerIndex + 1) ?? ByteBuffer())
            try await connection.write(line)
            line = rest
        }
        await connection.finish()
        _ = try await connection.waitUntilClosed()
    }
}
