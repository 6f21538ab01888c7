import Foundation
import LocalLLMTestKit
import LocalLLMWire
import NetworkingKit
import PhoneTestKit
import PlatformKit
import TestKit
import Testing

@testable import LocalLLMClient

/// The client on the real host: `Docs/Requirements.md`, LocalLLM.
@MainActor
@Suite struct RealHostTests {
    private func connect(_ network: TestPeers, _ id: ServerID, phone: TestPhone = TestPhone()) async throws -> ChatPhone {
        let chat = ChatPhone(network, phone: phone)
        chat.client.connect(to: id.text)
        try await chat.until { $0.screen == .chat && $0.link == .open }
        return chat
    }

    @Test func answersStreamAndEarlierTurnsReachTheEngine() async throws {
        let network = TestPeers()
        let host = try await RealHost(on: network)
        let phone = try await connect(network, host.id)
        #expect(phone.client.isVerified && phone.client.info?.hostName == "Ada’s Mac" && phone.client.model == "llama")
        phone.client.choose(model: "qwen")
        for number in 1...2 {
            phone.client.send("p\(number)")
            try await host.engine.report(ChatProgress(.loading, fraction: 0.5))
            try await phone.until { $0.conversation?.exchanges.last?.progress == ChatProgress(.loading, fraction: 0.5) }
            try await host.engine.say("a")
            try await phone.until { $0.conversation?.exchanges.last?.answer == "a" && $0.info?.status == .busy }
            try await host.engine.say("\(number)")
            try await host.engine.end()
            try await phone.until(.finished(.stop))
            try await phone.until { $0.info?.status == .ready }
        }
        #expect(phone.exchanges.map(\.answer) == ["a1", "a2"])
        #expect(host.lastTurns == [ChatTurn(.user, "p1"), ChatTurn(.assistant, "a1"), ChatTurn(.user, "p2")])
        #expect(host.lastModel == "qwen")
    }

    @Test func stopReachesTheEngine() async throws {
        let network = TestPeers()
        let host = try await RealHost(on: network)
        let phone = try await connect(network, host.id)
        phone.client.send("p")
        try await host.engine.say("a")
        try await phone.until(.streaming)
        phone.client.stop()
        try await phone.until(.finished(.abort))
        try await eventually { host.engine.cancelCount == 1 }
        #expect(phone.last?.answer == "a")
    }

    @Test func answerIsCompleteAfterManyDisconnects() async throws {
        let network = TestPeers()
        let host = try await RealHost(on: network)
        let phone = ChatPhone(network, clock: HurriedClock())
        try await phone.until { client in
            // The hurried limits may be too short for a busy machine.
            if client.link == .idle { client.connect(to: host.id.text) }
            return client.link == .open
        }
        phone.client.send("p")
        var text = ""
        for number in 1...Effort.count(100, soak: 1_000) {
            let piece = "piece \(number) "
            text += piece
            try await host.engine.say(piece)
            if number % 2 == 0 { try await phone.until { $0.conversation?.exchanges.last?.answer.isEmpty == false } }
            // A change of the network is dialled at once.
            phone.phone.setOnline(true)
            try await phone.until { $0.networkChangedAt != nil }
            network.cut()
            if number % 3 == 0 {
                try await phone.until { client in
                    if client.link != .open { phone.phone.setOnline(true) }
                    return client.link == .open
                }
            }
        }
        try await host.engine.end()
        try await phone.until { client in
            if client.link != .open { phone.phone.setOnline(true) }
            return client.conversation?.exchanges.last?.state == .finished(.stop)
        }
        #expect(phone.last?.answer == text)
        #expect(host.engine.requests.count == 1)
    }

    @Test func phoneThatWasAwayFindsTheWholeAnswer() async throws {
        let (network, device) = (TestPeers(), TestPhone())
        let host = try await RealHost(on: network)
        let first = try await connect(network, host.id, phone: device)
        first.client.send("p")
        try await host.engine.say("a")
        try await first.until(.streaming)
        await first.quit()
        for _ in 1...50 { try await host.engine.say("b") }
        try await host.engine.end()
        try await eventually { await host.isIdle }
        let second = try await connect(network, host.id, phone: device)
        try await second.until(.finished(.stop))
        #expect(second.last?.answer == "a" + String(repeating: "b", count: 50))
    }

