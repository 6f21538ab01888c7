/// A step of a dial, in order.
public enum ConnectHop: Hashable, Sendable, CaseIterable {
    /// The search for nodes that know the peer.
    case lookup
    /// The handshake, through a node that knows the peer.
    case handshake
    /// The search for a path between the two networks.
    case holePunching
    /// The beginning of the encrypted stream.
    case stream
}
