import EndlessCodeWire
import Foundation
import TestKit
import Testing
import WireKit

private let fingerprint = String(repeating: "0f", count: 32)

/// Addresses that users type, and the text of the QR code.
@Suite(.seeded) struct ConnectingTests {
    @Test(arguments: [
        ("192.168.0.7", "https://192.168.0.7:8180"), (" mac.local \n", "https://mac.local:8180"),
        ("mac.local:9000", "https://mac.local:9000"), ("HTTPS://Mac.Local", "https://mac.local:8180"),
        ("http://10.0.0.1", "http://10.0.0.1:8180"), ("localhost", "http://localhost:8180"),
        ("https://localhost:1", "https://localhost:1"), ("127.9.9.9", "http://127.9.9.9:8180"), ("[::1]", "http://[::1]:8180"),
        ("::1", "http://[::1]:8180"), ("[::1]:65535", "http://[::1]:65535"), ("a.localhost.", "http://a.localhost:8180"),
        ("2001:DB8:0:0:8:800:200C:417A", "https://[2001:db8::8:800:200c:417a]:8180"),
        ("[fe80::1]:80", "https://[fe80::1]:80"), ("::ffff:1.2.3.4", "https://[::ffff:102:304]:8180"), ("::", "https://[::]:8180"),
        ("::ffff:127.0.0.1", "http://[::ffff:7f00:1]:8180"), ("1:0:0:2:0:0:0:3", "https://[1:0:0:2::3]:8180"),
        ("example.com/code/", "https://example.com:8180/code"),
        ("https://example.com:443/a/b%20c", "https://example.com:443/a/b%20c"),
        ("example.com/", "https://example.com:8180"), ("3com.example", "https://3com.example:8180"), ("mac", "https://mac:8180"),
        ("xn--bcher-kva.example", "https://xn--bcher-kva.example:8180"),
        ("\u{200e}１９２。168.0.７:٨١٨٠\u{202c}", "https://192.168.0.7:8180"), ("mac\u{ad}.lo\u{200b}cal", "https://mac.local:8180"),
    ])
    func anAddressIsAccepted(_ text: String, _ url: String) throws {
        let address = try ServerAddress(endlessCode: text)
        #expect(address.text == url)
        #expect(address.url.absoluteString == url)
        #expect(try ServerAddress(endlessCode: address.text) == address)
    }

    @Test(arguments: [
        ("", ServerAddressError.empty), (" \n", .empty), ("ftp://a", .invalidScheme), ("://a", .invalidScheme),
        ("endlesscode://a", .invalidScheme), ("256.1.1.1", .invalidHost), ("1.2.3", .invalidHost), ("1.2.3.4.5", .invalidHost),
        ("01.2.3.4", .invalidHost), ("1.2.3.", .invalidHost), ("12345", .invalidHost), ("a..b", .invalidHost), (".a", .invalidHost),
        ("-a", .invalidHost), ("a-", .invalidHost), ("a_b", .invalidHost), ("a b", .invalidHost), ("bücher.de", .invalidHost),
        ("https://", .invalidHost), (":80", .invalidHost), ("[::1", .invalidHost), ("::1]", .invalidHost),
        ("[1.2.3.4]", .invalidHost),
        ("[]", .invalidHost), ("1::2::3", .invalidHost), (":::", .invalidHost), ("12345::", .invalidHost),
        ("1:2:3:4:5:6:7", .invalidHost),
        ("1:2:3:4:5:6:7:8:9", .invalidHost), ("::1.2.3", .invalidHost), ("1.2.3.4::", .invalidHost), ("fe80::1%en0", .invalidHost),
        ("[::1]x", .invalidHost), ("a:", .invalidPort), ("a:0", .invalidPort), ("a:65536", .invalidPort), ("a:8o", .invalidPort),
        ("a:+80", .invalidPort), ("a:③", .invalidPort), ("a?b=c", .invalidPath), ("a/#b", .invalidPath), ("a/../b", .invalidPath),
        ("a/b c", .invalidPath), ("a/%2", .invalidPath), ("a/%zz", .invalidPath), ("a/é", .invalidPath), ("a\\b", .invalidHost),
        ("user@host", .containsUser), ("https://u:p@host/", .containsUser),
    ])
    func aBadAddressIsRefused(_ text: String, _ error: ServerAddressError) {
        #expect(throws: error) { try ServerAddress(endlessCode: text) }
    }

    @Test func namesHaveTheLengthsOfTheirStandard() {
        let label = String(repeating: "a", count: 63)
        #expect(throws: Never.self) { try ServerAddress(endlessCode: label) }
        #expect(throws: ServerAddressError.invalidHost) { try ServerAddress(endlessCode: label + "a") }
        let longest = [label, label, label, String(repeating: "a", count: 61)].joined(separator: ".")
        #expect(throws: Never.self) { try ServerAddress(endlessCode: longest) }
        #expect(throws: ServerAddressError.invalidHost) { try ServerAddress(endlessCode: longest + "a") }
        #expect(throws: ServerAddressError.invalidHost) { try ServerAddress(endlessCode: String(repeating: "a", count: 100_000)) }
    }

