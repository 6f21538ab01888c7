import Foundation
import HTTPTypes
import ServerKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// Contract: "Commands", "Queue".
@Suite struct CommandTests {
    let relay: TestRelay
    let pair: TestRelay.Pair

    init() async throws {
        relay = try await TestRelay()
        pair = try await relay.pair()
    }

    @Test func aConnectedHostGetsACommandAtOnce() async throws {
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        let receipt = try await relay.text("Grüße", to: pair.host, by: pair.owner)
        #expect(receipt.status == .sent && receipt.reqId.isWellFormed)
        #expect(
            try await host.nextText()
                == #"{"body":"Grüße","cmd":"SEND_SMS","req_id":"\#(receipt.reqId)","sim":1,"to":"+1","type":"command"}"#)

        let call = try await relay.call(
            SimBridgeEndpoints.call, CallCommand(toDeviceId: pair.host, sim: 2, to: "+2"), by: pair.owner
        )
        .value(CommandReceipt.self)
        #expect(try await host.next() == RelayMessage(.command(.makeCall(sim: 2, to: "+2")), reqId: call.reqId))
        let sims = try await relay.call(SimBridgeEndpoints.sims, by: pair.owner, query: "?host_device_id=\(pair.host)")
            .value(CommandReceipt.self)
        #expect(try await host.next() == RelayMessage(.command(.getSIMs), reqId: sims.reqId))
        #expect(sims.status == .sent && call.status == .sent)
        try await host.expectQuiet()
    }

