import CompactEncoding
import Foundation
import Testing

/// Bytes of compact-encoding 3.2.0 and compact-encoding-net 1.2.0.
@Suite struct CompactEncodingVectorTests {
    let vectors: VectorFile

    init() throws { vectors = try VectorFile("compact-encoding.json") }

    /// Compares one kind of value in both directions; the file has to hold at least one.
    private func check<Value: Equatable>(
        _ key: String, value: ([String: Any]) -> Value, write: (inout CompactEncoding.Encoder, Value) -> Void,
        read: (inout CompactEncoding.Decoder) throws -> Value
    ) throws {
        let list = vectors.list(key)
        #expect(!list.isEmpty)
        for vector in list {
            let expected = value(vector)
            var encoder = CompactEncoding.Encoder()
            write(&encoder, expected)
            #expect(encoder.bytes == vector.bytes("hex"))
            var decoder = CompactEncoding.Decoder(vector.bytes("hex"))
            #expect(try read(&decoder) == expected)
            #expect(decoder.isAtEnd)
            for length in 0..<vector.bytes("hex").count {
                var short = CompactEncoding.Decoder(vector.bytes("hex").prefix(length))
                #expect(throws: CompactEncodingError.self) { try read(&short) }
            }
        }
    }

    @Test func integersMatchTheReference() throws {
        try check("uint", value: { $0.number("value") }, write: { $0.writeUInt($1) }, read: { try $0.readUInt() })
        try check(
            "uint16", value: { UInt16($0.number("value")) }, write: { $0.writeUInt16($1) }, read: { try $0.readUInt16() })
        try check(
            "uint24", value: { UInt32($0.number("value")) }, write: { $0.writeUInt24($1) }, read: { try $0.readUInt24() })
        try check(
            "uint32", value: { UInt32($0.number("value")) }, write: { $0.writeUInt32($1) }, read: { try $0.readUInt32() })
    }

    @Test func integersOf64BitsAreLittleEndian() throws {
        var encoder = CompactEncoding.Encoder()
        encoder.writeUInt64(0x0102_0304_0506_0708)
        #expect(encoder.bytes == [8, 7, 6, 5, 4, 3, 2, 1])
        var decoder = CompactEncoding.Decoder(encoder.bytes)
        #expect(try decoder.readUInt64() == 0x0102_0304_0506_0708)
    }

    @Test func buffersAndTextMatchTheReference() throws {
        try check("buffer", value: { $0.bytes("value") }, write: { $0.writeBuffer($1) }, read: { try $0.readBuffer() })
        try check("string", value: { $0.text("value") }, write: { $0.writeString($1) }, read: { try $0.readString() })
        try check("fixed32", value: { $0.bytes("value") }, write: { $0.writeFixed($1) }, read: { try $0.readFixed(32) })
        try check("fixed64", value: { $0.bytes("value") }, write: { $0.writeFixed($1) }, read: { try $0.readFixed(64) })
    }

    @Test func addressesMatchTheReference() throws {
        try check(
            "ipv4Address",
            value: { PeerAddress(host: $0.text("host"), port: UInt16($0.number("port"))) ?? PeerAddress(octets: 0, port: 0) },
            write: { $0.writeAddress($1) }, read: { try $0.readAddress() })
        try check(
            "ipv4AddressArray",
            value: { vector in
                (vector["value"] as? [[String: Any]] ?? []).compactMap {
                    PeerAddress(host: $0.text("host"), port: UInt16($0.number("port")))
                }
            }, write: { $0.writeAddresses($1) }, read: { try $0.readAddresses() })
        for vector in vectors.list("ipv6Address") {
            var decoder = CompactEncoding.Decoder(vector.bytes("hex"))
            let address = try decoder.readIPv6Address()
            #expect(UInt64(address.port) == vector.number("port"))
            var encoder = CompactEncoding.Encoder()
            encoder.writeIPv6Address(address)
            #expect(encoder.bytes == vector.bytes("hex"))
        }
    }

    @Test func malformedInputIsRefused() {
        let list = vectors.list("malformed")
        #expect(list.count == 4)
        for vector in list {
            var decoder = CompactEncoding.Decoder(vector.bytes("hex"))
            #expect(throws: CompactEncodingError.self) {
                switch vector.text("decoder") {
                case "uint": _ = try decoder.readUInt()
                case "buffer": _ = try decoder.readBuffer()
                default: _ = try decoder.readAddress()
                }
            }
        }
    }

    @Test func longerIntegerFormsAreAccepted() throws {
        for vector in vectors.list("nonCanonicalAccepted") {
            var decoder = CompactEncoding.Decoder(vector.bytes("hex"))
            #expect(try decoder.readUInt() == vector.number("value"))
        }
    }
}
