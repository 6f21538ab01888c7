import Foundation
import NIOCore
import NetworkingKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// Contract: "WebSocket", without version 2.
@Suite struct LineTests {
    let relay: TestRelay
    let pair: TestRelay.Pair

    init() async throws {
        relay = try await TestRelay()
        pair = try await relay.pair()
    }

    private func both() async throws -> (host: TestLine, client: TestLine) {
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        return (host, try await relay.line(.client, pair.client, of: pair.owner))
    }

    private func isOnline(_ device: Device.ID) async throws -> Bool {
        try await relay.devices(of: pair.owner).first { $0.id == device }?.isOnline ?? false
    }

    // MARK: Messages of a device

    @Test func pingsAreAnswered() async throws {
        let (host, client) = try await both()
        try await host.send(#"{"type":"ping"}"#)
        #expect(try await host.nextText() == #"{"type":"pong"}"#)
        try await host.send(#"{"type":"pong"}"#)
        try await host.expectQuiet()
        try await client.expectQuiet()
    }

    @Test(arguments: [
        (#"{"type":"dance"}"#, "invalid message type: dance"), (#"{"no":"type"}"#, "invalid message type: null"),
        (#"{"type":7}"#, "invalid message type: 7"), (#"{"type":null}"#, "invalid message type: null"),
        (#"{"type":"ack","seq":1}"#, "invalid message type: ack"), ("hello", "invalid JSON"), ("", "invalid JSON"),
        (#"{"type":"ping""#, "invalid JSON"), (#"{"type":"ping",}"#, "invalid JSON"), ("[1]", "a message must be a JSON object"),
        ("null", "a message must be a JSON object"), ("4", "a message must be a JSON object"),
        (#"{"type":"event","to_device_id":"7"}"#, "to_device_id must be a number"),
    ]) func invalidMessagesAreAnsweredAndTheLineStaysOpen(_ text: String, _ error: String) async throws {
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        try await host.send(text)
        #expect(try await host.next().content == .failure(LineFailure(error)))
        try await host.expectQuiet()
    }

    @Test func aBinaryFrameIsReadAsText() async throws {
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        try await host.connection.send(.data(Data(#"{"type":"ping"}"#.utf8)))
        #expect(try await host.next().content == .pong)
    }

    @Test func aLineEndsWithItsToken() async throws {
        let (host, client) = try await both()
        relay.advance(.seconds(86_399))
        let token = try await RelayTokensForTests.token(for: pair.owner.id, at: relay.now, secret: relay.secret)
        let later = try await relay.device(.client, of: .init(id: pair.owner.id, token: token))
        let other = try await relay.line(.client, later, of: .init(id: pair.owner.id, token: token))
        relay.relay.lines.tick()
        try await host.expectQuiet()
        relay.advance(.seconds(1))
        relay.relay.lines.tick()
        for line in [host, client] { #expect(try await line.ending() == SocketEnd(1008, "Token expired")) }
        try await other.expectQuiet()
        relay.advance(.seconds(86_399))
        relay.relay.lines.tick()
        #expect(try await other.ending() == SocketEnd(1008, "Token expired"))
    }

    /// Beside the replay of a host that does not read wait no more bytes than for any slow reader.
    @Test func messagesHeldDuringAReplayAreBounded() async throws {
        for body in ["1", "2"] { try await relay.text(body, to: pair.host, by: pair.owner) }
        let host = try await relay.connect(SimBridgeLine.path(.host, pair.host) + "?token=\(pair.owner.token)")
        _ = try await host.next()
        let client = try await relay.line(.client, pair.client, of: pair.owner)
        let filling = String(repeating: "x", count: 600_000)
        for _ in 0..<2 { try await client.send(#"{"type":"webrtc","sdp":"\#(filling)"}"#) }
        #expect(try await client.next().content == .failure(.targetOffline(pair.host)))
        try await client.expectQuiet()
    }

    // MARK: Routing

    @Test func allFieldsAreForwardedWithTheRealSender() async throws {
        let (host, client) = try await both()
        try await client.send(#"{"type":"command","cmd":"X","req_id":"r","big":9007199254740993,"list":[1,"ü\u00e9"]}"#)
        #expect(
            try await host.nextText()
                == #"{"from_device_id":\#(pair.client),"type":"command","cmd":"X","req_id":"r","big":9007199254740993,"list":[1,"ü\u00e9"]}"#
        )
        for forged in [#""from_device_id":1"#, #""from_device_id":null"#, #""\u0066rom_device_id":1"#] {
            try await host.send(#"{\#(forged),"type":"event","event":"ERROR","seq":5}"#)
            #expect(
                try await client.nextText() == #"{"from_device_id":\#(pair.host),"type":"event","event":"ERROR","seq":5}"#)
        }
    }

    @Test(arguments: ["null", "0", "own"]) func withoutATargetItIsTheFirstPairs(_ target: String) async throws {
        let (host, client) = try await both()
        let later = try await relay.device(.host, of: pair.owner)
        try await relay.pair(later, pair.client, by: pair.owner)
        try await client.send(#"{"type":"webrtc","to_device_id":\#(target == "own" ? "\(pair.host)" : target)}"#)
        #expect(try await host.next().fromDeviceId == pair.client)
        try await client.expectQuiet()
    }

    @Test func withoutAPairThereIsNobody() async throws {
        let host = try await relay.device(.host, of: pair.owner)
        let client = try await relay.device(.client, of: pair.owner)
        let hosts = try await relay.line(.host, host, of: pair.owner)
        let clients = try await relay.line(.client, client, of: pair.owner)
        try await hosts.send(#"{"type":"event","event":"ERROR"}"#)
        #expect(try await hosts.nextText() == #"{"error":"no paired client"}"#)
        try await clients.send(#"{"type":"command","cmd":"GET_SIMS"}"#)
        #expect(try await clients.nextText() == #"{"error":"no paired host"}"#)
        #expect(try await relay.history(of: pair.owner).isEmpty)
        // Known at once, on lines that were open before.
        try await relay.pair(host, client, by: pair.owner)
        try await clients.send(#"{"type":"command","cmd":"GET_SIMS"}"#)
        #expect(try await hosts.next().content == .command(.getSIMs))
        try await hosts.send(#"{"type":"event","event":"ERROR"}"#)
        #expect(try await clients.next().content == .event(.error(nil)))
    }

    @Test(arguments: [(#""r""#, #""r""#), ("4", "4"), ("null", "null"), (nil, "null")])
    func aReceiverThatIsAwayIsNamed(_ id: String?, _ echoed: String) async throws {
        let client = try await relay.line(.client, pair.client, of: pair.owner)
        try await client.send(#"{"type":"command","cmd":"HANG_UP"\#(id.map { ",\"req_id\":\($0)" } ?? "")}"#)
        #expect(
            try await client.nextText() == #"{"error":"target_offline","req_id":\#(echoed),"target_device_id":\#(pair.host)}"#)
        // Nothing is queued.
        let (_, before) = try await relay.open(.host, pair.host, of: pair.owner)
        #expect(before.isEmpty)
    }

    @Test func orderIsKept() async throws {
        let (host, client) = try await both()
        for number in 0..<200 { try await client.send(#"{"type":"command","cmd":"X","number":\#(number)}"#) }
        for number in 0..<200 {
            #expect(try await host.nextText().hasSuffix(#""number":\#(number)}"#))
        }
    }

    @Test func aWholeExchange() async throws {
        let (host, client) = try await both()
        let receipt = try await relay.text("hi", to: pair.host, by: pair.owner)
        #expect(try await host.next().reqId == receipt.reqId)
        try await host.send(DeviceMessage(.event(.textSent(.ok, reason: nil)), reqId: receipt.reqId))
        #expect(
            try await client.next() == RelayMessage(.event(.textSent(.ok, reason: nil)), from: pair.host, reqId: receipt.reqId))
        let items = try await relay.history(of: pair.owner)
        #expect(items.map(\.state) == [.sent, .confirmed])
    }

    @Test(arguments: [
        (PhoneEvent.textSent(.ok, reason: nil), DeliveryState.confirmed), (.textSent(.error, reason: "no signal"), .failed),
        (.textSent(.unknown, reason: nil), .unknown), (.error("no SIM"), .failed),
        (.callState(.dialing, sim: 1, from: nil, reason: nil), .confirmed),
        (.callState(.error, sim: 1, from: nil, reason: "busy"), .failed), (.simInfo([]), .confirmed),
        (.incomingCall(sim: 1, from: nil), .sent),
    ]) func whatTheHostReportsIsTheState(_ event: PhoneEvent, _ state: DeliveryState) async throws {
        let (host, client) = try await both()
        let receipt = try await relay.text("hi", to: pair.host, by: pair.owner)
        _ = try await host.next()
        try await host.send(DeviceMessage(.event(event), reqId: receipt.reqId))
        _ = try await client.next()
        let item = try #require(try await relay.history(of: pair.owner).last)
        #expect(item.state == state)
        if state == .failed { #expect(item.reason != nil && item.stateTimes?.failed != nil) }
    }

    // MARK: Coming and going

    @Test func presenceIsThatOfTheSocket() async throws {
        #expect(try await !isOnline(pair.host))
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        #expect(try await isOnline(pair.host))
        var device = try #require(try await relay.devices(of: pair.owner).first)
        #expect(device.lastSeen?.timestamp == relay.now)
        relay.advance(.seconds(5))
        host.close()
        try await eventually { try await !isOnline(pair.host) }
        try await eventually { try await relay.devices(of: pair.owner).first?.lastSeen?.timestamp == relay.now }
        device = try #require(try await relay.devices(of: pair.owner).first)
        #expect(!device.isOnline)
    }

    @Test func peersAreToldThatADeviceHasLeft() async throws {
        let (host, client) = try await both()
        let stranger = try await relay.pair()
        let strangers = try await relay.line(.client, stranger.client, of: stranger.owner)
        host.close()
        #expect(try await client.nextText() == #"{"device_id":\#(pair.host),"event":"DEVICE_OFFLINE","type":"event"}"#)
        try await client.expectQuiet()
        try await strangers.expectQuiet()
        client.close()
    }

    @Test func aSecondSocketReplacesTheFirst() async throws {
        let (first, client) = try await both()
        let second = try await relay.line(.host, pair.host, of: pair.owner)
        #expect(try await first.ending() == SocketEnd(1008, "Replaced by new connection"))
        #expect(try await isOnline(pair.host))
        // No peer is notified of a disconnect: the device is still connected.
        try await client.expectQuiet()
        try await client.send(#"{"type":"command","cmd":"HANG_UP"}"#)
        #expect(try await second.next().content == .command(.hangUp))
    }

    @Test func theJSONPingComesAfterHalfAMinute() async throws {
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        for _ in 0..<29 { relay.relay.lines.tick() }
        try await host.expectQuiet()
        relay.relay.lines.tick()
        #expect(try await host.nextText() == #"{"type":"ping"}"#)
        for _ in 0..<30 { relay.relay.lines.tick() }
        #expect(try await host.nextText() == #"{"type":"ping"}"#)
    }

    @Test func aReaderThatStopsCostsOnlyItself() async throws {
        let host = try await relay.device(.host, of: pair.owner)
        try await relay.pair(host, pair.client, by: pair.owner)
        let slow = try await relay.line(.host, pair.host, of: pair.owner)
        let good = try await relay.line(.host, host, of: pair.owner)
        let client = try await relay.line(.client, pair.client, of: pair.owner)
        let filling = String(repeating: "x", count: 100_000)
        var failures = 0
        for number in 0..<30 {
            try await client.send(#"{"type":"command","cmd":"X","to_device_id":\#(pair.host),"filling":"\#(filling)"}"#)
            try await client.send(#"{"type":"command","cmd":"X","to_device_id":\#(host),"number":\#(number)}"#)
            #expect(try await good.nextText().hasSuffix(#""number":\#(number)}"#))
            try await client.send(.ping)
            while true {
                let message = try await client.next()
                if message.content == .pong { break }
                failures += 1
            }
        }
        #expect(failures > 10)
        #expect(try await slow.ending()?.code == 1008)
    }
}