    @Test func restartOfTheHostFailsTheAnswerAndTextStays() async throws {
        let network = TestPeers()
        var host: RealHost? = try await RealHost(on: network)
        let phone = try await connect(network, host!.id)
        phone.client.send("p")
        try await host!.engine.say("a")
        try await phone.until(.streaming)
        let folder = await host!.quit()
        host = nil
        try await phone.until { $0.link != .open || $0.conversation?.active == nil }
        let next = try await RealHost(on: network, folder: folder)
        phone.phone.setOnline(true)
        try await phone.until { $0.link == .open && $0.conversation?.active == nil }
        let code = phone.last?.problem?.code
        #expect(code == .generationAborted || code == .generationFailed)
        #expect(phone.last?.answer == "a")
        withExtendedLifetime(next) {}
    }

    @Test func secondPhoneIsToldThatTheModelIsBusy() async throws {
        let network = TestPeers()
        let host = try await RealHost(on: network)
        let (first, second) = (try await connect(network, host.id), try await connect(network, host.id))
        first.client.send("p")
        try await host.engine.say("a")
        try await second.until { $0.info?.status == .busy }
        second.client.send("q")
        try await second.until { $0.conversation?.exchanges.last?.problem?.code == .modelBusy }
        try await host.engine.end()
        try await first.until(.finished(.stop))
        try await second.until { $0.info?.status == .ready }
        second.client.retry(second.last!)
        try await host.engine.say("b")
        try await host.engine.end()
        try await second.until(.finished(.stop))
        #expect(second.exchanges.map(\.answer) == ["b"])
    }

    @Test func newPhoneWaitsForItsApproval() async throws {
        let network = TestPeers()
        let host = try await RealHost(on: network, approvesPhones: true)
        let phone = ChatPhone(network)
        phone.client.connect(to: host.id.text)
        try await phone.until { $0.link == .connecting(.approval) }
        try await host.decide(isApproved: false)
        try await phone.until { $0.problem?.code == .approvalRefused && $0.link == .idle }
        phone.client.connect(to: host.id.text)
        try await phone.until { $0.link == .connecting(.approval) }
        #expect(await host.waitingPhones.map { String($0.prefix(8)) } == [phone.client.phoneName])
        try await host.decide(isApproved: true)
        try await phone.until { $0.screen == .chat }
    }

    // MARK: Invitations

    @Test func invitationOfALinkLetsThePhoneInOnce() async throws {
        let network = TestPeers()
        let host = try await RealHost(on: network, approvesPhones: true)
        let invitation = try #require(await host.invite())
        let link = HostLink(host.id, invitation: invitation).text
        let phone = ChatPhone(network)
        network.fault = .failure(DialError(.notFound, at: .lookup))
        phone.client.connect(to: link)
        try await phone.until { $0.problem?.code == .hostOffline && $0.link == .idle }
        // The field has the Server ID only, and the next attempt still has the invitation.
        #expect(phone.client.address == host.id.text)
        network.fault = nil
        phone.client.connect()
        try await phone.until { $0.screen == .chat && $0.link == .open }
        #expect(phone.client.invitation == nil && phone.client.isVerified)
        #expect(!phone.client.log.entries.contains { $0.text.contains(invitation.secret) })
        // Another phone with the same code waits for the approval, and learns why.
        let second = ChatPhone(network)
        second.client.connect(to: link)
        try await second.until { $0.link == .connecting(.approvalWithoutInvitation) }
        try await host.decide(isApproved: true)
        try await second.until { $0.screen == .chat }
        #expect(second.client.invitation == nil)
    }

    @Test func knownPhoneLetsANewOneIn() async throws {
        let network = TestPeers()
        let host = try await RealHost(on: network, approvesPhones: true)
        let owner = ChatPhone(network)
        owner.client.connect(to: HostLink(host.id, invitation: await host.invite()).text)
        try await owner.until { $0.screen == .chat }
        let phone = ChatPhone(network)
        phone.client.connect(to: host.id.text)
        try await phone.until { $0.link == .connecting(.approval) }
        try await owner.until { $0.info?.waiting.count == 1 }
        let name = try #require(owner.client.info?.waiting.first)
        #expect(name.hasPrefix(phone.client.phoneName))
        owner.client.decide(about: name, isApproved: true)
        try await phone.until { $0.screen == .chat }
        try await owner.until { $0.info?.waiting.isEmpty == true }
    }
}
