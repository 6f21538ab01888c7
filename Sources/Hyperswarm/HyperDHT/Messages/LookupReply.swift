public import CompactEncoding

/// The value of a reply to LOOKUP: peers that announced themselves under the topic.
public struct LookupReply: Hashable, Sendable {
    /// Maximum records that a node puts into one reply.
    public static let maximumPeerCount = 20
    /// Maximum records in a reply to a requester that has not proved its address by a token. An attacker can send requests with a
    /// forged source address, which directs the replies there.
    public static let maximumUnprovedPeerCount = 3

    public var peers: [PeerRecord]
    /// A number by which announcers ask clients to look again; 0 when it is not used.
    public var bump: UInt64

    public init(peers: [PeerRecord], bump: UInt64 = 0) {
        self.peers = peers
        self.bump = bump
    }

    public init(decoding bytes: [UInt8]) throws(CompactEncodingError) {
        var decoder = Decoder(bytes)
        peers = try decoder.readArray { (decoder: inout Decoder) throws(CompactEncodingError) in try PeerRecord(from: &decoder) }
        // Older nodes do not send the field.
        bump = decoder.isAtEnd ? 0 : try decoder.readUInt()
    }

    public var encoded: [UInt8] {
        var encoder = Encoder(capacity: 16 + peers.count * 51)
        encoder.writeArray(peers) { encoder, peer in peer.encode(to: &encoder) }
        encoder.writeUInt(bump)
        return encoder.bytes
    }
}
