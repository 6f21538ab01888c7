public import CompactEncoding
public import CryptoPrimitives

/// A value that its owner can replace, stored under the owner's target.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.5.
public struct MutableRecord: Hashable, Sendable {
    /// Maximum size of a value that nodes store, mutable or not, in bytes: a reply with it, a signature and 20 closer nodes fits
    /// into one IP packet of 1,500 bytes.
    public static let maximumValueSize = 1198

    public var publicKey: PublicKey
    /// The sequence number of the revision. Nodes keep the highest.
    public var sequence: UInt64
    public var value: [UInt8]
    /// The signature of sequence number and value, 64 bytes.
    public var signature: [UInt8]

    public init(publicKey: PublicKey, sequence: UInt64, value: [UInt8], signature: [UInt8]) {
        self.publicKey = publicKey
        self.sequence = sequence
        self.value = value
        self.signature = signature
    }

    /// Creates a signed record.
    public init(keyPair: KeyPair, sequence: UInt64, value: [UInt8]) {
        self.init(
            publicKey: keyPair.publicKey, sequence: sequence, value: value,
            signature: keyPair.sign(MutableRecord.signable(sequence: sequence, value: value)))
    }

    /// Decodes the value of a MUTABLE_PUT request.
    public init(decodingPut bytes: [UInt8]) throws(CompactEncodingError) {
        var decoder = Decoder(bytes)
        let publicKey = try decoder.readPublicKey()
        try self.init(publicKey: publicKey, decoder: &decoder)
    }

    /// Decodes the value of a reply to MUTABLE_GET, which does not repeat the key.
    public init(decodingReply bytes: [UInt8], publicKey: PublicKey) throws(CompactEncodingError) {
        var decoder = Decoder(bytes)
        try self.init(publicKey: publicKey, decoder: &decoder)
    }

    private init(publicKey: PublicKey, decoder: inout Decoder) throws(CompactEncodingError) {
        self.publicKey = publicKey
        sequence = try decoder.readUInt()
        value = try decoder.readBuffer()
        signature = try decoder.readFixed(KeyPair.signatureSize)
    }

    /// The value of a MUTABLE_PUT request.
    public var encodedPut: [UInt8] { publicKey.bytes + encodedReply }

    /// The value of a reply to MUTABLE_GET.
    public var encodedReply: [UInt8] {
        MutableRecord.signedPart(sequence: sequence, value: value) + signature
    }

    /// True when the owner of the key signed value and revision.
    public var isValid: Bool {
        publicKey.isValidSignature(signature, for: MutableRecord.signable(sequence: sequence, value: value))
    }

    /// The target of an immutable value: its hash.
    public static func immutableTarget(of value: [UInt8]) -> [UInt8] {
        BLAKE2b.hash(value)
    }

    private static func signedPart(sequence: UInt64, value: [UInt8]) -> [UInt8] {
        var encoder = Encoder(capacity: value.count + 12)
        encoder.writeUInt(sequence)
        encoder.writeBuffer(value)
        return encoder.bytes
    }

    private static func signable(sequence: UInt64, value: [UInt8]) -> [UInt8] {
        Namespace.mutablePut + BLAKE2b.hash(signedPart(sequence: sequence, value: value))
    }
}
