import Foundation
import HTTPTypes
import NetworkingKit
import ServerKit
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// Every paired client hears its host (`Docs/Protocols/SimBridge.md`, section 3).
@Suite struct RoutingTests {
    let relay: TestRelay
    let pair: TestRelay.Pair
    let second: Device.ID

    init() async throws {
        relay = try await TestRelay()
        pair = try await relay.pair()
        second = try await relay.device(.client, of: pair.owner, name: "tablet")
        try await relay.pair(pair.host, second, by: pair.owner)
    }

    private func text(_ body: String) -> DeviceMessage {
        DeviceMessage(.event(.incomingText(sim: 1, from: "+1", body: body)))
    }

    private func body(_ message: RelayMessage) -> String? {
        if case .event(.incomingText(_, _, let body)) = message.content { body } else { nil }
    }

    private func leave(_ line: TestLine, _ device: Device.ID) async throws {
        line.close()
        try await eventually { [relay] in relay.relay.lines[device] == nil }
    }

    private func numberedLine(_ client: Device.ID, _ query: String = "") async throws -> (line: TestLine, before: [RelayMessage]) {
        try await relay.open(.client, client, of: pair.owner, query: "&v=2" + query)
    }

    private func host() async throws -> TestLine { try await relay.line(.host, pair.host, of: pair.owner) }

    /// The quota's count, and the sum of the weights.
    private func storedBytes() async throws -> (counted: Int, actual: Int) {
        try await relay.relay.store.read { [pair] transaction in
            (
                try transaction.one("SELECT kept_bytes FROM accounts WHERE id = ?", pair.owner.id),
                try transaction.one(
                    """
                    SELECT COALESCE(SUM(\(TestDatabase.size(of: "payload")) + \(TestDatabase.size(of: "COALESCE(reason, '')")) + 400 + 100 * (
                        SELECT COUNT(*) FROM deliveries WHERE message = messages.id AND device <> to_device)), -1)
                    FROM messages WHERE account = ?
                    """, pair.owner.id)
            )
        }
    }

    @Test func anEventReachesEveryPairedClientAndTheHistoryOnce() async throws {
        let (first, _) = try await numberedLine(pair.client)
        let old = try await relay.line(.client, second, of: pair.owner)
        let third = try await relay.device(.client, of: pair.owner)
        try await relay.pair(pair.host, third, by: pair.owner)
        let (tablet, _) = try await numberedLine(third)
        let unpaired = try await relay.line(.client, try await relay.device(.client, of: pair.owner), of: pair.owner)
        let host = try await host()
        // The third device has one more: each device has its own sequence numbers.
        try await host.send(DeviceMessage(.event(.error("for one")), to: third))
        #expect(try await tablet.next() == RelayMessage(.event(.error("for one")), seq: 1, historyId: 1, from: pair.host))
        try await host.send(text("hi"))
        let message = RelayMessage(.event(.incomingText(sim: 1, from: "+1", body: "hi")), from: pair.host)
        #expect(try await old.next() == message)
        var numbered = message
        (numbered.seq, numbered.historyId) = (1, 2)
        #expect(try await first.next() == numbered)
        numbered.seq = 2
        #expect(try await tablet.next() == numbered)
        for line in [host, first, old, tablet, unpaired] { try await line.expectQuiet() }

        let items = try await relay.history(of: pair.owner)
        #expect(items.count == 2 && items[0].toDeviceId == pair.client && items[0].state == .sent)
        for client in [pair.client, second, third] {
            #expect(try await relay.history(of: pair.owner, query: "?device_id=\(client)").contains { $0.id == items[0].id })
        }
        let stored = try await storedBytes()
        #expect(stored.counted == stored.actual)
    }

    /// The outcome of a command goes to all clients, not only to its sender.
    @Test func everyClientLearnsACommandsOutcome() async throws {
        let (first, _) = try await numberedLine(pair.client)
        let (tablet, _) = try await numberedLine(second)
        let host = try await host()
        let receipt = try await relay.text("hi", to: pair.host, by: pair.owner)
        _ = try await host.next()
        try await host.send(DeviceMessage(.event(.textSent(.ok, reason: nil)), reqId: receipt.reqId))
        for line in [first, tablet] {
            let message = try await line.next()
            #expect(message.content == .event(.textSent(.ok, reason: nil)) && message.reqId == receipt.reqId)
        }
        #expect(try await relay.history(of: pair.owner).map(\.state) == [.sent, .confirmed])
    }

