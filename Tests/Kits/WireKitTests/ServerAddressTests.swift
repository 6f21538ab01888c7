import Foundation
import Testing
import WireKit

/// Addresses of servers as users type them. `Tests/EndlessCode/WireTests/ConnectingTests.swift` has more, with a standard port.
@Suite struct ServerAddressTests {
    @Test(arguments: [
        ("http://localhost:8100/", "http://localhost:8100"), ("https://relay.example.com///", "https://relay.example.com"),
        (" relay.example.com/sim/ ", "https://relay.example.com/sim"), ("localhost", "http://localhost"),
        ("\u{200e}ｒｅｌａｙ。example.com：８１００\u{200b}", "https://relay.example.com:8100"), ("http://[::1]:8100", "http://[::1]:8100"),
    ])
    func addressWithoutAStandardPortIsReadAsTyped(_ text: String, _ expected: String) throws {
        let address = try ServerAddress(text)
        #expect(address.text == expected && address.url.absoluteString == expected)
        #expect(try ServerAddress(address.text) == address)
    }

    @Test(arguments: [
        ("  ", ServerAddressError.empty), ("ftp://relay", .invalidScheme), ("http://", .invalidHost),
        ("https://user:secret@relay", .containsUser), ("http://relay?x=1", .invalidPath), ("http://relay:99999", .invalidPort),
        ("not a server", .invalidHost), ("relay/\u{12}", .invalidPath),
    ])
    func otherTextIsRefused(_ text: String, _ error: ServerAddressError) {
        #expect(throws: error) { try ServerAddress(text) }
    }

    @Test func addressesOfTheLocalNetworkAreKnown() {
        func all(_ texts: String..., satisfy property: @escaping (IPAddress) -> Bool) -> Bool {
            texts.allSatisfy { IPAddress($0).map(property) == true }
        }
        #expect(all("127.0.0.1", "127.255.0.1", "::1", "::ffff:127.0.0.1", satisfy: \.isLoopback))
        #expect(all("128.0.0.1", "::", "::2", "::ffff:128.0.0.1", "7f00::", satisfy: { !$0.isLoopback }))
        #expect(all("169.254.0.1", "fe80::1", "febf::1", satisfy: \.isLinkLocal))
        #expect(all("169.253.0.1", "fec0::1", "a9fe::1", satisfy: { !$0.isLinkLocal }))
        #expect(all("10.0.0.1", "172.16.0.1", "172.31.0.1", "192.168.0.1", "fc00::1", "fdff::1", satisfy: \.isPrivate))
        #expect(all("11.0.0.1", "172.15.0.1", "172.32.0.1", "192.169.0.1", "fe00::1", "a00::1", satisfy: { !$0.isPrivate }))
        #expect(IPAddress([1, 2, 3]) == nil && IPAddress("1.2.3.4\0") == nil && IPAddress("fe80::1%1") == nil)
    }
}
