public import CompactEncoding
public import CryptoPrimitives
public import DHTRPC
import SecretStream
public import UDX

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
    public var stream = StreamConfiguration()
    /// The longest frame to accept, in bytes. A peer can make a connection hold one.
    public var maximumFrameSize = EncryptedStream.defaultMaximumFrameSize
    /// The time without a write after which an empty message is sent; zero for none.
    public var keepAliveInterval = Duration.seconds(5)

    public init(bootstrap: [PeerAddress] = [], keyPair: KeyPair = .generate()) {
        self.bootstrap = bootstrap
        self.keyPair = keyPair
    }
}
