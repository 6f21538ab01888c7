import ClientKit
import Foundation
import PhoneTestKit
import PlatformKit
import SimBridgeTestKit
import SimBridgeWire
import Testing

@testable import SimBridgeClient

/// The token store and the preferences.
@MainActor
@Suite struct StorageTests {
    @Test func theTokenIsStoredReplacedAndCleared() async throws {
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
        try await store.guardToken("secret", account: "ada", reason: "")
        #expect(phone.secrets.isEmpty)
        #expect(try await store.guardedToken(reason: "") == "secret")
        phone.recognises = false
        await #expect(throws: PhoneError.denied) { try await store.guardedToken(reason: "") }
    }

    @Test func theAccountSurvivesARestartAndIsCleared() async throws {
        let box = try await RelayBox()
        let phone = TestPhone()
        let remote = box.remote(phone)
        try await remote.until { $0.phase == .login }
        let saved = remote.bridge.saved
        saved.serverURL = "http://relay"
        saved.deviceID = 7
        saved.deviceName = "Phone B"
        saved.pairedHost = PairedHost(id: 3, name: "Pixel")
        await remote.quit()
        let second = box.remote(phone)
        try await second.until { $0.phase == .login }
        let again = second.bridge.saved
        #expect(again.pairedHost == PairedHost(id: 3, name: "Pixel"))
        #expect(again.deviceID == 7)
        again.clear()
        #expect(again.deviceID == nil && again.deviceName == nil && again.pairedHost == nil)
        #expect(again.serverURL == "http://relay")
    }

    /// Migrates the data of versions whose database held the outbox only.
    @Test func dataOfEarlierVersionsIsMigratedOnce() async throws {
        let box = try await RelayBox()
        let phone = TestPhone()
        let preferences = phone.phone().preferences
        preferences.set("http://relay", for: "serverURL")
        preferences.set("ada", for: "username")
        preferences.set(Int64(41), for: "cursor")
        preferences.set(Draft(to: "+1", body: "half a"), for: "draft")
        preferences.set([PairedHost(id: 3, name: "Pixel")], for: "hosts")
        preferences.set(["a"], for: "hidden")
        let remote = box.remote(phone)
        try await remote.until { $0.phase == .login }
        let bridge = remote.bridge
        #expect(bridge.saved.serverURL == "http://relay" && bridge.saved.username == "ada")
        #expect(bridge.draft == Draft(to: "+1", body: "half a") && bridge.hidden == [RequestID("a")])
        #expect(bridge.saved.hosts == [PairedHost(id: 3, name: "Pixel")])
        #expect(bridge.engine.saved.value(Int64.self, for: "cursor") == 41)
        #expect(phone.settings.isEmpty)
    }
}
