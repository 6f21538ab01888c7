import Foundation
import HTTPTypes
import PushKit
import PushTestKit
import ServerKit
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// Notifications of texts and calls: their conditions, times and words.
@Suite struct RelayPushTests {
    let relay: TestRelay
    let pair: TestRelay.Pair
    let host: TestLine

    private static let text = PhoneEvent.incomingText(sim: 1, from: "+1 555", body: "Code 481516")
    private static let call = PhoneEvent.incomingCall(sim: 1, from: "+1 555")

    init() async throws {
        relay = try await TestRelay()
        pair = try await relay.pair()
        // The client has used the app before: it numbers events.
        let line = try await relay.line(.client, pair.client, of: pair.owner, query: "&v=2")
        line.close()
        try await eventually { [relay, pair] in relay.relay.lines[pair.client] == nil }
        host = try await relay.line(.host, pair.host, of: pair.owner, query: "&v=2")
    }

    // MARK: Steps

    private func optIn(_ content: PushContent = .nothing, language: String = "en") async throws {
        expect(try await relay.setPush(content, language: language, for: pair.client, of: pair.owner), 200)
    }

    /// Reports an event, and waits until it is on disk.
    private func report(_ event: PhoneEvent, id: String = UUID().uuidString) async throws {
        try await host.send(DeviceMessage(.event(event), messageId: id))
        try await expectStored(id)
    }

    private func expectStored(_ id: String) async throws {
        var message = try await host.next()
        // The notice of an app that was closed.
        while case .event(.deviceOffline) = message.content { message = try await host.next() }
        #expect(message.content == .stored(messageId: id))
    }

    /// The app with its line open. The relay has read the reports when this returns.
    private func app(reporting presence: Bool? = nil) async throws -> TestLine {
        let line = try await relay.line(.client, pair.client, of: pair.owner, query: "&v=2")
        if let presence { try await line.send(.presence(foreground: presence)) }
        try await line.expectQuiet()
        return line
    }

    private func acknowledge(_ seq: Int64, on line: TestLine) async throws {
        try await line.send(.ack(seq: seq))
        try await line.expectQuiet()
    }

    private func delays() async throws -> [Duration] {
        try await relay.pushes(.waiting).map { .milliseconds($0.dueAt.milliseconds - $0.enqueuedAt.milliseconds) }
    }

    // MARK: Decisions

    @Test func clientThatDidNotOptInGetsNone() async throws {
        try await report(Self.text)
        try await report(Self.call)
        try await optIn()
        _ = try await relay.removePush(of: pair.client, of: pair.owner)
        try await report(Self.text)
        #expect(try await relay.pushes(.waiting).isEmpty)
    }

    @Test(arguments: [text, call]) func closedAppIsNotifiedAtOnce(_ event: PhoneEvent) async throws {
        try await optIn()
        try await report(event)
        #expect(try await delays() == [.zero])
    }

    @Test(arguments: [nil, false]) func appInTheBackgroundIsNotifiedAtOnce(_ presence: Bool?) async throws {
        try await optIn()
        let app = try await app(reporting: presence)
        try await report(Self.text)
        #expect(try await app.next().seq == 1)
        try await acknowledge(1, on: app)
        #expect(try await delays() == [.zero])
    }

    @Test func confirmationInTheForegroundWithdraws() async throws {
        try await optIn()
        let app = try await app(reporting: true)
        try await report(Self.text)
        try await report(Self.call)
        #expect(try await delays() == [.seconds(5), .seconds(5)])
        _ = (try await app.next(), try await app.next())
        try await acknowledge(1, on: app)
        #expect(try await relay.pushes(.withdrawn).map(\.cause) == [1])
        try await acknowledge(2, on: app)
        #expect(try await relay.pushes(.waiting).isEmpty)
    }

    @Test func presenceEndsAfter45Seconds() async throws {
        try await optIn()
        let app = try await app(reporting: true)
        relay.advance(.seconds(44))
        try await report(Self.text)
        relay.advance(.seconds(1))
        try await report(Self.text)
        #expect(try await delays() == [.seconds(5), .zero])
        _ = (try await app.next(), try await app.next())
        try await acknowledge(2, on: app)
        #expect(try await relay.pushes(.waiting).count == 2)
    }

    /// The clock on the wall is set, by hand or by the network. No time has passed.
    @Test(arguments: [Duration.seconds(-86_400), .seconds(3600)]) func aClockThatIsSetChangesNoPresence(_ step: Duration)
        async throws
    {
        try await optIn()
        let app = try await app(reporting: true)
        relay.advance(.seconds(40))
        relay.setClock(by: step)
        try await report(Self.text)
        relay.setClock(by: .zero - step)
        try await report(Self.text)
        relay.setClock(by: step)
        relay.advance(.seconds(5))
        try await report(Self.text)
        // Their order is that of the times on the wall.
        #expect(try await delays().sorted() == [.zero, .seconds(5), .seconds(5)])
        _ = app
    }