    @Test func whatIsQueuedComesBeforeConnectedInOrderAndOnce() async throws {
        for number in 1...3 {
            #expect(try await relay.text("\(number)", to: pair.host, by: pair.owner).status == .queued)
        }
        #expect(try await relay.history(of: pair.owner).map(\.state) == [.accepted, .accepted, .accepted])
        let (host, before) = try await relay.open(.host, pair.host, of: pair.owner)
        #expect(
            before.map(\.content) == ["1", "2", "3"].map { .command(.sendText(sim: 1, to: "+1", body: $0)) })
        #expect(before.allSatisfy { $0.seq == nil && $0.fromDeviceId == nil })
        try await host.expectQuiet()
        #expect(try await relay.history(of: pair.owner).map(\.state) == [.sent, .sent, .sent])
        host.close()
        let (again, nothing) = try await relay.open(.host, pair.host, of: pair.owner)
        #expect(nothing.isEmpty)
        try await again.expectQuiet()
    }

    @Test func aLongQueueIsWrittenInPages() async throws {
        for number in 0..<250 { try await relay.text("\(number)", to: pair.host, by: pair.owner) }
        let (_, before) = try await relay.open(.host, pair.host, of: pair.owner)
        #expect(
            before.map(\.content) == (0..<250).map { .command(.sendText(sim: 1, to: "+1", body: "\($0)")) })
    }

    @Test func theQueueSurvivesARestart() async throws {
        try await relay.text("kept", to: pair.host, by: pair.owner)
        let again = try await relay.restarted()
        let (_, before) = try await again.open(.host, pair.host, of: pair.owner)
        #expect(before.map(\.content) == [.command(.sendText(sim: 1, to: "+1", body: "kept"))])
    }

    @Test func unpairedClientsAreRefused() async throws {
        let nobody = try await relay.person()
        let loneHost = try await relay.device(.host, of: nobody)
        let text = TextCommand(toDeviceId: loneHost, sim: 1, to: "1", body: "b")
        expect(try await relay.call(SimBridgeEndpoints.sendText, text, by: nobody), 400, "No client device registered")
        _ = try await relay.device(.client, of: nobody)
        expect(try await relay.call(SimBridgeEndpoints.sendText, text, by: nobody), 403, "Devices are not paired")
        for target in [pair.host, pair.client, Device.ID(999)] {
            let foreign = TextCommand(toDeviceId: target, sim: 1, to: "1", body: "b")
            expect(try await relay.call(SimBridgeEndpoints.sendText, foreign, by: nobody), 403, "Devices are not paired")
        }
        #expect(try await relay.history(of: pair.owner).isEmpty)
    }

    @Test(arguments: [false, true]) func anyPairedClientCounts(_ isOnline: Bool) async throws {
        let owner = try await relay.person()
        _ = try await relay.device(.client, of: owner)
        let second = try await relay.device(.client, of: owner)
        let host = try await relay.device(.host, of: owner)
        try await relay.pair(host, second, by: owner)
        let line = isOnline ? try await relay.line(.host, host, of: owner) : nil
        try await relay.text("b", to: host, by: owner)
        let item = try #require(try await relay.history(of: owner).first)
        #expect(item.fromDeviceId == second && item.toDeviceId == host && item.msgType == .command)
        line?.close()
    }

    // MARK: The same twice

    @Test func theSameCommandAgainIsStillOne() async throws {
        let id = RequestID.random()
        let first = try await relay.text("once", to: pair.host, by: pair.owner, reqId: id)
        #expect(first == CommandReceipt(status: .queued, reqId: id))
        let (host, before) = try await relay.open(.host, pair.host, of: pair.owner)
        #expect(before.count == 1 && before[0].reqId == id)
        #expect(try await relay.text("once", to: pair.host, by: pair.owner, reqId: id) == first)
        try await host.expectQuiet()
        #expect(try await relay.history(of: pair.owner).count == 1)

        let other = TextCommand(toDeviceId: pair.host, sim: 1, to: "+1", body: "other", reqId: id)
        expect(
            try await relay.call(SimBridgeEndpoints.sendText, other, by: pair.owner), 409, "req_id already used for another command"
        )
        let call = CallCommand(toDeviceId: pair.host, sim: 1, to: "+1", reqId: id)
        expect(try await relay.call(SimBridgeEndpoints.call, call, by: pair.owner), 409)
        try await host.expectQuiet()
    }

    @Test func idsAreEachAccountsOwn() async throws {
        let id = RequestID.random()
        let other = try await relay.pair()
        try await relay.text("a", to: pair.host, by: pair.owner, reqId: id)
        try await relay.text("b", to: other.host, by: other.owner, reqId: id)
        #expect(try await relay.history(of: other.owner).count == 1)
    }

    @Test func aCommandThatWasRefusedMayBeGivenAgain() async throws {
        let owner = try await relay.person()
        let host = try await relay.device(.host, of: owner)
        let client = try await relay.device(.client, of: owner)
        let text = TextCommand(toDeviceId: host, sim: 1, to: "1", body: "b", reqId: .random())
        expect(try await relay.call(SimBridgeEndpoints.sendText, text, by: owner), 403)
        try await relay.pair(host, client, by: owner)
        expect(try await relay.call(SimBridgeEndpoints.sendText, text, by: owner), 200)
    }

    @Test func anIDIsAUUID() async throws {
        let text = TextCommand(toDeviceId: pair.host, sim: 1, to: "1", body: "b", reqId: RequestID("mine"))
        let reply = try await relay.call(SimBridgeEndpoints.sendText, text, by: pair.owner)
        expect(reply, 422)
        #expect(reply.issues.map(\.field) == ["req_id"])
    }

    @Test func ofManyAtOnceOneIsRelayed() async throws {
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        let id = RequestID.random()
        let receipts = try await withThrowingTaskGroup(of: CommandReceipt.self) { group in
            for _ in 0..<8 { group.addTask { try await relay.text("b", to: pair.host, by: pair.owner, reqId: id) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(receipts == [CommandReceipt(status: .sent, reqId: id)])
        #expect(try await host.next().reqId == id)
        try await host.expectQuiet()
    }

    // MARK: Deadlines

    @Test func whatWaitsTooLongExpires() async throws {
        let text = try await relay.text("late", to: pair.host, by: pair.owner)
        _ = try await relay.call(SimBridgeEndpoints.call, CallCommand(toDeviceId: pair.host, sim: 1, to: "1"), by: pair.owner)
        relay.advance(.seconds(60))
        try await relay.relay.deadlines.expire()
        var items = try await relay.history(of: pair.owner)
        #expect(items.map(\.state) == [.expired, .accepted])
        #expect(items[0].stateTimes?.expired?.timestamp == relay.now)
        #expect(items[0].stateTimes?.sent == nil && items[0].reason != nil)
        relay.advance(.seconds(86_400 - 61))
        let owner = TestRelay.Person(id: pair.owner.id, token: try await freshToken())
        try await relay.relay.deadlines.expire()
        #expect(try await relay.history(of: owner).map(\.state) == [.expired, .accepted])
        relay.advance(.seconds(1))
        try await relay.relay.deadlines.expire()
        items = try await relay.history(of: owner)
        #expect(items.map(\.state) == [.expired, .expired])
        let (host, before) = try await relay.open(.host, pair.host, of: owner)
        #expect(before.isEmpty, "\(text)")
        try await host.expectQuiet()
    }

    /// A host that connects after the deadline gets no command, even before the relay has expired it.
    @Test func anOverdueCallIsNotDialled() async throws {
        _ = try await relay.call(SimBridgeEndpoints.call, CallCommand(toDeviceId: pair.host, sim: 1, to: "1"), by: pair.owner)
        relay.advance(.seconds(61))
        let (_, before) = try await relay.open(.host, pair.host, of: pair.owner)
        #expect(before.isEmpty)
    }

    private func freshToken() async throws -> String {
        try await RelayTokensForTests.token(for: pair.owner.id, at: relay.now, secret: relay.secret)
    }
}
