import Foundation
import PhoneTestKit
import PlatformKit
import SimBridgeApp
import SimBridgeClient
import SimBridgeTestKit
import SimBridgeWire
import SwiftUI
import TestKit
import Testing

/// Login, pairing and the lock: `Docs/Requirements.md`, SimBridge.
@Suite struct LoginTests {
    /// The server address is optional and defaults to the box itself.
    @Test func loginButtonRequiresAllFields() async throws {
        let hand = Handheld(try await RelayBox())
        try await hand.screen.wait(for: "Log In")
        #expect(try hand.screen.find("Server URL", .field).attributes[.value]?.text == "")
        #expect(try !hand.isEnabled("Log In"))
        try hand.screen.type("ada", into: "Username")
        #expect(try !hand.isEnabled("Log In"))
        try hand.screen.type("secret", into: "Password")
        #expect(try hand.isEnabled("Log In"))
        try hand.screen.type("", into: "Username")
        #expect(try !hand.isEnabled("Log In"))
    }

    /// An iPhone does not tell its name.
    @Test func loginAsksForTheNameOfAPhoneWithoutOne() async throws {
        let box = try await RelayBox()
        var relays = box.relays
        relays.deviceName = nil
        let hand = Handheld(box, relays: relays)
        try await hand.screen.wait(for: "Log In")
        try hand.screen.tap("Create an account")
        try hand.screen.type("ada", into: "Username")
        try hand.screen.type("blue bicycle", into: "Password")
        #expect(try !hand.isEnabled("Create Account"))
        try hand.screen.type("  \n", into: "Device name")
        #expect(try !hand.isEnabled("Create Account"))
        try hand.screen.type(" Blue\nphone ", into: "Device name")
        try hand.screen.tap("Create Account")
        try await eventually { await hand.bridge.phase == .pairing }
        #expect(hand.bridge.saved.deviceName == "Blue phone")
        #expect(!hand.bridge.asksForDeviceName)
    }

    @Test func eyeButtonRevealsThePassword() async throws {
        let hand = Handheld(try await RelayBox())
        try await hand.screen.wait(for: "Log In")
        try hand.screen.type("secret", into: "Password")
        #expect(try hand.screen.find("Password", .field).attributes[.fieldType]?.text == "password")
        try hand.screen.tap("Show password")
        #expect(try hand.screen.find("Password", .field).attributes[.fieldType]?.text != "password")
        #expect(try hand.screen.find("Password", .field).attributes[.value]?.text == "secret")
        try hand.screen.tap("Hide password")
    }

    @Test func keyboardStaysWhileThePasswordIsRevealed() async throws {
        let hand = Handheld(try await RelayBox())
        try await hand.screen.wait(for: "Log In")
        func focusedField() -> String? {
            hand.screen.visible.first { $0.kind == .field && $0.attributes[.focused] == .on }?.attributes[.identifier]?.text
        }
        try hand.screen.tap("Show password")
        #expect(focusedField() == nil)
        try hand.screen.tap("Hide password")
        try hand.screen.focus("Password")
        for button in ["Show password", "Hide password"] {
            try hand.screen.tap(button)
            #expect(focusedField() == "password")
        }
    }

    @Test func loginErrorsAreShown() async throws {
        let box = try await RelayBox()
        let hand = Handheld(box)
        try await hand.logIn(password: "wrong")
        try await hand.screen.wait(for: "Incorrect username or password. Try again.")
        box.network.cut()
        try hand.screen.tap("Log In")
        try await hand.screen.wait(for: "Can’t reach the relay. Check the address and your network connection.")
        try hand.screen.type("https://10.0.0.1", into: "Server URL")
        try hand.screen.tap("Log In")
        try await hand.screen.wait(
            for: "This box isn’t allowed to connect to https://10.0.0.1. Its operator can allow it with --allow-server.")
    }