    @Test func leavingTheForegroundEndsTheGrace() async throws {
        try await optIn()
        let app = try await app(reporting: true)
        try await app.send(.presence(foreground: false))
        try await app.expectQuiet()
        try await report(Self.text)
        #expect(try await delays() == [.zero])
    }

    @Test func presenceEndsWithTheLine() async throws {
        try await optIn()
        let app = try await app(reporting: true)
        app.close()
        try await eventually { [relay, pair] in relay.relay.lines[pair.client] == nil }
        try await report(Self.text)
        #expect(try await delays() == [.zero])
    }

    /// The app confirmed the event in the background, lost its line and came to the front.
    @Test func comingToTheFrontWithdrawsWhatWasConfirmedBefore() async throws {
        try await optIn()
        var app = try await app()
        try await report(Self.text)
        _ = try await app.next()
        try await acknowledge(1, on: app)
        app.close()
        try await eventually { [relay, pair] in relay.relay.lines[pair.client] == nil }
        app = try await relay.line(.client, pair.client, of: pair.owner, query: "&v=2&after=1")
        try await app.send(.presence(foreground: true))
        try await acknowledge(1, on: app)
        #expect(try await relay.pushes(.withdrawn).count == 1)
    }

    @Test func repeatedEventIsNotifiedOnce() async throws {
        try await optIn()
        for _ in 1...3 { try await report(Self.text, id: "same") }
        #expect(try await relay.pushes(.waiting).count == 1)
    }

    @Test func everyClientDecidesForItself() async throws {
        try await optIn()
        let silent = try await relay.device(.client, of: pair.owner)
        let tablet = try await relay.device(.client, of: pair.owner)
        let unpaired = try await relay.device(.client, of: pair.owner)
        for device in [silent, tablet] {
            try await relay.pair(pair.host, device, by: pair.owner)
            _ = try await relay.line(.client, device, of: pair.owner, query: "&v=2")
        }
        _ = try await relay.setPush(address: .ntfy(topic: "tablet"), for: tablet, of: pair.owner)
        _ = try await relay.setPush(address: .ntfy(topic: "unpaired"), for: unpaired, of: pair.owner)
        try await report(Self.text)
        #expect(Set(try await relay.notifications().map { $0?.address }) == ["topic", "tablet"])
    }