    @Test func anAbsentClientDelaysNoOtherAndFetchesLater() async throws {
        let (away, _) = try await numberedLine(pair.client)
        try await leave(away, pair.client)
        let (tablet, _) = try await numberedLine(second)
        let host = try await host()
        for number in 1...3 {
            try await host.send(text("\(number)"))
            #expect(body(try await tablet.next()) == "\(number)")
        }
        try await host.expectQuiet()
        try await tablet.send(.ack(seq: 3))
        try await tablet.expectQuiet()
        #expect(try await relay.history(of: pair.owner).map(\.state) == [.confirmed, .confirmed, .confirmed])
        try await leave(tablet, second)
        #expect(try await numberedLine(second).before.isEmpty)

        var (again, before) = try await numberedLine(pair.client)
        #expect(before.map(body) == ["1", "2", "3"] && before.map(\.seq) == [1, 2, 3])
        try await again.send(.ack(seq: 2))
        try await again.expectQuiet()
        try await leave(again, pair.client)
        (again, before) = try await numberedLine(pair.client)
        #expect(before.map(body) == ["3"])
    }

    /// Messages that another client has acknowledged make room. The absent client receives the gap when it comes back.
    @Test func aClientThatIsAwayDoesNotFillTheQuota() async throws {
        let relay = try await TestRelay(configure: { $0.keptBytesPerAccount = 40_000 })
        let pair = try await relay.pair()
        let second = try await relay.device(.client, of: pair.owner)
        try await relay.pair(pair.host, second, by: pair.owner)
        func open(_ client: Device.ID, _ query: String = "") async throws -> (line: TestLine, before: [RelayMessage]) {
            try await relay.open(.client, client, of: pair.owner, query: "&v=2" + query)
        }
        let away = try await open(pair.client).line
        away.close()
        try await eventually { relay.relay.lines[pair.client] == nil }
        let present = try await open(second).line
        let (host, _) = try await relay.open(.host, pair.host, of: pair.owner, query: "&v=2")
        let filling = String(repeating: "x", count: 5000)
        let count = 20
        for number in 0..<count {
            try await host.send(#"{"type":"event","event":"ERROR","body":"\#(number)","x":"\#(filling)","msg_id":"m\#(number)"}"#)
            try #require(try await host.next().content == .stored(messageId: "m\(number)"))
            let seq = try #require(try await present.next().seq)
            try await present.send(.ack(seq: seq))
            try await present.expectQuiet()
            relay.advance(.milliseconds(1))
        }
        let before = try await open(pair.client, "&after=0").before.map(\.content)
        guard case .reset(let seq) = before.first else {
            Issue.record("no reset: \(before)")
            return
        }
        #expect((12...15).contains(seq))
        #expect(Array(before.dropFirst()) == (Int(seq)..<count).map { .event(.error("\($0)")) })
    }

    @Test func retentionResetsTheCursorOfEveryClient() async throws {
        let (first, _) = try await numberedLine(pair.client)
        let (tablet, _) = try await numberedLine(second)
        let host = try await host()
        for number in 1...3 { try await host.send(text("\(number)")) }
        for line in [first, tablet] { for _ in 1...3 { _ = try await line.next() } }
        try await tablet.send(.ack(seq: 3))
        try await tablet.expectQuiet()
        try await leave(first, pair.client)
        try await leave(tablet, second)
        relay.advance(.seconds(91 * 86_400))
        try await relay.relay.history.prune()
        let token = try await RelayTokensForTests.token(for: pair.owner.id, at: relay.now, secret: relay.secret)
        let owner = TestRelay.Person(id: pair.owner.id, token: token)
        for client in [pair.client, second] {
            let before = try await relay.open(.client, client, of: owner, query: "&v=2&after=1").before
            #expect(before == [RelayMessage(.reset(seq: 3))])
        }
        let rows = try await relay.relay.store.read { try $0.one("SELECT COUNT(*) FROM deliveries", as: Int.self) }
        #expect(rows == 0)
        let stored = try await storedBytes()
        #expect(stored.counted == 0)
    }

    @Test func theHostIsNotifiedOnlyIfNoClientIsConnected() async throws {
        let host = try await host()
        try await host.send(text("nobody"))
        #expect(try await host.next().content == .failure(.targetOffline(pair.client)))
        let tablet = try await relay.line(.client, second, of: pair.owner)
        try await host.send(text("one"))
        #expect(body(try await tablet.next()) == "one")
        try await host.expectQuiet()
        #expect(try await relay.history(of: pair.owner).map(\.state) == [.sent, .failed])
        // A command and a signal keep their rule: the first pair.
        try await host.send(DeviceMessage(.webrtc(.offer(sdp: nil))))
        #expect(try await host.next().content == .failure(.targetOffline(pair.client)))
        try await tablet.expectQuiet()
    }

    @Test func aRepeatedMessageReachesEachClientOnce() async throws {
        let (first, _) = try await numberedLine(pair.client)
        let (tablet, _) = try await numberedLine(second)
        let (host, _) = try await relay.open(.host, pair.host, of: pair.owner, query: "&v=2")
        for _ in 1...3 {
            try await host.send(DeviceMessage(.event(.error("b")), messageId: "m"))
            #expect(try await host.next().content == .stored(messageId: "m"))
        }
        for line in [first, tablet] {
            #expect(try await line.next().seq == 1)
            try await line.expectQuiet()
        }
    }

    /// Each of a hundred clients gets a copy: together they are bounded as one message is.
    @Test func anEventAndItsCopiesAreBounded() async throws {
        let host = try await host()
        let (tablet, _) = try await numberedLine(second)
        let filling = String(repeating: "x", count: SimBridgeLine.maximumMessageSize / 2)
        try await host.send(#"{"type":"event","event":"ERROR","body":"\#(filling)"}"#)
        #expect(try await host.next().content == .failure(LineFailure("too large for every paired client")))
        try await tablet.expectQuiet()
        #expect(try await relay.history(of: pair.owner).isEmpty)
    }

    @Test func aClientReturningToVersion1AffectsNoOther() async throws {
        let (first, _) = try await numberedLine(pair.client)
        let (tablet, _) = try await numberedLine(second)
        let host = try await host()
        try await host.send(text("hi"))
        for line in [first, tablet] { _ = try await line.next() }
        try await leave(first, pair.client)
        try await leave(tablet, second)
        #expect(try await relay.open(.client, pair.client, of: pair.owner).before.isEmpty)
        #expect(try await numberedLine(second).before.map(body) == ["hi"])
    }

    // MARK: Devices that go

    @Test func aRemovedDeviceIsNotPairedAnyMore() async throws {
        let (first, _) = try await numberedLine(pair.client)
        let (tablet, _) = try await numberedLine(second)
        let host = try await host()
        try await host.send(text("before"))
        for line in [first, tablet] { _ = try await line.next() }
        let reply = try await relay.call(.delete, "/devices/\(pair.client)", token: pair.owner.token)
        expect(reply, 200)
        #expect(reply.text == #"{"status":"removed"}"#)
        #expect(try await first.ending() == SocketEnd(1008, "Device removed"))
        #expect(try await host.next().content == .event(.deviceOffline(pair.client)))
        #expect(try await relay.devices(of: pair.owner).map(\.id) == [pair.host, second])
        expect(try await relay.call(.delete, "/devices/\(pair.client)", token: pair.owner.token), 404, "Device not found")

        try await host.send(text("after"))
        #expect(body(try await tablet.next()) == "after")
        try await host.send(DeviceMessage(.event(.error(nil)), to: pair.client))
        #expect(try await host.next().content == .failure(.notPaired(pair.client)))
        let error = await #expect(throws: TransportError.self) { () async throws in _ = try await numberedLine(pair.client) }
        #expect(error?.reply?.head.status == .forbidden)
        // The history stays; nothing waits for the one that is gone.
        #expect(try await relay.history(of: pair.owner).count == 2)
        try await tablet.send(.ack(seq: 2))
        try await tablet.expectQuiet()
        let open = try await relay.relay.store.read { try $0.one("SELECT COUNT(*) FROM messages WHERE is_open = 1", as: Int.self) }
        #expect(open == 0)

        expect(try await relay.call(.delete, "/devices/\(second)", token: pair.owner.token), 200)
        #expect(try await host.next().content == .event(.deviceOffline(second)))
        try await host.send(text("nobody"))
        #expect(try await host.next().content == .failure(.noPairedClient))
    }

    @Test func whatWaitsForARemovedHostFails() async throws {
        try await relay.text("waits", to: pair.host, by: pair.owner)
        let code = try await relay.call(SimBridgeEndpoints.pair, by: pair.owner, query: "?host_device_id=\(pair.host)").value(
            PairingCode.self)
        expect(try await relay.call(.delete, "/devices/\(pair.host)", token: pair.owner.token), 200)
        let item = try #require(try await relay.history(of: pair.owner).first)
        #expect(item.state == .failed && item.reason == "the device was removed" && item.stateTimes?.failed != nil)
        let confirmation = PairConfirmation(code: code.code, clientDeviceId: second)
        expect(try await relay.call(SimBridgeEndpoints.confirmPairing, confirmation, by: pair.owner), 400)
        let text = TextCommand(toDeviceId: pair.host, sim: 1, to: "+1", body: "b")
        expect(try await relay.call(SimBridgeEndpoints.sendText, text, by: pair.owner), 403, "Devices are not paired")
    }

    /// Its opening has read the pair, and has not been answered yet.
    @Test func aDeviceRemovedDuringAnOpeningIsNoPeer() async throws {
        let (gate, isHeld) = (DispatchSemaphore(value: 0), Locked(false))
        let (relay, pair) = (self.relay, self.pair)
        // Both are committed together.
        async let holding: Void = relay.relay.store.write { _ in
            isHeld.withLock { $0 = true }
            gate.wait()
        }
        try await eventually { isHeld.withLock { $0 } }
        let line = try await relay.connect(SimBridgeLine.path(.client, pair.client) + "?token=\(pair.owner.token)")
        try await eventually { relay.relay.lines[pair.client] != nil && relay.relay.store.waitingWriteCount == 1 }
        async let removal = relay.call(.delete, "/devices/\(pair.host)", token: pair.owner.token)
        try await eventually { relay.relay.store.waitingWriteCount == 2 }
        gate.signal()
        try await holding
        expect(try await removal, 200)
        #expect(try await line.next().content == .connected(pair.client))
        try await line.send(DeviceMessage(.command(.hangUp)))
        #expect(try await line.next().content == .failure(.noPairedHost))
    }

    /// Removes a device from the database alone: its lines do not know it yet.
    private func erase(_ device: Device.ID) async throws {
        try await relay.relay.store.write { transaction in
            for table in ["pairings WHERE host = ?1 OR client = ?1", "devices WHERE id = ?1"] {
                try transaction.execute("DELETE FROM \(table)", device)
            }
        }
    }

    @Test func commandsForAHostBeingRemovedAreNotStored() async throws {
        let (host, _) = try await relay.open(.host, pair.host, of: pair.owner, query: "&v=2")
        defer { host.close() }
        let (client, _) = try await numberedLine(pair.client)
        try await erase(pair.host)
        try await client.send(DeviceMessage(.command(.hangUp), messageId: "m1"))
        #expect(
            try await client.next().content
                == .failure(LineFailure("not_paired", targetDeviceId: pair.host, messageId: "m1")))
        #expect(try await relay.history(of: pair.owner).isEmpty)
    }

    @Test func eventsDoNotWaitForAClientBeingRemoved() async throws {
        _ = try await numberedLine(pair.client)
        let old = try await relay.line(.client, second, of: pair.owner)
        let host = try await host()
        try await erase(pair.client)
        try await host.send(text("hi"))
        #expect(body(try await old.next()) == "hi")
        try await host.expectQuiet()
        let waiting = try await relay.relay.store.read {
            try $0.one("SELECT COUNT(*) FROM messages WHERE is_open = 1", as: Int.self)
        }
        #expect(waiting == 0)
    }

    @Test(arguments: ["0", "x", "99999999999999999999"]) func anUnknownDeviceCannotBeRemoved(_ id: String) async throws {
        expect(try await relay.call(.delete, "/devices/\(id)", token: pair.owner.token), 404, "Device not found")
        expect(try await relay.call(.get, "/devices/\(id)", token: pair.owner.token), 405)
    }

    @Test func pairsAreListed() async throws {
        let stranger = try await relay.pair()
        let pairings = try await relay.call(SimBridgeEndpoints.pairings, by: pair.owner).value([Pairing].self)
        #expect(pairings.map(\.hostDeviceId) == [pair.host, pair.host])
        #expect(pairings.map(\.clientDeviceId) == [pair.client, second])
        let again = try await relay.pair(pair.host, second, by: pair.owner)
        #expect(again.status == .alreadyPaired && again.pairingId == pairings[1].id)
        #expect(try await relay.call(SimBridgeEndpoints.pairings, by: stranger.owner).value([Pairing].self).count == 1)
    }

    @Test func aHostHasAHundredClients() async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        for _ in 1..<Pairings.maximumClients {
            try await relay.pair(pair.host, try await relay.device(.client, of: pair.owner), by: pair.owner)
        }
        let code = try await relay.call(SimBridgeEndpoints.pair, by: pair.owner, query: "?host_device_id=\(pair.host)").value(
            PairingCode.self)
        let more = try await relay.device(.client, of: pair.owner)
        expect(
            try await relay.call(
                SimBridgeEndpoints.confirmPairing, PairConfirmation(code: code.code, clientDeviceId: more), by: pair.owner), 400,
            "Too many clients are paired with this host")
    }

