public import CompactEncoding
public import CryptoPrimitives
public import DHTRPC
import SecretStream
public import UDX

/// The use of a blind relay, which carries the packets of two peers that find no path between their networks.
///
/// With ``whenNeeded`` and ``always``, a path without the relay is preferred if it is found within 1 s after the relay is ready.
public enum RelayUse: Hashable, Sendable {
    /// The relay is used after a failed hole punch, and at once in a network with random ports.
    case whenNeeded
    /// The relay is used at once, in parallel with the hole punch. Both peers connect to it whenever neither is reachable.
    case always
    /// The relay is used in place of hole punches: this node sends no probes.
    case only
}

/// The settings of a ``DHTNode``.
public struct NodeConfiguration: Sendable {
    /// Nodes that a walk also asks when it begins with fewer than 20 nodes.
    public var bootstrap: [PeerAddress]
    /// The address to bind to; port 0 for any.
    public var bindAddress = PeerAddress(octets: 0, port: 0)
    /// The role of the node in the network.
    public var role = RPCConfiguration.Role.ephemeral
    /// The identity of connections and servers for which the caller names no other.
    public var keyPair: KeyPair
    /// ``Firewall/open`` for a node that is reachable from anywhere, and says so to its peers. Other kinds are sampled.
    public var firewall = Firewall.unknown
    /// The addresses to send to peers for the local network; `nil` for those of this host's interfaces.
    public var localAddresses: [PeerAddress]?
    /// The public key of the blind relay to use according to ``relayUse``; `nil` for none. Peers may still choose one.
    public var relayThrough: PublicKey?
    public var relayUse = RelayUse.whenNeeded
    /// Maximum time for the connection to a blind relay and the pairing there.
    public var relayTimeout = NodeConfiguration.defaultRelayTimeout
    public var stream = StreamConfiguration()
    /// Maximum size of a frame to accept, in bytes. A peer can make each connection buffer one frame.
    public var maximumFrameSize = EncryptedStream.defaultMaximumFrameSize
    /// The time without a write after which an empty message is sent; zero for none.
    public var keepAliveInterval = Duration.seconds(5)

    public static let defaultRelayTimeout = Duration.seconds(15)

    public init(bootstrap: [PeerAddress] = [], keyPair: KeyPair = .generate()) {
        self.bootstrap = bootstrap
        self.keyPair = keyPair
    }
}
