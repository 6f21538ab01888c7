/// Appends values to a growing byte array.
///
/// Integers are little endian. Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 2;
/// compact-encoding 3.2.0 and compact-encoding-net 1.2.0.
public struct Encoder: Sendable {
    /// Everything written so far.
    public private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: Expected size in bytes. Only a hint.
    public init(capacity: Int = 0) {
        if capacity > 0 { bytes.reserveCapacity(capacity) }
    }

    public mutating func writeUInt8(_ value: UInt8) {
        bytes.append(value)
    }

    public mutating func writeUInt16(_ value: UInt16) {
        writeLittleEndian(UInt64(value), count: 2)
    }

    /// Writes the low 24 bits of `value`.
    public mutating func writeUInt24(_ value: UInt32) {
        writeLittleEndian(UInt64(value), count: 3)
    }

    public mutating func writeUInt32(_ value: UInt32) {
        writeLittleEndian(UInt64(value), count: 4)
    }

    public mutating func writeUInt64(_ value: UInt64) {
        writeLittleEndian(value, count: 8)
    }

    /// Writes an integer in its shortest form of 1, 3, 5 or 9 bytes.
    public mutating func writeUInt(_ value: UInt64) {
        switch value {
        case ...0xfc:
            writeUInt8(UInt8(truncatingIfNeeded: value))
        case ...0xffff:
            writeUInt8(0xfd)
            writeLittleEndian(value, count: 2)
        case ...0xffff_ffff:
            writeUInt8(0xfe)
            writeLittleEndian(value, count: 4)
        default:
            writeUInt8(0xff)
            writeLittleEndian(value, count: 8)
        }
    }

    /// Writes a count or a length, which is never negative, in its shortest form.
    public mutating func writeUInt(_ value: Int) {
        precondition(value >= 0, "a compact unsigned integer cannot be negative")
        writeUInt(UInt64(value))
    }

    /// Writes bytes without a length; the reader knows the size.
    public mutating func writeFixed(_ value: some Collection<UInt8>) {
        bytes.append(contentsOf: value)
    }

    /// Writes the length, then the bytes.
    public mutating func writeBuffer(_ value: some Collection<UInt8>) {
        writeUInt(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    /// Writes the length in UTF-8 bytes, then the UTF-8 bytes.
    public mutating func writeString(_ value: String) {
        writeBuffer(value.utf8)
    }

    /// Writes an IPv4 address in dotted order, then the port little endian: 6 bytes.
    public mutating func writeAddress(_ value: PeerAddress) {
        let octets = value.octets
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: octets >> shift)) }
        writeUInt16(value.port)
    }

    /// Writes an IPv6 address in network order, then the port little endian: 18 bytes.
    public mutating func writeIPv6Address(_ value: IPv6PeerAddress) {
        bytes.append(contentsOf: value.octets)
        writeUInt16(value.port)
    }

    /// Writes the number of elements, then each element with `write`.
    public mutating func writeArray<C: Collection>(_ elements: C, _ write: (inout Encoder, C.Element) -> Void) {
        writeUInt(UInt64(elements.count))
        for element in elements { write(&self, element) }
    }

    /// Writes the number of addresses, then the addresses.
    public mutating func writeAddresses(_ addresses: [PeerAddress]) {
        writeArray(addresses) { $0.writeAddress($1) }
    }

    private mutating func writeLittleEndian(_ value: UInt64, count: Int) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }
}
