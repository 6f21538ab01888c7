import Foundation
import SimBridgeTestKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeClient

/// The times that texts and calls show, and their order.
@MainActor
@Suite struct MomentTests {
    private static let start = Timestamp("2026-11-20T12:00:00.000Z")!

    private func time(_ minutes: Double) -> RelayTime { RelayTime(Self.start + .seconds(minutes * 60)) }

    private func moment(_ centre: Double?, _ host: Double?) -> Double {
        let details = EventDetails(serviceCentreTime: centre.map { time($0) }, hostTime: host.map { time($0) })
        return Moment(details, arrival: Self.start.date).time.timeIntervalSince(Self.start.date) / 60
    }

    @Test func theFirstBelievableTimeCounts() {
        #expect(moment(-180, -5) == -180)
        #expect(moment(nil, -5) == -5)
        #expect(moment(nil, nil) == 0)
        // A clock that is fast, was never set, or is a little slow.
        #expect(moment(60, -5) == -5)
        #expect(moment(-20_000_000, -5) == -5)
        #expect(moment(-0.5, -5) == 0)
        #expect(moment(600, 600) == 0)
    }

    private func item(_ id: Int64, at minutes: Double, _ message: RelayMessage) -> HistoryItem {
        HistoryItem(
            id: .init(id), fromDeviceId: 1, toDeviceId: 2, msgType: .event, payload: message.asJSON, createdAt: time(minutes))
    }

    private func fold(_ items: [HistoryItem]) -> [Conversation.Entry] {
        var fold = ConversationFold(now: Self.start.date)
        fold.add(items.reversed())
        return fold.conversations.first?.entries ?? []
    }

    private func text(_ body: String, centre: Double?, host: Double? = nil) -> RelayMessage {
        RelayMessage(
            .event(.incomingText(sim: 1, from: "+1", body: body)),
            details: EventDetails(serviceCentreTime: centre.map { time($0) }, hostTime: host.map { time($0) }))
    }

    @Test func aTextThatWaitedStandsWhereItWasSent() {
        let entries = fold([
            item(1, at: 0, text("first", centre: nil)), item(2, at: 10, text("second", centre: 10)),
            item(3, at: 60, text("late", centre: 5)), item(4, at: 61, text("last", centre: 400)),
        ])
        #expect(entries.map { if case .text(let text) = $0 { text.body } else { "" } } == ["first", "late", "second", "last"])
        #expect(entries.map { $0.time.timeIntervalSince(Self.start.date) / 60 } == [0, 5, 10, 61])
    }

    @Test func aCallThatWaitedShowsItsOwnTimes() throws {
        func event(_ event: PhoneEvent, _ host: Double) -> RelayMessage {
            RelayMessage(.event(event), details: EventDetails(hostTime: time(host)))
        }
        let entries = fold([
            item(1, at: 60, event(.incomingCall(sim: 1, from: ""), 10)),
            item(2, at: 60, event(.callState(.ringing, sim: 1, from: "+1", reason: nil), 10)),
            item(3, at: 60, event(.callState(.active, sim: 1, from: "+1", reason: nil), 11)),
            item(4, at: 60, event(.callState(.ended, sim: 1, from: "+1", reason: nil), 13)),
        ])
        guard case .call(let call) = try #require(entries.first) else { return #expect(Bool(false)) }
        #expect(entries.count == 1 && call.number == "+1" && call.outcome == .answered(seconds: 120))
        #expect(call.time == time(10).date)
    }

    @Test func deliveryIsTheStateOfAText() {
        let id = RequestID("6f1c1d0a-0000-4000-8000-000000000001")
        func state(_ deliveries: [EventDetails.Delivery?]) -> TextMessage.State? {
            let command = RelayMessage(.command(.sendText(sim: 1, to: "+1", body: "b")), reqId: id)
            let items = deliveries.enumerated().map { index, delivery in
                item(
                    Int64(index + 2), at: 1,
                    RelayMessage(.event(.textSent(.ok, reason: nil)), reqId: id, details: EventDetails(delivery: delivery)))
            }
            let first = HistoryItem(
                id: 1, fromDeviceId: 2, toDeviceId: 1, msgType: .command, payload: command.asJSON, createdAt: time(0))
            guard case .text(let text) = fold([first] + items).first else { return nil }
            return text.state
        }
        #expect(state([nil]) == .confirmed)
        #expect(state([nil, .delivered]) == .delivered)
        #expect(state([nil, .failed]) == .failed(.host(nil)))
    }

    /// The host was offline while its phone rang.
    @Test func aCallThatIsOverDoesNotRing() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        let old = RelayTime(Timestamp.now - .seconds(3600))
        try await host.send(text: #"{"type":"event","event":"INCOMING_CALL","sim":1,"from":"+1","host_time":"\#(old)"}"#)
        try await remote.until { $0.events.count == 1 }
        #expect(remote.bridge.incomingCall == nil)
        #expect(abs(remote.bridge.events[0].time.timeIntervalSince(old.timestamp.date)) < 1)
        // The number follows the first ring.
        try await host.send(.incomingCall(sim: 1, from: ""))
        try await host.send(.callState(.ringing, sim: 1, from: "+49", reason: nil))
        try await remote.until { $0.incomingCall?.number == "+49" }
    }

    @Test func aCodesAnswerIsShownWithItsCall() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        #expect(remote.bridge.changesSettings("**21* 0170 #") && !remote.bridge.changesSettings("*100#"))
        try await remote.bridge.placeCall(to: "*100#", sim: 1)
        try await host.send(text: #"{"type":"event","event":"INCOMING_SMS","sim":1,"from":"*100#","body":"3.50","kind":"network"}"#)
        try await remote.until { $0.call?.answer == "3.50" }
        try await remote.until { $0.conversation(with: "*100#")?.messages.last?.kind == .network }
    }
}
