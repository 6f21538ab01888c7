import Foundation
import PlatformKit
import SimBridgeTestKit
import SimBridgeWire
import Testing

@testable import SimBridgeClient

/// simbridge-client-tests, "token store" and "preferences".
@MainActor
@Suite struct StorageTests {
    @Test func theTokenIsKeptReplacedAndCleared() async throws {
        let phone = TestPhone()
        let store = SecureTokenStore(keychain: phone.phone().keychain, biometrics: phone.phone().biometrics)
        #expect(try await store.token() == nil)
        try await store.save("one")
        try await store.save("two")
        #expect(try await store.token() == "two")
        try await store.clear()
        #expect(try await store.token() == nil)
    }

    @Test func aGuardedTokenIsNowhereElse() async throws {
        let phone = TestPhone()
        phone.hasBiometrics = true
        let store = SecureTokenStore(keychain: phone.phone().keychain, biometrics: phone.phone().biometrics)
        try await store.save("secret")
        try await store.guardToken("secret", account: "ada")
        #expect(phone.secrets.isEmpty)
        #expect(try await store.guardedToken(reason: "") == "secret")
        phone.recognises = false
        await #expect(throws: PhoneError.denied) { try await store.guardedToken(reason: "") }
    }

    @Test func preferencesSurviveARestartAndAreCleared() {
        let phone = TestPhone()
        let preferences = ClientPreferences(phone.phone().preferences)
        preferences.serverURL = "http://relay"
        preferences.deviceID = 7
        preferences.deviceName = "Phone B"
        preferences.pairedHost = PairedHost(id: 3, name: "Pixel")
        let again = ClientPreferences(phone.phone().preferences)
        #expect(again.pairedHost == PairedHost(id: 3, name: "Pixel"))
        #expect(again.deviceID == 7)
        again.clear()
        #expect(again.deviceID == nil && again.deviceName == nil && again.pairedHost == nil)
        #expect(again.serverURL == "http://relay")
    }
}
