import ClientKit
import Foundation
import LocalLLMTestKit
import LocalLLMWire
import NetworkingKit
import PhoneTestKit
import PlatformKit
import TestKit
import Testing
import WireKit

@testable import LocalLLMClient

/// Lost connections and what survives them: `Docs/Requirements.md`, LocalLLM.
@MainActor
@Suite struct LineTests {
    @Test func lostHostShowsTheConnectScreenAndComesBack() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network, clock: clock)
        network.fault = .failure(DialError(.notFound, at: .lookup))
        host.disconnect()
        try await phone.until { $0.screen == .connect }
        #expect(phone.client.problem?.code == .hostDisconnected && phone.client.address == host.id.text)
        // It dials by itself, and says why it fails.
        try await phone.until(advancing: clock) { $0.link == .waiting(ChatProblem(.hostOffline)) }
        #expect(phone.client.problem?.code == .hostDisconnected)
        network.fault = nil
        try await phone.until(advancing: clock) { $0.screen == .chat && $0.link == .open }
        #expect(phone.client.problem == nil)
    }

    @Test func cancelEndsTheAttempts() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network, clock: clock)
        host.disconnect()
        try await phone.until { $0.screen == .connect }
        phone.client.disconnect()
        let count = network.dials.count
        #expect(phone.client.link == .idle && phone.client.problem == nil)
        try await phone.until(advancing: clock, by: .seconds(10)) { _ in clock.now.offset > .seconds(60) || !clock.hasSleeper }
        #expect(phone.client.link == .idle && network.dials.count == count)
    }

    @Test func answerIsResumedWithoutLossOrRepetition() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network)
        phone.client.send("p")
        let id = try await host.start().id
        try await host.send(.chatChunk(id, ChatChunk("a", seq: 1)))
        try await host.send(.chatChunk(id, ChatChunk("b", seq: 2)))
        try await phone.until { $0.conversation?.exchanges.last?.answer == "ab" }
        host.disconnect()
        let (second, start) = try await host.start(2)
        #expect(second == id && start.after == 2 && start.prompt == "p")
        try await phone.until { $0.screen == .chat && $0.link == .open }
        try await host.send(.chatChunk(id, ChatChunk("b", seq: 2)))
        try await host.send(.chatChunk(id, ChatChunk("cd", seq: 4)))
        try await host.send(.chatEnd(id, .stop))
        try await phone.until(.finished(.stop))
        #expect(phone.last?.answer == "abcd")
    }

    @Test func answerIsResumedAfterARestartOfTheApp() async throws {
        let (network, device) = (TestPeers(), TestPhone())
        let host = try await ScriptedHost(on: network)
        let first = try await ChatPhone.connected(to: host, on: network, phone: device)
        first.client.draft = "p"
        first.client.send()
        first.client.draft = "next"
        let id = try await host.start().id
        try await host.send(.chatChunk(id, ChatChunk("a", seq: 1)))
        try await first.until(.streaming)
        await first.quit()
        let second = try await ChatPhone.connected(to: host, on: network, phone: device)
        #expect(second.client.draft == "next" && second.last?.answer == "a")
        let (resumed, start) = try await host.start(2)
        #expect(resumed == id && start.after == 1)
        try await host.send(.chatChunk(id, ChatChunk("b", seq: 2)))
        try await host.send(.chatEnd(id, .stop))
        try await second.until(.finished(.stop))
        #expect(second.last?.answer == "ab")
    }

    @Test func hostWithoutResumeLosesTheAnswerAndTheTextStays() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network, opening: [.serverInfo(ScriptedHost.version1)])
        let phone = try await ChatPhone.connected(to: host, on: network)
        phone.client.send("p")
        let id = try await host.start().id
        try await host.send(.chatChunk(id, ChatChunk("a")))
        try await phone.until(.streaming)
        host.disconnect()
        try await phone.until(.failed(ChatProblem(.hostDisconnected)))
        #expect(phone.last?.answer == "a")
        try await phone.until { $0.link == .open }
        #expect(host.starts.count == 1)
    }

    @Test func requestOlderThanADayIsNotSentAgain() async throws {
        let (network, device) = (TestPeers(), TestPhone())
        let host = try await ScriptedHost(on: network)
        let now = Locked(Date())
        let phone = try await ChatPhone.connected(to: host, on: network, phone: device) { now.withLock { $0 } }
        phone.client.send("p")
        _ = try await host.start()
        await phone.quit()
        now.withLock { $0 += 86_401 }
        let second = try await ChatPhone.connected(to: host, on: network, phone: device) { now.withLock { $0 } }
        try await second.until(.failed(ChatProblem(.generationFailed, .expired)))
        #expect(host.starts.count == 1)
    }

    @Test func abortOfALostLineIsSentAfterTheStart() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network, clock: clock)
        phone.client.setInFront(false, screen: phone.phone)
        phone.client.send("p")
        let id = try await host.start().id
        network.fault = .failure(DialError(.notFound, at: .lookup))
        host.disconnect()
        try await phone.until { $0.link != .open }
        phone.client.stop()
        #expect(phone.last?.state == .stopping)
        try await phone.until(advancing: clock) { $0.conversation?.exchanges.last?.state == .finished(.abort) }
        network.fault = nil
        try await phone.until(advancing: clock) { $0.link == .open }
        try await host.abort(of: id)
        let order = host.messages.compactMap { message -> String? in
            switch message {
            case .chatStart(id, _): "start"
            case .abort(id): "abort"
            default: nil
            }
        }
        #expect(order == ["start", "start", "abort"])
        try await host.send(.chatEnd(id, .abort))
        try await phone.until { $0.conversation?.exchanges.last?.needsAbort == false }
    }

    @Test func lostLineCancelsTheGuard() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network, clock: clock)
        phone.client.send("p")
        _ = try await host.start()
        network.fault = .failure(DialError(.notFound, at: .lookup))
        host.disconnect()
        try await phone.until { $0.screen == .connect }
        try await phone.until(advancing: clock, by: .seconds(10)) { _ in clock.now.offset > .seconds(60) }
        #expect(phone.last?.state == .waiting)
    }

    // MARK: Suspension and networks

    /// A phone in the background that has lost its stream, and whose next dial goes no further than the handshake.
    private func lockedPhone(of host: ScriptedHost, _ network: TestPeers, _ clock: TestClock) async throws -> ChatPhone {
        let phone = try await ChatPhone.connected(to: host, on: network, clock: clock)
        phone.client.setInFront(false, screen: phone.phone)
        network.fault = .stall(.handshake)
        host.disconnect()
        try await phone.until { $0.link == .connecting(.handshake) }
        return phone
    }

    @Test func streamLostInTheBackgroundIsDialledFromTheChatScreen() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network)
        let phone = try await lockedPhone(of: host, network, clock)
        #expect(phone.client.screen == .chat && !phone.client.send("p"))
        phone.client.setInFront(true, screen: phone.phone)
        // The attempt that had begun, then one more, of ten seconds each; then the Connect screen.
        try await phone.until(advancing: clock) { $0.screen == .connect }
        #expect(clock.now.offset <= .seconds(22) && phone.client.problem?.code == .hostDisconnected)
        network.fault = nil
        try await phone.until(advancing: clock) { $0.screen == .chat && $0.link == .open }
    }

    @Test func attemptThatBeganInTheBackgroundMayFailAfterTheReturn() async throws {
        let (network, clock) = (TestPeers(), TestClock())
        let host = try await ScriptedHost(on: network)
        let phone = try await lockedPhone(of: host, network, clock)
        network.fault = nil
        phone.client.setInFront(true, screen: phone.phone)
        try await clock.advance(by: .seconds(10))
        try await phone.until { $0.link == .open }
        #expect(phone.client.screen == .chat && phone.client.problem == nil)
    }

    @Test func changeOfNetworkIsOneShortDial() async throws {
        let network = TestPeers()
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network)
        phone.phone.setOnline(false)
        try await phone.until { !$0.host.isOnline }
        host.disconnect()
        try await eventually { network.dials.count > 1 }
        try await phone.until { $0.link == .open }
        #expect(phone.client.screen == .chat)
    }
}
