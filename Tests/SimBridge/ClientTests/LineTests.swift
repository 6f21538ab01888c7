import ClientKit
import Foundation
import HTTPTypes
import NetworkingKit
import SimBridgeCalls
import SimBridgeTestKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeClient

/// The line of the client: contract, section 4, and version 2.
@MainActor
@Suite struct LineTests {
    /// 1, 2, 4, 8, 16, 30, 30 s; from the beginning after `connected`.
    @Test func backoffGrowsAndResetsAfterConnected() {
        var line = Line(backoff: Bridge.backoff, random: { 0.5 })
        var now = Duration.zero
        func waits(_ actions: [Line.Action]) -> Duration? { if case .wait(let delay, _)? = actions.first { delay } else { nil } }
        _ = line.handle(.start, at: now)
        var delays: [Duration] = []
        for attempt in 1...7 {
            guard let delay = waits(line.handle(.failed(attempt: attempt, .init(.network, "")), at: now)) else { break }
            delays.append(delay)
            now += delay
            _ = line.handle(.due(attempt: attempt), at: now)
        }
        #expect(delays == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        _ = line.handle(.opened(attempt: 8), at: now)
        #expect(waits(line.handle(.failed(attempt: 8, .init(.network, "")), at: now)) == .seconds(1))
    }

    @Test func aLostLineIsReopened() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        #expect(box.network.opened.last?.path?.contains("v=2") == true)
        box.network.cut()
        try await remote.until { $0.status != .connected }
        box.network.mend()
        remote.bridge.reconnect()
        try await remote.until { $0.status == .connected }
    }

    @Test func connectedRequestsTheHostsCards() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        try await remote.until { $0.sims == RawHost.cards }
        #expect(host.askedForSIMs > 0)
        // The feed has no new event.
        #expect(remote.bridge.events.isEmpty)
    }

    @Test func missedMessagesArriveOnceAndAreAcknowledged() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        try await host.send(.incomingText(sim: 1, from: "+1", body: "one"))
        try await remote.until { $0.events.count == 1 }
        box.network.cut()
        try await remote.until { $0.status != .connected }
        for body in ["two", "three"] { try await host.send(.incomingText(sim: 1, from: "+1", body: body)) }
        box.network.mend()
        remote.bridge.reconnect()
        try await remote.until { $0.events.count >= 3 }
        let bodies = remote.bridge.events.reversed().map { event -> String? in
            if case .incomingText(_, _, let body) = event.event { body } else { nil }
        }
        #expect(bodies == ["one", "two", "three"])
        #expect(box.network.opened.last?.path?.contains("&after=") == true)
        let cursor: Int64 = try #require(remote.bridge.engine.saved.value(for: "cursor"))
        try await eventually { box.network.written.contains(DeviceMessage.ack(seq: cursor).text) }
    }

    @Test func aHeartbeatIsSentEveryThirtySeconds() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let clock = TestClock()
        let remote = try await box.paired(with: host, user: "ada", clock: clock)
        let pings: @Sendable () -> Int = { box.network.written.count { $0 == DeviceMessage.ping.text } }
        for count in 0..<2 {
            // The heartbeat sleeps, and no call, which has the same limit.
            try await eventually { clock.sleeperCount(for: .seconds(30)) == 1 }
            try await clock.advance(by: .milliseconds(29_999))
            // A text uses the same line: everything that was due before it has been written.
            try await host.send(.incomingText(sim: 1, from: "+1", body: "\(count)"))
            try await remote.until { if case .incomingText(_, _, "\(count)")? = $0.events.first?.event { true } else { false } }
            #expect(pings() == count)
            try await clock.advance(by: .milliseconds(1))
            try await eventually { pings() == count + 1 }
        }
        #expect(remote.bridge.status == .connected)
    }

    @Test func aReplacedLineDoesNotReconnect() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        let session = try remote.bridge.current()
        let opened = box.network.opened.count
        let other = try await Bridge.connect(as: session, after: nil)
        try await remote.until { $0.isReplaced && $0.status == .disconnected }
        #expect(box.network.opened.count == opened + 1)
        // The line stays closed until the user reopens it. Texts sent meanwhile wait.
        let outbox = remote.bridge.engine.outbox
        remote.bridge.reconnect()
        #expect(try await remote.bridge.sendText(to: "+1555", body: "Hello", sim: 1) == "+1555")
        try await remote.until { $0.status == .connected && !$0.isReplaced }
        #expect(remote.bridge.engine.outbox === outbox)
        await #expect(throws: NetworkingKit.LineFailure.self) { while try await other.receive() != nil {} }
    }

    /// As after a login during the removal of the previous token.
    @Test func aSessionIsServedOnce() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        let (outbox, opened) = (remote.bridge.engine.outbox, box.network.opened.count)
        remote.bridge.engine.signIn(try remote.bridge.current())
        try await host.send(.incomingText(sim: 1, from: "+1", body: "one"))
        try await remote.until { $0.events.count == 1 && $0.history.items.contains { $0.msgType == .event } }
        #expect(remote.bridge.engine.outbox === outbox && remote.bridge.status == .connected)
        #expect(box.network.opened.count == opened)
    }

    @Test func malformedMessagesAreSurvived() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        // From the host: JSON of another shape than expected.
        for text in [
            #"{"type":"event"}"#, #"{"type":"event","event":"NEW_THING","x":1}"#, #"{"type":"event","event":"SIM_INFO","sims":7}"#,
            #"{"type":"event","event":"CALL_STATE","state":9}"#, #"{"type":"event","event":"INCOMING_SMS"}"#,
        ] { try await host.send(text: text) }
        // From the relay: no JSON, no object, no text, or out of range.
        let garbage: [SocketMessage] = [
            .text(""), .text("{"), .text("ping"), .text("null"), .text("[1,2]"), .text(#""connected""#),
            .text("{\"type\":\"event\","),
            .text(#"{"type":"event","event":"INCOMING_SMS","body":"\ud800"}"#), .text(#"{"type":7,"seq":"x"}"#),
            .text(#"{"type":"event","event":"INCOMING_SMS","seq":99999999999999999999}"#), .text(#"{"type":"ping","seq":1e999}"#),
            .text(#"{"type":"reset","seq":-1.5}"#), .text(String(repeating: "[", count: 100_000)),
            .text("{\"type\":\"\u{0}\"}"), .data(Data([0xFF, 0xFE, 0x00])), .data(Data()),
        ]
        box.network.set { $0.wrap = { Strewn($0, garbage) } }
        box.network.cutLines()
        try await remote.until { $0.status != .connected }
        remote.bridge.reconnect()
        try await remote.until { $0.status == .connected }
        let opened = box.network.opened.count
        try await host.send(.incomingText(sim: 1, from: "+1", body: "still here"))
        try await remote.until { if case .incomingText(_, _, "still here")? = $0.events.first?.event { true } else { false } }
        #expect(remote.bridge.status == .connected)
        #expect(box.network.opened.count == opened, "it is the same line")
    }

    /// Logged out elsewhere, or the password was changed there.
    @Test(arguments: [SimBridgeLine.removedReason, SimBridgeLine.tokenEndedReason, SimBridgeLine.deletedReason])
    func finalCloseReasonsEndTheLine(_ reason: String) async throws {
        let socket = Ended(reason)
        await #expect(throws: NetworkingKit.LineFailure(.token, reason, isFinal: true)) {
            try await RelayConnection(socket).waitUntilConnected()
        }
    }

    /// A relay that never sends `connected` has a bounded cost.
    @Test(arguments: [SocketMessage.data(Data(count: 65_536)), .text(""), .data(Data())])
    func messagesBeforeConnectedAreBounded(_ message: SocketMessage) async throws {
        let socket = Chatterbox(message)
        await #expect(throws: TransportError.self) { try await RelayConnection(socket).waitUntilConnected() }
        #expect(socket.sent < 2_000_000)
    }

    /// The upgrade alone opens no line: the client times out.
    @Test func theLineIsOpenOnlyAfterConnected() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let before = try await box.paired(with: host, user: "ada")
        await before.quit()
        let clock = TestClock()
        box.network.set { $0.isMute = true }
        let opened = box.network.opened.count
        let remote = box.remote(before.phone, clock: clock)
        try await remote.until { $0.status == .connecting && box.network.opened.count == opened + 1 }
        #expect(box.network.opened.last?.path?.contains("v=2") == true)
        try await remote.until(advancing: clock, by: .seconds(30)) { $0.status == .disconnected }
        box.network.set { $0.isMute = false }
        remote.bridge.reconnect()
        try await remote.until { $0.status == .connected }
    }

    @Test func anIntendedEndDoesNotReconnect() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        await remote.quit()
        try await remote.until { $0.status == .disconnected }
        let opened = box.network.opened.count
        remote.bridge.wake()
        #expect(box.network.opened.count == opened)
    }
}

