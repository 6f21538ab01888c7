import Foundation
import PlatformKit
import SimBridgeTestKit
import SimBridgeWire
import TestKit
import Testing

@testable import SimBridgeClient

/// Login, pairing, the lock, and logging out, on the real relay.
@MainActor
@Suite struct AccountTests {
    private let address = RelayBox.address.absoluteString

    @Test func whoRegistersIsLoggedInAndGoesToPairing() async throws {
        let box = try await RelayBox()
        let remote = box.remote()
        try await remote.until { $0.phase == .login }
        try await remote.bridge.logIn(server: address + "/", username: "ada", password: "secret", registers: true)
        #expect(remote.bridge.phase == .pairing)
        #expect(remote.bridge.preferences.deviceName == "Test phone")
        await #expect(throws: BridgeProblem.malformedCode) { try await remote.bridge.pair(code: "12345") }
        await #expect(throws: BridgeProblem.wrongCode) { try await remote.bridge.pair(code: "123456") }
    }

    @Test func whatIsKeptIsThereAtTheNextStart() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let phone = TestPhone()
        let remote = try await box.paired(with: host, user: "ada", phone: phone)
        let device = remote.bridge.deviceID
        await remote.quit()
        let again = box.remote(phone)
        try await again.until { $0.phase == .ready && $0.status == .connected }
        #expect(again.bridge.deviceID == device)
        #expect(again.bridge.host == PairedHost(id: host.id, name: "Pixel"))
    }

    @Test func whoWasPairedAlreadyTakesTheHostFromTheDevices() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        remote.bridge.beginPairing()
        try await remote.bridge.pair(code: try await host.code())
        #expect(remote.bridge.host?.id == host.id)
        #expect(remote.bridge.phase == .ready)
    }

    @Test func otherServersAreRefused() async throws {
        let box = try await RelayBox()
        let remote = box.remote()
        try await remote.until { $0.phase == .login }
        await #expect(throws: BridgeProblem.address(.notAllowed)) {
            try await remote.bridge.logIn(server: "https://10.0.0.1", username: "a", password: "b")
        }
        #expect(box.network.requests.isEmpty)
    }

    @Test func loggingOutLeavesNothing() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        box.network.cut()
        try await remote.bridge.sendText(to: "+1555", body: "waits", sim: 1)
        try await remote.until { $0.waiting.count == 1 }
        await remote.bridge.logOut()
        #expect(remote.bridge.phase == .login)
        #expect(remote.phone.secrets.isEmpty)
        #expect(remote.bridge.preferences.deviceID == nil && remote.bridge.preferences.pairedHost == nil)
        #expect(remote.bridge.events.isEmpty && remote.bridge.conversations.isEmpty && remote.bridge.sims.isEmpty)
        try await remote.until { $0.status == .disconnected }
        box.network.mend()
        try await remote.bridge.logIn(server: address, username: "ada", password: RelayBox.password)
        #expect(remote.bridge.phase == .pairing)
        #expect(host.commands.isEmpty)
    }

    @Test(arguments: [401, 403])
    func aRefusedTokenAsksForTheLoginAndKeepsTheRest(_ status: Int) async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        let device = remote.bridge.deviceID
        box.network.set { $0.answer = .init(status, #"{"detail":"Not authenticated"}"#, path: "/devices") }
        await remote.bridge.refreshDevices()
        #expect(remote.bridge.phase == .login)
        #expect(remote.bridge.loginNotice == .sessionExpired)
        box.network.set { $0.answer = nil }
        try await remote.bridge.logIn(server: address, username: "ada", password: RelayBox.password)
        #expect(remote.bridge.phase == .ready)
        #expect(remote.bridge.deviceID == device)
        try await remote.until { $0.status == .connected }
    }

    @Test func whoIsRecognisedGetsIn() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let phone = TestPhone()
        phone.hasBiometrics = true
        let remote = try await box.paired(with: host, user: "ada", phone: phone)
        #expect(remote.bridge.isBiometricOffered)
        try await remote.bridge.enableBiometrics()
        #expect(phone.secrets.isEmpty)
        await remote.quit()

        let again = box.remote(phone)
        try await again.until { $0.phase == .locked }
        #expect(again.bridge.session == nil)
        phone.recognises = false
        await #expect(throws: BridgeProblem.notRecognised) { try await again.bridge.unlock(reason: "") }
        #expect(again.bridge.phase == .locked)
        phone.recognises = true
        try await again.bridge.unlock(reason: "")
        try await again.until { $0.phase == .ready && $0.status == .connected }
        try await again.bridge.disableBiometrics()
        #expect(phone.guarded.isEmpty && phone.secrets.count == 1)
    }

    @Test func aMinuteInTheBackgroundLocksAgain() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let (phone, clock) = (TestPhone(), TestClock())
        phone.hasBiometrics = true
        let remote = try await box.paired(with: host, user: "ada", phone: phone, clock: clock)
        try await remote.bridge.enableBiometrics()
        remote.bridge.setInFront(false, screen: remote)
        try await remote.until(advancing: clock, by: .seconds(5)) { $0.phase == .locked }
        // The line goes on: texts are told.
        try await host.send(.incomingText(sim: 1, from: "+1", body: "psst"))
        try await remote.until(advancing: clock, by: .seconds(5)) { $0.events.count == 1 }
        try await remote.bridge.unlock(reason: "")
        #expect(remote.bridge.phase == .ready)
    }
}
