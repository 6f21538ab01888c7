import CSodium

/// The sending half of libsodium's secretstream (XChaCha20-Poly1305): a sequence of messages that cannot be reordered or dropped.
///
/// Every message carries the tag MESSAGE and no additional data, as the network's streams use it.
public struct SecretstreamEncryptor: Sendable {
    /// The length that encryption adds to each message, in bytes.
    public static let overhead = 17
    /// The length of the stream's header in bytes.
    public static let headerSize = 24
    /// The length of a key in bytes.
    public static let keySize = 32

    private var state = crypto_secretstream_xchacha20poly1305_state()
    /// The bytes that the receiver needs before the first message.
    public let header: [UInt8]

    /// Starts a stream with a new random header. The key has 32 bytes.
    public init(key: [UInt8]) {
        precondition(key.count == SecretstreamEncryptor.keySize)
        Sodium.start()
        var bytes = [UInt8](repeating: 0, count: SecretstreamEncryptor.headerSize)
        let result = crypto_secretstream_xchacha20poly1305_init_push(&state, &bytes, key)
        precondition(result == 0)
        header = bytes
    }

    /// Starts a stream with a given header, to reproduce recorded streams. Nil unless the key has 32 and the header 24 bytes.
    ///
    /// Sender and receiver derive the same state from key and header. Two streams with the same key and header are insecure: use
    /// this in tests only.
    public init?(key: [UInt8], header: [UInt8]) {
        guard key.count == SecretstreamEncryptor.keySize, header.count == SecretstreamEncryptor.headerSize else { return nil }
        Sodium.start()
        guard crypto_secretstream_xchacha20poly1305_init_pull(&state, header, key) == 0 else { return nil }
        self.header = header
    }

    /// Encrypts the next message.
    ///
    /// - Parameter output: Receives the ciphertext; exactly ``overhead`` bytes longer than `plaintext`.
    public mutating func encrypt(_ plaintext: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
        precondition(output.count == plaintext.count + SecretstreamEncryptor.overhead)
        let target = output.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let source = plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self)
        // Tag 0 is MESSAGE.
        let result = crypto_secretstream_xchacha20poly1305_push(&state, target, nil, source, UInt64(plaintext.count), nil, 0, 0)
        precondition(result == 0)
    }
}
