import Foundation
import LocalLLMTestKit
import LocalLLMWire
import PhoneTestKit
import PlatformKit
import TestKit
import Testing

@testable import LocalLLMClient

/// The phone's storage of hosts and transcripts, with its limits.
@MainActor
@Suite struct StorageTests {
    @Test func oldExchangesAreRemovedAndTheNewestStay() {
        let conversation = Conversation(host: ServerID([UInt8](repeating: 1, count: 32))!)
        func add(_ size: Int) {
            let exchange = Exchange(prompt: "p", model: nil, accept: [], startedAt: Date())
            exchange.append(String(repeating: "a", count: size))
            exchange.state = .finished(.stop)
            conversation.exchanges.append(exchange)
        }
        for _ in 0..<Conversation.maximumCount + 3 { add(1) }
        let oldest = conversation.exchanges.prefix(3).map(\.id)
        #expect(conversation.trim().map(\.id) == oldest && conversation.exchanges.count == Conversation.maximumCount)
        add(Conversation.maximumSize)
        #expect(conversation.trim().count == Conversation.maximumCount && conversation.exchanges.count == 1)
    }

    @Test func removedHostLosesItsTranscript() async throws {
        let (network, device) = (TestPeers(), TestPhone())
        let host = try await ScriptedHost(on: network)
        let phone = try await ChatPhone.connected(to: host, on: network, phone: device)
        phone.client.send("p")
        try await host.send(.chatEnd(try await host.start().id, .stop))
        try await phone.until(.finished(.stop))
        phone.client.disconnect()
        phone.client.removeHost(host.id.text)
        await phone.quit()
        let next = try await ChatPhone.connected(to: host, on: network, phone: device)
        #expect(next.exchanges.isEmpty)
    }

    @Test func knownProofsAreForgottenLast() {
        let proof = HostTrust(wasVerified: true, lastUse: Date(timeIntervalSince1970: 0))
        let (old, new) = (
            HostTrust(pinnedKey: "a", lastUse: Date(timeIntervalSince1970: 1)),
            HostTrust(pinnedKey: "b", lastUse: Date(timeIntervalSince1970: 2))
        )
        #expect([proof, new, old].sorted(by: <).map(\.pinnedKey) == ["a", "b", nil])
    }

    @Test func logIsBoundedAndFiltered() {
        let log = DebugLog()
        for number in 0..<DebugLog.capacity + 5 { log.add("entry \(number)", at: Date()) }
        #expect(log.entries.count == DebugLog.capacity && log.entries.first?.text == "entry 5")
        log.add(String(repeating: "x", count: 10_000), at: Date())
        #expect(log.entries.last?.text.count == DebugLog.maximumLength)
        #expect(log.entries(matching: "ENTRY 17").allSatisfy { $0.text.contains("entry 17") })
        log.clear()
        #expect(log.entries.isEmpty)
    }

    @Test func problemsAndUnknownCodesSurviveARestart() throws {
        for problem in [ChatProblem(.hostOffline, .impostor), ChatProblem(ErrorCode(rawValue: "NEW"), message: "Why")] {
            let data = try JSONEncoder().encode([problem])
            #expect(try JSONDecoder().decode([ChatProblem].self, from: data) == [problem])
        }
    }

    @Test func phoneWithoutADatabaseAcceptsVerifiedHostsOnly() async throws {
        let network = TestPeers()
        let unused = ServerID([UInt8](repeating: 9, count: 32))!
        let host = try await ScriptedHost(on: network, topic: unused)
        let device = TestPhone()
        var phone = device.phone()
        phone.folder = { throw PhoneError.full }
        let client = ChatClient(phone: phone, network: network.network)
        let running = Task { await client.run() }
        defer { running.cancel() }
        client.connect(to: unused.text)
        try await eventually { await MainActor.run { client.problem?.cause == .keychain && client.link == .idle } }
        client.connect(to: host.id.text)
        try await eventually { await MainActor.run { client.screen == .chat && client.isStorageFailing } }
        #expect(client.isVerified)
    }
}
