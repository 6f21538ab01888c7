import Foundation
import NetworkingKit
import PhoneTestKit
import PlatformKit
import SimBridgeTestKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeClient

/// A tap takes effect at once or not at all, and each call is one row.
@MainActor
@Suite struct CallTests {
    @Test func callsExpireAfterTheTapByRelayTime() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        let bridge = remote.bridge
        #expect(Bridge(phone: remote.phone.phone(), relays: box.relays).callLimit == .seconds(10))
        // The relay's clock is an hour ahead.
        bridge.relayOffset = 3600
        let tapped = ContinuousClock.now - .seconds(4)
        try await bridge.placeCall(to: "+1555", sim: 1, tapped: tapped)
        let body = try WireJSON.decode(
            CallCommand.self, from: try #require(box.network.bodies.last { $0.contains(Array("+1555".utf8)) }))
        let left = try #require(body.deadline).date.timeIntervalSinceNow - 3600
        // Four seconds are over; a busy machine takes some more.
        let limit = bridge.callLimit / .seconds(1)
        #expect(left <= limit - 4 && left > 0)
        let id = try #require(body.reqId)
        try await bridge.hangUp(tapped: .now)
        try await eventually { host.messages.count == 2 }
        guard case .command(let command)? = host.messages.last?.content else { throw Missing() }
        #expect(command.name == .hangUp && command.callReqId == id)
        #expect(try #require(command.deadline).date.timeIntervalSinceNow > 3500)
    }
    private struct Missing: Error {}

    @Test func theLineEstimatesTheRelaysClock() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        box.network.set {
            $0.wrap = { ReplacingSocket($0, "connected", #"{"type":"connected","time":"2100-01-01T00:00:00.000"}"#) }
        }
        let remote = try await box.paired(with: host, user: "ada")
        try await remote.until { _ in remote.bridge.relayOffset > 1_000_000_000 }
    }

    /// The call does not ring afterwards.
    @Test func aLateCallFailsAndIsNotRetried() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        let bridge = remote.bridge
        func calls() -> Int { box.network.calls.count { $0.hasSuffix("/call") } }
        // The tap arrived after its deadline.
        try await bridge.placeCall(to: "+1555", sim: 1, tapped: .now - .seconds(601))
        #expect(bridge.call?.state == .expired && calls() == 0)
        // The relay reports the timeout.
        box.network.set { $0.answer = .init(400, #"{"detail":"Call deadline has passed"}"#, path: "/call") }
        try await bridge.placeCall(to: "+1555", sim: 1)
        #expect(bridge.call?.state == .expired && calls() == 1)
        box.network.set { $0.answer = nil }
        bridge.wake()
        await bridge.refreshDevices()
        #expect(calls() == 1 && host.commands.isEmpty)
        // The next tap places another call.
        try await bridge.placeCall(to: "+1555", sim: 1)
        try await eventually { host.commands == [.makeCall(sim: 1, to: "+1555")] }
    }

    @Test func aCallTimesOutWithoutAnAnswer() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let clock = TestClock()
        let remote = try await box.paired(with: host, user: "ada", clock: clock)
        box.network.set { $0.hangs = true }
        let calling = Task { try await remote.bridge.placeCall(to: "+1555", sim: 1) }
        try await remote.until { _ in box.network.calls.contains { $0.hasSuffix("/call") } }
        try await remote.until(advancing: clock, by: .seconds(2)) { $0.call?.state == .expired }
        try await calling.value
    }

    @Test func anEndlessRingIsMissedAfterTwoMinutes() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let clock = TestClock()
        let remote = try await box.paired(with: host, user: "ada", clock: clock)
        try await host.send(.incomingCall(sim: 1, from: "+49"))
        try await remote.until { $0.incomingCall?.number == "+49" }
        host.disconnect()
        try await remote.until(advancing: clock, by: .seconds(5)) { $0.incomingCall == nil }
        #expect(remote.bridge.call?.isMissed == true)
    }