    @Test func onlyPlainHTTPBeyondThisComputerIsUnprotected() throws {
        #expect(try ServerAddress(endlessCode: "http://10.0.0.1").isProtected == false)
        #expect(try ServerAddress(endlessCode: "10.0.0.1").isProtected && ServerAddress("http://[::1]").isProtected)
        #expect(try ServerAddress(endlessCode: "http://localhost.example.com").isProtected == false)
    }

    // MARK: The QR code

    @Test(arguments: ["endlesscode://192.168.0.7:8180?token=a-B_9.~", "endlesscode://[2001:db8::1]:443?token=t&fp=\(fingerprint)"])
    func aLinkIsReadAndWritten(_ text: String) throws { #expect(try ServerLink(text).text == text) }

    @Test func aLinkHasTheAddressForCalls() throws {
        #expect(try ServerLink("endlesscode://mac.local:1?token=t").address.text == "http://mac.local:1")
        #expect(try ServerLink("endlesscode://[::1]?fp=\(fingerprint)&token=t").address.text == "https://[::1]:8180")
    }

    @Test func aLinkIsReadTolerantly() throws {
        let link = try ServerLink("\n ENDLESSCODE://Mac.local:8180/?new=1&fp=\(fingerprint.uppercased())&token=t& ")
        #expect(link.text == "endlesscode://mac.local:8180?token=t&fp=\(fingerprint)")
        let broken = try ServerLink("endlesscode://mac.local:8180?tok\r\nen=t\u{200b}&fp=\(fingerprint)\u{feff}")
        #expect(broken == link)
        #expect(throws: ServerLinkError.invalidToken) { try ServerLink("endlesscode://mac.local:8180?token=t and more") }
        let colons = (0..<32).map { _ in "0F" }.joined(separator: ":")
        #expect(CertificateFingerprint(colons)?.description == fingerprint)
    }

    @Test(arguments: [
        ("", ServerLinkError.notALink), ("https://mac:8180?token=t", .notALink), ("endlesscode:mac", .notALink),
        ("endlesscode://mac:8180", .tokenMissing), ("endlesscode://mac:8180?token=", .tokenMissing),
        ("endlesscode://mac:8180?token=a%20b", .invalidToken), ("endlesscode://mac:8180?token=a+b", .invalidToken),
        ("endlesscode://mac:8180?token=a&token=b", .notALink), ("endlesscode://mac:8180?token=t&fp=00", .invalidFingerprint),
        ("endlesscode://mac:8180?token=t&fp=\(String(repeating: "zz", count: 32))", .invalidFingerprint),
        ("endlesscode://mac:0?token=t", .address(.invalidPort)), ("endlesscode://?token=t", .address(.invalidHost)),
        ("endlesscode://a@b:1?token=t", .address(.invalidHost)), ("endlesscode://[::1:8180?token=t", .address(.invalidHost)),
        ("endlesscode://mac/x?token=t", .address(.invalidHost)),
    ])
    func aBadLinkIsRefused(_ text: String, _ error: ServerLinkError) {
        #expect(throws: error) { try ServerLink(text) }
    }

    @Test func aTokenHas256BitsAndDoesNotShowItself() throws {
        var generator = SystemRandomNumberGenerator()
        let tokens = Set((0..<100).map { _ in AccessToken.random(using: &generator) })
        #expect(tokens.count == 100)
        let token = try #require(tokens.first)
        #expect(token.text.count == 43)
        #expect(AccessToken(token.text) == token)
        let link = ServerLink(host: .name("mac"), port: 1, token: token, fingerprint: nil)
        for text in ["\(token)", String(reflecting: token), "\(link)"] { #expect(!text.contains(token.text)) }
        var dump = ""
        Swift.dump(link, to: &dump)
        #expect(!dump.contains(token.text))
    }

    @Test func hostileTextsNeverTrap() async throws {
        let corpus = [
            "https://user@[2001:db8::1]:8180/a/b%20c?d=e", "1.2.3.4:80", "::ffff:1.2.3.4", "mac.local.",
            "endlesscode://[::1]:8180?token=abc&fp=\(fingerprint)",
        ]
        try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(4000, soak: 500_000)) { input in
            let text = String(decoding: input, as: UTF8.self)
            if let address = try? ServerAddress(endlessCode: text) {
                _ = address.url
                try #require(try ServerAddress(endlessCode: address.text) == address)
            }
            if let link = try? ServerLink(text) { try #require(try ServerLink(link.text) == link) }
        }
    }
}
