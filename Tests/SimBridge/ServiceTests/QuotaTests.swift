import Foundation
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// The quota of one account.
@Suite struct QuotaTests {
    private static let quota = 40_000
    let relay: TestRelay
    let pair: TestRelay.Pair

    init() async throws {
        relay = try await TestRelay(configure: { $0.keptBytesPerAccount = Self.quota })
        pair = try await relay.pair()
    }

    private func filling(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// The size that the relay counts, and the size of the stored rows.
    private func storedBytes(by account: Account.ID) async throws -> (counted: Int, actual: Int) {
        try await relay.relay.store.read { transaction in
            (
                try transaction.one("SELECT kept_bytes FROM accounts WHERE id = ?", account),
                try transaction.one("SELECT COALESCE(SUM(LENGTH(payload) + 400), 0) FROM messages WHERE account = ?", account)
            )
        }
    }

    @Test(.onSQLite) func fullDiskIsReportedAndTheNextTextIsKeptOnceThereIsRoom() async throws {
        // Without a quota that is used up first.
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        func text(_ number: Int) async throws -> TestRelay.Reply {
            let id = "6f1c1d0a-0000-4000-8000-00000000\(1000 + number)"
            let text = TextCommand(
                toDeviceId: pair.host, sim: 1, to: "+15550123", body: filling(1000), reqId: SimBridgeWire.RequestID(id))
            return try await relay.call(SimBridgeEndpoints.sendText, text, by: pair.owner)
        }
        try await relay.relay.store.limitGrowth(toPages: 0)
        var number = 0
        var reply = try await text(0)
        while reply.status == 200, number < 50 {
            number += 1
            reply = try await text(number)
        }
        #expect(reply.status == 507 && reply.text.contains("The disk of the relay is full"))
        try await relay.relay.store.limitGrowth(toPages: nil)
        #expect(try await text(number).status == 200)
        #expect(
            try await relay.relay.store.read { try $0.one("SELECT COUNT(*) FROM messages", as: Int.self) } == number + 1)
    }

