import CSodium

/// An Ed25519 key pair: the identity of a peer, or an ephemeral key of a handshake.
///
/// The textual forms show the public key only.
public struct KeyPair: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The length of an Ed25519 seed in bytes.
    public static let seedSize = 32
    /// The length of a detached signature in bytes.
    public static let signatureSize = 64

    public let publicKey: PublicKey
    /// The secret key in libsodium's form: the 32 bytes of the seed, then the public key.
    private let secretKey: [UInt8]

    /// Derives the key pair of an Ed25519 seed. Returns `nil` unless `seed` has 32 bytes.
    public init?(seed: [UInt8]) {
        guard seed.count == KeyPair.seedSize else { return nil }
        Sodium.start()
        var publicBytes = [UInt8](repeating: 0, count: PublicKey.size)
        var secretBytes = [UInt8](repeating: 0, count: 64)
        guard crypto_sign_seed_keypair(&publicBytes, &secretBytes, seed) == 0, let key = PublicKey(publicBytes) else { return nil }
        publicKey = key
        secretKey = secretBytes
    }

    /// Creates a new key pair from the system's random source.
    public static func generate() -> KeyPair {
        guard let pair = KeyPair(seed: RandomBytes.make(seedSize)) else { preconditionFailure("a seed has 32 bytes") }
        return pair
    }

    /// The Ed25519 seed. A secret: anyone with the seed can act as this peer.
    public var seed: [UInt8] { Array(secretKey.prefix(KeyPair.seedSize)) }

    /// Returns the detached signature of `message`, 64 bytes. Ed25519 signatures are deterministic.
    public func sign(_ message: [UInt8]) -> [UInt8] {
        Sodium.start()
        return [UInt8](unsafeUninitializedCapacity: KeyPair.signatureSize) { signature, count in
            let result = crypto_sign_detached(signature.baseAddress!, nil, message, UInt64(message.count), secretKey)
            precondition(result == 0)
            count = KeyPair.signatureSize
        }
    }

    /// The clamped scalar of the key: the first half of the seed's SHA-512, with bits set and cleared (RFC 8032, section 5.1.5).
    public var scalar: [UInt8] {
        Sodium.start()
        var digest = [UInt8](repeating: 0, count: 64)
        let result = crypto_hash_sha512(&digest, secretKey, UInt64(KeyPair.seedSize))
        precondition(result == 0)
        digest[0] &= 248
        digest[31] &= 127
        digest[31] |= 64
        return Array(digest.prefix(32))
    }

    /// Multiplies a remote public key by this key's scalar: the Diffie-Hellman function of the network's Noise handshakes.
    ///
    /// The multiplication is that of the Edwards curve without a second clamping, not X25519.
    ///
    /// - Returns: A compressed point of 32 bytes, or `nil` for a key that is not on the curve or has a small order.
    public func sharedPoint(with remote: PublicKey) -> [UInt8]? {
        Sodium.start()
        var point = [UInt8](repeating: 0, count: 32)
        guard crypto_scalarmult_ed25519_noclamp(&point, scalar, remote.bytes) == 0 else { return nil }
        return point
    }

    public var description: String { "KeyPair(\(publicKey.hex))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}
