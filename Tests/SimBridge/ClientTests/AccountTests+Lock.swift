import ClientKit
import Foundation
import HTTPTypes
import NetworkingKit
import PhoneTestKit
import PlatformKit
import SimBridgeCalls
import SimBridgeTestKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeClient

/// The lock.
extension AccountTests {
    @Test func theLockStaysWhenRepliesArrive() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let way = SlowWay(box)
        let phone = TestPhone()
        phone.hasBiometrics = true
        let remote = way.remote(phone)
        try await remote.until { $0.phase == .login }
        try await remote.bridge.logIn(server: address, username: "ada", password: RelayBox.password)
        try await remote.bridge.enableBiometrics(on: remote.page)
        let code = try await host.code()
        way.hold("/pair/confirm")
        let pairing = Task { try await remote.bridge.pair(code: code) }
        try await eventually { way.isHolding }
        remote.bridge.remove(remote.page)
        way.release()
        try await pairing.value
        #expect(remote.bridge.phase == .ready && remote.bridge.isLocked(remote.page))
        try await remote.bridge.unlock(remote.page)
        #expect(!remote.bridge.isLocked(remote.page))
    }

    /// A second page of the same phone, as with a copied cookie.
    @Test func eachPageUnlocksAndLocksSeparately() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let (phone, clock) = (TestPhone(), TestClock())
        phone.hasBiometrics = true
        let remote = try await box.paired(with: host, user: "ada", phone: phone, clock: clock)
        let (bridge, own, other) = (remote.bridge, remote.page, BridgePage())
        bridge.setInFront(true, page: other)
        #expect(!bridge.isLocked(other))
        // From now on only the page of the owner is open.
        try await bridge.enableBiometrics(on: own)
        #expect(!bridge.isLocked(own) && bridge.isLocked(other))
        phone.recognises = false
        await #expect(throws: BridgeProblem.notRecognised) { try await bridge.unlock(other) }
        bridge.usePassword(on: other)
        #expect(bridge.isLocked(other) && other.wantsPassword && bridge.phase == .ready)
        await #expect(throws: BridgeProblem.invalidCredentials) {
            try await bridge.logIn(server: address, username: "ada", password: "guessed it", on: other)
        }
        #expect(bridge.isLocked(other) && !bridge.isLocked(own))
        phone.recognises = true
        try await bridge.unlock(other)
        #expect(!bridge.isLocked(other))
        // The owner leaves one page and stays on the other.
        bridge.setInFront(false, page: other)
        try await remote.until(advancing: clock, by: .seconds(5)) { $0.isLocked(other) }
        #expect(!bridge.isLocked(own))
        bridge.setInFront(true, page: other)
        #expect(bridge.isLocked(other), "who comes back has to be recognised")
        bridge.setInFront(false, page: own)
        try await remote.until(advancing: clock, by: .seconds(5)) { $0.isLocked(own) }
        #expect(bridge.isLocked(other))
    }

    @Test func theOwnerIsRecognisedOnTheUnlockingPage() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let (phone, elsewhere) = (TestPhone(), TestPhone())
        for phone in [phone, elsewhere] { phone.hasBiometrics = true }
        let remote = try await box.paired(with: host, user: "ada", phone: phone)
        try await remote.bridge.enableBiometrics(on: remote.page)
        let asked = phone.recognitions
        let page = BridgePage(biometrics: elsewhere.phone().biometrics)
        // The page's authenticator has no secret, and the phone's secret is not used in its place.
        try await remote.bridge.unlock(page)
        #expect(remote.bridge.isLocked(page) && page.wantsPassword && phone.recognitions == asked)
        try await remote.bridge.logIn(server: address, username: "ada", password: RelayBox.password, on: page)
        #expect(!remote.bridge.isLocked(page) && elsewhere.recognitions == 1 && phone.recognitions == asked)
        try await remote.bridge.changePassword(from: RelayBox.password, to: "blue bicycle", on: page)
        #expect(elsewhere.recognitions == 2 && phone.recognitions == asked)
    }

    @Test func aPasswordUnlocksItsOwnPageOnly() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let phone = TestPhone()
        phone.hasBiometrics = true
        let remote = try await box.paired(with: host, user: "ada", phone: phone)
        let (bridge, own, other) = (remote.bridge, BridgePage(), BridgePage())
        try await bridge.enableBiometrics(on: remote.page)
        for page in [own, other] { bridge.setInFront(true, page: page) }
        phone.recognises = false
        try await bridge.logIn(server: address, username: "ada", password: RelayBox.password, on: own)
        #expect(!bridge.isLocked(own) && bridge.isLocked(other))
        #expect(phone.secrets.isEmpty && phone.guarded.isEmpty)
        await remote.quit()
        // The next start requires the password, and guards its token.
        phone.recognises = true
        let again = box.remote(phone)
        try await again.until { $0.phase == .login }
        try await again.bridge.logIn(server: address, username: "ada", password: RelayBox.password, on: again.page)
        #expect(phone.secrets.isEmpty && !phone.guarded.isEmpty)
        #expect(again.bridge.phase == .ready && !again.bridge.isLocked(again.page) && again.bridge.isLocked(BridgePage()))
    }

    @Test func recognitionUnlocks() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let phone = TestPhone()
        phone.hasBiometrics = true
        let remote = try await box.paired(with: host, user: "ada", phone: phone)
        #expect(remote.bridge.isBiometricOffered)
        try await remote.bridge.enableBiometrics(on: remote.page)
        #expect(phone.secrets.isEmpty)
        await remote.quit()

        let again = box.remote(phone)
        try await again.until { $0.phase == .locked }
        #expect(again.bridge.session == nil)
        phone.recognises = false
        await #expect(throws: BridgeProblem.notRecognised) { try await again.bridge.unlock(again.page) }
        #expect(again.bridge.phase == .locked)
        phone.recognises = true
        try await again.bridge.unlock(again.page)
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
        try await remote.bridge.enableBiometrics(on: remote.page)
        remote.bridge.setInFront(false, page: remote.page)
        try await remote.until(advancing: clock, by: .seconds(5)) { $0.isLocked(remote.page) }
        // The line continues: texts are notified.
        try await host.send(.incomingText(sim: 1, from: "+1", body: "psst"))
        try await remote.until(advancing: clock, by: .seconds(5)) { $0.events.count == 1 }
        try await remote.bridge.unlock(remote.page)
        #expect(!remote.bridge.isLocked(remote.page))
    }

    /// Notifications reach every page of the phone, a locked one too.
    @Test func notificationsAreBlankWhileAPageIsLocked() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let phone = TestPhone()
        phone.hasBiometrics = true
        let remote = try await box.paired(with: host, user: "ada", phone: phone)
        let bridge = remote.bridge
        await bridge.requestNotifications()
        try await bridge.enableBiometrics(on: remote.page)
        let other = BridgePage()
        // In front, but locked: the owner does not look.
        bridge.setInFront(false, page: remote.page)
        bridge.setInFront(true, page: other)
        try await host.send(.incomingText(sim: 1, from: "+1 555", body: "Your code is 481516"))
        try await eventually { await phone.shown.count == 1 }
        try await host.send(.incomingCall(sim: 1, from: "+1 555"))
        try await eventually { await phone.shown.count == 2 }
        #expect(phone.shown.map(\.title) == ["SimBridge", "SimBridge"])
        #expect(phone.shown.map(\.body) == ["New text message", "Incoming call"])
        #expect(!phone.shown.contains { "\($0)".contains("555") || "\($0)".contains("481516") })
        try await host.send(.callState(.ended, sim: 1, from: "+1 555", reason: nil))
        try await eventually { await phone.shown.last?.body == "Missed call" }
        #expect(phone.shown.last?.title == "SimBridge")
        // Every page is the owner's again.
        bridge.remove(other)
        try await host.send(.incomingText(sim: 1, from: "+1 555", body: "Hello"))
        try await eventually { await phone.shown.last?.body == "Hello" }
        #expect(phone.shown.last?.title == "+1 555")
    }
}
