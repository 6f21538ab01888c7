import Foundation
import LocalLLMTestKit
import LocalLLMWire
import NetworkingKit
import PhoneTestKit
import PlatformKit
import TestKit
import Testing

@testable import LocalLLMClient

/// Connecting, its errors, and the keys of hosts: `Docs/Requirements.md`, LocalLLM.
@MainActor
@Suite struct ConnectTests {
    private static let unused = ServerID([UInt8](repeating: 9, count: 32))!

    @Test func launchShowsTheConnectScreenAndDialsNobody() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let phone = TestPhone()
        let first = try await ChatPhone.connected(to: host, on: network, phone: phone)
        await first.quit()
        let second = ChatPhone(network, phone: phone)
        try await second.until { $0.hosts.map(\.id) == [host.id.text] }
        #expect(second.client.screen == .connect && second.client.link == .idle)
        #expect(network.dials.count == 1)
        // The saved host is one tap away.
        second.client.connect(to: second.client.hosts[0].id)
        try await second.until { $0.screen == .chat }
        // The phone keeps its key.
        #expect(Set(network.secrets).count == 1 && network.secrets.count == 2)
    }

    /// The phone's key is in its keychain. A locked one is no failure to show, and no reason for another key.
    @Test func lockedPhoneConnectsOnceItIsUnlocked() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let device = TestPhone()
        let first = try await ChatPhone.connected(to: host, on: network, phone: device)
        await first.quit()
        device.isKeychainLocked = true
        let second = ChatPhone(network, phone: device)
        try await second.until { !$0.hosts.isEmpty }
        second.client.connect(to: second.client.hosts[0].id)
        try await eventually { await MainActor.run { device.lockedReadCount > 0 } }
        #expect(second.client.lastProblem == nil)
        device.isKeychainLocked = false
        second.client.setInFront(false, screen: device)
        second.client.setInFront(true, screen: device)
        try await second.until { $0.screen == .chat && $0.link == .open }
        #expect(Set(network.secrets).count == 1)
    }

    @Test func pastedIDAndScannedLinkConnect() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        for text in [host.id.text, " \n\(host.id.text) ", host.id.link] {
            let phone = ChatPhone(network)
            phone.client.address = text
            phone.client.connect()
            try await phone.until { $0.screen == .chat && $0.link == .open }
            #expect(phone.client.address == host.id.text)
            #expect(phone.client.info == ScriptedHost.info && phone.client.isVerified)
        }
    }

    @Test func laterIntroductionChangesTheHeader() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network)
        var info = ScriptedHost.info
        (info.hostName, info.model) = ("Den", "qwen")
        try await host.send(.serverInfo(info))
        try await phone.until { $0.info?.hostName == "Den" }
        #expect(phone.client.hosts.map(\.name) == ["Den"] && phone.client.model == "qwen")
    }

    // MARK: Codes

    @Test(arguments: ["", "hello", "0OIl", "localllm://", String(repeating: "1", count: 31)])
    func invalidServerIDIsFoundBeforeAnythingIsSent(_ text: String) async throws {
        let network = TestPeers()
        let phone = ChatPhone(network)
        phone.client.connect(to: text)
        #expect(phone.client.problem?.code == .invalidServerID && phone.client.link == .idle)
        #expect(network.dials.isEmpty)
    }

    @Test func nobodyAnnouncedIsHostOffline() async throws {
        let network = TestPeers()
        let phone = ChatPhone(network)
        phone.client.connect(to: Self.unused.text)
        try await phone.until { $0.problem == ChatProblem(.hostOffline) && $0.link == .idle }
        #expect(phone.client.screen == .connect)
        #expect(network.dials == [.key(PeerKey(Self.unused.bytes)!), .topic(PeerTopic(Self.unused.bytes)!)])
    }

    @Test func lookupWithoutAnAnswerIsHostOfflineAfterTenSeconds() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        network.fault = .stall(.lookup)
        let phone = ChatPhone(network, clock: clock)
        phone.client.connect(to: Self.unused.text)
        try await phone.until(advancing: clock) { $0.link == .idle }
        #expect(phone.client.problem?.code == .hostOffline)
        #expect(clock.now.offset <= Self.tenSeconds)
    }

    /// Ten seconds on a clock that goes on while a busy machine works.
    private static let tenSeconds = Duration.seconds(25)

    // MARK: Invitations and names of a host

    nonisolated private static let invitation = Invitation("7YyB1kLmNpQ2rS")!

    @Test func invitationGoesToTheProvedHostOnly() async throws {
        let network = TestPeers()
        let pending = Message.error(nil, ErrorReport(.approvalPending, "Approve."))
        // Somebody else has announced the topic of the host, which is not there.
        let impostor = try await ScriptedHost(on: network, key: 8, topic: Self.unused, opening: [pending])
        let phone = ChatPhone(network)
        phone.client.connect(to: HostLink(Self.unused, invitation: Self.invitation).text)
        try await phone.until { $0.link == .connecting(.approval) }
        #expect(impostor.connectionCount == 1 && impostor.messages.isEmpty)
        await impostor.quit()
        phone.client.disconnect()
        let host = try await ScriptedHost(on: network, key: 9, opening: [pending])
        phone.client.connect(to: host.id.text)
        try await eventually { host.messages == [.invitation(Self.invitation)] }
        try await host.send(.serverInfo(ScriptedHost.info))
        try await phone.until { $0.screen == .chat }
    }

    @Test func olderHostThatKnowsNoInvitationsAsksItsUser() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(
            on: network, opening: [.error(nil, ErrorReport(.badMessage, "unknown type")), .serverInfo(ScriptedHost.version1)])
        let phone = ChatPhone(network)
        phone.client.connect(to: HostLink(host.id, invitation: Self.invitation).text)
        try await phone.until { $0.screen == .chat }
    }

    @Test func namesOfAHostileHostAreCleanedAndShortened() async throws {
        let network = TestPeers()
        let long = String(repeating: "x", count: 10_000)
        let info = ServerInfo(
            hostName: "My\u{202e}caM\u{1b}[31m\nsecond row \(long)", model: "m\u{2066}\u{0}\(long)", status: .ready,
            features: [.models], models: ["good", "good", "b\u{200f}ad", long, ""], waiting: ["\u{202e}", long])
        let host = try await ScriptedHost(on: network, opening: [.serverInfo(info)])
        let phone = ChatPhone(network)
        phone.client.connect(to: host.id.text)
        try await phone.until { $0.screen == .chat }
        let shown = try #require(phone.client.info)
        #expect(shown.hostName == "My caM [31m second row " + String(repeating: "x", count: 41))
        #expect(shown.model.hasPrefix("m x") && shown.model.utf8.count == 256)
        #expect(shown.models == ["good"] && shown.waiting.isEmpty)
        #expect(phone.client.hosts.map(\.name) == [shown.hostName])
        phone.client.send("p")
        let start = try await host.start()
        try await host.send(.error(start.id, ErrorReport(ErrorCode(rawValue: "A\u{202e}B"), "text\u{202e}\n\(long)")))
        try await phone.until { $0.conversation?.exchanges.last?.problem != nil }
        let problem = try #require(phone.last?.problem)
        #expect(problem.code.rawValue == "UNKNOWN_ERROR" && problem.message.hasPrefix("text x"))
        #expect(problem.message.utf8.count == 1_024)
        let isPrintable = phone.client.log.entries.allSatisfy { !$0.text.unicodeScalars.contains { $0.value == 0x202e } }
        #expect(isPrintable)
    }

    // MARK: Slow lookups

    /// Connects on a network whose lookups take this many seconds.
    private func dial(key: Int, topic: Int, _ network: TestPeers, _ clock: TestClock, _ id: ServerID) async throws -> ChatPhone {
        let slow = HostNetwork { secret, _ in
            SlowDialler(inner: network.peers.peer(PeerKey(secret)!), clock: clock, key: .seconds(key), topic: .seconds(topic))
        }
        let phone = ChatPhone(slow, clock: clock)
        phone.client.connect(to: id.text)
        try await phone.until(advancing: clock) { $0.link == .open || $0.link == .idle }
        return phone
    }

    @Test func slowLookupOfTheKeyProvesTheHost() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        // Somebody else announces the topic and answers first.
        let stranger = try await ScriptedHost(on: network, key: 8, topic: ServerID([UInt8](repeating: 7, count: 32))!)
        let host = try await ScriptedHost(on: network, key: 7)
        let phone = try await dial(key: 9, topic: 0, network, clock, host.id)
        #expect(phone.client.isVerified && phone.client.link == .open)
        #expect(stranger.connectionCount == 1 && stranger.messages.isEmpty)
        #expect(clock.now.offset <= Self.tenSeconds)
    }

    @Test func slowLookupsFindAHostByItsTopicWithinTenSeconds() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network, topic: Self.unused)
        let phone = try await dial(key: 8, topic: 6, network, clock, Self.unused)
        #expect(!phone.client.isVerified && phone.client.link == .open && host.connectionCount == 1)
        #expect(clock.now.offset <= Self.tenSeconds)
    }

    @Test func lookupOfTheKeyWithoutAnAnswerLeavesTheTopic() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network, topic: Self.unused)
        let phone = try await dial(key: 3_600, topic: 1, network, clock, Self.unused)
        #expect(!phone.client.isVerified && phone.client.link == .open && host.connectionCount == 1)
        #expect((.seconds(10)...Self.tenSeconds).contains(clock.now.offset))
    }

    @Test func hostThatIsFoundByItsTopicFirstIsVerified() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network)
        let phone = try await dial(key: 3_600, topic: 1, network, clock, host.id)
        #expect(phone.client.isVerified && phone.client.link == .open && host.connectionCount == 1)
        #expect(clock.now.offset < .seconds(10))
    }

    private struct SlowDialler: ByteStreamDialler {
        let inner: InProcessPeer
        let clock: TestClock
        let key: Duration
        let topic: Duration
        var ownKey: PeerKey { inner.ownKey }

        func dial(_ destination: DialDestination, onHop: @escaping @Sendable (DialHop) -> Void) async throws -> any ByteStream {
            onHop(.lookup)
            if case .key = destination { try await clock.sleep(for: key) } else { try await clock.sleep(for: topic) }
            return try await inner.dial(destination, onHop: onHop)
        }
    }

    // MARK: Failures

    @Test(arguments: [DialError.Code.network, .timedOut, .refused, .unreachable, .broken])
    func failedDialIsConnectFailed(_ code: DialError.Code) async throws {
        let network = TestPeers()
        network.fault = .failure(DialError(code, at: .handshake))
        let phone = ChatPhone(network)
        phone.client.connect(to: Self.unused.text)
        try await phone.until { $0.link == .idle && $0.problem != nil }
        #expect(phone.client.problem?.code == .connectFailed)
        #expect(phone.client.problem?.cause == (code == .network ? .network : .unreachable))
    }

    @Test(arguments: [DialHop.handshake, .holePunching, .stream])
    func noStreamWithinThirtySecondsIsConnectFailed(_ hop: DialHop) async throws {
        let (network, clock) = (TestPeers(), TestClock())
        network.fault = .stall(hop)
        let phone = ChatPhone(network, clock: clock)
        phone.client.connect(to: Self.unused.text)
        try await phone.until { $0.link == .connecting(.init(hop)) }
        try await phone.until(advancing: clock) { $0.link == .idle }
        #expect(phone.client.problem?.code == .connectFailed)
        #expect((.seconds(30)...(.seconds(32))).contains(clock.now.offset))
    }

    @Test func missingIntroductionIsConnectFailedAfterTenSeconds() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network, opening: [])
        let phone = ChatPhone(network, clock: clock)
        phone.client.connect(to: host.id.text)
        try await phone.until { $0.link == .connecting(.introduction) }
        try await phone.until(advancing: clock) { $0.link == .idle }
        #expect(phone.client.problem == ChatProblem(.connectFailed, .noIntroduction))
        #expect(clock.now.offset <= Self.tenSeconds)
    }

    @Test(arguments: [ErrorCode.modelBusy, .approvalRefused, .unsupportedVersion, ErrorCode(rawValue: "NEW_CODE")])
    func errorInPlaceOfAnIntroductionIsShown(_ code: ErrorCode) async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network, opening: [.error(nil, ErrorReport(code, "Why"))])
        let phone = ChatPhone(network)
        phone.client.connect(to: host.id.text)
        try await phone.until { $0.link == .idle && $0.problem != nil }
        #expect(phone.client.problem == ChatProblem(code, message: "Why"))
    }

    @Test func anotherVersionIsRefused() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network, opening: [])
        let phone = ChatPhone(network)
        phone.client.connect(to: host.id.text)
        try await eventually { host.connectionCount == 1 }
        try await host.send(Data(#"{"type":"server_info","version":2,"payload":{}}"#.utf8))
        try await phone.until { $0.problem?.code == .unsupportedVersion && $0.link == .idle }
        try await eventually {
            host.messages.contains { if case .error(nil, let report) = $0 { report.code == .unsupportedVersion } else { false } }
        }
    }

    @Test func pendingApprovalExtendsTheWait() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network, opening: [.error(nil, ErrorReport(.approvalPending, "Approve"))])
        let phone = ChatPhone(network, clock: clock)
        phone.client.connect(to: host.id.text)
        try await phone.until { $0.link == .connecting(.approval) }
        try await phone.until(advancing: clock, by: .seconds(10)) { _ in clock.now.offset >= .seconds(100) }
        #expect(phone.client.link == .connecting(.approval))
        try await host.send(.serverInfo(ScriptedHost.info))
        try await phone.until { $0.screen == .chat }
    }

    @Test func cancelEndsConnecting() async throws {
        let network = TestPeers()
        network.fault = .stall(.handshake)
        let phone = ChatPhone(network)
        phone.client.connect(to: Self.unused.text)
        try await phone.until { $0.link == .connecting(.handshake) }
        phone.client.disconnect()
        #expect(phone.client.link == .idle && phone.client.problem == nil)
        // Another host can be picked at once.
        network.fault = nil
        let host = try await ScriptedHost(on: network)
        phone.client.connect(to: host.id.text)
        try await phone.until { $0.screen == .chat }
    }

    // MARK: Keys

    @Test func hostFoundByItsTopicIsUnverified() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network, topic: Self.unused, opening: [.serverInfo(ScriptedHost.version1)])
        let phone = ChatPhone(network)
        phone.client.connect(to: Self.unused.text)
        try await phone.until { $0.screen == .chat }
        #expect(!phone.client.isVerified && phone.client.hosts.map(\.isVerified) == [false])
        withExtendedLifetime(host) {}
    }

    @Test(arguments: [true, false])
    func changedKeyIsNotUsedUnlessTheUserAgrees(_ isAccepted: Bool) async throws {
        let (network, device) = (TestPeers(), TestPhone())
        let host = try await ScriptedHost(on: network, key: 7, topic: Self.unused, opening: [.serverInfo(ScriptedHost.version1)])
        let first = ChatPhone(network, phone: device)
        first.client.connect(to: Self.unused.text)
        try await first.until { $0.screen == .chat }
        await first.quit()
        await host.quit()

        let other = try await ScriptedHost(on: network, key: 8, topic: Self.unused, opening: [.serverInfo(ScriptedHost.version1)])
        let second = ChatPhone(network, phone: device)
        try await second.until { !$0.hosts.isEmpty }
        second.client.connect(to: Self.unused.text)
        try await second.until { $0.keyQuestion != nil }
        #expect(
            second.client.keyQuestion == KeyQuestion(id: Self.unused, knownKey: host.key.description, newKey: other.key.description)
        )
        #expect(second.client.screen == .connect && second.client.link == .connecting(.key))
        #expect(!second.client.send("secret") && other.messages.isEmpty)
        second.client.acceptKey(isAccepted)
        if isAccepted {
            try await second.until { $0.screen == .chat }
            // The user is asked once.
            second.client.disconnect()
            second.client.connect(to: Self.unused.text)
            try await second.until { $0.screen == .chat }
        } else {
            try await second.until { $0.problem == ChatProblem(.connectFailed, .keyRefused) && $0.link == .idle }
            #expect(other.messages.isEmpty)
        }
    }

    @Test func verifiedIDIsNeverAcceptedUnverified() async throws {
        let (network, device) = (TestPeers(), TestPhone())
        let host = try await ScriptedHost(on: network)
        let first = try await ChatPhone.connected(to: host, on: network, phone: device)
        first.client.removeHost(host.id.text)
        await first.quit()
        await host.quit()
        let impostor = try await ScriptedHost(on: network, key: 8, topic: host.id)
        let second = ChatPhone(network, phone: device)
        second.client.connect(to: host.id.text)
        try await second.until { $0.problem == ChatProblem(.hostOffline, .impostor) && $0.link == .idle }
        #expect(impostor.messages.isEmpty)
    }
}
