import CompactEncoding
import DHTRPC

/// The way of one stream through a blind relay.
struct RelayPath: Hashable, Sendable {
    /// The id under which the relay takes this side's packets.
    var streamID: UInt32
    var address: PeerAddress
    var socket: SocketID
}
