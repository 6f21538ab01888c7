public import CompactEncoding
public import CryptoPrimitives

/// A peer under a topic: its public key and the nodes that relay handshakes to it.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.3.
public struct PeerRecord: Hashable, Sendable {
    /// Maximum relay addresses that nodes store with a record.
    public static let maximumRelayAddressCount = 3

    public var publicKey: PublicKey
    /// Relays in the order in which to try them. The first may be the peer itself.
    public var relayAddresses: [PeerAddress]

    public init(publicKey: PublicKey, relayAddresses: [PeerAddress] = []) {
        self.publicKey = publicKey
        self.relayAddresses = relayAddresses
    }

    public init(decoding bytes: [UInt8]) throws(CompactEncodingError) {
        var decoder = Decoder(bytes)
        try self.init(from: &decoder)
    }

    init(from decoder: inout Decoder) throws(CompactEncodingError) {
        publicKey = try decoder.readPublicKey()
        relayAddresses = try decoder.readAddresses()
    }

    func encode(to encoder: inout Encoder) {
        encoder.writeFixed(publicKey.bytes)
        encoder.writeAddresses(relayAddresses)
    }

    public var encoded: [UInt8] {
        var encoder = Encoder(capacity: 33 + relayAddresses.count * 6)
        encode(to: &encoder)
        return encoder.bytes
    }
}
