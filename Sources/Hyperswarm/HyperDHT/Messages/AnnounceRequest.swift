public import CompactEncoding
public import CryptoPrimitives

/// The value of an ANNOUNCE or UNANNOUNCE request: a peer record, signed for one storing node.
///
/// The signature covers the storing node's id and the token of its reply, so it is invalid at another node or at another time.
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.4.
public struct AnnounceRequest: Hashable, Sendable {
    /// The command for which a value is signed. A signature for one command is invalid for the other.
    public enum Kind: Hashable, Sendable {
        case announce, unannounce

        var namespace: [UInt8] {
            switch self {
            case .announce: Namespace.announce
            case .unannounce: Namespace.unannounce
            }
        }
    }

    private enum Flag {
        static let peer: UInt64 = 1
        static let refresh: UInt64 = 2
        static let signature: UInt64 = 4
        static let bump: UInt64 = 8
    }

    public var peer: PeerRecord?
    /// 32 bytes with which the announcer may later renew the record without a signature.
    public var refresh: [UInt8]?
    /// The signature, 64 bytes; nil for an unsigned value.
    public var signature: [UInt8]?
    /// A number by which the announcer asks clients to look again; 0 when it is not used. Not signed.
    public var bump: UInt64

    public init(peer: PeerRecord?, refresh: [UInt8]? = nil, signature: [UInt8]? = nil, bump: UInt64 = 0) {
        self.peer = peer
        self.refresh = refresh
        self.signature = signature
        self.bump = bump
    }

    /// Creates a signed value.
    ///
    /// - Parameters:
    ///   - target: The topic or the peer's own target, 32 bytes.
    ///   - nodeID: The id in the storing node's reply, 32 bytes.
    ///   - token: The token of that reply, 32 bytes. The request carries it as well.
    public init(
        _ kind: Kind, keyPair: KeyPair, relayAddresses: [PeerAddress] = [], target: [UInt8], nodeID: [UInt8], token: [UInt8],
        refresh: [UInt8]? = nil, bump: UInt64 = 0
    ) {
        let record = PeerRecord(publicKey: keyPair.publicKey, relayAddresses: relayAddresses)
        let message = AnnounceRequest.signable(kind, peer: record, target: target, nodeID: nodeID, token: token, refresh: refresh)
        self.init(peer: record, refresh: refresh, signature: keyPair.sign(message), bump: bump)
    }

    public init(decoding bytes: [UInt8]) throws(CompactEncodingError) {
        var decoder = Decoder(bytes)
        let flags = try decoder.readUInt()
        peer = flags & Flag.peer != 0 ? try PeerRecord(from: &decoder) : nil
        refresh = flags & Flag.refresh != 0 ? try decoder.readFixed(32) : nil
        signature = flags & Flag.signature != 0 ? try decoder.readFixed(KeyPair.signatureSize) : nil
        bump = flags & Flag.bump != 0 ? try decoder.readUInt() : 0
    }

    public var encoded: [UInt8] {
        var encoder = Encoder(capacity: 160)
        var flags: UInt64 = 0
        if peer != nil { flags |= Flag.peer }
        if refresh != nil { flags |= Flag.refresh }
        if signature != nil { flags |= Flag.signature }
        if bump != 0 { flags |= Flag.bump }
        encoder.writeUInt(flags)
        peer?.encode(to: &encoder)
        if let refresh { encoder.writeFixed(refresh) }
        if let signature { encoder.writeFixed(signature) }
        if bump != 0 { encoder.writeUInt(bump) }
        return encoder.bytes
    }

    /// Checks the signature as a storing node does.
    ///
    /// - Returns: False for a wrong signature, and for a value without a peer or without a signature.
    public func isValid(_ kind: Kind, target: [UInt8], nodeID: [UInt8], token: [UInt8]) -> Bool {
        guard let peer, let signature else { return false }
        let message = AnnounceRequest.signable(kind, peer: peer, target: target, nodeID: nodeID, token: token, refresh: refresh)
        return peer.publicKey.isValidSignature(signature, for: message)
    }

    /// Returns the 64 bytes that are signed.
    static func signable(
        _ kind: Kind, peer: PeerRecord, target: [UInt8], nodeID: [UInt8], token: [UInt8], refresh: [UInt8]?
    ) -> [UInt8] {
        kind.namespace + BLAKE2b.hash(target, nodeID, token, peer.encoded, refresh ?? [])
    }
}
