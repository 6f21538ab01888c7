import CompactEncoding
import CryptoPrimitives
import HyperswarmTestKit
import Testing

@testable import HyperDHT

/// Random and mutated bytes for every decoder of the messages. What is accepted must survive another encoding.
///
/// Each round is an input for each of eleven decoders.
@Suite struct MessageFuzzTests {
    private static func samples() throws -> [[UInt8]] {
        let vectors = try Vectors("hyperdht")
        var samples: [[UInt8]] = []
        for name in ["peer", "lookupReply", "peerHandshake", "peerHolepunch", "noisePayload", "holepunchPayload"] {
            samples += try vectors[name].array.map { try $0["hex"].data() }
        }
        samples += try vectors["announce"].array.map { try $0["value"].data() }
        samples += try vectors["mutable"].array.map { try $0["putRequest"].data() }
        let channel = RelayChannel(peer: KeyPair(seed: [UInt8](repeating: 1, count: 32))!.publicKey)
        let pair = RelayMessage.pair(isInitiator: true, token: [UInt8](0..<32), streamID: 9)
        samples += [channel.opening, channel.frame(pair), pair.payload, [0, 0, 1, 3, 0, 8, 9, 2, 1, 7, 0, 0, 2, 3, 5]]
        return samples
    }

    @Test func decodersSurviveRandomAndMutatedBytes() throws {
        var generator = SplitMix64(6)
        let samples = try MessageFuzzTests.samples()
        let publicKey = KeyPair.generate().publicKey
        var channel = RelayChannel(peer: publicKey)
        var accepted = 0
        for round in 0..<Fuzz.inputCount(6_000) {
            let bytes = Fuzz.input(samples, &generator)
            if let value = try? PeerRecord(decoding: bytes) {
                #expect(try PeerRecord(decoding: value.encoded) == value); accepted += 1
            }
            if let value = try? LookupReply(decoding: bytes) { #expect(try LookupReply(decoding: value.encoded) == value) }
            if let value = try? AnnounceRequest(decoding: bytes) { #expect(try AnnounceRequest(decoding: value.encoded) == value) }
            if let value = try? HandshakeMessage(decoding: bytes) {
                #expect(try HandshakeMessage(decoding: value.encoded) == value)
            }
            if let value = try? HolepunchMessage(decoding: bytes) {
                #expect(try HolepunchMessage(decoding: value.encoded) == value)
            }
            if let value = try? NoisePayload(decoding: bytes), value.version == 1 {
                #expect(try NoisePayload(decoding: value.encoded) == value)
            }
            if let value = try? HolepunchPayload(decoding: bytes) {
                #expect(try HolepunchPayload(decoding: value.encoded) == value)
            }
            if let value = try? MutableRecord(decodingPut: bytes) {
                #expect(try MutableRecord(decodingPut: value.encodedPut) == value)
            }
            _ = try? MutableRecord(decodingReply: bytes, publicKey: publicKey)
            if let values = try? MultiplexMessage.decode(bytes) {
                #expect(values.count <= MultiplexMessage.maximumBatchCount)
                for value in values { #expect(try MultiplexMessage.decode(value.encoded) == [value]) }
            }
            if let value = try? RelayMessage.decode(type: UInt64(round % 3), bytes) {
                #expect(try RelayMessage.decode(type: value.type, value.payload) == value)
            }
            // A channel lives on with whatever comes: it answers at most once per message.
            let events = try? channel.receive(bytes)
            #expect(events?.count ?? 0 <= MultiplexMessage.maximumBatchCount)
            if channel.isClosed { channel = RelayChannel(peer: publicKey) }
        }
        #expect(accepted > 0)
    }

    @Test func hugeElementCountsAreRefusedWithoutMemory() {
        let count: [UInt8] = [0xfe, 0xff, 0xff, 0x0f, 0x00]
        #expect(throws: CompactEncodingError.self) { try LookupReply(decoding: count) }
        #expect(throws: CompactEncodingError.self) {
            try LookupReply(decoding: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
        }
    }
}