/// Sends the same message forever.
private final class Chatterbox: SocketConnection {
    private let message: SocketMessage
    private let count = Locked(0)
    init(_ message: SocketMessage) { self.message = message }

    var sent: Int { count.withLock { $0 } }
    func receive() async throws -> SocketMessage? {
        let sent = count.withLock { count in
            count += 1
            return count
        }
        return sent < 2_000_000 ? message : nil
    }
    func send(_ message: SocketMessage) async throws {}
    func ping() async throws {}
    func close(_ end: SocketEnd) {}
    var end: SocketEnd? { nil }
}

/// Ends at once with a final close reason of the relay.
private final class Ended: SocketConnection {
    private let reason: String
    init(_ reason: String) { self.reason = reason }

    func receive() async throws -> SocketMessage? { nil }
    func send(_ message: SocketMessage) async throws {}
    func ping() async throws {}
    func close(_ end: SocketEnd) {}
    var end: SocketEnd? { SocketEnd(1008, reason) }
}

/// A connection on which garbage comes after the first message.
private final class Strewn: SocketConnection {
    private let socket: any SocketConnection
    private let garbage: Locked<[SocketMessage]>
    private let hasBegun = Locked(false)

    init(_ socket: any SocketConnection, _ garbage: [SocketMessage]) {
        self.socket = socket
        self.garbage = Locked(garbage.reversed())
    }

    func receive() async throws -> SocketMessage? {
        if hasBegun.withLock({ $0 }), let message = garbage.withLock({ $0.popLast() }) { return message }
        let message = try await socket.receive()
        if case .text(let text)? = message, case .connected? = RelayMessage(text: text)?.content { hasBegun.withLock { $0 = true } }
        return message
    }
    func send(_ message: SocketMessage) async throws { try await socket.send(message) }
    func ping() async throws { try await socket.ping() }
    func close(_ end: SocketEnd) { socket.close(end) }
    var end: SocketEnd? { socket.end }
}
