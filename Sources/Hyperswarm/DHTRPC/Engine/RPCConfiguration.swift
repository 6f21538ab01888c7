public import CompactEncoding

/// Settings of a DHT node.
public struct RPCConfiguration: Sendable {
    /// The role of a node in the network.
    public enum Role: Hashable, Sendable {
        /// Asks other nodes and stays out of their tables: the role of phones and laptops.
        case ephemeral
        /// Sends its id, so that other nodes enter it into their tables and store records on it. Requires an address that
        /// every other node reaches; if nil, the node uses the address on which the samples of other nodes agree.
        case persistent(PeerAddress?)
    }

    /// Nodes that a walk also asks when it begins with fewer than ``RoutingTable/rowCapacity`` nodes.
    public var bootstrap: [PeerAddress]
    public var role: Role

    public init(bootstrap: [PeerAddress] = [], role: Role = .ephemeral) {
        self.bootstrap = bootstrap
        self.role = role
    }
}

/// Nodes of the public network that the reference implementation ignores.
///
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 3.12.
enum DroppedNodes {
    private static let addresses: Set<PeerAddress> = Set(
        ["134.209.28.98:49738", "167.99.142.185:49738", "35.233.47.252:9400"].compactMap { PeerAddress($0) })
    private static let hosts: Set<UInt32> = Set(["150.136.142.116:1"].compactMap { PeerAddress($0)?.octets })

    static func contains(_ address: PeerAddress) -> Bool {
        addresses.contains(address) || hosts.contains(address.octets)
    }
}
