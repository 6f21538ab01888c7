import NIOCore

/// The list of received ranges in an acknowledgement: pairs of start and end, half open, little endian.
///
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 5.2.
enum SelectiveAcknowledgement {
    /// Maximum ranges in one packet.
    static let maximumRangeCount = 50
    /// The size of one range, in bytes.
    static let rangeSize = 8

    /// Selects the ranges to report: the lowest, and always the one with the packet that arrived last, because the
    /// sender takes a packet without a report for lost.
    static func selection(from received: PacketRanges, including latest: PacketNumber?) -> ArraySlice<Range<PacketNumber>> {
        let ranges = received.ranges
        guard ranges.count > maximumRangeCount else { return ranges[...] }
        var selected = ranges.prefix(maximumRangeCount)
        if let latest, let index = received.indexOfRange(holding: latest), index >= maximumRangeCount {
            selected[selected.endIndex - 1] = ranges[index]
        }
        return selected
    }

    static func encode(_ ranges: ArraySlice<Range<PacketNumber>>, into buffer: inout ByteBuffer) {
        let size = ranges.count * rangeSize
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { bytes in
            var offset = 0
            for range in ranges {
                bytes.storeBytes(of: range.lowerBound.wire.littleEndian, toByteOffset: offset, as: UInt32.self)
                bytes.storeBytes(of: range.upperBound.wire.littleEndian, toByteOffset: offset + 4, as: UInt32.self)
                offset += rangeSize
            }
            return size
        }
    }

    /// Calls `body` with each range that lies in `sent`; ignores all others, and the rest of an incomplete pair.
    ///
    /// - Parameters:
    ///   - bytes: The list as it arrived.
    ///   - sent: The packets that are sent and not yet acknowledged.
    @inline(__always)
    static func forEachRange(
        in bytes: UnsafeRawBufferPointer, sent: Range<PacketNumber>, _ body: (Range<PacketNumber>) -> Void
    ) {
        var offset = 0
        var remaining = maximumRangeCount
        while remaining > 0, offset &+ rangeSize <= bytes.count {
            let start = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            let end = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset &+ 4, as: UInt32.self))
            offset &+= rangeSize
            remaining &-= 1
            // A late acknowledgement may begin below the packets that are acknowledged by now.
            let lower = max(PacketNumber(wire: start, near: sent.lowerBound), sent.lowerBound)
            let upper = PacketNumber(wire: end, near: sent.lowerBound)
            guard lower < upper, upper <= sent.upperBound else { continue }
            body(lower..<upper)
        }
    }
}
