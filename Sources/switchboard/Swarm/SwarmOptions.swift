public import ArgumentParser
import CompactEncoding
import CryptoPrimitives
import HyperDHT
public import SwarmTransport

/// The options of every command of `switchboard swarm`.
struct SwarmOptions: ParsableArguments {
    @Option(
        name: .customLong("bootstrap"),
        help: ArgumentHelp("A node to join the network by; may be repeated. [default: the public network]", valueName: "host:port"))
    var bootstrapNodes: [HostAndPort] = []

    @Flag(help: "Write status, results and failures as JSON, one object per line.")
    var json = false

    @Option(help: ArgumentHelp("Give up after this time. [default: never]", valueName: "seconds"))
    var timeout: Seconds?

    /// Returns the addresses of the bootstrap nodes. A host name may have several.
    ///
    /// - Throws: ``SwarmFailure`` with `bootstrapUnknown` when no name resolves.
    func bootstrapAddresses() async throws -> [PeerAddress] {
        let nodes = bootstrapNodes.isEmpty ? HostAndPort.publicNodes : bootstrapNodes
        var addresses: [PeerAddress] = []
        for node in nodes { addresses += await node.addresses() }
        guard !addresses.isEmpty else {
            throw SwarmFailure(
                .bootstrapUnknown, "No bootstrap node has an IPv4 address: \(nodes.map(\.description).joined(separator: ", ")).")
        }
        return addresses
    }

    /// - Parameter relay: The blind relay that the user names.
    func configuration(
        keyPair: KeyPair = .generate(), relay: PublicKeyArgument? = nil
    ) async throws -> NodeConfiguration {
        var configuration = NodeConfiguration(bootstrap: try await bootstrapAddresses(), keyPair: keyPair)
        configuration.relayThrough = relay?.publicKey
        configuration.relayUse = .always
        // A private network on this machine alone stays on it.
        if configuration.bootstrap.allSatisfy(\.isLoopback) {
            configuration.bindAddress = PeerAddress(octets: 0x7f00_0001, port: 0)
        }
        return configuration
    }
}

/// A number of seconds, more than 0.
struct Seconds: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        guard let seconds = Double(argument), seconds > 0, seconds <= 1e9 else { return nil }
        duration = .seconds(seconds)
    }
}

extension HostAndPort: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

/// 32 bytes: a topic, or a peer's public key.
struct KeyArgument: ExpressibleByArgument {
    let bytes: [UInt8]

    init?(argument: String) {
        guard let bytes = KeyText.decode(argument) else { return nil }
        self.bytes = bytes
    }
}

/// The public key of a peer.
struct PublicKeyArgument: ExpressibleByArgument {
    let publicKey: PublicKey

    init?(argument: String) {
        guard let bytes = KeyText.decode(argument), let publicKey = PublicKey(bytes) else { return nil }
        self.publicKey = publicKey
    }
}

/// An Ed25519 seed: 64 hexadecimal digits.
struct SeedArgument: ExpressibleByArgument {
    let keyPair: KeyPair

    init?(argument: String) {
        guard let bytes = Hexadecimal.decode(argument), bytes.count == 32, let keyPair = KeyPair(seed: bytes) else { return nil }
        self.keyPair = keyPair
    }
}
