public import Foundation

/// An ordered, reliable stream of bytes to a peer that proved its public key.
///
/// The directions end independently: after ``finish()`` this side still reads the peer's bytes. Releasing a stream closes it; bytes
/// that were written before ``finish()`` still arrive.
public protocol ByteStream: AnyObject, Sendable {
    /// The key that the peer proved in the handshake.
    var remoteKey: PeerKey { get }
    /// Waits for the next bytes. Call it from one task at a time. While nothing reads, the peer can write a bounded number of bytes.
    ///
    /// - Returns: One byte or more; nil after the peer's end.
    /// - Throws: ``TransportError``: `ended` when either side closed the stream, `timedOut` when the peer stopped answering, `malformed` when
    ///   the peer broke the protocol; `CancellationError`.
    func read() async throws -> Data?
    /// Writes bytes, after all earlier ones. Waits while the peer does not read. The bytes of two tasks are not mixed.
    ///
    /// - Throws: ``TransportError`` `ended`, also after ``finish()``, or `timedOut`; `CancellationError`, after which a part of the bytes may
    ///   have been sent.
    func write(_ bytes: Data) async throws
    /// Ends this side's direction after all written bytes.
    func finish()
    /// Ends both directions at once. Bytes that the peer has not read may be lost.
    func close()
}

extension ByteStream {
    /// The peer's bytes as they arrive, until its end. See ``read()``.
    public var chunks: ByteStreamChunks { ByteStreamChunks(stream: self) }
}

/// The bytes of a stream, in chunks of any size.
public struct ByteStreamChunks: AsyncSequence, Sendable {
    public typealias Element = Data
    fileprivate let stream: any ByteStream

    public func makeAsyncIterator() -> Iterator { Iterator(stream: stream) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let stream: any ByteStream
        public mutating func next() async throws -> Data? { try await stream.read() }
    }
}
