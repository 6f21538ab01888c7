import CryptoPrimitives
import HyperswarmTestKit
import Testing

@Suite struct CodecTests {
    @Test func base58MatchesRecordedServerIdentifiers() throws {
        let vectors = try Vectors("hyperdht")["serverId"].array
        #expect(vectors.count == 4)
        for vector in vectors {
            let topic = try vector["topic"].data()
            let text = try vector["base58"].text()
            #expect(Base58.encode(topic) == text)
            #expect(Base58.decode(text) == topic)
            #expect(KeyText.decode(text) == topic)
        }
    }

    /// Examples of the z-base-32 specification that cover whole bytes.
    @Test(arguments: [("6n9hq", [0xf0, 0xbf, 0xc7]), ("4t7ye", [0xd4, 0x7a, 0x04]), ("", [])] as [(String, [UInt8])])
    func zBase32MatchesPublishedExamples(_ text: String, _ bytes: [UInt8]) {
        #expect(ZBase32.encode(bytes) == text)
        #expect(ZBase32.decode(text) == bytes)
    }

    @Test func codecsReturnWhatTheyEncoded() {
        var generator = SplitMix64(1)
        for count in 0..<70 {
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if count > 3 { bytes[0] = 0 }
            #expect(Hexadecimal.decode(Hexadecimal.encode(bytes)) == bytes)
            #expect(Hexadecimal.decode(Hexadecimal.encode(bytes).uppercased()) == bytes)
            #expect(Base58.decode(Base58.encode(bytes)) == bytes)
            #expect(ZBase32.decode(ZBase32.encode(bytes)) == bytes)
            #expect(ZBase32.decode(ZBase32.encode(bytes).uppercased()) == bytes)
        }
    }

    @Test func malformedTextIsRefused() {
        #expect(Hexadecimal.decode("0") == nil)
        #expect(Hexadecimal.decode("0g") == nil)
        #expect(Base58.decode("0OIl") == nil)
        #expect(Base58.decode(String(repeating: "2", count: 257)) == nil)
        #expect(ZBase32.decode("l") == nil)
        #expect(ZBase32.decode("y") == nil)
        // The second character's last two bits are padding.
        #expect(ZBase32.decode("yy") == [0])
        #expect(ZBase32.decode("yb") == nil)
        #expect(KeyText.decode("") == nil)
        #expect(KeyText.decode(String(repeating: "z", count: 44)) == nil)
        #expect(KeyText.decode(String(repeating: "é", count: 32)) == nil)
    }

    @Test func keyTextReadsAllThreeForms() throws {
        let bytes = (0..<32).map { UInt8($0) }
        #expect(KeyText.decode(Hexadecimal.encode(bytes)) == bytes)
        #expect(KeyText.decode(Base58.encode(bytes)) == bytes)
        #expect(KeyText.decode(ZBase32.encode(bytes)) == bytes)
        #expect(PublicKey(text: ZBase32.encode(bytes))?.bytes == bytes)
    }

    @Test func decodersSurviveRandomText() {
        var generator = SplitMix64(2)
        let count = Fuzz.inputCount(5_000)
        for _ in 0..<count {
            let length = Int.random(in: 0...80, using: &generator)
            let text = String(decoding: (0..<length).map { _ in UInt8.random(in: 32...126, using: &generator) }, as: UTF8.self)
            if let bytes = KeyText.decode(text) { #expect(bytes.count == 32) }
            if let bytes = Base58.decode(text) { #expect(Base58.encode(bytes) == text) }
            _ = ZBase32.decode(text)
            _ = Hexadecimal.decode(text)
        }
    }
}
