import CSodium

/// An Ed25519 public key of 32 bytes, which is also the address of a peer.
///
/// Keys are ordered by their bytes from the first to the last, unsigned.
public struct PublicKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The length of a key in bytes.
    public static let size = 32

    // Four words instead of an array: keys are compared, hashed and copied often, and this form needs no allocation.
    private let word0: UInt64
    private let word1: UInt64
    private let word2: UInt64
    private let word3: UInt64

    /// Returns `nil` unless `bytes` has exactly 32 bytes. A point outside the curve is accepted here and refused when it is used.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == PublicKey.size else { return nil }
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for (index, byte) in bytes.enumerated() {
            switch index >> 3 {
            case 0: words.0 = words.0 << 8 | UInt64(byte)
            case 1: words.1 = words.1 << 8 | UInt64(byte)
            case 2: words.2 = words.2 << 8 | UInt64(byte)
            default: words.3 = words.3 << 8 | UInt64(byte)
            }
        }
        (word0, word1, word2, word3) = words
    }

    /// Reads a key from its text as hexadecimal, base58 or z-base-32.
    public init?(text: String) {
        guard let bytes = KeyText.decode(text) else { return nil }
        self.init(bytes)
    }

    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(PublicKey.size)
        for word in [word0, word1, word2, word3] {
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
        }
        return bytes
    }

    /// The key as 64 lower-case hexadecimal digits.
    public var hex: String { Hexadecimal.encode(bytes) }

    public var description: String { hex }

    /// The target under which the distributed hash table stores the peer's own announcement: the BLAKE2b-256 of the key.
    ///
    /// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section "Keys and targets".
    public var target: [UInt8] { BLAKE2b.hash(bytes) }

    /// Returns true if `signature` is a valid detached Ed25519 signature (64 bytes) of `message`.
    public func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count == KeyPair.signatureSize else { return false }
        Sodium.start()
        return crypto_sign_verify_detached(signature, message, UInt64(message.count), bytes) == 0
    }

    public static func < (left: PublicKey, right: PublicKey) -> Bool {
        (left.word0, left.word1, left.word2, left.word3) < (right.word0, right.word1, right.word2, right.word3)
    }
}
