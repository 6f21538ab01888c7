import Foundation
import PlatformKit
import SimBridgeTestKit
import SimBridgeWire
import TestKit
import Testing

@testable import SimBridgeClient

/// simbridge-client-tests, "events": what the host tells, and what comes of it.
@MainActor
@Suite struct EventTests {
    @Test func aTextInTheBackgroundIsANotification() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        await remote.bridge.requestNotifications()
        try await host.send(.incomingText(sim: 1, from: "+1 555", body: "in front"))
        try await remote.until { $0.events.count == 1 }
        #expect(remote.phone.shown.isEmpty)
        remote.bridge.setInFront(false, screen: remote)
        try await host.send(.incomingText(sim: 1, from: "+1 555", body: "behind"))
        try await eventually { await !remote.phone.shown.isEmpty }
        #expect(remote.phone.shown.map(\.title) == ["+1 555"])
        #expect(remote.phone.shown.map(\.body) == ["behind"])
        remote.phone.tapNotification(id: remote.phone.shown[0].id)
        try await remote.until { $0.wantedConversation == "+1555" }
        // It is in the history, too.
        try await remote.until { $0.conversation(with: "+1555")?.messages.map(\.body) == ["in front", "behind"] }
    }

    @Test func anErrorIsAnAlertAndAnUnknownEventIsNot() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        try await host.send(text: #"{"type":"event","event":"BATTERY_LOW","level":3}"#)
        try await remote.until { $0.events.count == 1 }
        #expect(!remote.bridge.isAlertShown)
        try await host.send(.error("No SIM card"))
        try await remote.until { $0.alert?.content == .host("No SIM card") }
        remote.bridge.isAlertShown = false
        #expect(remote.bridge.alert == nil)
    }

    @Test func theFeedKeepsAHundredTheNewestFirst() {
        var feed = Feed()
        for number in 1...120 { feed.add(.error("\(number)"), at: .distantPast) }
        #expect(feed.events.count == 100)
        #expect(feed.events.first?.event == .error("120"))
        #expect(feed.events.last?.event == .error("21"))
    }

    @Test func theHostGoesAndComes() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let clock = TestClock()
        let remote = try await box.paired(with: host, user: "ada", clock: clock)
        host.disconnect()
        try await remote.until { !$0.isHostOnline }
        try await host.connect()
        try await remote.until(advancing: clock, by: .seconds(5)) { $0.isHostOnline }
    }

    @Test func aCallGoesThroughItsStates() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        try await remote.bridge.placeCall(to: "+1 555", sim: 2)
        #expect(host.commands == [.makeCall(sim: 2, to: "+1555")])
        #expect(remote.bridge.call?.state == .dialing)
        let id = try #require(host.messages.first?.reqId)
        try await host.send(.callState(.active, sim: 2, from: nil, reason: nil), reqId: id)
        try await remote.until { $0.call?.state == .active }
        // Of a call before this one.
        try await host.send(.callState(.ended, sim: 1, from: nil, reason: nil), reqId: .random())
        try await remote.bridge.hangUp()
        try await eventually { host.commands.count == 2 }
        #expect(host.commands.last == .hangUp)
        #expect(host.messages.last?.reqId != id)
        #expect(remote.bridge.call?.state == .active)
        try await host.send(.callState(.ended, sim: 2, from: nil, reason: nil), reqId: id)
        try await remote.until { $0.call?.state == .ended }
        remote.bridge.dismissCall()
        #expect(remote.bridge.call == nil)
    }

    @Test func aCallThatComesInIsShown() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        try await host.send(.incomingCall(sim: 1, from: "+49"))
        try await remote.until { $0.call?.isIncoming == true && $0.call?.state == .ringing && $0.call?.number == "+49" }
        try await host.send(.callState(.ended, sim: 1, from: "+49", reason: nil))
        try await remote.until { $0.call?.state == .ended }
    }

    @Test func aCallForAHostThatIsAwayWaits() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        host.disconnect()
        try await remote.until { !$0.isHostOnline }
        try await remote.bridge.placeCall(to: "+1555", sim: 1)
        #expect(remote.bridge.call?.state == .queued)
    }
}
