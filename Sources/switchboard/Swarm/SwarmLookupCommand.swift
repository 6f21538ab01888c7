import ArgumentParser
import CompactEncoding
import CryptoPrimitives
import DHTRPC
import HyperDHT

/// `switchboard swarm lookup`.
struct SwarmLookupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookup", abstract: "Print the peers that have announced a topic.",
        discussion: "A line for each peer: its key in hexadecimal, then the nodes that relay to it.")

    @OptionGroup var options: SwarmOptions

    @Argument(help: "A topic.")
    var topic: KeyArgument

    func run() async throws {
        let topic = topic.bytes
        try await SwarmRun.perform(options) { _ in
            let peers = try await SwarmNodes.with(try await options.configuration()) { node in
                try await node.directory.lookup(DHTKey(topic)!).peers
            }
            guard !peers.isEmpty else { throw SwarmFailure(ConnectError(.nothingAnnounced)) }
            for peer in peers {
                let key = Hexadecimal.encode(peer.publicKey.bytes)
                let relays = peer.relayAddresses.map(\.description)
                let line =
                    options.json
                    ? #"{"publicKey":"\#(key)","relayAddresses":[\#(relays.map(SwarmReport.quoted).joined(separator: ","))]}"#
                    : ([key] + relays).joined(separator: " ")
                try await SwarmPipe.write(Array((line + "\n").utf8))
            }
        }
    }
}
