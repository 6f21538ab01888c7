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

/// Login, pairing and logging out, on the real relay.
@MainActor
@Suite struct AccountTests {
    let address = RelayBox.address.absoluteString

    @Test func registrationLogsInAndLeadsToPairing() async throws {
        let box = try await RelayBox()
        let remote = box.remote()
        try await remote.until { $0.phase == .login }
        try await remote.bridge.logIn(server: address + "/", username: "ada", password: "blue bicycle", registers: true)
        #expect(remote.bridge.phase == .pairing)
        #expect(remote.bridge.saved.deviceName == "Test phone")
        await #expect(throws: BridgeProblem.malformedCode) { try await remote.bridge.pair(code: "12345") }
        await #expect(throws: BridgeProblem.wrongCode(.wrong)) { try await remote.bridge.pair(code: "123456") }
    }

    @Test func storedValuesAreThereAtTheNextStart() async throws {
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

    @Test func aPairedClientFindsItsHostAmongTheDevices() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        remote.bridge.beginPairing()
        try await remote.bridge.pair(code: try await host.code())
        #expect(remote.bridge.host?.id == host.id)
        #expect(remote.bridge.phase == .ready)
    }

    /// Of several hosts, the client uses the paired one, not the first one.
    @Test func aPairedClientFindsItsHostAmongSeveral() async throws {
        let box = try await RelayBox()
        let first = try await box.host("ada")
        let second = try await box.host("ada", name: "Attic", registers: false)
        let remote = try await box.paired(with: first, user: "ada")
        let session = try remote.bridge.current()
        _ = try await session.api.confirmPairing(code: second.code(), client: session.device, token: session.token)
        let other = PairedHost(id: second.id, name: "Attic")
        // The phone knows both hosts, and uses the first one.
        remote.bridge.use(other)
        remote.bridge.use(PairedHost(id: first.id, name: "Pixel"))
        try await remote.bridge.pair(code: try await second.code())
        #expect(remote.bridge.host == other)
        // An older relay lists no pairings: with two hosts, the paired one is unknown.
        box.network.set { $0.answer = .init(404, #"{"detail":"Not Found"}"#, path: "/pairings") }
        await #expect(throws: BridgeProblem.noHost) { try await remote.bridge.pair(code: try await first.code()) }
    }

    @Test(arguments: [
        (200, "<html>Welcome</html>"), (200, "{}"), (200, #"{"token":7}"#), (404, #"{"detail":"Not Found"}"#), (302, ""),
        (500, "oops"),
    ])
    func aLoginAtAForeignServerStoresNothing(_ status: Int, _ body: String) async throws {
        let box = try await RelayBox()
        let remote = box.remote()
        try await remote.until { $0.phase == .login }
        box.network.set { $0.answer = .init(status, body) }
        for registers in [false, true] {
            await #expect(throws: BridgeProblem.notARelay) {
                try await remote.bridge.logIn(
                    server: address, username: "ada", password: RelayBox.password, registers: registers, on: remote.page)
            }
        }
        #expect(remote.bridge.phase == .login && remote.bridge.session == nil && !remote.page.isOpen)
        #expect(remote.phone.secrets.isEmpty && remote.bridge.saved.username == nil)
        #expect(box.network.opened.isEmpty)
    }

    /// A server with the same calls, which does not know the token of the other one.
    @Test func aTokenIsNotSentToAnotherRelay() async throws {
        let (box, foreign) = (try await RelayBox(), try await RelayBox())
        // Accounts of one id get equal tokens of both relays within one second.
        _ = try await foreign.token("bob")
        let host = try await box.host("ada")
        let relays = Relays(preset: address, deviceName: "Test phone") { url in
            let network = url.host() == "foreign.example" ? foreign.network : box.network
            return RemoteService(address: RelayBox.address, http: network, sockets: network)
        }
        let phone = TestPhone()
        let remote = Remote(phone, Bridge(phone: phone.phone(), relays: relays))
        try await remote.until { $0.phase == .login }
        try await remote.bridge.logIn(server: address, username: "ada", password: RelayBox.password)
        try await remote.bridge.pair(code: try await host.code())
        let token = try remote.bridge.current().token
        await remote.bridge.logOut()
        // The foreign relay has no such account.
        await #expect(throws: BridgeProblem.invalidCredentials) {
            try await remote.bridge.logIn(server: "https://foreign.example", username: "ada", password: RelayBox.password)
        }
        try await remote.bridge.logIn(
            server: "https://foreign.example", username: "ada", password: RelayBox.password, registers: true)
        #expect(remote.bridge.phase == .pairing && remote.bridge.saved.pairedHost == nil)
        #expect(!foreign.network.requests.contains { $0.headerFields[.authorization] == "Bearer \(token)" })
        #expect(!foreign.network.opened.contains { $0.path?.contains(token) == true })
    }

    @Test(arguments: [
        ("short 7", BridgeProblem.passwordTooShort), ("password1", .passwordCommon), ("Grace Hopper", .passwordCommon),
    ])
    func shortAndCommonPasswordsAreRefused(_ password: String, _ problem: BridgeProblem) async throws {
        let box = try await RelayBox()
        let remote = box.remote()
        try await remote.until { $0.phase == .login }
        await #expect(throws: problem) {
            try await remote.bridge.logIn(server: address, username: "grace hopper", password: password, registers: true)
        }
        #expect(box.network.requests.isEmpty)
        // The relay decides about an existing account with such a password.
        await #expect(throws: BridgeProblem.invalidCredentials) {
            try await remote.bridge.logIn(server: address, username: "grace hopper", password: password)
        }
    }

    @Test func otherServersAreRefused() async throws {
        let box = try await RelayBox()
        let remote = box.remote()
        try await remote.until { $0.phase == .login }
        let other = try ServerAddress("https://10.0.0.1")
        await #expect(throws: BridgeProblem.notAllowed(other)) {
            try await remote.bridge.logIn(server: "10.0.0.1/", username: "a", password: "b")
        }
        #expect(box.network.requests.isEmpty)
    }

    @Test func aServerThatBecameForbiddenIsReportedAtTheStart() async throws {
        let box = try await RelayBox()
        let phone = TestPhone()
        // As an earlier version stored them.
        phone.phone().preferences.set("https://10.0.0.1", for: "serverURL")
        phone.phone().preferences.set(1, for: "deviceID")
        try await phone.phone().keychain.set(Data("token".utf8), for: "token")
        let remote = box.remote(phone)
        try await remote.until { $0.phase == .login }
        #expect(remote.bridge.loginNotice == .notAllowed(try ServerAddress("https://10.0.0.1")))
        #expect(box.network.opened.isEmpty)
    }

    /// A locked phone is neither logged out nor faulty.
    @Test func lockedPhoneGoesOnOnceItIsUnlocked() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let first = try await box.paired(with: host, user: "ada")
        let phone = first.phone
        await first.quit()
        phone.isKeychainLocked = true
        let second = box.remote(phone)
        try await eventually { await MainActor.run { phone.lockedReadCount > 0 } }
        #expect(second.bridge.phase == .starting && second.bridge.loginNotice == nil)
        phone.isKeychainLocked = false
        try await second.until { $0.phase == .ready && $0.status == .connected }
    }

    /// The account was created, but the reply was lost.
    @Test func registeringAgainAfterALostReplyLogsIn() async throws {
        let box = try await RelayBox()
        let remote = box.remote()
        try await remote.until { $0.phase == .login }
        box.network.set { $0.losesReplies = "/auth/register" }
        await #expect(throws: BridgeProblem.network) {
            try await remote.bridge.logIn(server: address, username: "ada", password: "blue bicycle", registers: true)
        }
        box.network.set { $0.losesReplies = nil }
        await #expect(throws: BridgeProblem.usernameTaken) {
            try await remote.bridge.logIn(server: address, username: "ada", password: "guessed horse", registers: true)
        }
        try await remote.bridge.logIn(server: address, username: "ada", password: "blue bicycle", registers: true)
        #expect(remote.bridge.phase == .pairing)
    }

    @Test func loggingOutRemovesAllData() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        box.network.cut()
        try await remote.bridge.sendText(to: "+1555", body: "waits", sim: 1)
        try await remote.until { $0.waiting.count == 1 }
        await remote.bridge.logOut()
        #expect(remote.bridge.phase == .login)
        #expect(remote.phone.secrets.isEmpty)
        #expect(remote.bridge.saved.deviceID == nil && remote.bridge.saved.pairedHost == nil)
        #expect(remote.bridge.events.isEmpty && remote.bridge.conversations.isEmpty && remote.bridge.sims.isEmpty)
        try await remote.until { $0.status == .disconnected }
        box.network.mend()
        try await remote.bridge.logIn(server: address, username: "ada", password: RelayBox.password)
        #expect(remote.bridge.phase == .pairing)
        #expect(host.commands.isEmpty)
    }

    @Test func aChangedPasswordGivesThisDeviceItsNewToken() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        let bridge = remote.bridge
        let old = try bridge.current().token
        await #expect(throws: BridgeProblem.passwordCommon) {
            try await bridge.changePassword(from: RelayBox.password, to: "12345678")
        }
        box.network.set { $0.answer = .init(403, #"{"detail":"Wrong password"}"#, path: "/auth/password") }
        await #expect(throws: BridgeProblem.wrongPassword) { try await bridge.changePassword(from: "guess", to: "blue bicycle") }
        #expect(try bridge.current().token == old)
        box.network.set { $0.answer = nil }
        let other = try await box.paired(with: host, user: "ada")
        try await bridge.changePassword(from: RelayBox.password, to: "blue bicycle")
        let new = try bridge.current().token
        #expect(new != old)
        #expect(remote.phone.secrets.values.map { String(decoding: $0, as: UTF8.self) } == [new])
        try await remote.until { _ in box.network.opened.contains { $0.path?.contains(new) == true } }
        try await remote.until { $0.status == .connected && $0.phase == .ready }
        // Every other device is logged out.
        try await other.until { $0.phase == .login && $0.loginNotice == .sessionExpired }
        await #expect(throws: BridgeProblem.invalidCredentials) {
            try await other.bridge.logIn(server: address, username: "ada", password: RelayBox.password)
        }
    }

    @Test func aCallDuringAChangeOfThePasswordDoesNotLogOut() async throws {
        let box = try await RelayBox()
        let way = SlowWay(box)
        _ = try await box.token("ada")
        let remote = way.remote()
        let bridge = remote.bridge
        try await remote.until { $0.phase == .login }
        try await bridge.logIn(server: address, username: "ada", password: RelayBox.password)
        let old = try bridge.current().token
        way.hold("/auth/password")
        async let change: Void = bridge.changePassword(from: RelayBox.password, to: "blue bicycle")
        try await eventually { way.isHolding }
        // The relay refuses the old token, and this device has not got the new one.
        await bridge.refreshDevices()
        #expect(bridge.session?.token == old)
        way.release()
        try await change
        #expect(try bridge.current().token != old)
        #expect(bridge.phase == .pairing && bridge.loginNotice == nil)
    }

    /// A second device, and one that logged out and was paired again.
    @Test func everyDeviceOfTheAccountReceivesTheHostsEvents() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let first = try await box.paired(with: host, user: "ada")
        let second = try await box.paired(with: host, user: "ada")
        try await host.send(.incomingText(sim: 1, from: "+1", body: "one"))
        for remote in [first, second] { try await remote.until { $0.conversation(with: "+1")?.messages.map(\.body) == ["one"] } }
        let left = try #require(first.bridge.deviceID)
        await first.bridge.logOut()
        try await second.until { !$0.devices.isEmpty }
        await second.bridge.refreshDevices()
        #expect(!second.bridge.devices.contains { $0.id == left }, "it is no device any more")
        try await first.bridge.logIn(server: address, username: "ada", password: RelayBox.password)
        try await first.bridge.pair(code: try await host.code())
        try await first.until { $0.status == .connected && $0.sims == RawHost.cards }
        try await host.send(.incomingText(sim: 1, from: "+1", body: "two"))
        for remote in [first, second] {
            try await remote.until { $0.conversation(with: "+1")?.messages.map(\.body) == ["one", "two"] }
        }
        // A call that one of them makes is on both.
        try await second.bridge.placeCall(to: "+1555", sim: 1)
        try await eventually { host.messages.count == 1 }
        try await host.send(.callState(.active, sim: 1, from: "+1555", reason: nil), reqId: host.messages[0].reqId)
        for remote in [first, second] { try await remote.until { $0.call?.state == .active && $0.call?.number == "+1555" } }
    }

    @Test func loggingOutRemovesTheDeviceWithoutWaiting() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let clock = TestClock()
        let remote = try await box.paired(with: host, user: "ada", clock: clock)
        let (device, token) = (try #require(remote.bridge.deviceID), try remote.bridge.current().token)
        // A relay that does not answer does not prevent the logout.
        box.network.set { $0.hangs = true }
        let leaving = Task { await remote.bridge.logOut() }
        try await remote.until { $0.phase == .login }
        try await eventually { box.network.calls.contains("DELETE /simbridge/devices/\(device)") }
        // What slept for the account may not have ended yet.
        let timeout = Bridge.removalTimeout
        try await eventually { clock.hasSleeper(for: timeout) }
        try await clock.advance(by: .seconds(6))
        try await within { await leaving.value }
        let request = try #require(box.network.requests.last { $0.method == .delete })
        #expect(request.headerFields[.authorization] == "Bearer \(token)")
        #expect(remote.phone.secrets.isEmpty)
    }

    /// An unread outbox text would be sent in the name of the next user.
    @Test func loggingOutRemovesUnreadOutboxTexts() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        box.network.cut()
        try await remote.until { $0.status == .disconnected }
        let store = try ClientStore(folder: remote.phone.phone().folder())
        try await store.append(OutboxItem(lane: "+1", payload: Data(), createdAt: Date()))
        await remote.bridge.logOut()
        #expect(try await store.items().isEmpty)
    }

    /// A user who logs out during a request stays logged out, and the reply is not shown.
    @Test func repliesAfterTheLogoutAreIgnored() async throws {
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
        #expect(remote.bridge.saved.pairedHost == nil && remote.bridge.saved.hosts.isEmpty)

        try await remote.bridge.logIn(server: address, username: "ada", password: RelayBox.password)
        try await remote.bridge.pair(code: try await host.code())
        try await remote.until { $0.status == .connected }
        try await host.send(.incomingText(sim: 1, from: "+1", body: "for ada only"))
        try await remote.until { $0.history.items.contains { $0.msgType == .event } && !$0.isRefreshing($0.history) }
        way.hold("/history")
        let asking = Task { [list = remote.bridge.history] in await remote.bridge.refresh(list) }
        try await eventually { way.isHolding }
        await remote.bridge.logOut()
        way.release()
        await asking.value
        #expect(remote.bridge.events.isEmpty && remote.bridge.devices.isEmpty)
    }

    @Test func aFailedChangeOfAccountShowsTheLogin() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        _ = try await box.token("bob")
        box.network.set { $0.answer = .init(503, #"{"detail":"Too much to do"}"#, path: "/devices") }
        await #expect(throws: BridgeProblem.self) {
            try await remote.bridge.logIn(server: address, username: "bob", password: RelayBox.password)
        }
        #expect(remote.bridge.phase == .login && remote.bridge.session == nil)
        box.network.set { $0.answer = nil }
        try await remote.bridge.logIn(server: address, username: "bob", password: RelayBox.password)
        #expect(remote.bridge.phase == .pairing)
    }

    @Test(arguments: [401, 403])
    func aRefusedTokenRequestsALoginAndKeepsData(_ status: Int) async throws {
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
}

/// The way to a relay whose replies can be held back.
final class SlowWay: HTTPTransport {
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
