public import CompactEncoding

/// The kind of the network in front of one socket, from the addresses under which other nodes see the socket.
///
/// Each node counts once. Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.11.2.
public struct NATClassifier: Sendable {
    /// Minimum samples for a kind other than ``Firewall/unknown``.
    public static let minimumSampleCount = 3
    /// Count of samples at which a node stops asking for more.
    public static let wantedSampleCount = 4
    private static let maximumSampleCount = 32

    private var samples: [PeerAddress: PeerAddress] = [:]
    private let isOpen: Bool

    /// - Parameter isOpen: True for a socket that is known to be reachable from anywhere. Samples then determine its address only.
    public init(isOpen: Bool = false) {
        self.isOpen = isOpen
    }

    public var sampleCount: Int { samples.count }

    /// Adds the address under which `node` sees the socket. A later sample of the same node is ignored.
    public mutating func add(_ address: PeerAddress, from node: PeerAddress) {
        guard samples[node] == nil, samples.count < NATClassifier.maximumSampleCount, address.isSendable else { return }
        samples[node] = address
    }

    private var counts: [(address: PeerAddress, count: Int)] {
        var counts: [PeerAddress: Int] = [:]
        for address in samples.values { counts[address, default: 0] += 1 }
        return counts.map { ($0.key, $0.value) }.sorted { ($1.count, $0.address) < ($0.count, $1.address) }
    }

    public var firewall: Firewall {
        if isOpen { return .open }
        let counts = counts
        guard samples.count >= NATClassifier.minimumSampleCount, let best = counts.first else { return .unknown }
        if best.count >= 3 { return .consistent }
        if best.count == 1 { return .random }
        if Set(counts.map(\.address.octets)).count == 1 { return samples.count > 3 ? .random : .unknown }
        if counts.count > 1, counts[1].count == 2 { return .consistent }
        return samples.count > 4 ? .random : .unknown
    }

    /// The addresses to send to the peer: those seen most often, or the host alone with port 0 if ports are random.
    public var addresses: [PeerAddress] {
        let counts = counts
        guard let best = counts.first else { return [] }
        switch firewall {
        case .unknown: return []
        case .random: return [PeerAddress(octets: best.address.octets, port: 0)]
        case .open, .consistent: return counts.filter { $0.count == best.count }.prefix(4).map(\.address)
        }
    }
}
