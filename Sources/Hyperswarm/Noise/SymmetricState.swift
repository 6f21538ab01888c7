import CryptoPrimitives

/// The hash, chaining key and cipher of a handshake in progress (Noise revision 34, section 5.2).
struct SymmetricState: Sendable {
    private(set) var hash: [UInt8]
    private(set) var chainingKey: [UInt8]
    /// The cipher's key, 32 bytes. `nil` until the first ``mixKey(_:)``.
    private(set) var key: [UInt8]?
    /// Count of the messages encrypted or decrypted with ``key``.
    private var counter: UInt64 = 0

    init(protocolName: String) {
        let name = Array(protocolName.utf8)
        precondition(name.count <= 64)
        hash = name + [UInt8](repeating: 0, count: 64 - name.count)
        chainingKey = hash
    }

    mutating func mixHash(_ data: [UInt8]) {
        hash = BLAKE2b.hash(hash, data, size: 64)
    }

    mutating func mixKey(_ input: [UInt8]) {
        let keys = HMAC.derive(chainingKey: chainingKey, input: input)
        chainingKey = keys.first
        key = Array(keys.second.prefix(32))
        counter = 0
    }

    /// Encrypts once there is a key; before that, returns the plaintext.
    mutating func encryptAndHash(_ plaintext: [UInt8]) -> [UInt8] {
        guard let key else {
            mixHash(plaintext)
            return plaintext
        }
        let ciphertext = ChaCha20Poly1305.seal(plaintext, key: key, nonce: nextNonce(), associatedData: hash)
        mixHash(ciphertext)
        return ciphertext
    }

    /// Returns `nil` for a ciphertext that the peer did not make in this state. The state is then unusable.
    mutating func decryptAndHash(_ ciphertext: [UInt8]) -> [UInt8]? {
        guard let key else {
            mixHash(ciphertext)
            return ciphertext
        }
        let plaintext = ChaCha20Poly1305.open(ciphertext, key: key, nonce: nextNonce(), associatedData: hash)
        mixHash(ciphertext)
        return plaintext
    }

    /// Returns the keys of the initiator's and of the responder's messages, 32 bytes each.
    func split() -> (initiator: [UInt8], responder: [UInt8]) {
        let keys = HMAC.derive(chainingKey: chainingKey, input: [])
        return (Array(keys.first.prefix(32)), Array(keys.second.prefix(32)))
    }

    /// Returns the next nonce: four zero bytes, then the counter little endian.
    private mutating func nextNonce() -> [UInt8] {
        defer { counter += 1 }
        return [0, 0, 0, 0] + withUnsafeBytes(of: counter.littleEndian) { Array($0) }
    }
}
