import Foundation
import PlatformKit
import SimBridgeApp
import SimBridgeClient
import SimBridgeTestKit
import SimBridgeWire
import SwiftUI
import TestKit
import Testing

/// Login, pairing, the lock: seed, "LoginView" and "PairView"; simbridge-client-tests.
@Suite struct LoginTests {
    /// Of the server's address none is needed: then it is the box's own.
    @Test func theButtonNeedsAllFields() async throws {
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

    @Test func theEyeShowsThePassword() async throws {
        let hand = Handheld(try await RelayBox())
        try await hand.screen.wait(for: "Log In")
        try hand.screen.type("secret", into: "Password")
        #expect(try hand.screen.find("Password", .field).attributes[.fieldType]?.text == "password")
        try hand.screen.tap("Show password")
        #expect(try hand.screen.find("Password", .field).attributes[.fieldType]?.text != "password")
        #expect(try hand.screen.find("Password", .field).attributes[.value]?.text == "secret")
        try hand.screen.tap("Hide password")
    }

    @Test func mistakesAreSaid() async throws {
        let box = try await RelayBox()
        let hand = Handheld(box)
        try await hand.logIn(password: "wrong")
        try await hand.screen.wait(for: "Wrong username or password.")
        box.network.cut()
        try hand.screen.tap("Log In")
        try await hand.screen.wait(for: "The relay cannot be reached. Check the address and the network.")
        try hand.screen.type("https://10.0.0.1", into: "Server URL")
        try hand.screen.tap("Log In")
        try await hand.screen.wait(
            for: "This box does not connect to https://10.0.0.1. Whoever runs it can allow that with --allow-server.")
    }

    @Test func createAccountRegistersAndLeadsToPairing() async throws {
        let hand = Handheld(try await RelayBox())
        try await hand.screen.wait(for: "Log In")
        #expect(try hand.screen.find("Password", .field).attributes[.autofill]?.text == "current-password")
        try hand.screen.tap("Create an account")
        // Where the browser offers to make one up.
        #expect(try hand.screen.find("Password", .field).attributes[.autofill]?.text == "new-password")
        try hand.screen.type("eve", into: "Username")
        for (password, words) in [
            ("secret7", "The password is too short: use at least 8 characters."),
            ("password1", "This password is one of the first that others try. Choose another."),
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

    @Test func theSixthDigitSubmitsAndReturnDoesToo() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.loggedIn(box)
        #expect(hand.screen.texts.contains { $0.contains("switchboard simbridge host") }, "it says where the code comes from")
        #expect(try !hand.isEnabled("Pair"))
        try hand.screen.type("12a3-4", into: "code")
        #expect(try hand.screen.find("code", .field).attributes[.value]?.text == "1234")
        #expect(try !hand.isEnabled("Pair"))
        let code = try await host.code()
        // What is typed beyond the sixth digit does not count.
        try hand.screen.type((code == "123456" ? "654321" : "123456") + "7", into: "code")
        try await hand.screen.wait(for: "Invalid or expired code. Get a new one on the host.")
        try await hand.screen.wait { (try? hand.screen.find("code", .field).attributes[.value]?.text) == "" }
        box.network.cut()
        try hand.screen.type(code, into: "code")
        try await hand.screen.wait(for: "The relay cannot be reached. Check the address and the network.")
        box.network.mend()
        // The code is still there, and good.
        try hand.screen.submit("code")
        try await hand.screen.wait(for: "Paired Host: Pixel")
        #expect(hand.device.permission == .granted)
    }

    private func link(_ code: String) throws -> URL {
        try #require(URL(string: "https://box.example/apps/simbridge/#pair=\(code)"))
    }

    @Test func theLinkOfTheHostsQRCodePairs() async throws {
        let box = try await RelayBox()
        let (host, second) = (try await box.host("ada"), try await box.host("ada", name: "Attic", registers: false))
        // Opened before anybody is logged in.
        let hand = Handheld(box)
        try await hand.screen.wait(for: "Log In")
        hand.screen.host.open(try link("12345"))
        hand.screen.host.open(try link(try await host.code()))
        try await hand.logIn()
        try await hand.screen.wait(for: "Paired Host: Pixel")
        // And when there is a host already.
        hand.screen.host.open(try link(try await second.code()))
        try await hand.screen.wait(for: "Paired Host: Attic")
    }

    @Test func aLinkOnALockedPageWaitsForTheOwner() async throws {
        let box = try await RelayBox()
        let (host, second) = (try await box.host("ada"), try await box.host("ada", name: "Attic", registers: false))
        let hand = try await Handheld.locked(box, host, device: TestPhone())
        try await hand.screen.wait(for: "SimBridge is locked")
        hand.screen.host.open(try link(try await second.code()))
        #expect(hand.screen.has("SimBridge is locked"))
        try hand.screen.tap("Unlock")
        try await hand.screen.wait(for: "Paired Host: Attic")
    }

    @Test func aRestartReturnsToTheScreen() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let device = TestPhone()
        let scene = SceneModel()
        do {
            let hand = try await Handheld.ready(box, host, device: device, scene: scene)
            try await host.send(.incomingText(sim: 1, from: "+1 555", body: "Hello"))
            try await hand.screen.wait(for: "Hello")
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
        // Who logs in next begins at the beginning.
        try await again.logIn()
        try await again.screen.wait(for: "Pair with a host")
        try again.screen.type(try await host.code(), into: "code")
        try await again.screen.wait(for: "Send SMS")
        #expect(again.screen.title == "SimBridge Client")
    }

    @Test func aLockedPageShowsNothingUntilItsOwnerOpensIt() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let device = TestPhone()
        let hand = try await Handheld.locked(box, host, device: device)
        try await hand.screen.wait(for: "Unlock")
        try hand.screen.tap("Unlock")
        try await hand.screen.wait(for: "online")
        // A second page of the same phone, as by a copied cookie.
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
        // Its password opens that page, and leaves the other as it is.
        try other.tap("Use the password instead")
        try await other.wait(for: "Log In")
        #expect(hand.screen.has("Decline"))
        try other.tap("Back")
        try await other.wait(for: "SimBridge is locked")
    }

    @Test func aLogInOfAnotherAccountThatFailsHalfWaySaysWhy() async throws {
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

    @Test func theLockIsOfferedWhereThePhoneCanAndOpensForItsOwner() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let device = TestPhone()
        let again = try await Handheld.locked(box, host, device: device)
        try await again.screen.wait(for: "SimBridge is locked")
        device.recognises = false
        try again.screen.tap("Unlock")
        try await again.screen.wait(for: "You were not recognised.")
        device.recognises = true
        try again.screen.tap("Unlock")
        try await again.screen.wait(for: "Paired Host: Pixel")
        try again.screen.tap("Settings")
        try await again.screen.wait(for: "Unlock with face or finger")
        try again.screen.tap("Unlock with face or finger")
        try await eventually { await device.guarded.isEmpty }
    }

    @Test func wordsAreInTheReadersLanguage() async throws {
        let hand = Handheld(try await RelayBox(), languages: ["ko"])
        try await hand.screen.wait(for: "로그인")
        #expect(hand.screen.has("다른 휴대폰의 SIM 카드로 문자와 전화를 하세요."))
    }
}
