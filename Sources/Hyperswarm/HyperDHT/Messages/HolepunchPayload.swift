public import CompactEncoding
import CryptoPrimitives

/// One side's state of a hole punch, sent to the other side encrypted inside a ``HolepunchMessage``.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.11.1.
public struct HolepunchPayload: Hashable, Sendable {
    private enum Flag {
        static let connected: UInt64 = 1
        static let punching: UInt64 = 2
        static let addresses: UInt64 = 4
        static let remoteAddress: UInt64 = 8
        static let token: UInt64 = 16
        static let remoteToken: UInt64 = 32
    }

    /// Anything but `none` aborts the hole punch.
    public var error = PeerError.none
    public var firewall = Firewall.unknown
    public var round: UInt64 = 0
    public var isConnected = false
    /// True once the sender sends probes.
    public var isPunching = false
    /// The sender's public addresses as it sampled them. Port 0 stands for random ports.
    public var addresses: [PeerAddress]?
    /// The address to which the sender has sent a probe already.
    public var remoteAddress: PeerAddress?
    /// 32 bytes for the receiver to echo as ``remoteToken``.
    public var token: [UInt8]?
    /// The token of the receiver's last message, which proves that the sender can receive at its address.
    public var remoteToken: [UInt8]?

    public init() {}

    public init(decoding bytes: [UInt8]) throws(CompactEncodingError) {
        var decoder = Decoder(bytes)
        let flags = try decoder.readUInt()
        error = PeerError(rawValue: try decoder.readUInt())
        firewall = Firewall(wire: try decoder.readUInt())
        round = try decoder.readUInt()
        isConnected = flags & Flag.connected != 0
        isPunching = flags & Flag.punching != 0
        addresses = flags & Flag.addresses != 0 ? try decoder.readAddresses() : nil
        remoteAddress = flags & Flag.remoteAddress != 0 ? try decoder.readAddress() : nil
        token = flags & Flag.token != 0 ? try decoder.readFixed(32) : nil
        remoteToken = flags & Flag.remoteToken != 0 ? try decoder.readFixed(32) : nil
    }

    public var encoded: [UInt8] {
        var encoder = Encoder(capacity: 128)
        var flags: UInt64 = 0
        if isConnected { flags |= Flag.connected }
        if isPunching { flags |= Flag.punching }
        if addresses != nil { flags |= Flag.addresses }
        if remoteAddress != nil { flags |= Flag.remoteAddress }
        if token != nil { flags |= Flag.token }
        if remoteToken != nil { flags |= Flag.remoteToken }
        encoder.writeUInt(flags)
        encoder.writeUInt(error.rawValue)
        encoder.writeUInt(firewall.rawValue)
        encoder.writeUInt(round)
        if let addresses { encoder.writeAddresses(addresses) }
        if let remoteAddress { encoder.writeAddress(remoteAddress) }
        if let token { encoder.writeFixed(token) }
        if let remoteToken { encoder.writeFixed(remoteToken) }
        return encoder.bytes
    }

    /// Returns the nonce and the encrypted payload.
    ///
    /// - Parameters:
    ///   - key: The secret of 32 bytes that both sides derive from the handshake.
    ///   - nonce: 24 random bytes, never used twice.
    public func sealed(key: [UInt8], nonce: [UInt8]) -> [UInt8] {
        nonce + SecretBox.seal(encoded, key: key, nonce: nonce)
    }

    /// Decrypts and decodes a payload.
    ///
    /// - Throws: ``CompactEncodingError`` with code `invalidValue` when the payload was not sealed with `key`.
    public init(opening payload: [UInt8], key: [UInt8]) throws(CompactEncodingError) {
        guard payload.count >= SecretBox.nonceSize,
            let plaintext = SecretBox.open(
                Array(payload.dropFirst(SecretBox.nonceSize)), key: key, nonce: Array(payload.prefix(SecretBox.nonceSize)))
        else { throw CompactEncodingError(.invalidValue, "hole punch payload") }
        try self.init(decoding: plaintext)
    }
}
