import CompactEncoding
import DHTRPC

/// The path of one stream through a blind relay.
struct RelayPath: Hashable, Sendable {
    /// The stream id at which the relay receives this side's packets.
    var streamID: UInt32
    var address: PeerAddress
    var socket: SocketID
}
