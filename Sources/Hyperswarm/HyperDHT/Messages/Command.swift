/// The requests that HyperDHT adds to those of the distributed hash table. The raw value is the number on the wire.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.1; hyperdht 6.33.0.
public enum Command: UInt64, Hashable, Sendable, CaseIterable {
    case peerHandshake = 0
    case peerHolepunch = 1
    case findPeer = 2
    case lookup = 3
    case announce = 4
    case unannounce = 5
    case mutablePut = 6
    case mutableGet = 7
    case immutablePut = 8
    case immutableGet = 9
    case plugin = 10
}
