import Foundation
import PlatformKit
import TestKit
import Testing

private let openSSL = "/usr/bin/openssl"

/// Profiles in the forms that OpenSSL gives to signed messages: with `-stream` their lengths are indefinite, and their content is in parts.
@Suite struct ProvisioningProfileTests {
    @Test(arguments: [("development", "sandbox"), ("production", "production")], [false, true])
    func environmentIsThatOfTheEntitlement(_ environment: (String, String), _ isStreamed: Bool) throws {
        let profile = try Self.signed(Self.list(environment.0), isStreamed: isStreamed)
        #expect(try ProvisioningProfile(profile).pushEnvironment == environment.1)
        // A release build that Xcode installs has a token of the sandbox.
        for isDebug in [false, true] {
            #expect(
                ProvisioningProfile.pushEnvironment(profile: profile, isSimulator: false, isDebug: isDebug) == environment.1)
        }
    }

    @Test func profileWithoutPushesAndOtherContentAreTold() throws {
        #expect(try ProvisioningProfile(Self.signed(Self.list(nil))).pushEnvironment == nil)
        #expect(throws: ProvisioningProfile.Problem.unknownEnvironment("staging")) {
            try ProvisioningProfile(Self.signed(Self.list("staging")))
        }
        for content in ["", "text", "<plist version=\"1.0\"><array/></plist>", "<plist version=\"1.0\"><dict/></plist>"] {
            let data = try Self.signed(Data(content.utf8))
            #expect(throws: ProvisioningProfile.Problem.self) { try ProvisioningProfile(data) }
        }
        #expect(throws: ProvisioningProfile.Problem.tooLarge) { try ProvisioningProfile(Data(count: 5_000_000)) }
    }

    /// With the program whose forms the other tests imitate.
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: openSSL), "openssl is not installed"),
        arguments: [[], ["-stream"]])
    func profileSignedByOpenSSLIsRead(_ options: [String]) async throws {
        let folder = try TemporaryFolder()
        func path(_ name: String) -> String { folder.url.appending(path: name).path }
        try Self.list("development").write(to: folder.url.appending(path: "list"))
        // A key of this curve is made at once.
        let key = [
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path("key"), "-subj", "/CN=test",
        ]
        #expect(try await Program.tool(openSSL, ["req", "-x509", "-out", path("certificate")] + key).status == 0)
        let signature = ["-nodetach", "-binary", "-outform", "DER", "-signer", path("certificate"), "-inkey", path("key")]
        let files = ["-in", path("list"), "-out", path("profile")]
        #expect(try await Program.tool(openSSL, ["cms", "-sign"] + options + signature + files).status == 0)
        #expect(try ProvisioningProfile(Data(contentsOf: folder.url.appending(path: "profile"))).pushEnvironment == "sandbox")
    }

    @Test func damagedProfilesNeverTrap() throws {
        let profile = try Self.signed(Self.list("development"), isStreamed: true)
        for length in stride(from: 0, to: profile.count - 1, by: 7) { _ = try? ProvisioningProfile(profile.prefix(length)) }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            var damaged = profile
            for _ in 0..<3 { damaged[Int.random(in: 0..<min(200, profile.count), using: &generator)] = .random(in: 0...255) }
            _ = try? ProvisioningProfile(damaged)
        }
        // One octet string in another, again and again.
        let nested = Data((0..<20_000).flatMap { _ in [UInt8(0x24), 0x80] })
        #expect(throws: ProvisioningProfile.Problem.malformed) { try ProvisioningProfile(nested) }
    }

    @Test func appWithoutAProfileIsFromAStore() {
        #expect(ProvisioningProfile.pushEnvironment(profile: nil, isSimulator: false, isDebug: false) == "production")
        #expect(ProvisioningProfile.pushEnvironment(profile: nil, isSimulator: true, isDebug: false) == "sandbox")
        // Unreadable: as the build.
        #expect(ProvisioningProfile.pushEnvironment(profile: Data([1]), isSimulator: false, isDebug: true) == "sandbox")
        #expect(ProvisioningProfile.pushEnvironment(profile: Data([1]), isSimulator: false, isDebug: false) == "production")
    }

    private static func list(_ environment: String?) throws -> Data {
        var entitlements: [String: Any] = ["application-identifier": "TEAM.switchboard.team.Pager2077", "get-task-allow": true]
        entitlements["aps-environment"] = environment
        // As long as a real one: several parts of a streamed message.
        let padding = (0..<200).map { "00008030-\($0)-001C2D" }
        return try PropertyListSerialization.data(
            fromPropertyList: ["Name": "iOS Team", "Entitlements": entitlements, "ProvisionedDevices": padding], format: .xml,
            options: 0)
    }

    private static func signed(_ content: Data, isStreamed: Bool = false) throws -> Data {
        Data(isStreamed ? CMS.streamed(Array(content)) : CMS.plain(Array(content)))
    }
}

/// The outer forms of a signed message, without certificates and signatures, which the reader leaves alone.
private enum CMS {
    private static let signedData: [UInt8] = [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2]
    private static let data: [UInt8] = [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1]
    /// Version 1 and the algorithm SHA-256.
    private static let start: [UInt8] = [
        0x02, 1, 1, 0x31, 13, 0x30, 11, 0x06, 9, 0x60, 0x86, 0x48, 0x01, 0x65, 3, 4, 2, 1,
    ]

    static func plain(_ content: [UInt8]) -> [UInt8] {
        let inner = data + element(0xa0, element(0x04, content))
        return element(0x30, signedData + element(0xa0, element(0x30, start + element(0x30, inner) + element(0x31, []))))
    }

    static func streamed(_ content: [UInt8]) -> [UInt8] {
        let parts = stride(from: 0, to: content.count, by: 4096).flatMap {
            element(0x04, Array(content[$0..<min($0 + 4096, content.count)]))
        }
        let inner = data + indefinite(0xa0, indefinite(0x24, parts))
        return indefinite(
            0x30, signedData + indefinite(0xa0, indefinite(0x30, start + indefinite(0x30, inner) + element(0x31, []))))
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length = content.count
        if length < 128 { return [tag, UInt8(length)] + content }
        var bytes: [UInt8] = []
        while length > 0 {
            bytes.insert(UInt8(truncatingIfNeeded: length), at: 0)
            length >>= 8
        }
        return [tag, 0x80 | UInt8(bytes.count)] + bytes + content
    }

    private static func indefinite(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, 0x80] + content + [0, 0] }
}
