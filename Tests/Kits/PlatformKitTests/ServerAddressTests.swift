import Foundation
import PhoneTestKit
import PlatformKit
import Testing
import WireKit

@Suite struct PhoneServerAddressTests {
    @Test(arguments: [
        ("https://pager.example.com", "https://pager.example.com"), (" pager.example.com/ ", "https://pager.example.com"),
        ("HTTP://10.0.0.7:3002/pager//", "http://10.0.0.7:3002/pager"), ("desk.local:3002", "https://desk.local:3002"),
        ("http://[fe80::1]:80", "http://[fe80::1]:80"),
        ("localhost:3002", "http://localhost:3002"),
        ("\u{200e}desk.local：３００２\u{200b}", "https://desk.local:3002"),
    ])
    func addressIsReadAsTyped(_ text: String, _ url: String) throws {
        #expect(try ServerAddress(forPhone: text).url.absoluteString == url)
    }

    @Test(arguments: [
        ("", ServerAddressError.empty), ("  ", .empty), ("ftp://pager.example.com", .invalidScheme), ("://pager", .invalidScheme),
        ("javascript://x", .invalidScheme), ("https://", .invalidHost), ("https:///path", .invalidHost),
        ("http://:80", .invalidHost),
        ("https://ada@pager.example.com", .containsUser),
        ("https://a.example?b", .invalidPath), ("https://a.example#b", .invalidPath),
        ("https://a.example:99999", .invalidPort),
        ("https://a.example:0", .invalidPort),
        ("https://a/" + String(repeating: "a", count: 300), .invalidPath), ("http://pager.example.com", .unencrypted),
        ("http://10.example.com", .unencrypted), ("http://1.2.3.4.5", .invalidHost),
    ])
    func otherTextIsRefusedWithItsReason(_ text: String, _ problem: ServerAddressError) {
        #expect(throws: problem) { try ServerAddress(forPhone: text) }
    }

    @Test(arguments: [
        "https://pager.example.com", "http://localhost:3002", "http://desk", "http://desk.local", "http://127.0.0.1",
        "http://10.1.2.3", "http://192.168.0.7", "http://172.31.0.1", "http://169.254.1.1", "http://[::1]", "http://[fe80::1]",
        "http://[fd12::1]",
    ])
    func addressesOfTheLocalNetworkAreNotExposed(_ text: String) throws { #expect(try !ServerAddress(forPhone: text).isExposed) }

    @Test(arguments: [
        "http://172.32.0.1", "http://192.169.0.1", "http://8.8.8.8", "http://[2001:db8::1]",
    ])
    func plainAddressesElsewhereAreExposed(_ text: String) throws { #expect(try ServerAddress(forPhone: text).isExposed) }
}

@MainActor
@Suite struct ServerChoiceTests {
    private let device = TestPhone()

    private func address(_ text: String) throws -> ServerAddress { try ServerAddress(forPhone: text) }

    @Test func serverIsAskedForOnceAndRemembered() throws {
        let phone = device.phone()
        let choice = ServerChoice(phone: phone)
        #expect(choice.server == nil)
        choice.choose(try address("desk.local:3002"))
        #expect(choice.server?.address.url.absoluteString == "https://desk.local:3002")
        #expect(ServerChoice(phone: phone).server?.address == choice.server?.address)
        // The choice of the user comes before the preset.
        #expect(ServerChoice(phone: phone, preset: "https://preset.example").server?.address == choice.server?.address)
    }

    @Test func presetServerNeedsNoQuestionAndInvalidOneIsNone() throws {
        #expect(ServerChoice(phone: device.phone(), preset: "https://a.example").server?.address == (try address("a.example")))
        #expect(ServerChoice(phone: device.phone(), preset: "").server == nil)
        #expect(ServerChoice(phone: device.phone(), preset: "ftp://a").server == nil)
    }

    @Test func changeIsOfferedToTheAppAndEndsWithTheChoice() throws {
        let choice = ServerChoice(phone: device.phone(), preset: "https://a.example")
        let first = try #require(choice.server)
        first.phone.changeServer?()
        #expect(choice.isChanging)
        choice.choose(first.address)
        #expect(!choice.isChanging && choice.server?.phone.instances === first.phone.instances)
        choice.choose(try address("b.example"))
        #expect(choice.server?.phone.instances !== first.phone.instances)
    }

    @Test func serverOfAnEarlierVersionKeepsItsSecrets() async throws {
        device.phone().preferences.set("https://Pager.example", for: "server")
        try await device.phone().keychain.set(Data("a".utf8), for: "https://Pager.example token")
        let choice = ServerChoice(phone: device.phone())
        choice.choose(try address("pager.example"))
        #expect(try await choice.server?.phone.keychain.data(for: "token") == Data("a".utf8))
        #expect(try await ServerChoice(phone: device.phone()).server?.phone.keychain.data(for: "token") == Data("a".utf8))
    }

    @Test func clientOfTheLastServerIsReleased() throws {
        final class Client { var phone: Phone? }
        let choice = ServerChoice(phone: device.phone(), preset: "https://a.example")
        weak var client: Client?
        try {
            let phone = try #require(choice.server).phone
            let made = phone.instances.instance { Client() }
            made.phone = phone
            client = made
        }()
        #expect(client != nil)
        choice.choose(try address("b.example"))
        #expect(client == nil)
    }

    @Test func eachServerHasItsOwnSecretsAndFolder() async throws {
        let choice = ServerChoice(phone: device.phone(), preset: "https://a.example")
        let first = try #require(choice.server).phone
        try await first.keychain.set(Data("a".utf8), for: "token")
        try Data("a".utf8).write(to: try first.folder().appending(path: "file"))
        choice.choose(try address("https://b.example/pager"))
        let second = try #require(choice.server).phone
        #expect(try await second.keychain.data(for: "token") == nil)
        #expect(!FileManager.default.fileExists(atPath: try second.folder().appending(path: "file").path))
        choice.choose(try address("https://a.example"))
        #expect(try await choice.server?.phone.keychain.data(for: "token") == Data("a".utf8))
    }
}