    @Test func otherEventsAreNotNotified() async throws {
        try await optIn()
        let others: [PhoneEvent] = [
            .textSent(.ok, reason: nil), .simInfo([]), .error("b"), .callState(.ringing, sim: 1, from: "+1", reason: nil),
        ]
        for event in others { try await report(event) }
        try await host.send(#"{"type":"event","event":7,"msg_id":"n"}"#)
        try await expectStored("n")
        #expect(try await relay.pushes(.waiting).isEmpty)
    }

    /// A client reports no event.
    @Test func onlyHostsCauseNotifications() async throws {
        try await optIn()
        let app = try await app()
        try await app.send(DeviceMessage(.event(Self.text), messageId: "m"))
        #expect(try await app.next().content == .stored(messageId: "m"))
        #expect(try await relay.pushes(.waiting).isEmpty)
    }

    // MARK: Calls

    @Test func textsLiveADayAndCallsAMinute() async throws {
        try await optIn()
        try await report(Self.text)
        try await report(Self.call)
        let lives = try await relay.pushes(.waiting).map { $0.expiresAt.milliseconds - $0.enqueuedAt.milliseconds }
        #expect(lives == [86_400_000, 60_000])
    }

    /// A call waited in the host's journal while the host had no line.
    @Test func callThatRangLongAgoIsNotPushedAsRinging() async throws {
        try await optIn()
        for (age, id) in [(59, "a"), (60, "b"), (3600, "c"), (-3600, "d")] {
            let details = EventDetails(hostTime: RelayTime(relay.now + .seconds(Int64(-age))))
            try await host.send(DeviceMessage(.event(Self.call), messageId: id, details: details))
            try await expectStored(id)
        }
        let lives = try await relay.pushes(.waiting).map { $0.expiresAt.milliseconds - $0.enqueuedAt.milliseconds }
        #expect(lives == [1000, 60_000])
    }

    @Test(arguments: [PhoneEvent.CallState.active, .ended, .error], ["+1 555", nil, ""])
    func callThatIsOverIsWithdrawn(_ state: PhoneEvent.CallState, _ number: String?) async throws {
        try await optIn()
        try await report(Self.text)
        try await report(Self.call)
        try await report(.callState(state, sim: 1, from: number, reason: nil))
        #expect(try await relay.pushes(.withdrawn).map(\.cause) == [2])
        #expect(try await relay.pushes(.waiting).map(\.cause) == [1])
    }

    @Test(arguments: [("+821000001234", "010-0000-1234"), ("0044 20 7946 0000", "+442079460000")])
    func callThatIsOverIsWithdrawnInAnotherSpelling(_ from: String, _ reported: String) async throws {
        try await optIn()
        try await report(.incomingCall(sim: 1, from: from))
        try await report(.callState(.ended, sim: 1, from: reported, reason: nil))
        #expect(try await relay.pushes(.withdrawn).map(\.cause) == [1])
    }

    @Test func reportOnAnotherCallWithdrawsNothing() async throws {
        try await optIn()
        try await report(Self.call)
        try await report(.callState(.ended, sim: 1, from: "+2", reason: nil))
        try await report(.callState(.ringing, sim: 1, from: "+1 555", reason: nil))
        // Another host of the account, with the same number.
        let other = try await relay.device(.host, of: pair.owner)
        try await relay.pair(other, pair.client, by: pair.owner)
        let line = try await relay.line(.host, other, of: pair.owner, query: "&v=2")
        try await line.send(DeviceMessage(.event(.callState(.ended, sim: 1, from: "+1 555", reason: nil)), messageId: "m"))
        #expect(try await line.next().content == .stored(messageId: "m"))
        #expect(try await relay.pushes(.waiting).count == 1)
    }

    // MARK: Content

    struct Row: Sendable, CustomTestStringConvertible {
        var event: PhoneEvent
        var content: PushContent
        var language = "en"
        var title: String
        var body: String
        var id: String
        var testDescription: String { "\(content) \(language) \(body)" }
    }

    static let rows = [
        Row(event: text, content: .nothing, title: "SimBridge", body: "New text message", id: "text"),
        Row(event: text, content: .sender, title: "+1 555", body: "New text message", id: "text-+1555"),
        Row(event: text, content: .full, title: "+1 555", body: "Code 481516", id: "text-+1555"),
        Row(event: call, content: .nothing, title: "SimBridge", body: "Incoming call", id: "call"),
        Row(event: call, content: .sender, title: "📞 +1 555", body: "Incoming call", id: "call"),
        Row(event: call, content: .full, title: "📞 +1 555", body: "Incoming call", id: "call"),
        Row(event: text, content: .nothing, language: "ko-KR", title: "SimBridge", body: "새 문자 메시지", id: "text"),
        Row(event: call, content: .nothing, language: "ko", title: "SimBridge", body: "걸려 온 전화", id: "call"),
        Row(event: text, content: .nothing, language: "xx", title: "SimBridge", body: "New text message", id: "text"),
        Row(
            event: .incomingText(sim: nil, from: nil, body: nil), content: .full, title: "Unknown number", body: "New text message",
            id: "text-"),
        Row(
            event: .incomingCall(sim: nil, from: nil), content: .full, language: "ko", title: "📞 알 수 없는 번호", body: "걸려 온 전화",
            id: "call"),
    ]

    @Test(arguments: rows, [PushAddress.apns(token: "ab"), .webPush(PushSettingsTests.subscription), .ntfy(topic: "topic")])
    func notificationShowsWhatTheUserChose(_ row: Row, _ address: PushAddress) async throws {
        expect(
            try await relay.setPush(row.content, address: address, language: row.language, for: pair.client, of: pair.owner), 200)
        try await report(row.event)
        let sent = try #require(try await relay.notifications().first ?? nil)
        #expect(sent.title == row.title && sent.body == row.body)
        if case .ntfy = address { #expect(sent.id == "") } else { #expect(sent.id == row.id) }
        var isCall = false
        if case .incomingCall = row.event { isCall = true }
        if case .apns = address { #expect(sent.isUrgent) } else { #expect(sent.isUrgent == isCall) }
    }

    /// The choice at the time of sending counts.
    @Test func textsOfOnePersonAreOneNotification() async throws {
        let reply = try await relay.setPush(
            .sender, address: .apns(token: "ab", environment: nil), for: pair.client, of: pair.owner)
        expect(reply, 200)
        try await report(.simInfo([SIMCard(slot: 1, carrier: "KT", number: nil, mcc: "450")]))
        for from in ["010-0000-1234", "+821000001234", "\u{202a}0082 10 0000 1234\u{202c}", "+12125550143"] {
            try await report(.incomingText(sim: 1, from: from, body: "x"))
        }
        let sent = try await relay.notifications().compactMap(\.self)
        #expect(sent.map(\.id) == ["text-+821000001234", "text-+821000001234", "text-+821000001234", "text-+12125550143"])
        #expect(sent.first?.title == "010-0000-1234", "as it was shown to the host")
    }

    @Test func lessContentCountsForWaitingNotifications() async throws {
        try await optIn(.full)
        try await report(Self.text)
        try await optIn(.nothing)
        let sent = try #require(try await relay.notifications().first ?? nil)
        #expect(sent.title == "SimBridge" && sent.body == "New text message")
    }

    @Test func textIsCutBetweenCharacters() {
        let family = "👨‍👩‍👧‍👦"
        let text = String(repeating: "a", count: 995) + family
        #expect(
            RelayNotification(.incomingText(sim: 1, from: "+1", body: text), by: 1)?.body == String(repeating: "a", count: 995))
        #expect(RelayNotification(.incomingText(sim: 1, from: "+1", body: family), by: 1)?.body == family)
    }

    @Test func longReportsAreCut() async throws {
        _ = try await relay.setPush(.full, address: .apns(token: "ab"), for: pair.client, of: pair.owner)
        let long = String(repeating: "x", count: 100_000)
        try await report(.incomingText(sim: 1, from: long, body: long))
        #expect(try await relay.pushes(.waiting).allSatisfy { $0.content.count < 1200 })
        let sent = try #require(try await relay.notifications().first ?? nil)
        #expect(sent.title.count == 50 && sent.body.count == 1000 && sent.id.count == 55)
    }

    // MARK: Routes

    @Test func deviceThatIsNotPairedAnyMoreHasNoRoute() async throws {
        let second = try await relay.device(.host, of: pair.owner)
        try await relay.pair(second, pair.client, by: pair.owner)
        try await optIn()
        try await report(Self.text)
        expect(try await relay.call(.delete, "/devices/\(pair.host)", token: pair.owner.token), 200)
        #expect(try await relay.notifications() == [nil])
    }

    @Test(arguments: ["off", "removed"]) func deviceThatHasTurnedThemOffHasNoRoute(_ way: String) async throws {
        try await optIn()
        try await report(Self.text)
        if way == "off" {
            _ = try await relay.removePush(of: pair.client, of: pair.owner)
        } else {
            _ = try await relay.call(.delete, "/devices/\(pair.client)", token: pair.owner.token)
        }
        #expect(try await relay.notifications() == [nil])
    }

    /// Through the outbox to a push service, with its replies.
    @Test func deadAddressIsForgottenAndAnEnvironmentLearned() async throws {
        let apns = PushStandIn(.apns)
        let relay = try await TestRelay(senders: [apns])
        let pair = try await relay.pair()
        let client = pair.client
        let host = try await relay.line(.host, pair.host, of: pair.owner, query: "&v=2")
        _ = try await relay.line(.client, client, of: pair.owner, query: "&v=2")
        let work = Task { await relay.work() }
        defer { work.cancel() }
        func record() async throws -> PushRecord<PushDevices>? {
            try await relay.relay.store.read { try PushDevices.record(of: client, in: $0) }
        }

        expect(try await relay.setPush(address: .apns(token: "AB"), for: client, of: pair.owner), 200)
        let route = PushRoute.ntfy(NtfyRoute(topic: "", message: NtfyMessage(title: "", text: "")))
        apns.set(.accepted(PushReceipt(route: route, environment: .production)))
        try await host.send(DeviceMessage(.event(Self.text)))
        try await eventually { try await relay.pushes(.completed).count == 1 }
        #expect(apns.sent.map(\.address) == ["ab"])
        #expect(try await record()?.environment == .production)

        // Stored again since the push service declared it dead: it lives.
        apns.set(.dead("Unregistered", since: Timestamp(milliseconds: 0)))
        try await host.send(DeviceMessage(.event(Self.text)))
        try await eventually { try await relay.pushes(.failed).count == 1 }
        #expect(try await record() != nil)
        apns.set(.dead("Unregistered"))
        try await host.send(DeviceMessage(.event(Self.text)))
        try await eventually { try await relay.pushes(.failed).count == 2 }
        #expect(try await record() == nil)
    }

    // MARK: Presence on the line

    @Test func presenceIsForClientsOnVersion2() async throws {
        let old = try await relay.line(.client, pair.client, of: pair.owner)
        try await old.send(.presence(foreground: true))
        #expect(try await old.next().content == .failure(.invalidType("presence")))
        try await host.send(DeviceMessage.presence(foreground: true))
        #expect(try await host.next().content == .failure(.invalidType("presence")))
        let app = try await app()
        for value in ["null", "1", #""true""#] {
            try await app.send(#"{"type":"presence","foreground":\#(value)}"#)
            #expect(try await app.next().content == .failure(LineFailure("foreground must be true or false")))
        }
    }
}
