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

/// The line to the server: its state, its attempts, and the networks it may use.
@MainActor
@Suite struct LineTests {
    @Test func lostConnectionShowsAtOnceWithTheTimeOfTheNextAttempt() async throws {
        let box = try await AgentBox()
        let clock = TestClock()
        let phone = try await box.connected(clock: clock)
        box.network.cut()
        // The clock stands still: nothing of it waits.
        try await phone.until { $0.status == .disconnected && $0.nextAttempt != nil }
        let delay = try #require(phone.client.nextAttempt).timeIntervalSinceNow
        #expect((-5...1.01).contains(delay))
        box.network.mend()
        try await phone.until(advancing: clock, by: .seconds(1)) { $0.status == .connected }
        #expect(phone.client.problem == nil && phone.client.nextAttempt == nil)
    }

    @Test func tenTriesThenAButtonAndTheForegroundTriesAtOnce() async throws {
        let box = try await AgentBox()
        let clock = TestClock()
        let phone = try await box.connected(clock: clock)
        let before = box.network.opened.count
        box.network.cut()
        for delay in [1, 2, 4, 8, 16, 32, 60, 60, 60, 60] {
            try await eventually { clock.hasSleeper(for: .seconds(delay)) }
            try await clock.advance(by: .seconds(delay))
        }
        try await phone.until { $0.hold == .gaveUp }
        #expect(box.network.opened.count - before == 10)
        #expect(phone.client.status == .disconnected && phone.client.nextAttempt == nil && phone.client.problem == .network)
        phone.client.reconnect()
        try await phone.until { _ in box.network.opened.count - before == 11 }
        for delay in [1, 2, 4, 8, 16, 32, 60, 60, 60, 60] {
            try await eventually { clock.hasSleeper(for: .seconds(delay)) }
            try await clock.advance(by: .seconds(delay))
        }
        try await phone.until { $0.hold == .gaveUp }
        box.network.mend()
        phone.client.setInFront(false, screen: phone)
        phone.client.setInFront(true, screen: phone)
        try await phone.until { $0.status == .connected && $0.hold == nil }
    }

    @Test func foregroundAndNetworkConnectAtOnce() async throws {
        let box = try await AgentBox()
        let clock = TestClock()
        let phone = try await box.connected(clock: clock)
        box.network.cut()
        try await phone.until { $0.nextAttempt != nil }
        box.network.mend()
        phone.client.setInFront(false, screen: phone)
        phone.client.setInFront(true, screen: phone)
        try await phone.until { $0.status == .connected }
        phone.phone.setOnline(false)
        box.network.cut()
        try await phone.until { $0.nextAttempt != nil && $0.networkLink == .none }
        box.network.mend()
        phone.phone.setOnline(true)
        try await phone.until { $0.status == .connected }
    }

    @Test func connectionIsKeptInTheBackgroundWithoutPresence() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let conversation = try await phone.startSession()
        try await eventually { box.network.written.contains { $0.contains("presence") && $0.contains("true") } }
        phone.client.setInFront(false, screen: phone)
        try await eventually { box.network.written.contains { $0.contains("presence") && $0.contains("false") } }
        try await phone.turn("list", in: conversation)
        #expect(phone.client.status == .connected && box.network.opened.count == 1)
    }

    @Test func presenceIsRepeatedInTheForegroundOnly() async throws {
        let box = try await AgentBox()
        let clock = TestClock()
        let phone = try await box.connected(clock: clock)
        let count: @Sendable () -> Int = { box.network.written.count { $0.contains("presence") && $0.contains("true") } }
        try await eventually { count() >= 1 }
        let before = count()
        try await clock.advance(by: .seconds(30)) { count() > before }
        phone.client.setInFront(false, screen: phone)
        try await eventually { box.network.written.contains { $0.contains("presence") && $0.contains("false") } }
        let after = count()
        try await eventually { clock.hasSleeper(for: .seconds(30)) }
        try await clock.advance(by: .seconds(30))
        try await eventually { clock.hasSleeper(for: .seconds(30)) }
        #expect(count() == after)
    }

    @Test func cellularNetworkIsAskedForBeforeAnythingIsSent() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        device.isCellular = true
        let phone = box.phone("Test phone", device)
        try await phone.until { $0.isReady }
        try await phone.client.addServer(address: AgentBox.address.text, token: box.token.text)
        try await phone.until { $0.hold == .cellular }
        phone.client.answerCellular(false)
        #expect(phone.client.hold == .cellularDeclined && phone.client.status == .disconnected)
        await phone.client.refreshProjects()
        phone.client.setInFront(true, screen: phone)
        #expect(phone.client.hold == .cellularDeclined)
        #expect(box.network.opened.isEmpty && box.network.requests.isEmpty)
        phone.client.reconnect()
        try await phone.until { $0.hold == .cellular }
        phone.client.answerCellular(true)
        try await phone.until { $0.status == .connected }
        // A yes holds for the automatic reconnect.
        box.network.cutLines()
        try await phone.until { _ in box.network.opened.count == 2 }
        try await phone.until { $0.status == .connected }
        // Until the network changes.
        device.isCellular = false
        try await phone.until { $0.networkLink == .local }
        device.isCellular = true
        try await phone.until { $0.networkLink == .cellular }
        box.network.cutLines()
        try await phone.until { $0.hold == .cellular }
        #expect(box.network.opened.count == 2)
        device.isCellular = false
        try await phone.until { $0.status == .connected && $0.hold == nil }
    }

    @Test func stalledServerIsGivenUpAndTriedAgain() async throws {
        let box = try await AgentBox()
        let clock = TestClock()
        let phone = box.phone(clock: clock)
        try await phone.until { $0.isReady }
        // The socket opens, and nothing comes.
        box.network.set { $0.isMute = true }
        try await phone.client.addServer(address: AgentBox.address.text, token: box.token.text)
        try await eventually { clock.hasSleeper(for: .seconds(20)) }
        #expect(phone.client.status == .connecting)
        try await clock.advance(by: .seconds(20))
        try await phone.until { $0.problem == .timeout && $0.status == .disconnected }
        box.network.set { $0.isMute = false }
        try await phone.until(advancing: clock, by: .seconds(1)) { $0.status == .connected }
    }

    @Test func lastStateIsReadWithoutAConnection() async throws {
        let box = try await AgentBox()
        let device = TestPhone()
        let first = try await box.connected("Test phone", device)
        let conversation = try await first.startSession()
        try await first.turn("hello", in: conversation)
        let (outline, projects) = (conversation.outline, first.client.projects)
        await first.quit()
        box.network.cut()
        let second = box.phone("Test phone", device)
        try await second.until { $0.isReady && $0.status == .disconnected && $0.problem == .network }
        #expect(second.client.projects == projects)
        #expect(second.client.sessions(of: box.projectID).map(\.id) == [conversation.id])
        let cached = second.client.conversation(conversation.id)
        await second.client.open(cached)
        #expect(cached.outline == outline && cached.tools.last?.permission?.isOwn == true)
        // The rest comes with the connection, without what is there.
        box.network.mend()
        second.client.reconnect()
        try await second.until { $0.status == .connected }
        #expect(box.network.opened.last?.path?.contains("after=\(conversation.id)") == true)
        try await second.turn("list", in: cached)
        #expect(
            cached.outline == outline + ["user: list", "agent: I list the files of this project.", "tool: LS"]
                + cached.outline.suffix(2))
    }
}
