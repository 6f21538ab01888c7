package import CryptoPrimitives
public import Noise

/// The encryption and framing of one connection: plaintext in and frames out, received bytes in and plaintext out.
///
///     each direction:   uint24 length | stream id (32) | secretstream header (24)      once, length 56
///                       uint24 length | secretstream message                           then one per write
///
/// Lengths are little endian. Frames may arrive split and merged in any way. The value owns no socket: bytes travel over a reliable ordered
/// stream that the owner provides. Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section "Secret stream".
public struct EncryptedStream: Sendable {
    /// The bytes that framing and encryption add to each message.
    public static let overhead = prefixSize + SecretstreamEncryptor.overhead
    /// Maximum size of a body that the framing can express, in bytes.
    public static let protocolMaximumFrameSize = 0xff_ffff
    /// The default limit of a received frame's body in bytes: half of what the framing can express.
    public static let defaultMaximumFrameSize = 8 * 1024 * 1024

    private static let prefixSize = 3
    private static let streamIDSize = 32
    /// Maximum size of a frame whose buffer is kept for the next one, in bytes.
    private static let keptCapacity = 256 * 1024
    private static let headerBodySize = streamIDSize + SecretstreamEncryptor.headerSize

    /// The bytes to send before any other: the frame with this side's stream id and header.
    public let openingFrame: [UInt8]
    /// Maximum size of a body to accept and to write, in bytes.
    public let maximumFrameSize: Int

    private var encryptor: SecretstreamEncryptor
    private var decryptor: SecretstreamDecryptor?
    private let receiveKey: [UInt8]
    private let remoteStreamID: [UInt8]
    /// The received beginning of a frame, with its length prefix.
    private var partial: [UInt8] = []
    private var hasFailed = false

    /// - Parameters:
    ///   - handshake: The outcome of the handshake that this connection follows.
    ///   - maximumFrameSize: Maximum size of a body to accept, in bytes. Memory for a received frame grows with its bytes and not
    ///     with the length that the peer announces.
    public init(_ handshake: NoiseHandshake.Result, maximumFrameSize: Int = defaultMaximumFrameSize) {
        self.init(handshake, maximumFrameSize: maximumFrameSize, encryptor: SecretstreamEncryptor(key: handshake.transmitKey))
    }

    /// Creates a stream with a given encryptor, so that tests can reproduce recorded frames.
    package init(
        _ handshake: NoiseHandshake.Result, maximumFrameSize: Int = defaultMaximumFrameSize, encryptor: SecretstreamEncryptor
    ) {
        precondition((EncryptedStream.headerBodySize...EncryptedStream.protocolMaximumFrameSize).contains(maximumFrameSize))
        self.maximumFrameSize = maximumFrameSize
        self.encryptor = encryptor
        receiveKey = handshake.receiveKey
        let (local, remote) =
            handshake.role == .initiator
            ? (Namespace.streamInitiator, Namespace.streamResponder) : (Namespace.streamResponder, Namespace.streamInitiator)
        remoteStreamID = BLAKE2b.hash(remote, key: handshake.hash)
        openingFrame =
            [UInt8(EncryptedStream.headerBodySize), 0, 0] + BLAKE2b.hash(local, key: handshake.hash) + encryptor.header
    }

    /// True once the peer's header has arrived and fits this connection, which shows that it was sent for this handshake.
    public var hasReceivedHeader: Bool { decryptor != nil }

    /// Count of the bytes held of an incomplete frame.
    var bufferedByteCount: Int { partial.count }

    // MARK: Sending

    /// Encrypts `plaintext` as one frame, or as several when it is longer than ``maximumFrameSize`` allows.
    ///
    /// An empty plaintext gives a keep-alive, which the receiver drops.
    public mutating func encrypt(_ plaintext: UnsafeRawBufferPointer) -> [UInt8] {
        let limit = maximumFrameSize - SecretstreamEncryptor.overhead
        let frameCount = max(1, (plaintext.count + limit - 1) / limit)
        let size = plaintext.count + frameCount * EncryptedStream.overhead
        return [UInt8](unsafeUninitializedCapacity: size) { output, count in
            let output = UnsafeMutableRawBufferPointer(output)
            var rest = plaintext
            var position = 0
            for _ in 0..<frameCount {
                let part = UnsafeRawBufferPointer(rebasing: rest.prefix(limit))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
                let bodySize = part.count + SecretstreamEncryptor.overhead
                output[position] = UInt8(truncatingIfNeeded: bodySize)
                output[position + 1] = UInt8(truncatingIfNeeded: bodySize >> 8)
                output[position + 2] = UInt8(truncatingIfNeeded: bodySize >> 16)
                position += EncryptedStream.prefixSize
                encryptor.encrypt(part, into: UnsafeMutableRawBufferPointer(rebasing: output[position..<position + bodySize]))
                position += bodySize
            }
            count = position
        }
    }

