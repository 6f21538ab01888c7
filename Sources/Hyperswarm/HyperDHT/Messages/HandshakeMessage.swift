public import CompactEncoding

/// The value of a PEER_HANDSHAKE: a Noise message on its way through a relay.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.6.
public struct HandshakeMessage: Hashable, Sendable {
    private enum Flag {
        static let peerAddress: UInt64 = 1
        static let relayAddress: UInt64 = 2
    }

    public var mode: RoutingMode
    public var noise: [UInt8]
    /// The other end's address as the relay sees it: the client's for the server, the server's for the client.
    public var peerAddress: PeerAddress?
    /// The first relay; nil unless two relays are used.
    public var relayAddress: PeerAddress?

    public init(mode: RoutingMode, noise: [UInt8], peerAddress: PeerAddress? = nil, relayAddress: PeerAddress? = nil) {
        self.mode = mode
        self.noise = noise
        self.peerAddress = peerAddress
        self.relayAddress = relayAddress
    }

    public init(decoding bytes: [UInt8]) throws(CompactEncodingError) {
        var decoder = Decoder(bytes)
        let flags = try decoder.readUInt()
        guard let mode = RoutingMode(rawValue: try decoder.readUInt()) else { throw CompactEncodingError(.invalidValue, "mode") }
        self.mode = mode
        noise = try decoder.readBuffer()
        peerAddress = flags & Flag.peerAddress != 0 ? try decoder.readAddress() : nil
        relayAddress = flags & Flag.relayAddress != 0 ? try decoder.readAddress() : nil
    }

    public var encoded: [UInt8] {
        var encoder = Encoder(capacity: noise.count + 20)
        encoder.writeUInt((peerAddress == nil ? 0 : Flag.peerAddress) | (relayAddress == nil ? 0 : Flag.relayAddress))
        encoder.writeUInt(mode.rawValue)
        encoder.writeBuffer(noise)
        if let peerAddress { encoder.writeAddress(peerAddress) }
        if let relayAddress { encoder.writeAddress(relayAddress) }
        return encoder.bytes
    }
}
