import PhoneTestKit
import PlatformKit
import SwiftUI
import Testing
import ViewKit

@MainActor
@Suite struct ServerGateTests {
    private let device = TestPhone()

    private func screen(_ choice: ServerChoice, languages: [String] = ["en"]) -> ViewDriver {
        let scene = SceneModel()
        scene.languages = languages
        return ViewDriver(
            ServerGate(choice) { server in
                Text(verbatim: "app of \(server.url.absoluteString)")
                Button("change") { server.phone.changeServer?() }
            }, scene: scene)
    }

    @Test func appAppearsOnceTheAddressIsChosen() throws {
        let choice = ServerChoice(phone: device.phone())
        let screen = screen(choice)
        #expect(screen.has("Server") && !screen.has("Cancel"))
        #expect(try screen.find("Continue", .button).attributes[.disabled] == .on)
        try screen.type("desk.local:3002", into: "server-address")
        try screen.tap("Continue")
        #expect(screen.has("app of https://desk.local:3002"))
        #expect(self.screen(ServerChoice(phone: device.phone())).has("app of https://desk.local:3002"))
    }

    @Test(arguments: [
        ("ftp://a.example", "The address must begin with https:// or http://."),
        ("https://", "The address needs a host name such as server.example.com, or an IP address."),
        ("http://a.example", "Use https:// for this name. iOS allows http:// for IP addresses and .local names only."),
        ("https://a.example?b", "The path of the address has characters that it cannot have."),
    ])
    func wrongAddressIsExplainedUntilItIsEdited(_ text: String, _ words: String) throws {
        let screen = screen(ServerChoice(phone: device.phone()))
        try screen.type(text, into: "server-address")
        try screen.submit("server-address")
        #expect(screen.has(words))
        try screen.type("https://b.example", into: "server-address")
        #expect(!screen.has(words))
    }

    @Test func unprotectedAddressElsewhereNeedsConfirmation() throws {
        let choice = ServerChoice(phone: device.phone())
        let screen = screen(choice)
        try screen.type("http://8.8.8.8", into: "server-address")
        try screen.tap("Continue")
        #expect(choice.server == nil)
        #expect(screen.texts.contains { $0.hasPrefix("This connection is not encrypted.") })
        try screen.tap("Connect Without Encryption")
        #expect(screen.has("app of http://8.8.8.8"))
    }

    @Test func serverCanBeChangedLater() throws {
        let choice = ServerChoice(phone: device.phone(), preset: "https://a.example")
        let screen = screen(choice)
        try screen.tap("change")
        #expect(try screen.find("server-address").attributes[.value]?.text == "https://a.example")
        try screen.tap("Cancel")
        #expect(screen.has("app of https://a.example") && !screen.has("Server"))
        try screen.tap("change")
        try screen.type("b.example", into: "server-address")
        try screen.tap("Continue")
        #expect(screen.has("app of https://b.example"))
    }

    @Test func formSpeaksTheLanguageOfThePhone() {
        let choice = ServerChoice(phone: device.phone())
        #expect(screen(choice, languages: ["ko"]).has("서버"))
        #expect(screen(choice, languages: ["zh-Hant"]).has("伺服器"))
    }
}
