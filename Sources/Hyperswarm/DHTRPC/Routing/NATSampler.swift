public import CompactEncoding

/// An estimate of this node's public address from the addresses that other nodes saw.
///
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 3.10; nat-sampler 1.0.1.
public struct NATSampler: Sendable {
    /// Maximum samples. A new sample replaces the oldest one.
    static let capacity = 16

    private struct Sample { var address: PeerAddress, source: PeerAddress? }
    private var samples: [Sample] = []

    /// Address on which enough samples agree. Port 0 if they agree on the host only; nil if on neither.
    public private(set) var address: PeerAddress?

    public init() {}

    public var sampleCount: Int { samples.count }

    /// Adds the address that one node saw. With a source, the sample replaces the former one of the same node, so that no
    /// single node outvotes others.
    public mutating func add(_ address: PeerAddress, from source: PeerAddress? = nil) {
        if let source { samples.removeAll { $0.source == source } }
        samples.append(Sample(address: address, source: source))
        if samples.count > Self.capacity { samples.removeFirst() }
        self.address = evaluate()
    }

    private func evaluate() -> PeerAddress? {
        let count = samples.count
        let threshold =
            switch count {
            case ..<4: count
            case ..<8: count - 1
            case ..<12: count - 2
            default: count - 3
            }
        var addresses: [PeerAddress: Int] = [:]
        var hosts: [UInt32: Int] = [:]
        for sample in samples {
            addresses[sample.address, default: 0] += 1
            hosts[sample.address.octets, default: 0] += 1
        }
        // At most one can reach the threshold, which is more than half.
        if let found = addresses.first(where: { $0.value >= threshold }) { return found.key }
        if let found = hosts.first(where: { $0.value >= threshold }) { return PeerAddress(octets: found.key, port: 0) }
        return nil
    }
}
