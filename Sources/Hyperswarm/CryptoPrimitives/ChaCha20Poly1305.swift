import CSodium

/// Authenticated encryption with ChaCha20-Poly1305 (RFC 8439), keys of 32 and nonces of 12 bytes.
public enum ChaCha20Poly1305 {
    /// The length that encryption adds, in bytes.
    public static let overhead = 16

    /// Encrypts `plaintext` and authenticates it together with `associatedData`.
    public static func seal(_ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], associatedData: [UInt8] = []) -> [UInt8] {
        precondition(key.count == 32 && nonce.count == 12)
        Sodium.start()
        let size = plaintext.count + overhead
        return [UInt8](unsafeUninitializedCapacity: size) { output, count in
            let result = crypto_aead_chacha20poly1305_ietf_encrypt(
                output.baseAddress!, nil, plaintext, UInt64(plaintext.count), associatedData, UInt64(associatedData.count), nil,
                nonce,
                key)
            precondition(result == 0)
            count = size
        }
    }

    /// Decrypts the result of ``seal(_:key:nonce:associatedData:)``; nil for bytes that were not sealed with these parameters.
    public static func open(_ ciphertext: [UInt8], key: [UInt8], nonce: [UInt8], associatedData: [UInt8] = []) -> [UInt8]? {
        precondition(key.count == 32 && nonce.count == 12)
        guard ciphertext.count >= overhead else { return nil }
        Sodium.start()
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count - overhead)
        let result = crypto_aead_chacha20poly1305_ietf_decrypt(
            &plaintext, nil, nil, ciphertext, UInt64(ciphertext.count), associatedData, UInt64(associatedData.count), nonce, key)
        return result == 0 ? plaintext : nil
    }
}