    @Test func theOldestSettledMessagesMakeRoom() async throws {
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        let client = try await relay.line(.client, pair.client, of: pair.owner)
        let other = try await relay.pair()
        try await relay.text("another's", to: other.host, by: other.owner)
        for number in 0..<30 {
            try await client.send(#"{"type":"command","cmd":"X","number":\#(number),"x":"\#(filling(5000))"}"#)
            #expect(try await host.nextText().contains("\"number\":\(number),"))
            let stored = try await storedBytes(by: pair.owner.id)
            #expect(stored.counted == stored.actual && stored.counted <= Self.quota + 400)
            relay.advance(.milliseconds(1))
        }
        try await client.expectQuiet()
        let numbers = try await relay.history(of: pair.owner).map { item -> JSONValue? in
            guard case .object(let object) = item.payload else { return nil }
            return object["number"]
        }
        let latest: [JSONValue?] = (30 - numbers.count..<30).reversed().map { JSONValue.integer(Int64($0)) }
        #expect(numbers == latest)
        #expect((5...8).contains(numbers.count))
        #expect(try await relay.history(of: other.owner).count == 1)
    }

    @Test func whatStillHasToBeDeliveredIsNeverForgotten() async throws {
        let (away, _) = try await relay.open(.client, pair.client, of: pair.owner, query: "&v=2")
        away.close()
        try await eventually { [relay, pair] in relay.relay.lines[pair.client] == nil }
        let (host, _) = try await relay.open(.host, pair.host, of: pair.owner, query: "&v=2")
        var stored = 0
        while true {
            let id = "m\(stored)"
            try await host.send(
                #"{"type":"event","event":"INCOMING_SMS","body":"\#(stored)","x":"\#(filling(5000))","msg_id":"\#(id)"}"#)
            let answer = try await host.next().content
            if answer == .stored(messageId: id) {
                stored += 1
            } else {
                #expect(answer == .failure(LineFailure("no room", messageId: id)))
                break
            }
        }
        #expect((5...8).contains(stored))
        // REST requests behave the same way, and none is reported as accepted.
        let text = TextCommand(toDeviceId: pair.host, sim: 1, to: "+1", body: filling(1600))
        var reply = try await relay.call(SimBridgeEndpoints.sendText, text, by: pair.owner)
        while reply.status == 200 { reply = try await relay.call(SimBridgeEndpoints.sendText, text, by: pair.owner) }
        expect(reply, 503, "Too much still has to be delivered")

        let (client, before) = try await relay.open(.client, pair.client, of: pair.owner, query: "&v=2")
        let bodies = before.map { message -> String? in
            if case .event(.incomingText(_, _, let body)) = message.content { body } else { nil }
        }
        #expect(bodies == (0..<stored).map { "\($0)" })
        try await client.send(.ack(seq: Int64(stored)))
        try await client.expectQuiet()
        // The messages are complete now: there is room for the message that was refused.
        try await host.send(#"{"type":"event","event":"ERROR","x":"\#(filling(5000))","msg_id":"m\#(stored)"}"#)
        var answer = try await host.next().content
        while case .command = answer { answer = try await host.next().content }
        #expect(answer == .stored(messageId: "m\(stored)"))
        // A device whose cursor lies before the removed messages receives `reset`.
        client.close()
        try await eventually { [relay, pair] in relay.relay.lines[pair.client] == nil }
        let (_, again) = try await relay.open(.client, pair.client, of: pair.owner, query: "&v=2&after=0")
        guard case .reset = again.first?.content else {
            Issue.record("no reset: \(again)")
            return
        }
    }

    /// A failure report may be long; the command's row stores one line of its reason.
    @Test func theReasonsOfReportsAreShortAndCount() async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        let (host, _) = try await relay.open(.host, pair.host, of: pair.owner, query: "&v=2")
        let (client, _) = try await relay.open(.client, pair.client, of: pair.owner, query: "&v=2")
        let reason = String(repeating: "é", count: 20_000)
        for number in 0..<8 {
            let receipt = try await relay.text("\(number)", to: pair.host, by: pair.owner)
            _ = try await host.next()
            try await host.send(
                DeviceMessage(.event(.textSent(number == 0 ? .unknown : .error, reason: reason)), reqId: receipt.reqId))
            let seq = try #require(try await client.next().seq)
            try await client.send(.ack(seq: seq))
            try await client.expectQuiet()
            // Another reason takes the place of the first.
            try await host.send(DeviceMessage(.event(.error("again")), reqId: number == 0 ? receipt.reqId : nil))
            _ = try await client.next()
            relay.advance(.milliseconds(1))
        }
        let page = try await relay.call(SimBridgeEndpoints.history, by: pair.owner, query: "?limit=200")
        #expect(page.text.utf8.count <= History.maximumPageWeight)
        let reasons = try await relay.relay.store.read {
            try $0.all("SELECT reason FROM messages WHERE reason IS NOT NULL ORDER BY id", as: String.self)
        }
        #expect(reasons == ["again"] + Array(repeating: String(reason.prefix(500)), count: 7))
        let (counted, actual) = try await relay.relay.store.read { transaction in
            (
                try transaction.one("SELECT kept_bytes FROM accounts", as: Int.self),
                try transaction.one(
                    """
                    SELECT SUM(\(TestDatabase.size(of: "payload")) + \(TestDatabase.size(of: "COALESCE(reason, '')")) + 400) FROM messages
                    """, as: Int.self)
            )
        }
        #expect(counted == actual)
    }

    /// Overlong ids, types and keys of a device are neither stored beside the message nor sent back.
    @Test func whatADeviceWritesIsNotRepeatedInFull() async throws {
        let relay = try await TestRelay()
        let pair = try await relay.pair()
        let (client, _) = try await relay.open(.client, pair.client, of: pair.owner, query: "&v=2")
        let long = String(repeating: "x", count: 100_000)
        try await client.send(#"{"type":"\#(long)"}"#)
        #expect(try await client.next().content == .failure(.invalidType(String(repeating: "x", count: 100))))
        for id in [#""\#(long)""#, #"["\#(long)"]"#] {
            try await client.send(#"{"type":"command","cmd":"HANG_UP","req_id":\#(id)}"#)
            #expect(
                try await client.nextText() == #"{"error":"target_offline","req_id":null,"target_device_id":\#(pair.host)}"#)
            try await client.send(#"{"type":"command","cmd":"HANG_UP","msg_id":\#(id)}"#)
            #expect(try await client.nextText().utf8.count < 200)
        }
        let stored = try await relay.relay.store.read { try $0.one("SELECT COUNT(req_id) FROM messages", as: Int.self) }
        #expect(stored == 0)
    }

    @Test func messagesOfEarlierVersionsCountInTheQuota() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("simbridge.db")
        let old = try Database(path: path, migrations: [RelayMigrations.all[0]])
        try await old.write { transaction in
            try transaction.execute(
                script: """
                    INSERT INTO accounts (id, username, created_at) VALUES (7, 'a', 0), (8, 'b', 0);
                    INSERT INTO messages (account, from_device, to_device, type, payload, is_by_rest, state, is_open, created_at)
                        VALUES (7, 1, 2, 'event', '{"a":"é"}', 0, 'sent', 0, 0), (7, 1, 2, 'event', '{}', 0, 'sent', 0, 0);
                    """)
        }
        old.close()
        try FileManager.default.copyItem(atPath: path, toPath: folder.file("copy.db"))
        let store = try Database(path: folder.file("copy.db"), migrations: RelayMigrations.all)
        let stored = try await store.read { try $0.all("SELECT kept_bytes FROM accounts ORDER BY id", as: Int.self) }
        #expect(stored == [812, 0])
        store.close()
    }
}
