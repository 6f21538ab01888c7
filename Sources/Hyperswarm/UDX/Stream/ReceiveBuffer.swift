import NIOCore

/// A buffer that puts received packets in order and holds their bytes until the application reads them.
///
/// Holds at most the advertised window plus a margin; a packet beyond that is not stored, so that the peer repeats it.
struct ReceiveBuffer: Sendable {
    /// Maximum distance of a packet from the next expected one; packets beyond are dropped.
    static let maximumSpan: PacketNumber = 16 * 1024
    /// Maximum tracked gaps; a packet that would open a further gap is dropped.
    static let maximumGapCount = 1024
    /// Bytes accepted above the window, since a sender probes a closed window with one packet at a time.
    static let margin = 1024 * 1024

    private struct Segment: Sendable {
        var bytes: [UInt8]
        var isEnd: Bool
    }

    /// Maximum unread bytes before the window is closed.
    let capacity: Int
    /// The number of the next packet in order.
    private(set) var expected: PacketNumber = 0
    /// Packets above a gap.
    private(set) var received = PacketRanges()
    private(set) var bufferedBytes = 0
    /// Bytes in order that the application has not read.
    private(set) var readable = ByteBuffer()
    private var segments: [PacketNumber: Segment] = [:]
    /// The number of the packet that ends the stream; nil until it arrives.
    private(set) var end: PacketNumber?
    private var lastReadSize = 0

    init(capacity: Int) { self.capacity = capacity }

    /// True once all packets up to the end have arrived.
    var isComplete: Bool { end.map { expected > $0 } ?? false }

    /// The window to advertise, in bytes.
    var window: Int { max(0, capacity - readable.readableBytes) }

    /// Stores a packet with DATA or END. Returns true if it was new and could be stored.
    mutating func accept(_ number: PacketNumber, isEnd: Bool, payload: UnsafeRawBufferPointer) -> Bool {
        guard number >= expected, number - expected < Self.maximumSpan else { return false }
        // Nothing follows the end, and there is one end.
        if let end, number > end || (isEnd && number != end) { return false }
        guard readable.readableBytes + bufferedBytes + payload.count <= capacity + Self.margin else { return false }

        guard number == expected else {
            guard readable.readableBytes + bufferedBytes + payload.count <= capacity else { return false }
            guard received.count < Self.maximumGapCount || received.contains(number - 1) else { return false }
            if isEnd, let last = received.ranges.last, last.upperBound > number + 1 { return false }
            guard received.insert(number) else { return false }
            segments[number] = Segment(bytes: Array(payload), isEnd: isEnd)
            bufferedBytes += payload.count
            if isEnd { end = number }
            return true
        }
        if isEnd, !received.isEmpty { return false }
        append(payload)
        if isEnd { end = number }
        expected += 1
        while !received.isEmpty, let segment = segments.removeValue(forKey: expected) {
            bufferedBytes -= segment.bytes.count
            segment.bytes.withUnsafeBytes { append($0) }
            expected += 1
        }
        received.removeAll(below: expected)
        return true
    }

    private mutating func append(_ payload: UnsafeRawBufferPointer) {
        guard payload.count > 0 else { return }
        if readable.capacity == 0 { readable.reserveCapacity(max(payload.count, min(lastReadSize, 128 * 1024))) }
        readable.writeBytes(payload)
    }

    /// Removes all bytes in order.
    mutating func read() -> ByteBuffer {
        let bytes = readable
        readable = ByteBuffer()
        lastReadSize = bytes.readableBytes
        return bytes
    }

    mutating func removeAll() {
        readable = ByteBuffer()
        segments = [:]
        received = PacketRanges()
        bufferedBytes = 0
    }
}
