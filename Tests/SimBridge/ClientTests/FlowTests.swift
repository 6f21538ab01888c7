import Foundation
import NetworkingKit
import PhoneTestKit
import PlatformKit
import SimBridgeClient
import SimBridgeTestKit
import SimBridgeWire
import TestKit
import Testing

/// Whole flows against a relay on a port.
@MainActor
@Suite struct FlowTests {
    @Test func theWholeFlowFromRegistrationToHistory() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        try await box.serve { port in
            let relays = RelayBox.relays(port: port)
            let remote = await Remote(TestPhone(), Bridge(phone: TestPhone().phone(), relays: relays))
            try await Self.live(remote, host, relays.preset)
        }
    }

    /// The browser phone of one box, and the relay of another on a port.
    @Test func anAllowedRemoteRelayIsUsed() async throws {
        let (own, other) = (try await RelayBox(), try await RelayBox())
        let host = try await other.host("ada")
        try await other.serve { port in
            let allowed = try #require(AllowedServer("http://127.0.0.1:\(port)"))
            let relays = Relays.only(
                own.relay, or: { allowed.address(for: $0).flatMap(RelayBox.relays(port: port).relay) },
                deviceName: "Browser")
            let phone = await TestPhone()
            let remote = await Remote(phone, Bridge(phone: phone.phone(), relays: relays))
            try await Self.live(remote, host, "HTTP://127.0.0.1:\(port)/")
            await remote.quit()
            // The next start uses the same relay.
            let again = await Remote(phone, Bridge(phone: phone.phone(), relays: relays))
            try await again.until { $0.phase == .ready && $0.status == .connected }
            await again.bridge.logOut()
            for refused in ["https://127.0.0.1:\(port)", "http://localhost:\(port)", "http://x@127.0.0.1:\(port)"] {
                await #expect(throws: BridgeProblem.self) {
                    try await again.bridge.logIn(server: refused, username: "ada", password: RelayBox.password)
                }
            }
        }
        #expect(own.network.calls.isEmpty && own.network.opened.isEmpty)
    }

    private static func live(_ remote: Remote, _ host: RawHost, _ address: String) async throws {
        let bridge = remote.bridge
        try await remote.until { $0.phase == .login }
        // Another account has no host.
        try await bridge.logIn(server: address, username: "eve", password: "blue bicycle", registers: true)
        await #expect(throws: BridgeProblem.foreignCode) { try await bridge.pair(code: try await host.code()) }
        await bridge.logOut()

        try await bridge.logIn(server: address, username: "ada", password: RelayBox.password)
        #expect(bridge.devices.map(\.type) == [.host])
        try await bridge.pair(code: try await host.code())
        try await remote.until { $0.status == .connected && $0.sims == RawHost.cards }

        try await bridge.sendText(to: "+1 555", body: "Hello", sim: 1)
        try await eventually { host.commands == [.sendText(sim: 1, to: "+1555", body: "Hello")] }
        try await host.send(.textSent(.ok, reason: nil), reqId: host.messages[0].reqId)
        try await host.send(.incomingText(sim: 1, from: "+1555", body: "Hi"))
        try await remote.until { $0.conversation(with: "+1555")?.messages.map(\.body) == ["Hello", "Hi"] }
        try await remote.until { $0.conversation(with: "+1555")?.messages.first?.state == .confirmed }
        try await bridge.placeCall(to: "+1555", sim: 1)
        try await eventually { host.commands.count == 2 }
        await bridge.refresh(bridge.history)
        let names = bridge.history.items.map { HistorySummary($0, numbers: bridge.history.numbers).content }
        #expect(names.contains(.dialed(number: "+1555")))
        #expect(names.contains(.text(number: "+1555", body: "Hello")))
        #expect(names.contains(.textSent(.ok, number: "+1555", reason: nil)))
    }
}
