import Foundation
import PhoneTestKit
import PlatformKit
import SwiftUI
import Testing
import ViewKit

@MainActor
@Suite struct DemonstrationTests {
    private let device = TestPhone()

    private func screen(languages: [String] = ["en"]) -> ViewDriver {
        let scene = SceneModel()
        scene.languages = languages
        let choice = ServerChoice(phone: device.phone())
        return ViewDriver(
            DemonstrationGate(on: device.phone()) {
                ServerGate(choice) { _ in Text(verbatim: "app") }
            } demonstration: { phone in
                Text(verbatim: phone.isDemonstration ? "demonstration" : "real phone")
            }, scene: scene)
    }

    @Test func demonstrationBeginsAndEndsWithOneTap() throws {
        let screen = screen()
        #expect(!screen.has("demonstration") && !screen.has("Leave"))
        try screen.tap("Try a Demonstration")
        #expect(screen.has("demonstration"))
        #expect(screen.has("Demonstration: invented data. Nothing is stored or sent."))
        #expect(!screen.has("server-address"))
        try screen.tap("Leave")
        #expect(screen.has("server-address") && !screen.has("Leave"))
    }

    @Test(arguments: [("ko", "데모 살펴보기", "나가기"), ("zh-Hant", "試用示範", "離開")])
    func wordsAreThoseOfThePhone(_ language: String, _ begin: String, _ leave: String) throws {
        let screen = screen(languages: [language])
        try screen.tap(begin)
        #expect(screen.has(leave))
    }

    /// An app without a demonstration does not offer one.
    @Test func gateAloneHasNoButton() {
        let choice = ServerChoice(phone: device.phone())
        #expect(!ViewDriver(ServerGate(choice) { _ in Text(verbatim: "app") }).has("Try a Demonstration"))
    }

    @Test func demonstrationStoresNothingOnThePhone() async throws {
        let phone = device.phone().demonstration()
        try await phone.keychain.set(Data("secret".utf8), for: "token")
        phone.preferences.set(7, for: "number")
        #expect(try await phone.keychain.data(for: "token") == Data("secret".utf8))
        #expect(phone.preferences.value(Int.self, for: "number") == 7)
        #expect(device.secrets.isEmpty && device.settings.isEmpty)
        #expect(phone.storedFolder() == nil)
        #expect(throws: PhoneError.unsupported) { try phone.folder() }
        let permission = await phone.notifications.requestPermission()
        #expect(permission == .denied && device.permission == .undecided)
        for isAvailable in [
            await phone.microphone.isAvailable(), await phone.scanner.isAvailable(), await phone.biometrics.isAvailable(),
        ] { #expect(!isAvailable) }
    }
}
