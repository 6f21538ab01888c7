import Foundation
import PlatformKit
import SimBridgeClient
import SimBridgeTestKit
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
        #expect(try hand.isEnabled("Log In") && hand.isEnabled("Create Account"))
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
        try hand.screen.type("eve", into: "Username")
        try hand.screen.type("secret", into: "Password")
        try hand.screen.tap("Create Account")
        try await hand.screen.wait(for: "Enter the 6-digit code shown on the Host device")
        try hand.screen.tap("Log Out")
        try await hand.screen.wait(for: "Log out?")
    }

    @Test func theCodeTakesSixDigitsOnly() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let hand = try await Handheld.loggedIn(box)
        #expect(try !hand.isEnabled("Pair"))
        try hand.screen.type("12a3-4", into: "code")
        #expect(try hand.screen.find("code", .field).attributes[.value]?.text == "1234")
        #expect(try !hand.isEnabled("Pair"))
        try hand.screen.type("1234567", into: "code")
        #expect(try hand.screen.find("code", .field).attributes[.value]?.text == "123456")
        try hand.screen.tap("Pair")
        try await hand.screen.wait(for: "Invalid or expired code. Get a new one on the host.")
        try hand.screen.type(try await host.code(), into: "code")
        try hand.screen.tap("Pair")
        try await hand.screen.wait(for: "Paired Host: Pixel")
        #expect(hand.device.permission == .granted)
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
