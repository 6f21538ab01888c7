import Foundation
import NetworkingKit
import Testing

/// The addresses that match an allowed server.
@Suite struct AllowedServerTests {
    @Test(arguments: [
        ("https://relay.example", "https://relay.example", "https://relay.example"),
        ("https://relay.example/", "HTTPS://Relay.Example", "https://relay.example"),
        ("https://relay.example:443", "https://relay.example", "https://relay.example"),
        ("http://relay.example", "http://relay.example:80/", "http://relay.example"),
        ("http://relay.example:8100", "http://relay.example:8100", "http://relay.example:8100"),
        ("http://[::1]:8100", "http://[::1]:8100/a", "http://[::1]:8100/a"),
        ("http://[FE80::A]", "http://[fe80::a]", "http://[fe80::a]"),
        ("https://box", "https://box/simbridge", "https://box/simbridge"),
        ("https://box/simbridge", "https://box/simbridge/", "https://box/simbridge"),
        ("https://box/simbridge/", "https://box/simbridge/deeper", "https://box/simbridge/deeper"),
        ("https://box/a%20b", "https://box/a%20b", "https://box/a%20b"),
    ])
    func allowedAddressesAreReached(_ allowed: String, _ requested: String, _ reached: String) throws {
        let server = try #require(AllowedServer(allowed))
        #expect(server.address(for: try #require(URL(string: requested)))?.absoluteString == reached)
    }

    @Test(arguments: [
        // Another scheme, host or port.
        ("https://relay.example", "http://relay.example"), ("http://relay.example", "https://relay.example"),
        ("http://relay.example", "http://relay.example:443"), ("http://relay.example:8100", "http://relay.example"),
        ("http://relay.example:81", "http://relay.example:8100"), ("https://relay.example", "https://relay.example.evil"),
        ("https://relay.example", "https://evil.relay.example"), ("https://relay.example", "https://evil-relay.example"),
        // The same name to a resolver, but another one to a certificate or a server.
        ("https://relay.example", "https://relay.example."), ("http://127.0.0.1", "http://127.1"),
        ("http://127.0.0.1", "http://localhost"), ("http://[::1]", "http://[0::1]"), ("http://[::1]", "http://127.0.0.1"),
        // Addresses that only look like the allowed host.
        ("https://relay.example", "https://relay.example@evil"), ("https://relay.example", "https://relay.example:x@evil"),
        ("https://relay.example", "https://evil/relay.example"),
        ("https://relay.example", "https://evil#relay.example"), ("https://relay.example", "https://evil?https://relay.example"),
        ("https://relay.example", "https://evil%2f@relay.example"), ("https://relay.example", "https://relay%2eexample"),
        ("https://relay.example", "https://relay.example?x=1"), ("https://relay.example", "//relay.example"),
        ("https://relay.example", "relay.example"), ("https://relay.example", "file:///etc/passwd"),
        // Another path.
        ("https://box/simbridge", "https://box"), ("https://box/simbridge", "https://box/simbridge2"),
        ("https://box/simbridge", "https://box/Simbridge"), ("https://box/simbridge", "https://box/simbridge/../admin"),
        ("https://box/simbridge", "https://box/simbridge/%2e%2E/admin"),
        ("https://box/simbridge", "https://box/simbridge/..%2fadmin"),
        ("https://box/simbridge", "https://box/simbridge/..%5cadmin"), ("https://box/simbridge", "https://box//simbridge"),
        ("https://box/simbridge", "https://box/./simbridge"),
    ])
    func otherAddressesAreRefused(_ allowed: String, _ requested: String) throws {
        let server = try #require(AllowedServer(allowed))
        // A text that is not a URL cannot be requested.
        if let url = URL(string: requested) { #expect(server.address(for: url) == nil) }
    }

    @Test(arguments: [
        "", "relay.example", "relay.example:8100", "ftp://relay.example", "https://", "https:///x", "https://a b", "https://a@b",
        "https://a:b@c", "https://a?b", "https://a#b", "http://a:0", "http://a:65536", "http://a:b", "https://bücher.example",
        "https://a/../b", "https://*.example", "https://a\\b", "https://a/%zz",
    ])
    func invalidServersAreRefused(_ text: String) { #expect(AllowedServer(text) == nil) }
}
