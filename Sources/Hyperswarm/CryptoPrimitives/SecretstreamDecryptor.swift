import CSodium

/// The receiving half of libsodium's secretstream (XChaCha20-Poly1305).
public struct SecretstreamDecryptor: Sendable {
    private var state = crypto_secretstream_xchacha20poly1305_state()

    /// Returns `nil` when `key` does not have 32 or `header` does not have 24 bytes.
    public init?(key: [UInt8], header: [UInt8]) {
        guard key.count == SecretstreamEncryptor.keySize, header.count == SecretstreamEncryptor.headerSize else { return nil }
        Sodium.start()
        guard crypto_secretstream_xchacha20poly1305_init_pull(&state, header, key) == 0 else { return nil }
    }

    /// Decrypts the next message.
    ///
    /// - Parameters:
    ///   - ciphertext: The message with its 17 bytes of overhead.
    ///   - output: Receives the plaintext; exactly 17 bytes shorter than `ciphertext`.
    /// - Returns: The message's tag, or `nil` for a message that is not the next one of this stream. The state is then unchanged.
    public mutating func decrypt(_ ciphertext: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> UInt8? {
        guard ciphertext.count >= SecretstreamEncryptor.overhead,
            output.count == ciphertext.count - SecretstreamEncryptor.overhead
        else { return nil }
        var tag: UInt8 = 0
        let source = ciphertext.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let target = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = crypto_secretstream_xchacha20poly1305_pull(&state, target, nil, &tag, source, UInt64(ciphertext.count), nil, 0)
        return result == 0 ? tag : nil
    }
}
