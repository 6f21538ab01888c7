import Crypto
import Foundation
import ServerKit
import TestKit
import Testing
import WireKit

@testable import PushKit

/// An operator's settings, checked at the start.
@Suite struct ConfigurationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func settings(_ values: [String: String]) throws -> Settings { try Settings(environment: values) }

    /// The settings of a complete account, with changes.
    private func apns(_ changes: [String: String?] = [:]) throws -> APNSConfiguration? {
        let file = folder.url.appending(path: "key.p8")
        try P256.Signing.PrivateKey().pemRepresentation.write(to: file, atomically: true, encoding: .utf8)
        var values = ["APNS_KEY_PATH": file.path, "APNS_KEY_ID": "ABC123DEFG", "APNS_TEAM_ID": "TEAM123456"]
        for (name, value) in changes { values[name] = value }
        return try APNSConfiguration.read(settings(values))
    }

    @Test func completeAccountIsRead() throws {
        let configuration = try #require(try apns(["APNS_BUNDLE_ID": "com.example.pager", "APNS_ENVIRONMENT": "production"]))
        #expect(configuration.bundleID == "com.example.pager")
        #expect(configuration.environment == .production)
        #expect(configuration.addresses[.production]?.absoluteString == "https://api.push.apple.com")
        #expect(configuration.addresses[.sandbox]?.absoluteString == "https://api.sandbox.push.apple.com")
    }

    @Test func bundleAndEnvironmentHaveDefaults() throws {
        let configuration = try #require(try apns())
        #expect(configuration.bundleID == "com.pager2077.app")
        #expect(configuration.environment == .sandbox)
    }

    @Test func addressReplacesBothOfApple() throws {
        let configuration = try #require(try apns(["APNS_URL": "https://localhost:1234"]))
        #expect(Set(configuration.addresses.values.map(\.absoluteString)) == ["https://localhost:1234"])
    }

    @Test func withoutAKeyNothingIsConfigured() throws {
        #expect(try APNSConfiguration.read(settings([:])) == nil)
        #expect(try NtfyConfiguration.read(settings([:])) == nil)
    }

    @Test func browsersArePushedToUnlessTheOperatorSaysOff() throws {
        let file = folder.url.appending(path: "key")
        #expect(try WebPushConfiguration.read(settings(["WEB_PUSH_CONTACT": "off"]), keyKeptIn: file) == nil)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        let configuration = try #require(try WebPushConfiguration.read(settings([:]), keyKeptIn: file))
        #expect(configuration.contact == WebPushConfiguration.standardContact)
        #expect(configuration.allowedOrigins.isEmpty)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    /// Without an exception, an endpoint inside the network is refused before a request is made.
    @Test func pushServiceInTheNetworkIsAllowedByItsOrigin() throws {
        let file = folder.url.appending(path: "key")
        let allowed = "http://127.0.0.1:8090, https://push.home.example:8443"
        let open = try #require(
            try WebPushConfiguration.read(settings(["WEB_PUSH_ALLOW_ORIGIN": allowed]), keyKeptIn: file))
        let closed = try #require(try WebPushConfiguration.read(settings([:]), keyKeptIn: file))
        for endpoint in ["http://127.0.0.1:8090/a", "https://push.home.example:8443/a?b"] {
            #expect(try open.subscription(subscription(endpoint)).endpoint.absoluteString == endpoint)
            #expect(throws: WebPushSubscriptionError.endpoint) { try closed.subscription(subscription(endpoint)) }
        }
        for endpoint in [
            "http://push.example.org/a", "https://127.0.0.1/a", "https://127.0.0.1:8090/a", "http://127.0.0.1:8091/a",
            "https://10.0.0.1/a", "https://[::1]/a", "https://push.example.org:8443/a", "ftp://127.0.0.1:8090/a", "", "a",
        ] {
            #expect(throws: WebPushSubscriptionError.endpoint, "\(endpoint)") { try open.subscription(subscription(endpoint)) }
        }
        #expect(throws: Never.self) { try closed.subscription(subscription("https://push.example.org/a")) }
        #expect(throws: StartupError.self) {
            try WebPushConfiguration.read(settings(["WEB_PUSH_ALLOW_ORIGIN": "127.0.0.1"]), keyKeptIn: file)
        }
    }

    private func subscription(_ endpoint: String) -> PushSubscription {
        PushSubscription(
            endpoint: endpoint,
            keys: .init(
                p256dh: P256.KeyAgreement.PrivateKey().publicKey.x963Representation.base64URL,
                auth: Data(repeating: 7, count: 16).base64URL))
    }

    @Test(
        arguments: [
            (["APNS_KEY_ID": nil], "APNS_KEY_ID"), (["APNS_TEAM_ID": nil], "APNS_TEAM_ID"),
            (["APNS_KEY_PATH": nil], "APNS_KEY_PATH"),
            (["APNS_KEY_ID": "abc123defg"], "APNS_KEY_ID"), (["APNS_TEAM_ID": "TEAM12345"], "APNS_TEAM_ID"),
            (["APNS_BUNDLE_ID": "pager"], "APNS_BUNDLE_ID"), (["APNS_BUNDLE_ID": "com.example.pager\nx: y"], "APNS_BUNDLE_ID"),
            (["APNS_BUNDLE_ID": "com.example.pager.push-type.liveactivity"], "APNS_BUNDLE_ID"),
            (["APNS_BUNDLE_ID": "com.example.pager.voip"], "APNS_BUNDLE_ID"), (["APNS_ENVIRONMENT": "prod"], "APNS_ENVIRONMENT"),
            (["APNS_URL": "api.push.apple.com"], "APNS_URL"), (["APNS_KEY_PATH": "/no/such/key.p8"], "/no/such/key.p8"),
            (["APNS_KEY_PATH": "/etc/hostname"], "APNS_KEY_PATH"), (["APNS_CA_PATH": "/etc/hostname"], "APNS_URL"),
            (["APNS_URL": "https://localhost:1", "APNS_CA_PATH": "/etc/hostname"], "APNS_CA_PATH"),
            (["APNS_URL": "https://localhost:1", "APNS_CA_PATH": "/no/such/ca.pem"], "/no/such/ca.pem"),
        ] as [([String: String?], String)])
    func wrongAccountIsNamedAtTheStart(_ changes: [String: String?], _ name: String) throws {
        let error = #expect(throws: StartupError.self) { try apns(changes) }
        #expect(error?.description.contains(name) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: ["mailto:operator@example.org", "https://example.org/contact", "mailto:a.b+c@push.example.co.uk"])
    func contactWithAPublicNameIsAccepted(_ contact: String) throws {
        #expect(try WebPushConfiguration(contact: contact).contact == contact)
    }

    @Test(arguments: [
        "operator@example.org", "mailto:operator@localhost", "mailto:operator@box.local", "mailto:@example.org", "mailto:operator",
        "https://localhost", "http://example.org", "https://10.0.0.1", "mailto:a@b@example.org", "mailto:operator@example..org", "",
    ])
    func contactThatPushServicesRefuseIsNamedAtTheStart(_ contact: String) {
        #expect(throws: StartupError.self) { try WebPushConfiguration(contact: contact) }
    }

    @Test func keyForBrowsersIsMadeOnceAndKept() throws {
        let file = folder.url.appending(path: "push.secret")
        let settings = try settings(["WEB_PUSH_CONTACT": "mailto:operator@example.org"])
        let first = try #require(try WebPushConfiguration.read(settings, keyKeptIn: file))
        let second = try #require(try WebPushConfiguration.read(settings, keyKeptIn: file))
        #expect(first.publicKey == second.publicKey)
        #expect(Data(base64URL: first.publicKey)?.count == 65)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try Data("damaged".utf8).write(to: file)
        #expect(throws: StartupError.self) { try WebPushConfiguration.read(settings, keyKeptIn: file) }
    }

    @Test func ntfyServerMayBeInTheNetwork() throws {
        let configuration = try #require(
            try NtfyConfiguration.read(settings(["NTFY_URL": "http://10.0.0.1:8080", "NTFY_TOKEN": "tk_1"])))
        #expect(configuration.address.absoluteString == "http://10.0.0.1:8080")
        #expect(configuration.token == "tk_1")
        #expect(throws: StartupError.self) { try NtfyConfiguration.read(settings(["NTFY_URL": "ntfy.example.org"])) }
    }
}
