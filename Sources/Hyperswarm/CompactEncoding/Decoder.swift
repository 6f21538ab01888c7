/// Reads values one after the other from bytes that a peer sent.
///
/// Each read checks the bounds first. After a read that throws, the position is undefined: drop the whole message.
/// Messages ignore trailing bytes, since newer peers append fields.
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 2.
public struct Decoder: Sendable {
    /// Maximum element count of an array.
    public static let maximumElementCount = 0x10_0000

    /// The unread bytes.
    public private(set) var remaining: ArraySlice<UInt8>

    public init(_ bytes: ArraySlice<UInt8>) {
        remaining = bytes
    }

    public init(_ bytes: [UInt8]) {
        remaining = bytes[...]
    }

    public var isAtEnd: Bool { remaining.isEmpty }

    public mutating func readUInt8() throws(CompactEncodingError) -> UInt8 {
        guard let byte = remaining.popFirst() else { throw CompactEncodingError(.truncated, "uint8") }
        return byte
    }

    public mutating func readUInt16() throws(CompactEncodingError) -> UInt16 {
        UInt16(truncatingIfNeeded: try readLittleEndian(count: 2))
    }

    /// Reads an integer of 24 bits.
    public mutating func readUInt24() throws(CompactEncodingError) -> UInt32 {
        UInt32(truncatingIfNeeded: try readLittleEndian(count: 3))
    }

    public mutating func readUInt32() throws(CompactEncodingError) -> UInt32 {
        UInt32(truncatingIfNeeded: try readLittleEndian(count: 4))
    }

    public mutating func readUInt64() throws(CompactEncodingError) -> UInt64 {
        try readLittleEndian(count: 8)
    }

    /// Reads an integer of 1, 3, 5 or 9 bytes.
    ///
    /// The first byte is the value itself up to `0xfc`; `0xfd`, `0xfe` and `0xff` announce a little-endian integer
    /// of 2, 4 or 8 bytes. Longer encodings than needed are accepted, as in the reference implementation.
    public mutating func readUInt() throws(CompactEncodingError) -> UInt64 {
        let first = try readUInt8()
        switch first {
        case ...0xfc: return UInt64(first)
        case 0xfd: return try readLittleEndian(count: 2)
        case 0xfe: return try readLittleEndian(count: 4)
        default: return try readLittleEndian(count: 8)
        }
    }

    /// Reads exactly `count` bytes.
    public mutating func readFixed(_ count: Int) throws(CompactEncodingError) -> [UInt8] {
        Array(try readSlice(count))
    }

    /// Reads a length, then that many bytes.
    public mutating func readBuffer() throws(CompactEncodingError) -> [UInt8] {
        let length = try readUInt()
        guard length <= UInt64(remaining.count) else {
            throw CompactEncodingError(.truncated, "buffer of \(length) bytes in \(remaining.count)")
        }
        return Array(try readSlice(Int(length)))
    }

    /// Reads a length, then that many bytes of UTF-8.
    public mutating func readString() throws(CompactEncodingError) -> String {
        let utf8 = try readBuffer()
        let text = String(decoding: utf8, as: UTF8.self)
        // The initializer replaces invalid sequences; a replacement shows as a difference.
        guard text.utf8.elementsEqual(utf8) else { throw CompactEncodingError(.invalidText, "string") }
        return text
    }

    /// Reads an IPv4 address of 6 bytes.
    public mutating func readAddress() throws(CompactEncodingError) -> PeerAddress {
        let bytes = try readSlice(6)
        var octets: UInt32 = 0
        for byte in bytes.prefix(4) { octets = octets << 8 | UInt32(byte) }
        let low = UInt16(bytes[bytes.startIndex + 4])
        let high = UInt16(bytes[bytes.startIndex + 5])
        return PeerAddress(octets: octets, port: high << 8 | low)
    }

    /// Reads an IPv6 address of 18 bytes.
    public mutating func readIPv6Address() throws(CompactEncodingError) -> IPv6PeerAddress {
        let octets = try readFixed(16)
        let port = try readUInt16()
        return IPv6PeerAddress(uncheckedOctets: octets, port: port)
    }

    /// Reads an element count, then each element with `read`.
    ///
    /// - Throws: `tooManyElements` for a count above ``maximumElementCount``, and whatever `read` throws.
    public mutating func readArray<Element>(
        _ read: (inout Decoder) throws(CompactEncodingError) -> Element
    ) throws(CompactEncodingError) -> [Element] {
        let count = try readUInt()
        guard count <= UInt64(Self.maximumElementCount) else {
            throw CompactEncodingError(.tooManyElements, "\(count) elements")
        }
        var elements: [Element] = []
        // A peer can announce any count: memory is reserved for the bytes that arrived only.
        elements.reserveCapacity(min(Int(count), remaining.count))
        for _ in 0..<Int(count) { elements.append(try read(&self)) }
        return elements
    }

    /// Reads a count, then that many IPv4 addresses.
    public mutating func readAddresses() throws(CompactEncodingError) -> [PeerAddress] {
        try readArray { (decoder: inout Decoder) throws(CompactEncodingError) in try decoder.readAddress() }
    }

    public mutating func skip(_ count: Int) throws(CompactEncodingError) {
        _ = try readSlice(count)
    }

    private mutating func readSlice(_ count: Int) throws(CompactEncodingError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining.count else {
            throw CompactEncodingError(.truncated, "\(count) bytes in \(remaining.count)")
        }
        let slice = remaining.prefix(count)
        remaining = remaining.dropFirst(count)
        return slice
    }

    private mutating func readLittleEndian(count: Int) throws(CompactEncodingError) -> UInt64 {
        var value: UInt64 = 0
        for byte in try readSlice(count).reversed() { value = value << 8 | UInt64(byte) }
        return value
    }
}
