public import CompactEncoding

/// The value of a PEER_HOLEPUNCH: an encrypted ``HolepunchPayload`` on its way through a relay.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.11.1.
public struct HolepunchMessage: Hashable, Sendable {
    private static let peerAddressFlag: UInt64 = 1

    public var mode: RoutingMode
    /// The server's number for the handshake. Replies carry 0.
    public var id: UInt64
    /// The result of ``HolepunchPayload/sealed(key:nonce:)``.
    public var payload: [UInt8]
    /// The other end's address as the relay sees it: the client's for the server, the server's for the client.
    public var peerAddress: PeerAddress?

    public init(mode: RoutingMode, id: UInt64, payload: [UInt8], peerAddress: PeerAddress? = nil) {
        self.mode = mode
        self.id = id
        self.payload = payload
        self.peerAddress = peerAddress
    }

    public init(decoding bytes: [UInt8]) throws(CompactEncodingError) {
        var decoder = Decoder(bytes)
        let flags = try decoder.readUInt()
        guard let mode = RoutingMode(rawValue: try decoder.readUInt()) else { throw CompactEncodingError(.invalidValue, "mode") }
        self.mode = mode
        id = try decoder.readUInt()
        payload = try decoder.readBuffer()
        peerAddress = flags & HolepunchMessage.peerAddressFlag != 0 ? try decoder.readAddress() : nil
    }

    public var encoded: [UInt8] {
        var encoder = Encoder(capacity: payload.count + 20)
        encoder.writeUInt(peerAddress == nil ? 0 : HolepunchMessage.peerAddressFlag)
        encoder.writeUInt(mode.rawValue)
        encoder.writeUInt(id)
        encoder.writeBuffer(payload)
        if let peerAddress { encoder.writeAddress(peerAddress) }
        return encoder.bytes
    }
}
