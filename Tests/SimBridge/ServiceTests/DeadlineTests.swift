import Foundation
import HTTPTypes
import NetworkingKit
import ServerKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// A call has a deadline that counts from the tap.
@Suite struct DeadlineTests {
    let relay: TestRelay
    let pair: TestRelay.Pair

    init() async throws {
        relay = try await TestRelay()
        pair = try await relay.pair()
    }

    private func time(in seconds: Int64) -> RelayTime { RelayTime(relay.now + .seconds(seconds)) }

    private func call(_ deadline: RelayTime?, reqId: SimBridgeWire.RequestID? = nil) async throws -> TestRelay.Reply {
        try await relay.call(
            SimBridgeEndpoints.call, CallCommand(toDeviceId: pair.host, sim: 1, to: "+1", reqId: reqId, deadline: deadline),
            by: pair.owner)
    }

    @Test func aCallInTimeIsHandedOnWithItsDeadline() async throws {
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        let deadline = time(in: 10)
        expect(try await call(deadline), 200)
        #expect(try await host.next().content == .command(.makeCall(sim: 1, to: "+1", deadline: deadline)))
    }

    @Test(arguments: [0, -1, -3600] as [Int64]) func aCallThatComesTooLateIsRefused(_ seconds: Int64) async throws {
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        expect(try await call(time(in: seconds)), 400, "Call deadline has passed")
        try await host.expectQuiet()
        #expect(try await relay.history(of: pair.owner).isEmpty)
    }

    @Test func aDeadlineIsATime() async throws {
        for deadline in [#""soon""#, "4", "{}"] {
            let body = #"{"to_device_id":\#(pair.host),"sim":1,"to":"1","deadline":\#(deadline)}"#
            let reply = try await relay.call(.post, "/call", token: pair.owner.token, body: body)
            expect(reply, 422)
            #expect(reply.issues.map(\.field) == ["deadline"])
        }
    }

    /// The reply to the first try was lost; the call was placed in time.
    @Test func aRepeatedCallGetsItsFirstReply() async throws {
        let (id, deadline) = (SimBridgeWire.RequestID.random(), time(in: 5))
        let first = try await call(deadline, reqId: id)
        relay.advance(.seconds(6))
        #expect(try await call(deadline, reqId: id).text == first.text)
        expect(try await call(deadline, reqId: .random()), 400)
    }

    @Test(arguments: ["", "&v=2"]) func aCallThatWaitsTooLongIsNeverHandedOn(_ version: String) async throws {
        expect(try await call(time(in: 5)), 200)
        expect(try await call(nil), 200)
        relay.advance(.seconds(5))
        let (_, before) = try await relay.open(.host, pair.host, of: pair.owner, query: version)
        #expect(before.map(\.content) == [.command(.makeCall(sim: 1, to: "+1"))])
        try await relay.relay.deadlines.expire()
        let item = try #require(try await relay.history(of: pair.owner).last)
        #expect(item.state == .expired && item.stateTimes?.expired != nil)
    }

    /// Without an earlier one of its own a call still ends after a minute.
    @Test func deadlinesAreCappedAtAMinute() async throws {
        expect(try await call(time(in: 86_400)), 200)
        relay.advance(.seconds(61))
        #expect(try await relay.open(.host, pair.host, of: pair.owner).before.isEmpty)
    }

    @Test(arguments: [Command.makeCall(sim: 1, to: "1"), .hangUp(call: SimBridgeWire.RequestID("c"))])
    func onTheLineTheSameHolds(_ command: Command) async throws {
        let (host, _) = try await relay.open(.host, pair.host, of: pair.owner, query: "&v=2")
        let client = try await relay.line(.client, pair.client, of: pair.owner)
        var command = command
        command.deadline = time(in: 10)
        try await client.send(DeviceMessage(.command(command)))
        #expect(try await host.next().content == .command(command))
        command.deadline = time(in: 0)
        try await client.send(DeviceMessage(.command(command), reqId: SimBridgeWire.RequestID("r")))
        #expect(
            try await client.next() == RelayMessage(.failure(.deadlinePassed(pair.host)), reqId: SimBridgeWire.RequestID("r")))
        try await client.send(#"{"type":"command","cmd":"MAKE_CALL","deadline":7}"#)
        #expect(try await client.next().content == .failure(LineFailure("deadline must be a time")))
        try await host.expectQuiet()
        #expect(try await relay.history(of: pair.owner).count == 1)
    }

    @Test func aLineOfVersion2CarriesTheRelaysTime() async throws {
        let host = try await relay.connect(SimBridgeLine.path(.host, pair.host) + "?token=\(pair.owner.token)&v=2")
        #expect(try await host.next() == RelayMessage(.connected(pair.host), time: time(in: 0)))
        let old = try await relay.connect(SimBridgeLine.path(.client, pair.client) + "?token=\(pair.owner.token)")
        #expect(try await old.nextText() == #"{"device_id":\#(pair.client),"type":"connected"}"#)
        relay.advance(.seconds(30))
        for _ in 0..<30 { relay.relay.lines.tick() }
        #expect(try await host.next() == RelayMessage(.ping, time: time(in: 0)))
        #expect(try await old.nextText() == #"{"type":"ping"}"#)
    }
}
