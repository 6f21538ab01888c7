import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import Foundation
import HTTPTypes
import NetworkingKit
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

/// The saved servers, and what is asked before a token is sent.
@MainActor
@Suite struct ServerTests {
    private static let lan = "http://192.168.0.7:80/endlesscode"

    @Test(arguments: [
        ("", ServerAddressError.empty), ("ftp://desk", .invalidScheme), ("desk_top", .invalidHost), ("300.1.1.1", .invalidHost),
        ("desk:99999", .invalidPort), ("desk/a b", .invalidPath), ("me@desk", .containsUser),
    ])
    func addressThatIsNoneIsRefusedAndNotStored(_ text: String, _ problem: ServerAddressError) async throws {
        let box = try await AgentBox()
        let phone = box.phone()
        try await phone.until { $0.isReady }
        await #expect(throws: CodeProblem.address(problem)) {
            try await phone.client.addServer(address: text, token: box.token.text)
        }
        #expect(AgentClient.addressProblem(of: text) == problem)
        #expect(phone.client.servers.isEmpty && phone.phone.secrets.isEmpty && box.network.opened.isEmpty)
        await #expect(throws: CodeProblem.invalidToken) { try await phone.client.addServer(address: "desk", token: "a b") }
        #expect(phone.client.servers.isEmpty)
    }

    @Test func addressAndTokenAreInTheKeychainOnlyAndSurviveARestart() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        let first = try await box.connected("Test phone", device)
        let id = try await first.startSession().id
        await first.quit()
        let secret = try #require(device.secrets["servers"])
        #expect(String(decoding: secret, as: UTF8.self).contains(box.token.text))
        #expect(!device.settings.values.contains { String(decoding: $0, as: UTF8.self).contains(box.token.text) })
        let folder = try device.phone().folder()
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            #expect(!(try Data(contentsOf: file)).contains(Data(box.token.text.utf8)), "\(file.lastPathComponent)")
        }
        let second = box.phone("Test phone", device)
        try await second.until { $0.status == .connected && $0.sessions[id] != nil }
        #expect(second.client.server?.address == AgentBox.address)
    }

    @Test func tokenStandsInTheHeaderAndNotInTheAddress() async throws {
        let box = try await AgentBox()
        _ = try await box.connected("Ada's phone / 지수")
        let requests = box.network.opened + box.network.requests
        #expect(requests.allSatisfy { $0.headerFields[.authorization] == "Bearer \(box.token.text)" })
        #expect(requests.allSatisfy { $0.path?.contains(box.token.text) == false })
        #expect(box.network.opened.first?.path?.contains("name=Ada%27s%20phone%20%2F%20%EC%A7%80%EC%88%98") == true)
    }

    @Test func wrongTokenIsAskedForAndTheRightOneGoesOn() async throws {
        let box = try await AgentBox()
        let phone = box.phone()
        try await phone.until { $0.isReady }
        try await phone.client.addServer(address: AgentBox.address.text, token: "wrong")
        try await phone.until { $0.hold == .tokenRefused }
        #expect(phone.client.status == .disconnected && phone.client.nextAttempt == nil)
        let count = box.network.opened.count
        await phone.client.refreshProjects()
        #expect(phone.client.projectsPhase == .failed(.tokenRefused) && box.network.opened.count == count)
        await #expect(throws: CodeProblem.invalidToken) { try await phone.client.setToken("a b") }
        try await phone.client.setToken(box.token.text)
        try await phone.until { $0.status == .connected && $0.hold == nil }
    }

    @Test func renewedTokenEndsTheConnectionAndNothingIsLost() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.turn("list", in: conversation)
        let token = try box.renewToken()
        try await phone.until { $0.hold == .tokenRefused }
        try await phone.client.send("list", in: conversation)
        try await phone.client.setToken(token.text)
        try await phone.until { _ in conversation.resultCount == 2 }
        #expect(conversation.prompts == ["list", "list"])
    }

    @Test func missingTokenIsAskedForAndACodeAnswersToo() async throws {
        let box = try await AgentBox()
        let phone = box.phone()
        try await phone.until { $0.isReady }
        try await phone.client.addServer(address: AgentBox.address.text, token: "")
        try await phone.until { $0.hold == .tokenMissing }
        #expect(box.network.opened.isEmpty && box.network.requests.isEmpty)
        try await phone.client.setToken(" \(box.token.text)\n")
        try await phone.until { $0.status == .connected }
    }

    @Test func plainHTTPBeyondThisComputerIsAskedBeforeTheTokenIsSent() async throws {
        let box = try await AgentBox()
        let phone = box.phone()
        try await phone.until { $0.isReady }
        try await phone.client.addServer(address: Self.lan, token: box.token.text)
        try await phone.until { $0.hold == .plainHTTP }
        try await phone.client.acceptPlainHTTP(false)
        #expect(phone.client.hold == .plainHTTPDeclined)
        await phone.client.refreshProjects()
        #expect(box.network.opened.isEmpty && box.network.requests.isEmpty)
        phone.client.reconnect()
        try await phone.until { $0.hold == .plainHTTP }
        try await phone.client.acceptPlainHTTP(true)
        try await phone.until { _ in box.network.opened.count == 1 }
        #expect(phone.client.hold == nil && phone.client.server?.allowsPlainHTTP == true)
    }

    @Test func textOfACodeAddsItsServerAndReplacesWhatWasKnown() async throws {
        let box = try await AgentBox()
        let phone = box.phone()
        try await phone.until { $0.isReady }
        let fingerprint = String(repeating: "ab", count: 32)
        for text in ["", "https://desk", "endlesscode://desk", "endlesscode://desk?token=a b", "endlesscode://desk?token=a&fp=12"] {
            await #expect(throws: CodeProblem.self) { try await phone.client.addServer(link: text) }
        }
        let id = try await phone.client.addServer(link: " endlesscode://desk:8181?token=one&fp=\(fingerprint)\n")
        #expect(
            phone.client.server?.address.text == "https://desk:8181" && phone.client.server?.fingerprint?.description == fingerprint
        )
        let other = String(repeating: "cd", count: 32)
        #expect(try await phone.client.addServer(link: "endlesscode://desk:8181?token=two&fp=\(other)") == id)
        #expect(phone.client.servers.count == 1 && phone.client.server?.token?.text == "two")
        #expect(phone.client.server?.fingerprint?.description == other)
        #expect(phone.client.server?.fingerprint?.groups.hasPrefix("cdcd cdcd ") == true)
    }

    @Test func scannedCodeAddsItsServer() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        let phone = box.phone("Test phone", device)
        try await phone.until { $0.isReady }
        await #expect(throws: CodeProblem.camera) { try await phone.client.scanServer(prompt: "Scan") }
        device.codes = ["https://example.com", "endlesscode://desk?token=one"]
        #expect(await phone.client.canScan())
        #expect(try await phone.client.scanServer(prompt: "Scan") == phone.client.current)
        #expect(phone.client.server?.address.text == "http://desk:8180")
        device.codes = []
        #expect(try await phone.client.scanServer(prompt: "Scan") == nil)
    }

    @Test func removedServerTakesItsContentWithIt() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await phone.turn("list", in: conversation)
        let first = try #require(phone.client.current)
        box.network.cut()
        try await phone.until { $0.status != .connected }
        try await phone.client.send("later", in: conversation)
        let second = try await phone.client.addServer(address: "https://other", token: "")
        #expect(phone.client.sessions.isEmpty && phone.client.projects.isEmpty)
        #expect(phone.client.conversation(conversation.id).entries.isEmpty)
        try await phone.client.use(first)
        #expect(phone.client.conversation(conversation.id).prompts == ["list"])
        try await phone.until { $0.conversation(conversation.id).outgoingPrompts.map(\.text) == ["later"] }
        try await phone.client.removeServer(first)
        #expect(phone.client.current == second && phone.client.servers.map(\.id) == [second])
        #expect(phone.client.conversation(conversation.id).entries.isEmpty)
        #expect(!String(decoding: phone.phone.secrets["servers"] ?? Data(), as: UTF8.self).contains(box.token.text))
        try await phone.client.removeServer(second)
        #expect(phone.client.current == nil)
        try await phone.until { $0.status == .disconnected }
    }

    @Test func addressThatTheOperatorDoesNotAllowIsNotCalled() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        let client = AgentClient(phone: device.phone(), network: box.phoneNetwork(isAllowed: { _ in false }))
        let phone = AgentPhone(device, client)
        try await phone.until { $0.isReady }
        let refusal = CodeProblem.notAllowed(try ServerAddress(endlessCode: "desk"))
        await #expect(throws: refusal) { try await client.addServer(address: "desk", token: "one") }
        let plain = CodeProblem.notAllowed(try ServerAddress(endlessCode: "http://desk"))
        await #expect(throws: plain) { try await client.addServer(link: "endlesscode://desk?token=one") }
        #expect(client.servers.isEmpty && box.network.opened.isEmpty)
    }

    @Test func permissionIsAskedForBeforeEachConnection() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        let permission = Locked(ServerPermission.noServer)
        let network = ServerNetwork(
            phoneName: "Browser", transports: TestTransports(box.network), decide: { _ in permission.withLock { $0 } })
        let phone = AgentPhone(device, AgentClient(phone: device.phone(), network: network))
        try await phone.until { $0.isReady }
        await #expect(throws: CodeProblem.network) {
            try await phone.client.addServer(address: AgentBox.address.text, token: box.token.text)
        }
        permission.withLock { $0 = .allowed }
        try await phone.client.addServer(address: AgentBox.address.text, token: box.token.text)
        try await phone.until { $0.status == .connected }
        permission.withLock { $0 = .refused }
        box.network.cut()
        try await phone.until { $0.status != .connected }
        box.network.mend()
        phone.client.reconnect()
        try await phone.until { $0.hold == .notAllowed(AgentBox.address) }
        permission.withLock { $0 = .allowed }
        phone.client.reconnect()
        try await phone.until { $0.status == .connected }
    }

    @Test func offeredServerIsUsedAtOnceAndNotStored() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        let link = ServerLink(host: .name("localhost"), port: 80, token: box.token, fingerprint: nil)
        let service = RemoteService(
            address: AgentBox.address.url, http: box.network, sockets: box.network)
        let network = ServerNetwork(
            phoneName: "Browser", transports: TestTransports(box.network),
            offered: [.init(link, name: "This box", service: service)],
            decide: { _ in .refused })
        let phone = AgentPhone(device, AgentClient(phone: device.phone(), network: network))
        try await phone.until { $0.status == .connected }
        #expect(phone.client.server?.title == "This box" && device.secrets.isEmpty)
    }

    @Test func fullKeychainKeepsTheFormerServer() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        let phone = try await box.connected("Test phone", device)
        let former = phone.client.server
        device.isFull = true
        await #expect(throws: CodeProblem.storage) { try await phone.client.addServer(address: "desk", token: "one") }
        await #expect(throws: CodeProblem.storage) { try await phone.client.setToken("other") }
        #expect(phone.client.server == former && phone.client.status == .connected)
    }

    @Test func keychainThatCannotBeReadLosesNoServer() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        do { _ = try await box.connected("Test phone", device) }
        device.isKeychainBroken = true
        let phone = box.phone("Test phone", device)
        phone.client.setInFront(true, screen: phone)
        try await phone.until { $0.isReady }
        #expect(phone.client.problem == .storage)
        await #expect(throws: CodeProblem.storage) { try await phone.client.addServer(address: "desk", token: "one") }
        device.isKeychainBroken = false
        phone.client.setInFront(false, screen: phone)
        phone.client.setInFront(true, screen: phone)
        try await phone.until { $0.status == .connected }
    }

    /// An iPhone does not tell its name: the user gives one.
    @Test func phoneWithoutANameIsNamedByItsUser() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        func phone() -> AgentPhone { AgentPhone(device, AgentClient(phone: device.phone(), network: box.phoneNetwork(nil))) }
        func sentName() -> String? {
            let path = box.network.opened.last?.path ?? ""
            return URLComponents(string: path)?.queryItems?.first { $0.name == "name" }?.value
        }
        let first = phone()
        try await first.until { $0.isReady }
        #expect(first.client.asksForPhoneName && first.client.phoneName.isEmpty)
        try await first.client.addServer(address: AgentBox.address.text, token: box.token.text)
        try await first.until { $0.status == .connected }
        #expect(sentName() == "iPhone")
        first.client.setPhoneName(" Blue\nphone")
        try await first.until { $0.status == .connected && sentName() == "Blue phone" }
        await first.quit()
        let second = phone()
        try await second.until { $0.status == .connected }
        #expect(second.client.phoneName == "Blue phone" && sentName() == "Blue phone")
        #expect(!box.phone().client.asksForPhoneName)
    }

    @Test func lockedPhoneIsConnectedOnceItIsUnlocked() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        do { _ = try await box.connected("Test phone", device) }
        device.isKeychainLocked = true
        let phone = box.phone("Test phone", device)
        try await eventually { await MainActor.run { device.lockedReadCount > 0 } }
        #expect(!phone.client.isReady && phone.client.problem == nil && phone.client.servers.isEmpty)
        device.isKeychainLocked = false
        try await phone.until { $0.status == .connected }
    }
}
