import ArgumentParser
import CompactEncoding
import CryptoPrimitives
import HyperDHT
import NIOCore

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

    /// The addresses of the bootstrap nodes. A host name may have several.
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

/// A host name or an IPv4 address, and a port.
struct HostAndPort: ExpressibleByArgument, CustomStringConvertible {
    let host: String
    let port: UInt16
    var description: String { "\(host):\(port)" }

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let port = UInt16(parts[1]), port > 0 else { return nil }
        self.init(host: String(parts[0]), port: port)
    }

    private init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    /// The bootstrap nodes of the public network.
    static let publicNodes = ["node1.hyperdht.org", "node2.hyperdht.org", "node3.hyperdht.org"].map {
        HostAndPort(host: $0, port: 49737)
    }

    /// The IPv4 addresses of the host; none when its name does not resolve.
    func addresses() async -> [PeerAddress] {
        if let address = PeerAddress(description) { return [address] }
        let (host, port) = (host, port)
        // The resolver blocks its thread.
        return await Blocking.run {
            guard let found = try? SocketAddress.makeAddressResolvingHost(host, port: Int(port)), let text = found.ipAddress else {
                return []
            }
            return PeerAddress(host: text, port: port).map { [$0] } ?? []
        }
    }
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
