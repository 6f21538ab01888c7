public import CompactEncoding
public import CryptoPrimitives
public import DHTRPC
import SecretStream
public import UDX

/// The use of a blind relay, which carries the packets of two peers that find no path between their networks.
///
/// A path without the relay is preferred in the first two cases, if it is found within a second after the relay is ready.
public enum RelayUse: Hashable, Sendable {
    /// After a hole punch that failed, and at once in a network with random ports.
    case whenNeeded
    /// At once, beside the hole punch. Both peers connect to the relay each time that neither is reachable.
    case always
    /// In place of hole punches: this node sends no probes.
    case only
}

/// The settings of a ``DHTNode``.
public struct NodeConfiguration: Sendable {
    /// Nodes that are asked while this node knows too few others.
    public var bootstrap: [PeerAddress]
    /// The address to bind to; port 0 for any.
    public var bindAddress = PeerAddress(octets: 0, port: 0)
    /// The part that the node plays in the network.
    public var role = RPCConfiguration.Role.ephemeral
    /// The identity of connections whose caller names no other.
    public var keyPair: KeyPair
    /// ``Firewall/open`` for a node that is reachable from anywhere, which then tells its peers so. Anything else is found out.
    public var firewall = Firewall.unknown
    /// The addresses that peers of the same local network are told; `nil` for those of this host's interfaces.
    public var localAddresses: [PeerAddress]?
    /// The public key of the blind relay that connections use when ``relayUse`` says so. `nil` for none; peers may still choose one.
    public var relayThrough: PublicKey?
    public var relayUse = RelayUse.whenNeeded
    /// The time for the connection to a blind relay and the pairing there.
    public var relayTimeout = NodeConfiguration.defaultRelayTimeout
    public var stream = StreamConfiguration()
    /// The longest frame to accept, in bytes. A peer can make a connection hold one.
    public var maximumFrameSize = EncryptedStream.defaultMaximumFrameSize
    /// The time without a write after which an empty message is sent; zero for none.
    public var keepAliveInterval = Duration.seconds(5)

    public static let defaultRelayTimeout = Duration.seconds(15)

    public init(bootstrap: [PeerAddress] = [], keyPair: KeyPair = .generate()) {
        self.bootstrap = bootstrap
        self.keyPair = keyPair
    }
}
