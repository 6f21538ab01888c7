import CompactEncoding
import HyperswarmTestKit
import Testing

/// Bytes of compact-encoding 3.2.0 and compact-encoding-net 1.2.0.
@Suite struct CompactEncodingVectorTests {
    let vectors: Vectors

    init() throws { vectors = try Vectors("compact-encoding") }

    /// Compares one kind of value in both directions; the file has to hold at least one.
    private func check<Value: Equatable>(
        _ key: String, value: (Vectors) throws -> Value, write: (inout CompactEncoding.Encoder, Value) -> Void,
        read: (inout CompactEncoding.Decoder) throws -> Value
    ) throws {
        let list = vectors[key].array
        #expect(!list.isEmpty)
        for vector in list {
            let expected = try value(vector)
            let bytes = try vector["hex"].data()
            var encoder = CompactEncoding.Encoder()
            write(&encoder, expected)
            #expect(encoder.bytes == bytes)
            var decoder = CompactEncoding.Decoder(bytes)
            #expect(try read(&decoder) == expected)
            #expect(decoder.isAtEnd)
            for length in 0..<bytes.count {
                var short = CompactEncoding.Decoder(bytes.prefix(length))
                #expect(throws: CompactEncodingError.self) { try read(&short) }
            }
        }
    }

    @Test func integersMatchTheReference() throws {
        try check("uint", value: { UInt64(try $0["value"].number()) }, write: { $0.writeUInt($1) }, read: { try $0.readUInt() })
        try check(
            "uint16", value: { UInt16(try $0["value"].number()) }, write: { $0.writeUInt16($1) }, read: { try $0.readUInt16() })
        try check(
            "uint24", value: { UInt32(try $0["value"].number()) }, write: { $0.writeUInt24($1) }, read: { try $0.readUInt24() })
        try check(
            "uint32", value: { UInt32(try $0["value"].number()) }, write: { $0.writeUInt32($1) }, read: { try $0.readUInt32() })
    }

    @Test func integersOf64BitsAreLittleEndian() throws {
        var encoder = CompactEncoding.Encoder()
        encoder.writeUInt64(0x0102_0304_0506_0708)
        #expect(encoder.bytes == [8, 7, 6, 5, 4, 3, 2, 1])
        var decoder = CompactEncoding.Decoder(encoder.bytes)
        #expect(try decoder.readUInt64() == 0x0102_0304_0506_0708)
    }

    @Test func buffersAndTextMatchTheReference() throws {
        try check("buffer", value: { try $0["value"].data() }, write: { $0.writeBuffer($1) }, read: { try $0.readBuffer() })
        try check("string", value: { try $0["value"].text() }, write: { $0.writeString($1) }, read: { try $0.readString() })
        try check("fixed32", value: { try $0["value"].data() }, write: { $0.writeFixed($1) }, read: { try $0.readFixed(32) })
        try check("fixed64", value: { try $0["value"].data() }, write: { $0.writeFixed($1) }, read: { try $0.readFixed(64) })
    }

    @Test func addressesMatchTheReference() throws {
        try check(
            "ipv4Address",
            value: { try $0.address },
            write: { $0.writeAddress($1) }, read: { try $0.readAddress() })
        try check(
            "ipv4AddressArray",
            value: { try $0["value"].array.map { try $0.address } }, write: { $0.writeAddresses($1) },
            read: { try $0.readAddresses() })
        for vector in vectors["ipv6Address"].array {
            var decoder = CompactEncoding.Decoder(try vector["hex"].data())
            let address = try decoder.readIPv6Address()
            #expect(Int(address.port) == vector["port"].integer)
            var encoder = CompactEncoding.Encoder()
            encoder.writeIPv6Address(address)
            #expect(encoder.bytes == vector["hex"].bytes)
        }
    }

    @Test func malformedInputIsRefused() throws {
        let list = vectors["malformed"].array
        #expect(list.count == 4)
        for vector in list {
            var decoder = CompactEncoding.Decoder(try vector["hex"].data())
            #expect(throws: CompactEncodingError.self) {
                switch vector["decoder"].string {
                case "uint": _ = try decoder.readUInt()
                case "buffer": _ = try decoder.readBuffer()
                default: _ = try decoder.readAddress()
                }
            }
        }
    }

    @Test func longerIntegerFormsAreAccepted() throws {
        for vector in vectors["nonCanonicalAccepted"].array {
            var decoder = CompactEncoding.Decoder(try vector["hex"].data())
            #expect(try decoder.readUInt() == UInt64(try vector["value"].number()))
        }
    }
}