    // MARK: Databases of earlier versions

    @Test(.onSQLite) func whatAnEarlierVersionKeptIsDelivered() async throws {
        let folder = try TemporaryFolder()
        let then = Timestamp("2026-11-20T11:00:00.000Z")!
        let old = try Database(path: folder.file("simbridge.db"), migrations: Array(RelayMigrations.all.prefix(2)))
        try await old.write { transaction in
            try transaction.execute(
                script: """
                    INSERT INTO accounts (id, username, created_at) VALUES (1, 'a', 0);
                    INSERT INTO devices (id, account, name, kind, is_keeper, last_seq) VALUES
                        (1, 1, 'h', 'host', 0, 0), (2, 1, 'c', 'client', 1, 3), (3, 1, 'd', 'client', 1, 0);
                    INSERT INTO pairings (host, client, created_at) VALUES (1, 2, 0), (1, 3, 0);
                    """)
            try transaction.execute(
                """
                INSERT INTO messages (account, from_device, to_device, type, payload, is_by_rest, seq, state, is_open, created_at,
                    reason) VALUES
                    (1, 1, 2, 'event', '{"type":"event","event":"ERROR","body":"1"}', 0, 1, 'confirmed', 0, ?1, NULL),
                    (1, 1, 2, 'event', '{"type":"event","event":"ERROR","body":"2"}', 0, 2, 'sent', 1, ?1, NULL),
                    (1, 1, 2, 'event', '{"type":"event","event":"ERROR","body":"3"}', 0, 3, 'accepted', 1, ?1, NULL),
                    (1, 2, 1, 'command', '{"type":"command","cmd":"GET_SIMS"}', 1, NULL, 'accepted', 1, ?1, ?2)
                """, then, String(repeating: "é", count: 5000))
        }
        old.close()
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: folder.file("simbridge.db"), toPath: copy.file("simbridge.db"))
        let relay = try await TestRelay(folder: copy)
        let token = try await RelayTokensForTests.token(for: 1, at: relay.now, secret: relay.secret)
        let owner = TestRelay.Person(id: 1, token: token)
        let (client, before) = try await relay.open(.client, 2, of: owner, query: "&v=2")
        #expect(before.map(\.content) == [.event(.error("2")), .event(.error("3"))] && before.map(\.seq) == [2, 3])
        #expect(try await relay.open(.client, 3, of: owner, query: "&v=2&after=0").before.isEmpty)
        let (host, queue) = try await relay.open(.host, 1, of: owner, query: "&v=2")
        #expect(queue.map(\.content) == [.command(.getSIMs)] && queue.map(\.seq) == [1])
        try await client.send(.ack(seq: 3))
        try await client.expectQuiet()
        try await host.send(.ack(seq: 1))
        try await host.expectQuiet()
        let items = try await relay.history(of: owner)
        #expect(items.allSatisfy { $0.state == .confirmed })
        #expect(items.compactMap(\.reason).map(\.count) == [500])
        let (counted, actual) = try await relay.relay.store.read { transaction in
            (
                try transaction.one("SELECT kept_bytes FROM accounts", as: Int.self),
                try transaction.one("SELECT SUM(LENGTH(payload)) + 4 * 400 + 1000 FROM messages", as: Int.self)
            )
        }
        #expect(counted == actual)
    }
}
