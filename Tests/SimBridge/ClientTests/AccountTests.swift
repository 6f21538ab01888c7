import Foundation
import HTTPTypes
import NetworkingKit
import PlatformKit
import SimBridgeTestKit
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

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
        let other = try ServerAddress.checked("https://10.0.0.1")
        await #expect(throws: BridgeProblem.address(.notAllowed(other))) {
            try await remote.bridge.logIn(server: "10.0.0.1/", username: "a", password: "b")
        }
        #expect(box.network.requests.isEmpty)
    }

    @Test func aServerThatIsNotAllowedAnyMoreIsSaidAtTheStart() async throws {
        let box = try await RelayBox()
        let phone = TestPhone()
        let preferences = ClientPreferences(phone.phone().preferences)
        preferences.serverURL = "https://10.0.0.1"
        preferences.deviceID = 1
        try await phone.phone().keychain.set(Data("token".utf8), for: "token")
        let remote = box.remote(phone)
        try await remote.until { $0.phase == .login }
        #expect(remote.bridge.loginNotice == .address(.notAllowed(try ServerAddress.checked("https://10.0.0.1"))))
        #expect(box.network.opened.isEmpty)
    }

    /// The account was made, and nobody told this phone.
    @Test func whoRegistersAgainAfterALostReplyIsLetIn() async throws {
        let box = try await RelayBox()
        let remote = box.remote()
        try await remote.until { $0.phase == .login }
        box.network.set { $0.losesReplies = "/auth/register" }
        await #expect(throws: BridgeProblem.network) {
            try await remote.bridge.logIn(server: address, username: "ada", password: "secret", registers: true)
        }
        box.network.set { $0.losesReplies = nil }
        await #expect(throws: BridgeProblem.usernameTaken) {
            try await remote.bridge.logIn(server: address, username: "ada", password: "guess", registers: true)
        }
        try await remote.bridge.logIn(server: address, username: "ada", password: "secret", registers: true)
        #expect(remote.bridge.phase == .pairing)
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

    /// A text that the outbox has not read yet would go out in the name of who logs in next.
    @Test func loggingOutForgetsTextsThatAreOnlyOnDisk() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        box.network.cut()
        try await remote.until { $0.status == .disconnected }
        let store = try SQLiteOutbox(path: remote.phone.phone().folder().appending(path: "outbox.db").path)
        try await store.append(OutboxItem(lane: "+1", payload: Data(), createdAt: Date()))
        await remote.bridge.logOut()
        #expect(try await store.items().isEmpty)
    }

    /// Who logs out while something is asked for is logged out, and sees nothing of it.
    @Test func whatIsAnsweredAfterTheLogoutIsNotTaken() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let way = SlowWay(box)
        let remote = way.remote()
        try await remote.until { $0.phase == .login }
        try await remote.bridge.logIn(server: address, username: "ada", password: RelayBox.password)
        let code = try await host.code()
        way.hold("/pair/confirm")
        let pairing = Task { try await remote.bridge.pair(code: code) }
        try await eventually { way.isHolding }
        await remote.bridge.logOut()
        way.release()
        await #expect(throws: BridgeProblem.self) { try await pairing.value }
        #expect(remote.bridge.phase == .login)
        #expect(remote.bridge.preferences.pairedHost == nil && remote.bridge.preferences.hosts.isEmpty)

        try await remote.bridge.logIn(server: address, username: "ada", password: RelayBox.password)
        try await remote.bridge.pair(code: try await host.code())
        try await remote.until { $0.status == .connected }
        try await host.send(.incomingText(sim: 1, from: "+1", body: "for ada only"))
        try await remote.until { $0.history.items.contains { $0.msgType == .event } && !$0.history.refreshing.isUnderWay }
        way.hold("/history")
        let asking = Task { [list = remote.bridge.history] in await remote.bridge.refresh(list) }
        try await eventually { way.isHolding }
        await remote.bridge.logOut()
        way.release()
        await asking.value
        #expect(remote.bridge.events.isEmpty && remote.bridge.devices.isEmpty)
    }

    @Test func theLockStaysWhateverIsAnsweredBehindIt() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let way = SlowWay(box)
        let phone = TestPhone()
        phone.hasBiometrics = true
        let remote = way.remote(phone)
        try await remote.until { $0.phase == .login }
        try await remote.bridge.logIn(server: address, username: "ada", password: RelayBox.password)
        try await remote.bridge.enableBiometrics()
        let code = try await host.code()
        way.hold("/pair/confirm")
        let pairing = Task { try await remote.bridge.pair(code: code) }
        try await eventually { way.isHolding }
        remote.bridge.lock()
        way.release()
        try await pairing.value
        #expect(remote.bridge.phase == .locked)
        try await remote.bridge.unlock(reason: "")
        #expect(remote.bridge.phase == .ready)
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

/// The way to a relay whose replies can be held back.
private final class SlowWay: HTTPTransport {
    private let box: RelayBox
    private struct State {
        var held: String?
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Locked(State())

    init(_ box: RelayBox) { self.box = box }

    @MainActor func remote(_ phone: TestPhone = TestPhone()) -> Remote {
        let relay = RemoteService(address: RelayBox.address, http: self, sockets: box.network)
        return Remote(phone, Bridge(phone: phone.phone(), relays: .only(relay, deviceName: "Test phone")))
    }

    /// Holds back the replies of a path until they are released.
    func hold(_ path: String) { state.withLock { $0.held = path } }
    var isHolding: Bool { state.withLock { !$0.waiting.isEmpty } }

    func release() {
        let waiting = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
        let reply = try await box.network.stream(request, body: body)
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                guard let held = state.held, request.path?.contains(held) == true else { return false }
                state.waiting.append(continuation)
                return true
            }
            if !isHeld { continuation.resume() }
        }
        return reply
    }
}
