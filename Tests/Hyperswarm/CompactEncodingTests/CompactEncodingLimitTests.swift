import CompactEncoding
import HyperswarmTestKit
import Testing

@Suite struct CompactEncodingLimitTests {
    @Test func arraysOverTheLimitAreRefused() {
        var decoder = CompactEncoding.Decoder([0xfe, 0x01, 0x00, 0x10, 0x00] + [UInt8](repeating: 0, count: 64))
        do {
            _ = try decoder.readAddresses()
            Issue.record("accepted")
        } catch {
            #expect(error.code == .tooManyElements)
        }
    }

    @Test func announcedCountAloneCostsNoMemory() {
        var decoder = CompactEncoding.Decoder([0xfe, 0x00, 0x00, 0x10, 0x00, 1, 2, 3, 4, 5, 6])
        do {
            _ = try decoder.readAddresses()
            Issue.record("accepted")
        } catch {
            #expect(error.code == .truncated)
        }
    }

    @Test func hugeBufferLengthIsTruncatedInput() {
        var decoder = CompactEncoding.Decoder([UInt8](repeating: 0xff, count: 9) + [1, 2, 3])
        do {
            _ = try decoder.readBuffer()
            Issue.record("accepted")
        } catch {
            #expect(error.code == .truncated)
        }
    }

    @Test func invalidTextIsRefused() {
        for bytes in [[2, 0xc3, 0x28], [1, 0x80], [3, 0xed, 0xa0, 0x80]] as [[UInt8]] {
            var decoder = CompactEncoding.Decoder(bytes)
            do {
                _ = try decoder.readString()
                Issue.record("accepted")
            } catch {
                #expect(error.code == .invalidText)
            }
        }
    }

    @Test func decoderReadsSlicesThatDoNotBeginAtZero() throws {
        let bytes: [UInt8] = [9, 9, 9, 0xfd, 0x34, 0x12, 127, 0, 0, 1, 0x49, 0xc2]
        var decoder = CompactEncoding.Decoder(bytes[3...])
        #expect(try decoder.readUInt() == 0x1234)
        #expect(try decoder.readAddress() == PeerAddress("127.0.0.1:49737"))
        #expect(decoder.isAtEnd)
    }

    @Test(arguments: [
        "1.2.3", "1.2.3.4", "1.2.3.4:", "1.2.3.4:65536", "256.2.3.4:1", "a.2.3.4:1", "1.2.3.4:-1", "1..3.4:1", "::1:80", "",
    ])
    func textThatIsNoAddressIsRefused(_ text: String) {
        #expect(PeerAddress(text) == nil)
    }

    @Test func addressesHaveTheirText() throws {
        let address = try #require(PeerAddress("10.0.200.3:258"))
        #expect(address.description == "10.0.200.3:258")
        #expect(address.host == "10.0.200.3")
        #expect(address.encoded == [10, 0, 200, 3, 2, 1])
    }

    @Test func addressRangesAreToldApart() throws {
        func address(_ host: String) throws -> PeerAddress { try #require(PeerAddress(host: host, port: 1)) }
        for host in ["10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.3.4"] { #expect(try address(host).isPrivate) }
        for host in ["172.32.0.1", "172.15.0.1", "11.0.0.1", "192.169.0.1"] { #expect(try !address(host).isPrivate) }
        for host in ["100.64.0.1", "169.254.1.1", "127.0.0.1", "224.0.0.1", "255.255.255.255", "0.1.2.3", "203.0.113.9"] {
            #expect(try address(host).isBogon)
        }
        for host in ["88.99.3.86", "100.128.0.1", "1.1.1.1", "198.20.0.1"] { #expect(try !address(host).isBogon) }
        #expect(try address("127.9.9.9").isLoopback)
        #expect(try address("127.0.0.1").isSendable)
        #expect(try !address("224.0.0.1").isSendable)
        #expect(PeerAddress("1.2.3.4:0")?.isSendable == false)
    }

    /// Random bytes through every decoder; each ends with a value or an error.
    @Test func randomBytesNeverTrap() {
        var random = SplitMix64(1)
        for _ in 0..<Fuzz.inputCount(10_000) {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: Bool.random(using: &random) ? 0xfa...0xff : 0...255, using: &random)
            }
            var decoder = CompactEncoding.Decoder(bytes)
            var before = bytes.count
            while !decoder.isAtEnd {
                switch Int.random(in: 0..<11, using: &random) {
                case 0: _ = try? decoder.readUInt8()
                case 1: _ = try? decoder.readUInt16()
                case 2: _ = try? decoder.readUInt24()
                case 3: _ = try? decoder.readUInt32()
                case 4: _ = try? decoder.readUInt64()
                case 5: _ = try? decoder.readUInt()
                case 6: _ = try? decoder.readBuffer()
                case 7: _ = try? decoder.readString()
                case 8: _ = try? decoder.readAddress()
                case 9: _ = try? decoder.readAddresses()
                default: _ = try? decoder.readIPv6Address()
                }
                if decoder.remaining.count == before { break }
                #expect(decoder.remaining.count < before)
                before = decoder.remaining.count
            }
        }
    }
}
