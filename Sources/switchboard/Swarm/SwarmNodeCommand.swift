import ArgumentParser
import CompactEncoding
import CryptoPrimitives
import DHTRPC
import HyperDHT
import WireKit

/// `switchboard swarm node`.
struct SwarmNodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "node", abstract: "Run a node that stores announcements and relays handshakes for others.",
        discussion: """
            Such nodes make up a private network, or help the public one. The node needs an
            address at which every other reaches it. It stays up when no bootstrap node
            answers, and learns others from their requests: so the first node of a network
            starts. With --blind-relay it also carries the encrypted packets of peers that
            name its key and find no path between their networks.

              switchboard swarm node --listen 192.0.2.7:49737 --bootstrap 192.0.2.8:49737
            """)

    @OptionGroup var options: SwarmOptions

    @Option(help: ArgumentHelp("The address at which others reach this node.", valueName: "IP:port"))
    var listen: ListenAddress

    @Flag(help: "Be a blind relay too.")
    var blindRelay = false

    @Option(help: ArgumentHelp("The seed of the blind relay's key: 64 hexadecimal digits. [default: random]", valueName: "hex"))
    var seed: SeedArgument?

    func run() async throws {
        try await SwarmRun.perform(options, endsQuietly: true) { report in
            // Without --bootstrap this is the first node of a network.
            var configuration = NodeConfiguration(
                bootstrap: options.bootstrapNodes.isEmpty ? [] : try await options.bootstrapAddresses())
            configuration.bindAddress = listen.address
            configuration.role = .persistent(listen.address.port == 0 ? nil : listen.address)
            let node = try await SwarmNodes.start(configuration)
            let address = await node.localAddress
            report.status("Listening on \(address)", "listening", ["address": "\(address)"])
            let count = await node.rpc.bootstrapped()
            report.status("Nodes that answered: \(count)", "joined", ["nodes": "\(count)"])
            if blindRelay {
                let relay = try await BlindRelay.start(on: node, keyPair: seed?.keyPair ?? .generate())
                let key = relay.publicKey.hex
                report.status("Blind relay \(key)", "relaying", ["publicKey": key])
            }
            await waitForCancellation()
            await node.close()
        }
    }
}

/// An IPv4 address and a port to listen at.
struct ListenAddress: ExpressibleByArgument {
    let address: PeerAddress

    init?(argument: String) {
        guard let address = PeerAddress(argument) else { return nil }
        self.address = address
    }
}

/// The start and the end of a node, for all commands.
enum SwarmNodes {
    /// - Throws: ``SwarmFailure`` with `cannotListen`.
    static func start(_ configuration: NodeConfiguration) async throws -> DHTNode {
        do {
            return try await DHTNode.start(configuration)
        } catch {
            throw SwarmFailure(.cannotListen, "Cannot listen on \(configuration.bindAddress): \(error)")
        }
    }

    /// Runs `body` with a node, which is closed afterwards.
    static func with<Result: Sendable>(
        _ configuration: NodeConfiguration, _ body: (DHTNode) async throws -> Result
    ) async throws -> Result {
        let node = try await start(configuration)
        do {
            let result = try await body(node)
            await node.close()
            return result
        } catch {
            await node.close()
            throw error
        }
    }
}
