import Foundation
import PhoneTestKit
import PlatformKit
import SimBridgeTestKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

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
        remote.bridge.setInFront(false, page: remote.page)
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
        for number in 1...120 { feed.add(.error("\(number)"), id: nil, at: .distantPast) }
        #expect(feed.events.count == 100)
        #expect(feed.events.first?.event == .error("120"))
        #expect(feed.events.last?.event == .error("21"))
    }

    @Test func anEventThatTheHistoryBroughtFirstIsShownOnce() {
        let texts = (1...3).map { PhoneEvent.incomingText(sim: 1, from: "+1", body: "Same words \($0 / 3)") }
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        func item(_ id: Int64, _ event: PhoneEvent) -> HistoryItem {
            HistoryItem(
                id: .init(id), fromDeviceId: 1, toDeviceId: 2, msgType: .event, payload: RelayMessage(.event(event)).asJSON,
                createdAt: RelayTime(Timestamp(start)))
        }
        var feed = Feed()
        feed.fill(from: [item(9, texts[1]), item(8, texts[0])])
        // The line stalled for an hour.
        let late = start + 3600
        for (id, text) in zip([8, 9, 10] as [HistoryItem.ID], texts) { feed.add(text, id: id, at: late) }
        #expect(feed.events.reversed().map(\.event) == texts)
        // Another text of the same words is another event.
        feed.add(texts[2], id: 11, at: late)
        #expect(feed.events.count == 4)
    }

    @Test func withoutHistoryIdsTheTimeTellsARepetitionFromAnotherEvent() {
        let text = PhoneEvent.incomingText(sim: 1, from: "+1", body: "Yes")
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        var feed = Feed()
        feed.fill(from: [
            HistoryItem(
                id: 8, fromDeviceId: 1, toDeviceId: 2, msgType: .event, payload: RelayMessage(.event(text)).asJSON,
                createdAt: RelayTime(Timestamp(start)))
        ])
        feed.add(text, id: nil, at: start + 2)
        #expect(feed.events.count == 1)
        feed.add(text, id: nil, at: start + 3)
        #expect(feed.events.count == 2, "the history's item stands for one event only")
    }

    @Test func whatIsKeptOfAnEventIsNotLongerThanAText() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        let long = String(repeating: "é", count: 100_000)
        let short = String(repeating: "é", count: 1600)
        try await host.send(.incomingText(sim: 1, from: long, body: long))
        try await host.send(text: #"{"type":"event","event":"\#(long)"}"#)
        try await remote.until { $0.events.count == 2 }
        #expect(
            remote.bridge.events.map(\.event) == [.unknown(name: short, .null), .incomingText(sim: 1, from: short, body: short)])
        var feed = Feed()
        feed.add(.error(short), id: nil, number: long, at: .distantPast)
        #expect(feed.events[0].number == short)
    }

    @Test func theFeedSaysWhomACallAndATextAreOf() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        try await remote.bridge.placeCall(to: "+1 555", sim: 2)
        try await eventually { host.messages.count == 1 }
        try await host.send(.callState(.ended, sim: 2, from: nil, reason: nil), reqId: host.messages[0].reqId)
        try await remote.until {
            $0.events.first.map { HistorySummary($0).content } == .callState(.ended, number: "+1555", reason: nil)
        }
        try await remote.bridge.sendText(to: "+1 556", body: "Hello", sim: 2)
        try await eventually { host.messages.count == 2 }
        try await host.send(.textSent(.ok, reason: nil), reqId: host.messages[1].reqId)
        try await remote.until {
            $0.events.first.map { HistorySummary($0).content } == .textSent(.ok, number: "+1556", reason: nil)
        }
        try await remote.until { bridge in
            bridge.history.items.contains {
                HistorySummary($0, numbers: bridge.history.numbers).content == .callState(.ended, number: "+1555", reason: nil)
            }
        }
    }

    @Test func theHostGoesAndComes() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let clock = TestClock()
        let remote = try await box.paired(with: host, user: "ada", clock: clock)
        try await remote.isLeft(by: host)
        try await host.connect()
        try await remote.until(advancing: clock, by: .seconds(5)) { $0.isHostOnline }
    }

    @Test func aCallGoesThroughItsStates() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        try await remote.bridge.placeCall(to: "+1 555", sim: 2)
        try await eventually { host.commands == [.makeCall(sim: 2, to: "+1555")] }
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

    /// The box is started anew, or the app is.
    @Test func aCallThatIsUnderWayIsThereAtTheNextStart() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let phone = TestPhone()
        let remote = try await box.paired(with: host, user: "ada", phone: phone)
        try await remote.bridge.placeCall(to: "+1 555", sim: 2)
        try await eventually { host.messages.count == 1 }
        let id = try #require(host.messages[0].reqId)
        try await host.send(.callState(.active, sim: 2, from: nil, reason: nil), reqId: id)
        try await remote.until { $0.call?.state == .active }
        await remote.quit()
        let again = box.remote(phone)
        try await again.until { $0.status == .connected }
        #expect(again.bridge.call?.state == .active && again.bridge.call?.number == "+1555")
        try await again.bridge.hangUp()
        try await eventually { host.commands.last == .hangUp }
        await again.quit()
        // What is told meanwhile comes at the next start.
        try await host.send(.callState(.ended, sim: 2, from: nil, reason: nil), reqId: id)
        let third = box.remote(phone)
        try await third.until { $0.call?.state == .ended }
        #expect(third.bridge.saved.call == nil)
    }

    @Test func aCallThatNobodyTookBeforeTheEndIsGivenUpAfterTheNextStart() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let phone = TestPhone()
        let remote = try await box.paired(with: host, user: "ada", phone: phone)
        try await remote.isLeft(by: host)
        try await remote.bridge.placeCall(to: "+1555", sim: 1)
        await remote.quit()
        let clock = TestClock()
        let again = box.remote(phone, clock: clock)
        try await again.until { $0.call?.state == .queued }
        try await again.until(advancing: clock, by: .seconds(5)) { $0.call?.state == .expired }
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
        try await remote.isLeft(by: host)
        try await remote.bridge.placeCall(to: "+1555", sim: 1)
        #expect(remote.bridge.call?.state == .queued)
    }

    /// The relay gives such a call up after a minute, and tells nobody.
    @Test func aCallForAHostThatDoesNotComeIsGivenUp() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let clock = TestClock()
        let remote = try await box.paired(with: host, user: "ada", clock: clock)
        try await remote.isLeft(by: host)
        try await remote.bridge.placeCall(to: "+1555", sim: 1)
        try await remote.until(advancing: clock, by: .seconds(5)) { $0.call?.state != .queued }
        #expect(remote.bridge.call?.state == .expired)
        // Another one can be made.
        try await remote.bridge.placeCall(to: "+1556", sim: 1)
        #expect(remote.bridge.call?.number == "+1556")
    }

    @Test func aCallThatIsHungUpWhileItsHostIsAwayIsEndedWhenItComes() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        host.answer { message in
            guard case .command(let command) = message.content, command.name == .makeCall else { return nil }
            return DeviceMessage(.event(.callState(.dialing, sim: 1, from: nil, reason: nil)), reqId: message.reqId)
        }
        let remote = try await box.paired(with: host, user: "ada")
        try await remote.isLeft(by: host)
        try await remote.bridge.placeCall(to: "+1555", sim: 1)
        try await remote.bridge.hangUp()
        try await remote.until { $0.call?.state == .ended }
        try await host.connect()
        try await eventually { host.commands == [.makeCall(sim: 1, to: "+1555"), .hangUp] }
    }

    @Test func whatIsSaidOfOtherCallsDoesNotChangeThisOne() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        let bridge = remote.bridge
        func happens(_ event: PhoneEvent, from device: Device.ID, _ id: RequestID? = nil) {
            bridge.received(RelayMessage(.event(event), from: device, reqId: id))
        }
        happens(.incomingCall(sim: 1, from: "+49"), from: host.id)
        happens(.callState(.ended, sim: 1, from: "+49", reason: nil), from: 999)
        happens(.callState(.ended, sim: 2, from: "+1", reason: nil), from: host.id, .random())
        #expect(bridge.call?.state == .ringing)
        // It is hung up where it rings, whatever host is looked at meanwhile.
        bridge.use(PairedHost(id: 999, name: "Other"))
        try await bridge.hangUp()
        try await eventually { host.commands.last == .hangUp }
        happens(.callState(.ended, sim: 1, from: "+49", reason: nil), from: host.id, host.messages.last?.reqId)
        #expect(bridge.call?.state == .ended)
    }

    @Test func onlyTheLastOutcomesAreKept() async throws {
        let bridge = try await RelayBox().remote().bridge
        let ids = (0..<(Bridge.maximumOutcomeCount + 100)).map { RequestID("\($0)") }
        for id in ids {
            let event = PhoneEvent.textSent(.ok, reason: nil)
            bridge.received(RelayMessage(.event(event), from: 1, reqId: id))
        }
        #expect(Set(bridge.outcomes.keys) == Set(ids.suffix(Bridge.maximumOutcomeCount)))
    }
}
