package import Foundation
package import LocalLLMClient
package import LocalLLMWire
package import PhoneTestKit
import PlatformKit
package import TestKit

/// A phone with its user. The client runs for the lifetime of the value.
@MainActor
package final class ChatPhone {
    package let phone: TestPhone
    package let client: ChatClient
    private let running: Task<Void, Never>

    package convenience init(
        _ network: TestPeers, phone: TestPhone = TestPhone(), clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(network.network, phone: phone, clock: clock, now: now)
    }

    package init(
        _ network: HostNetwork, phone: TestPhone = TestPhone(), clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.phone = phone
        let client = ChatClient(phone: phone.phone(clock: clock), network: network, now: now, random: { 0.5 })
        self.client = client
        client.setInFront(true, screen: phone)
        running = Task { await client.run() }
    }

    deinit { running.cancel() }

    /// A phone on the Chat screen of a host.
    package static func connected(
        to host: ScriptedHost, on network: TestPeers, phone: TestPhone = TestPhone(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> ChatPhone {
        let chat = ChatPhone(network, phone: phone, clock: clock, now: now)
        chat.client.connect(to: host.id.text)
        try await chat.until { $0.screen == .chat && $0.link == .open }
        return chat
    }

    /// Connects, again and again where an attempt fails.
    package func connect(to id: ServerID) async throws {
        client.connect(to: id.text)
        try await until { client in
            if client.link == .idle { client.connect(to: id.text) }
            return client.link == .open && client.screen == .chat
        }
    }

    /// Closes the app.
    package func quit() async {
        running.cancel()
        await running.value
    }

    package var exchanges: [Exchange] { client.conversation?.exchanges ?? [] }
    package var last: Exchange? { exchanges.last }

    package func until(_ isTrue: @escaping @MainActor (ChatClient) -> Bool) async throws {
        let client = client
        try await eventually { await MainActor.run { isTrue(client) } }
    }

    /// Waits for a state of the last exchange.
    package func until(_ state: Exchange.State) async throws {
        try await until { $0.conversation?.exchanges.last?.state == state }
    }

    /// Advances the clock step by step until the condition holds.
    package func until(
        advancing clock: TestClock, by step: Duration = .seconds(1), _ isTrue: @escaping @MainActor (ChatClient) -> Bool
    ) async throws {
        let client = client
        try await clock.advance(by: step) { await isTrue(client) }
    }
}