    @Test func createAccountRegistersAndLeadsToPairing() async throws {
        let hand = Handheld(try await RelayBox())
        try await hand.screen.wait(for: "Log In")
        #expect(try hand.screen.find("Password", .field).attributes[.autofill]?.text == "current-password")
        try hand.screen.tap("Create an account")
        // So that the browser offers to generate a password.
        #expect(try hand.screen.find("Password", .field).attributes[.autofill]?.text == "new-password")
        try hand.screen.type("eve", into: "Username")
        for (password, words) in [
            ("secret7", "The password is too short. Use at least 8 characters."),
            ("password1", "This password is too easy to guess. Choose another one."),
        ] {
            try hand.screen.type(password, into: "Password")
            try hand.screen.tap("Create Account")
            try await hand.screen.wait(for: words)
        }
        try hand.screen.type("blue bicycle", into: "Password")
        try hand.screen.submit("Password")
        try await hand.screen.wait(for: "Enter the 6-digit code shown on the Host device")
        try hand.screen.tap("Log Out")
        try await hand.screen.wait(for: "Log out?")
    }

    @Test func sixthDigitAndReturnSubmitTheCode() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.loggedIn(box)
        #expect(hand.screen.texts.contains { $0.contains("switchboard simbridge host") }, "it says where the code comes from")
        #expect(try !hand.isEnabled("Pair"))
        try hand.screen.type("12a3-4", into: "code")
        #expect(try hand.screen.find("code", .field).attributes[.value]?.text == "1234")
        #expect(try !hand.isEnabled("Pair"))
        let code = try await host.code()
        // Further digits are ignored.
        try hand.screen.type((code == "123456" ? "654321" : "123456") + "7", into: "code")
        try await hand.screen.wait(for: "Invalid code. Check the code that the host shows.")
        try await hand.screen.wait { (try? hand.screen.find("code", .field).attributes[.value]?.text) == "" }
        box.network.cut()
        try hand.screen.type(code, into: "code")
        try await hand.screen.wait(for: "Can’t reach the relay. Check the address and your network connection.")
        box.network.mend()
        // The code is kept and still valid.
        try hand.screen.submit("code")
        try await hand.screen.wait(for: "Paired Host: Pixel")
        #expect(hand.device.permission == .granted)
    }

    private func link(_ code: String) throws -> URL {
        try #require(URL(string: "https://box.example/apps/simbridge/#pair=\(code)"))
    }

    @Test func pairingLinkPairs() async throws {
        let box = try await RelayBox()
        let (host, second) = (try await box.host("ada"), try await box.host("ada", name: "Attic", registers: false))
        // Opened before login.
        let hand = Handheld(box)
        try await hand.screen.wait(for: "Log In")
        hand.screen.host.open(try link("12345"))
        hand.screen.host.open(try link(try await host.code()))
        try await hand.logIn()
        try await hand.screen.wait(for: "Paired Host: Pixel")
        // Opened when already paired.
        hand.screen.host.open(try link(try await second.code()))
        try await hand.screen.wait(for: "Paired Host: Attic")
    }

    @Test func linkOnALockedPageWaitsForUnlock() async throws {
        let box = try await RelayBox()
        let (host, second) = (try await box.host("ada"), try await box.host("ada", name: "Attic", registers: false))
        let hand = try await Handheld.locked(box, host, device: TestPhone())
        try await hand.screen.wait(for: "SimBridge is locked")
        hand.screen.host.open(try link(try await second.code()))
        #expect(hand.screen.has("SimBridge is locked"))
        try hand.screen.tap("Unlock")
        try await hand.screen.wait(for: "Paired Host: Attic")
    }

    @Test func restartRestoresTheScreen() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let device = TestPhone()
        let scene = SceneModel()
        do {
            let hand = try await Handheld.ready(box, host, device: device, scene: scene)
            try await host.send(.incomingText(sim: 1, from: "+1 555", body: "Hello"))
            // The row of the conversation comes after the event in the feed.
            try await hand.screen.wait {
                hand.screen.visible.contains { $0.kind == .button && $0.label?.contains("Hello") == true }
            }
            try hand.screen.tap("Hello")
            try await hand.screen.wait { hand.screen.title == "+1555" }
        }
        let again = Handheld(box, device: device, scene: scene)
        try await again.screen.wait { again.screen.title == "+1555" && again.screen.has("Hello") }
        try again.screen.back()
        try again.screen.tap("Settings")
        try await again.screen.wait(for: "Log Out")
        try again.screen.tap("Log Out")
        try await again.screen.wait(for: "Log out?")
        try again.screen.tap("Log Out")
        try await again.screen.wait(for: "Log In")
        // The next login starts at the first screen.
        try await again.logIn()
        try await again.screen.wait(for: "Pair with a host")
        try again.screen.type(try await host.code(), into: "code")
        try await again.screen.wait(for: "Send SMS")
        #expect(again.screen.title == "SimBridge Client")
    }

    @Test func lockedPageShowsNothing() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let device = TestPhone()
        let hand = try await Handheld.locked(box, host, device: device)
        try await hand.screen.wait(for: "Unlock")
        try hand.screen.tap("Unlock")
        try await hand.screen.wait(for: "online")
        // A second page of the same phone, as with a copied cookie.
        let other = ViewDriver(SimBridgeRoot(phone: hand.phone, relays: box.relays), scene: SceneModel())
        try await other.wait(for: "SimBridge is locked")
        try await host.send(.incomingText(sim: 1, from: "+1 555", body: "Code 123456"))
        try await hand.screen.wait(for: "Code 123456")
        try await host.send(.error("No SIM card"))
        try await host.send(.incomingCall(sim: 1, from: "+1 555"))
        try await hand.screen.wait(for: "Decline")
        for words in ["+1555", "+1 555", "Code 123456", "No SIM card", "Decline", "Paired Host: Pixel"] {
            #expect(!other.has(words), "\(words)")
        }
        // The password opens that page only.
        try other.tap("Use the password instead")
        try await other.wait(for: "Log In")
        #expect(hand.screen.has("Decline"))
        try other.tap("Back")
        try await other.wait(for: "SimBridge is locked")
    }

    @Test func failedLoginOfAnotherAccountShowsTheReason() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        _ = try await box.token("bob")
        let hand = try await Handheld.locked(box, host, device: TestPhone())
        try await hand.screen.wait(for: "SimBridge is locked")
        try hand.screen.tap("Use the password instead")
        try await hand.screen.wait(for: "Log In")
        box.network.set { $0.answer = .init(503, #"{"detail":"Too much to do"}"#, path: "/devices") }
        try hand.screen.type("bob", into: "Username")
        try hand.screen.type(RelayBox.password, into: "Password")
        try hand.screen.tap("Log In")
        try await hand.screen.wait(for: "Too much to do")
        #expect(hand.screen.has("Log In"))
    }

    @Test func biometricLockIsOfferedAndOpens() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let device = TestPhone()
        let again = try await Handheld.locked(box, host, device: device)
        try await again.screen.wait(for: "SimBridge is locked")
        device.recognises = false
        try again.screen.tap("Unlock")
        try await again.screen.wait(for: "Couldn’t verify your identity. Try again.")
        device.recognises = true
        try again.screen.tap("Unlock")
        try await again.screen.wait(for: "Paired Host: Pixel")
        try again.screen.tap("Settings")
        try await again.screen.wait(for: "Unlock with face or finger")
        try again.screen.tap("Unlock with face or finger")
        try await eventually { await device.guarded.isEmpty }
    }

    /// iPhones show the reason beside the prompt.
    @Test func reasonForRecognitionIsASentenceInTheUsersLanguage() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let device = TestPhone()
        _ = try await Handheld.locked(box, host, device: device)
        #expect(device.recognitionReasons == ["Verify your identity to continue."])
        let scene = SceneModel()
        scene.locale = Locale(identifier: "ko")
        let again = Handheld(box, device: device, languages: ["ko"], scene: scene)
        try await again.screen.wait(for: "잠금 해제")
        try again.screen.tap("잠금 해제")
        try await eventually { await device.recognitions == 2 }
        #expect(device.recognitionReasons.last == "계속하려면 본인 인증을 하세요.")
    }

    @Test func textsAreInThePhonesLanguage() async throws {
        let hand = Handheld(try await RelayBox(), languages: ["ko"])
        try await hand.screen.wait(for: "로그인")
        #expect(hand.screen.has("다른 휴대폰의 SIM 카드로 문자와 전화를 하세요."))
    }
}