    public mutating func encrypt(_ plaintext: [UInt8]) -> [UInt8] {
        plaintext.withUnsafeBytes { encrypt($0) }
    }

    /// Returns the frame of an empty message, which keeps address mappings of the network alive.
    public mutating func keepAlive() -> [UInt8] {
        encrypt(UnsafeRawBufferPointer(start: nil, count: 0))
    }

    // MARK: Receiving

    /// Processes the next bytes of the stream and returns the messages that they complete, without keep-alives.
    ///
    /// - Throws: ``SecretStreamError``. The stream has then failed; the owner destroys it without a reply. Messages that the same
    ///   bytes completed before the failure are dropped.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(SecretStreamError) -> [[UInt8]] {
        guard !hasFailed else { throw SecretStreamError(.failedEarlier) }
        var messages: [[UInt8]] = []
        var input = bytes
        while !input.isEmpty {
            move(EncryptedStream.prefixSize - partial.count, from: &input)
            guard partial.count >= EncryptedStream.prefixSize else { break }
            let size = Int(partial[0]) | Int(partial[1]) << 8 | Int(partial[2]) << 16
            // The length is checked before any byte of the body is stored.
            if let error = check(bodySize: size) { throw fail(error) }
            if partial.count == EncryptedStream.prefixSize, input.count >= size {
                // The whole body is here: read it in place.
                if let error = read(UnsafeRawBufferPointer(rebasing: input[..<size]), into: &messages) { throw fail(error) }
                input = UnsafeRawBufferPointer(rebasing: input[size...])
            } else {
                move(EncryptedStream.prefixSize + size - partial.count, from: &input)
                guard partial.count == EncryptedStream.prefixSize + size else { break }
                let frame = partial
                let error = frame.withUnsafeBytes {
                    read(UnsafeRawBufferPointer(rebasing: $0[EncryptedStream.prefixSize...]), into: &messages)
                }
                if let error { throw fail(error) }
            }
            partial.removeAll(keepingCapacity: size <= EncryptedStream.keptCapacity)
        }
        return messages
    }

    public mutating func receive(_ bytes: [UInt8]) throws(SecretStreamError) -> [[UInt8]] {
        // `withUnsafeBytes` does not pass a typed error on.
        let result = bytes.withUnsafeBytes { buffer -> Result<[[UInt8]], SecretStreamError> in
            do throws(SecretStreamError) { return .success(try receive(buffer)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Checks that the stream may end here.
    ///
    /// - Throws: ``SecretStreamError`` with code `truncated` inside a frame and before the header.
    public mutating func finish() throws(SecretStreamError) {
        guard !hasFailed else { throw SecretStreamError(.failedEarlier) }
        guard partial.isEmpty, decryptor != nil else {
            throw fail(SecretStreamError(.truncated, "\(partial.count) bytes of a frame"))
        }
    }

    /// Moves up to `count` bytes to ``partial``. A count that is not positive moves nothing.
    private mutating func move(_ count: Int, from input: inout UnsafeRawBufferPointer) {
        let part = input.prefix(max(0, count))
        partial.append(contentsOf: part)
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(part.count))
    }

    private func check(bodySize size: Int) -> SecretStreamError? {
        guard decryptor != nil else {
            return size == EncryptedStream.headerBodySize ? nil : SecretStreamError(.wrongHeader, "length \(size)")
        }
        if size < SecretstreamEncryptor.overhead { return SecretStreamError(.frameTooShort, "length \(size)") }
        if size > maximumFrameSize { return SecretStreamError(.frameTooLong, "length \(size)") }
        return nil
    }

    /// Reads the body of a frame: the header first, then messages.
    private mutating func read(_ body: UnsafeRawBufferPointer, into messages: inout [[UInt8]]) -> SecretStreamError? {
        guard decryptor != nil else {
            let streamID = Array(body.prefix(EncryptedStream.streamIDSize))
            guard ConstantTime.areEqual(streamID, remoteStreamID) else { return SecretStreamError(.wrongHeader, "stream id") }
            decryptor = SecretstreamDecryptor(key: receiveKey, header: Array(body.dropFirst(EncryptedStream.streamIDSize)))
            return nil
        }
        var isAuthentic = false
        let size = body.count - SecretstreamEncryptor.overhead
        let message = [UInt8](unsafeUninitializedCapacity: size) { output, count in
            isAuthentic =
                decryptor?.decrypt(
                    body, into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(output)[..<size])) != nil
            count = isAuthentic ? size : 0
        }
        guard isAuthentic else { return SecretStreamError(.authenticationFailed) }
        if !message.isEmpty { messages.append(message) }
        return nil
    }

    private mutating func fail(_ error: SecretStreamError) -> SecretStreamError {
        hasFailed = true
        partial = []
        return error
    }
}
