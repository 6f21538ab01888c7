import CSodium

/// Authenticated encryption with XSalsa20-Poly1305 (`crypto_secretbox_easy`), keys of 32 and nonces of 24 bytes.
public enum SecretBox {
    /// The length of a nonce in bytes.
    public static let nonceSize = 24
    /// The length that encryption adds, in bytes. The nonce is not part of the box.
    public static let overhead = 16

    public static func seal(_ plaintext: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
        precondition(key.count == 32 && nonce.count == nonceSize)
        Sodium.start()
        let size = plaintext.count + overhead
        return [UInt8](unsafeUninitializedCapacity: size) { output, count in
            let result = crypto_secretbox_easy(output.baseAddress!, plaintext, UInt64(plaintext.count), nonce, key)
            precondition(result == 0)
            count = size
        }
    }

    /// Returns `nil` for bytes that were not sealed with this key and nonce.
    public static func open(_ box: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
        precondition(key.count == 32)
        guard nonce.count == nonceSize, box.count >= overhead else { return nil }
        Sodium.start()
        var plaintext = [UInt8](repeating: 0, count: box.count - overhead)
        return crypto_secretbox_open_easy(&plaintext, box, UInt64(box.count), nonce, key) == 0 ? plaintext : nil
    }
}
