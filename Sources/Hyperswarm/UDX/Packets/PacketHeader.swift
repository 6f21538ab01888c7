import NIOCore

/// The type bits of a UDX packet. A packet without any bit is a plain acknowledgement.
struct PacketType: OptionSet, Hashable, Sendable {
    var rawValue: UInt8

    static let data = PacketType(rawValue: 1)
    static let end = PacketType(rawValue: 2)
    /// The packet lists ranges received above a gap.
    static let selectiveAcknowledgement = PacketType(rawValue: 4)
    static let message = PacketType(rawValue: 8)
    static let destroy = PacketType(rawValue: 16)
    static let heartbeat = PacketType(rawValue: 32)
}

/// The 20 bytes that begin every UDX packet.
///
///      0      1        2     3            4           8       12        16
///     +------+--------+-----+------------+-----------+-------+---------+-----+
///     | 0xff | 0x01   | type| data offset| stream id | window| sequence| ack |
///     +------+--------+-----+------------+-----------+-------+---------+-----+
///
/// All integers are little endian. The stream id is that of the receiver. The window counts bytes; sequence and
/// ack count packets and wrap around.
///
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 5.1.
struct PacketHeader: Hashable, Sendable {
    static let size = 20
    static let magic: UInt8 = 0xff
    static let version: UInt8 = 1

    var type: PacketType
    /// Bytes to skip between the header and the payload.
    var dataOffset: UInt8 = 0
    var streamID: UInt32
    /// The receive window of this packet's sender, in bytes.
    var window: UInt32
    var sequence: UInt32
    /// The next sequence number that the sender of this packet expects.
    var acknowledged: UInt32

    /// Returns the stream id of a UDX packet, or `nil` if `bytes` do not begin with a UDX header.
    @inline(__always)
    static func streamID(of bytes: UnsafeRawBufferPointer) -> UInt32? {
        guard bytes.count >= size, bytes[0] == magic, bytes[1] == version else { return nil }
        return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    }
}

extension PacketHeader {
    /// Reads a header; `nil` if `bytes` are too short or begin with other bytes.
    @inline(__always)
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let streamID = Self.streamID(of: bytes) else { return nil }
        self.type = PacketType(rawValue: bytes[2])
        self.dataOffset = bytes[3]
        self.streamID = streamID
        self.window = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        self.sequence = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        self.acknowledged = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
    }

    /// Writes the header to the first 20 bytes of `target`, which must have that many.
    @inline(__always)
    func write(to target: UnsafeMutableRawBufferPointer) {
        target[0] = Self.magic
        target[1] = Self.version
        target[2] = type.rawValue
        target[3] = dataOffset
        target.storeBytes(of: streamID.littleEndian, toByteOffset: 4, as: UInt32.self)
        target.storeBytes(of: window.littleEndian, toByteOffset: 8, as: UInt32.self)
        target.storeBytes(of: sequence.littleEndian, toByteOffset: 12, as: UInt32.self)
        target.storeBytes(of: acknowledged.littleEndian, toByteOffset: 16, as: UInt32.self)
    }

    @inline(__always)
    func encode(into buffer: inout ByteBuffer) {
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.size) { target in
            write(to: target)
            return Self.size
        }
    }
}