    /// A call that no host reports on must not silence the next caller.
    @Test(arguments: [false, true])
    func anOutgoingCallWithoutNewsFailsAfterTwoMinutes(_ restarts: Bool) async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let (phone, clock) = (TestPhone(), TestClock())
        var remote = try await box.paired(with: host, user: "ada", phone: phone, clock: clock)
        try await remote.bridge.placeCall(to: "+1555", sim: 1)
        #expect(remote.bridge.call?.state == .dialing)
        host.disconnect()
        if restarts {
            await remote.quit()
            remote = box.remote(phone, clock: clock)
            try await remote.until { $0.call?.state == .dialing }
        }
        try await remote.until(advancing: clock, by: .seconds(5)) { $0.call?.state == .failed(nil) }
        try await host.connect()
        try await host.send(.incomingCall(sim: 1, from: "+49"))
        try await remote.until(advancing: clock, by: .seconds(5)) { $0.incomingCall?.number == "+49" }
    }

    @Test func anIncomingCallReplacesAnOfflineHostsActiveCall() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        try await remote.bridge.placeCall(to: "+1555", sim: 1)
        try await eventually { host.messages.count == 1 }
        let id = try #require(host.messages[0].reqId)
        try await host.send(.callState(.active, sim: 1, from: nil, reason: nil), reqId: id)
        try await remote.until { $0.call?.state == .active }
        // While the host is there, the active call stays on screen.
        try await host.send(.incomingCall(sim: 1, from: "+48"))
        try await remote.until { $0.events.first?.event == .incomingCall(sim: 1, from: "+48") }
        #expect(remote.bridge.call?.number == "+1555")
        try await remote.isLeft(by: host)
        #expect(remote.bridge.call?.state == .active)
        try await host.connect()
        try await host.send(.incomingCall(sim: 1, from: "+49"))
        try await remote.until { $0.incomingCall?.number == "+49" }
    }

    @Test func aSecondCallerDuringACallIsNotified() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        await remote.bridge.requestNotifications()
        try await remote.bridge.placeCall(to: "+1555", sim: 1)
        remote.bridge.setInFront(false, page: remote.page)
        try await host.send(.incomingCall(sim: 1, from: "+49"))
        try await eventually { await remote.phone.shown.map(\.title) == ["📞 +49"] }
        #expect(remote.bridge.call?.number == "+1555")
    }

    @Test(arguments: [false, true])
    func anUndeliveredHangUpLeavesTheCallMissed(_ breaks: Bool) async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        if breaks { box.network.set { $0.wrap = { WriteFailure($0, "HANG_UP") } } }
        let remote = try await box.paired(with: host, user: "ada")
        try await host.send(.incomingCall(sim: 1, from: "+49"))
        try await remote.until { $0.incomingCall != nil }
        if breaks {
            await #expect(throws: BridgeProblem.notConnected) { try await remote.bridge.hangUp() }
        } else {
            // The relay answers that the tap was too long ago.
            try await remote.bridge.hangUp(tapped: .now - .seconds(620))
            try await remote.until { $0.alert?.content == .problem(.tooLate) }
        }
        try await host.send(.callState(.ended, sim: 1, from: "+49", reason: nil))
        try await remote.until { $0.incomingCall == nil }
        #expect(remote.bridge.call?.isMissed == true)
    }

    // MARK: Rows

    private func item(_ id: Int64, _ payload: String, at seconds: TimeInterval, state: DeliveryState? = nil) throws -> HistoryItem {
        let payload: JSONValue = try WireJSON.decode(from: Data(payload.utf8))
        let isCommand = if case .command = RelayMessage(payload).content { true } else { false }
        return HistoryItem(
            id: .init(id), fromDeviceId: isCommand ? 2 : 1, toDeviceId: isCommand ? 1 : 2, msgType: isCommand ? .command : .event,
            payload: payload, createdAt: RelayTime(Timestamp(Date(timeIntervalSince1970: seconds))), state: state)
    }

    /// - Parameter payloads: Oldest first, a second apart.
    private func calls(_ payloads: [String], now: TimeInterval = 60) throws -> [CallRecord] {
        let items = try payloads.enumerated().map { try item(Int64($0), $1, at: TimeInterval($0)) }
        var fold = ConversationFold(now: Date(timeIntervalSince1970: now))
        fold.add(items.reversed())
        return fold.conversations.flatMap(\.entries).compactMap { if case .call(let call) = $0 { call } else { nil } }
    }

    private static let incoming = #"{"type":"event","event":"INCOMING_CALL","sim":1,"from":"+49"}"#
    private static let dial = #"{"type":"command","cmd":"MAKE_CALL","sim":2,"to":"+1","req_id":"a"}"#
    private static let hangUp = #"{"type":"command","cmd":"HANG_UP","req_id":"h"}"#
    private static func state(_ state: String, _ rest: String) -> String {
        #"{"type":"event","event":"CALL_STATE","state":"\#(state)",\#(rest)}"#
    }

    @Test func aCallIsOneRowWithItsOutcome() throws {
        let (from, own) = (#""from":"+49""#, #""req_id":"a""#)
        let cases: [([String], CallRecord.Outcome)] = [
            ([Self.incoming], .underWay),
            ([Self.incoming, Self.state("ended", from)], .missed),
            ([Self.incoming, Self.hangUp, Self.state("ended", from)], .declined),
            ([Self.incoming, Self.state("active", from), Self.hangUp, Self.state("ended", from)], .answered(seconds: 2)),
            ([Self.incoming, Self.state("ended", #""from":"+33""#)], .underWay),
            ([Self.dial], .underWay),
            ([Self.dial, Self.state("dialing", own), Self.state("active", own), Self.state("ended", own)], .answered(seconds: 1)),
            ([Self.dial, Self.state("dialing", own), Self.state("ended", own)], .unanswered),
            ([Self.dial, Self.hangUp, Self.state("ended", own)], .cancelled),
            ([Self.dial, Self.state("dialing", own), Self.hangUp, Self.state("ended", own)], .cancelled),
            ([Self.dial, Self.state("active", own), Self.hangUp, Self.state("ended", own)], .answered(seconds: 2)),
            ([Self.dial, Self.hangUp, Self.state("error", own + #","body":"Busy""#)], .failed("Busy")),
            ([Self.dial, Self.state("error", own + #","body":"Busy""#)], .failed("Busy")),
            // A report of another command without a number: it changes no row, and is no row itself.
            ([Self.dial, Self.state("ended", #""req_id":"h","body":"There is no call""#)], .underWay),
        ]
        for (payloads, outcome) in cases {
            let calls = try calls(payloads)
            #expect(calls.map(\.outcome) == [outcome], "\(payloads)")
            #expect(calls.first?.isIncoming == payloads[0].contains("INCOMING"))
        }
        // A hang-up that names its call declines no other one.
        let named = #"{"type":"command","cmd":"HANG_UP","req_id":"h","call_req_id":"a"}"#
        let both = try calls([Self.incoming, Self.dial, named, Self.state("ended", own), Self.state("ended", from)])
        #expect(Set(both.map(\.outcome)) == [.missed, .cancelled])
        #expect(try calls([Self.incoming], now: 500).map(\.outcome) == [.missed])
        #expect(try calls([Self.incoming, Self.hangUp], now: 500).map(\.outcome) == [.declined])
        #expect(try calls([Self.dial], now: 500).map(\.outcome) == [.unknown])
        #expect(try calls([Self.incoming, Self.state("ended", from), Self.incoming]).map(\.outcome) == [.missed, .underWay])
    }

    @Test func aReportIsNeverARow() throws {
        let reports = [
            #"{"type":"event","event":"SMS_SENT","status":"ok"}"#,
            #"{"type":"event","event":"SMS_SENT","status":"error","req_id":"x"}"#,
            #"{"type":"event","event":"CALL_STATE","state":"ended"}"#,
            #"{"type":"event","event":"CALL_STATE","state":"active","from":"+1"}"#,
            #"{"type":"event","event":"SIM_INFO","sims":[]}"#, #"{"type":"command","cmd":"GET_SIMS"}"#, Self.hangUp,
            #"{"type":"event","event":"ERROR","body":"x"}"#,
        ]
        let items = try reports.enumerated().map { try item(Int64($0), $1, at: TimeInterval($0)) }
        var fold = ConversationFold()
        fold.add(items)
        #expect(fold.conversations.isEmpty)
    }

    @Test func theHistoryIsRequestedOnceAtTheStart() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let phone = TestPhone()
        let remote = try await box.paired(with: host, user: "ada", phone: phone)
        try await host.send(.incomingText(sim: 1, from: "+1", body: "one"))
        try await remote.until { $0.history.items.contains { $0.msgType == .event } }
        await remote.quit()
        func asked() -> Int { box.network.calls.count { $0.contains("/history") } }
        let before = asked()
        let again = box.remote(phone)
        again.bridge.setInFront(true, page: again.page)
        try await again.until {
            $0.isHostOnline && $0.sims == RawHost.cards && !$0.isRefreshing($0.history) && $0.history.phase == .ready
        }
        #expect(asked() == before + 1)
    }
}

/// Fails to write messages that contain a text.
private final class WriteFailure: SocketConnection {
    private let socket: any SocketConnection
    private let text: String

    init(_ socket: any SocketConnection, _ text: String) { (self.socket, self.text) = (socket, text) }

    func receive() async throws -> SocketMessage? { try await socket.receive() }
    func send(_ message: SocketMessage) async throws {
        if case .text(let written) = message, written.contains(text) { throw TransportError(.ended, "the test fails writes") }
        try await socket.send(message)
    }
    func ping() async throws { try await socket.ping() }
    func close(_ end: SocketEnd) { socket.close(end) }
    var end: SocketEnd? { socket.end }
}

/// Replaces received messages of a type.
private final class ReplacingSocket: SocketConnection {
    private let socket: any SocketConnection
    private let (type, text): (String, String)

    init(_ socket: any SocketConnection, _ type: String, _ text: String) {
        (self.socket, self.type, self.text) = (socket, type, text)
    }

    func receive() async throws -> SocketMessage? {
        let message = try await socket.receive()
        if case .text(let sent)? = message, sent.contains(#""type":"\#(type)""#) { return .text(text) }
        return message
    }
    func send(_ message: SocketMessage) async throws { try await socket.send(message) }
    func ping() async throws { try await socket.ping() }
    func close(_ end: SocketEnd) { socket.close(end) }
    var end: SocketEnd? { socket.end }
}
