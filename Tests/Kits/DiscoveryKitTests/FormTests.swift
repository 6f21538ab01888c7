import DiscoveryKit
import Foundation
import Testing
import WireKit

@testable import DiscoveryKit

@Suite struct FormTests {
    @Test(arguments: ["_endlesscode._tcp", "_a._udp", "_A-1-b._tcp", "_123456789012345a"])
    func typesAreChecked(_ text: String) {
        #expect((ServiceType(text)?.description == text) == text.contains("."))
    }

    @Test(arguments: [
        "", "_tcp", "endlesscode._tcp", "_endlesscode._sctp", "_endlesscode._tcp.", "_endlesscode._tcp.local", "_._tcp", "_1._tcp",
        "_-a._tcp", "_a-._tcp", "_a--b._tcp", "_sixteen-letters-._tcp", "_abcdefghijklmnop._tcp", "_a,b._tcp", "_é._tcp",
        "_a b._tcp",
        "_a._tcp\0",
    ])
    func wrongTypesAreRefused(_ text: String) {
        #expect(ServiceType(text) == nil)
    }

    @Test func attributesAreReadAsTheyWereWritten() throws {
        let record = try TXTRecord(["v": "1", "TLS": "", "name": "é = 2"])
        #expect(TXTRecord(encoded: record.encoded) == record)
        #expect(record["V"] == "1")
        #expect(record["tls"] == "")
        #expect(record["name"] == "é = 2")
        #expect(record["none"] == nil)
        #expect(TXTRecord().encoded == [0])
        #expect(TXTRecord(encoded: [0]) == TXTRecord())
    }

    @Test func attributesOutsideTheLimitsAreRefused() throws {
        for attributes in [
            ["": "1"], ["a=b": "1"], ["é": "1"], ["a\n": "1"], ["a": String(repeating: "x", count: 254)], ["a": "1", "A": "2"],
            Dictionary(uniqueKeysWithValues: (0..<10).map { ("key\($0)", String(repeating: "x", count: 200)) }),
        ] {
            #expect(throws: DiscoveryError.self) { try TXTRecord(attributes) }
        }
        #expect(try TXTRecord(["a": String(repeating: "x", count: 253)]).encoded.count == 256)
    }

    @Test func attributesOfOthersNeverTrap() {
        // A first key twice, a key without a value, a value that is no text, strings without a key, and one that is cut off.
        let bytes: [UInt8] = [3, 97, 61, 49, 3, 65, 61, 50, 1, 98, 3, 99, 61, 0xff, 0, 2, 61, 49, 9, 100, 61]
        let record = TXTRecord(encoded: bytes)
        #expect(record.values == ["a": Data("1".utf8), "b": Data(), "c": Data([0xff])])
        #expect(record["c"] == nil)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let count = Int.random(in: 0..<300, using: &generator)
            let record = TXTRecord(encoded: (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
            #expect(record.values.keys.allSatisfy { !$0.isEmpty })
        }
    }

    @Test func addressesAreWrittenWithTheirZone() throws {
        #expect(IPAddress([192, 0, 2, 1], interface: 1)?.description == "192.0.2.1")
        #expect(
            IPAddress([0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [1], interface: 1)?.description == "2001:db8::1"
        )
        let local = try #require(IPAddress([0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1], interface: 1))
        #expect(local.isLinkLocal)
        #expect(local.description == "fe80::1%lo")
        #expect(IPAddress([UInt8](repeating: 0, count: 15) + [1], interface: 1)?.isLoopback == true)
        #expect(IPAddress([1, 2, 3], interface: 1) == nil)
    }

    @Test func announcementsAreChecked() throws {
        let type = try #require(ServiceType("_a._tcp"))
        for (name, port) in [("", 1), (String(repeating: "é", count: 32), 1), ("a\0b", 1), ("a", 0), ("a", 65_536), ("a", -1)] {
            #expect(throws: DiscoveryError.self) { try ServiceAnnouncement(name: name, type: type, port: port) }
        }
        #expect(try ServiceAnnouncement(name: String(repeating: "é", count: 31), type: type, port: 65_535).port == 65_535)
    }
}
