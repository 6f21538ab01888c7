import NIOCore

/// The bytes that the application wrote and that are not in a packet yet.
struct SendQueue: Sendable {
    private var head = ByteBuffer()
    private var rest = CircularBuffer<ByteBuffer>()
    private(set) var count = 0

    mutating func append(_ bytes: ByteBuffer) {
        guard bytes.readableBytes > 0 else { return }
        count += bytes.readableBytes
        if head.readableBytes == 0 { head = bytes } else { rest.append(bytes) }
    }

    /// Moves the first bytes to `target`, which must not be larger than the queue.
    mutating func move(to target: UnsafeMutableRawBufferPointer) {
        var offset = 0
        while offset < target.count {
            let size = min(head.readableBytes, target.count - offset)
            head.withUnsafeReadableBytes { source in
                UnsafeMutableRawBufferPointer(rebasing: target[offset..<(offset + size)])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<size]))
            }
            head.moveReaderIndex(forwardBy: size)
            offset += size
            if head.readableBytes == 0 { head = rest.popFirst() ?? ByteBuffer() }
        }
        count -= target.count
    }

    mutating func removeAll() { self = SendQueue() }
}
