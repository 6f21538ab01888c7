import ServerKit
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// Contract: "History".
@Suite struct HistoryTests {
    let relay: TestRelay
    let pair: TestRelay.Pair

    init() async throws {
        relay = try await TestRelay()
        pair = try await relay.pair()
    }

    private func page(_ query: String = "", of owner: TestRelay.Person? = nil) async throws -> HistoryPage {
        try await relay.call(SimBridgeEndpoints.history, by: owner ?? pair.owner, query: query).value()
    }

    @Test func newestFirstInPages() async throws {
        for number in 1...5 {
            try await relay.text("\(number)", to: pair.host, by: pair.owner)
            relay.advance(.milliseconds(1))
        }
        func bodies(_ page: HistoryPage) -> [String?] {
            page.items.map { if case .command(let command) = $0.message.content { command.body } else { nil } }
        }
        let all = try await page()
        #expect(bodies(all) == ["5", "4", "3", "2", "1"])
        #expect(all.total == 5 && all.limit == 50 && all.offset == 0)
        let part = try await page("?limit=2&offset=1")
        #expect(bodies(part) == ["4", "3"])
        #expect(part.total == 5 && part.limit == 2 && part.offset == 1)
        #expect(try await page("?limit=0").items.isEmpty)
        #expect(try await page("?limit=200&offset=99").items.isEmpty)
    }

    @Test func orderFollowsTheNumberAfterTheClockWasSetBack() async throws {
        try await relay.text("1", to: pair.host, by: pair.owner)
        relay.setClock(by: .seconds(-3600))
        for number in 2...4 { try await relay.text("\(number)", to: pair.host, by: pair.owner) }
        for query in ["", "?device_id=\(pair.host)"] {
            let items = try await page(query).items
            let bodies = items.map { if case .command(let command) = $0.message.content { command.body } else { String?.none } }
            #expect(bodies == ["4", "3", "2", "1"])
        }
        let all = try await page().items
        #expect(try await page("?limit=2&offset=2").items == Array(all.suffix(2)))
    }

    @Test func itemsHaveTheContractsForm() async throws {
        let receipt = try await relay.text("b", to: pair.host, by: pair.owner)
        let reply = try await relay.call(SimBridgeEndpoints.history, by: pair.owner)
        let object = try reply.value(JSONValue.self)
        guard case .object(let page) = object, case .array(let items) = page["items"], case .object(let item) = items.first else {
            Issue.record("\(reply.text)")
            return
        }
        #expect(page.keys.sorted() == ["items", "limit", "offset", "total"])
        #expect(item["from_device_id"] == .integer(pair.client.rawValue))
        #expect(item["to_device_id"] == .integer(pair.host.rawValue))
        #expect(item["msg_type"] == .string("command"))
        #expect(item["created_at"] == .string("2026-11-20T12:00:00.000"))
        #expect(
            item["payload"]
                == .object([
                    "type": .string("command"), "cmd": .string("SEND_SMS"), "sim": .integer(1), "to": .string("+1"),
                    "body": .string("b"), "req_id": .string(receipt.reqId.rawValue),
                ]))
    }

    @Test func itIsFilteredByOnesOwnDevices() async throws {
        let otherHost = try await relay.device(.host, of: pair.owner)
        let otherClient = try await relay.device(.client, of: pair.owner)
        try await relay.pair(otherHost, otherClient, by: pair.owner)
        let stranger = try await relay.pair()
        try await relay.text("a", to: pair.host, by: pair.owner)
        try await relay.text("b", to: otherHost, by: pair.owner)
        try await relay.text("c", to: stranger.host, by: stranger.owner)
        #expect(try await page().total == 2)
        #expect(try await page("?device_id=\(pair.host)").total == 1)
        #expect(try await page("?device_id=\(pair.client)").total == 1)
        #expect(try await page("?device_id=\(otherClient)").items.map(\.toDeviceId) == [otherHost])
        for device in [stranger.host, Device.ID(999), Device.ID(0)] {
            let page = try await page("?device_id=\(device)")
            #expect(page.items.isEmpty && page.total == 0)
        }
    }

    @Test func socketMessagesAreKeptAsReceived() async throws {
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        let client = try await relay.line(.client, pair.client, of: pair.owner)
        try await client.send(#" {"type":"command","cmd":"HANG_UP","from_device_id":4711,"extra":{"a":[1.5,null]}}"#)
        _ = try await host.next()
        try await host.send(#"{"type":"event","event":"CALL_STATE","state":"ended"}"#)
        _ = try await client.next()
        try await host.send(#"{"type":"webrtc","action":"answer","sdp":"v=0"}"#)
        _ = try await client.next()
        try await host.send(#"{"type":"nonsense"}"#)
        _ = try await host.next()
        try await host.expectQuiet()
        let items = try await page().items
        #expect(items.map(\.msgType) == [.webrtc, .event, .command])
        #expect(
            items[2].payload
                == .object([
                    "type": .string("command"), "cmd": .string("HANG_UP"), "from_device_id": .integer(4711),
                    "extra": .object(["a": .array([.number(1.5), .null])]),
                ]))
        #expect(items.map(\.fromDeviceId) == [pair.host, pair.host, pair.client])
        #expect(items.allSatisfy { $0.state == .sent })
    }

    /// Two hundred messages of 16 MiB would be more than the relay's memory.
    @Test func aPageOfLargeMessagesEndsEarly() async throws {
        let client = try await relay.line(.client, pair.client, of: pair.owner)
        let sizes = [10, 1_500_000, 1_500_000, 1_500_000, 5_000_000, 10]
        for size in sizes {
            let filling = String(repeating: "x", count: size)
            try await client.send(#"{"type":"command","cmd":"HANG_UP","x":"\#(filling)"}"#)
            _ = try await client.next()
            relay.advance(.milliseconds(1))
        }
        var offset = 0
        var counts: [Int] = []
        while offset < sizes.count {
            let page = try await page("?limit=200&offset=\(offset)")
            #expect(page.total == sizes.count && page.limit == 200 && page.offset == offset)
            counts.append(page.items.count)
            offset += max(page.items.count, 1)
        }
        #expect(counts == [1, 1, 1, 1, 2])
        // Clients read no more than 4 MiB: one message must not block all others.
        let large = try await page("?limit=1&offset=1").items
        #expect(large.map(\.payload) == [.object(["type": .string("command")])])
    }

    /// Numbers and escapes that would be longer when they are written again.
    @Test func payloadsStandInThePageAsTheyWere() async throws {
        let client = try await relay.line(.client, pair.client, of: pair.owner)
        let payload = #" {"type":"command", "cmd":"X","n":[1e15,1E2,0.10],"e":"\u0041\/","payload":null}"#
        try await client.send(payload)
        _ = try await client.next()
        let reply = try await relay.call(SimBridgeEndpoints.history, by: pair.owner)
        #expect(reply.text.contains(#""payload":\#(payload),"reason":"target_offline""#))
        #expect(try reply.value(HistoryPage.self).items.count == 1)
    }

    /// A payload stands three levels deep in a page.
    @Test func overlyNestedPayloadsAreRefused() async throws {
        let client = try await relay.line(.client, pair.client, of: pair.owner)
        func nested(_ depth: Int) -> String {
            let (open, close) = (String(repeating: "[", count: depth - 1), String(repeating: "]", count: depth - 1))
            return #"{"type":"command","cmd":"X","n":\#(open)\#(close)}"#
        }
        try await client.send(nested(WireJSON.maximumDepth - 3))
        #expect(try await client.next().content == .failure(.targetOffline(pair.host)))
        try await client.send(nested(WireJSON.maximumDepth - 2))
        #expect(try await client.next().content == .failure(.invalidJSON))
        #expect(try await page().items.count == 1)
    }

    @Test func aMessageForSomebodyAwayIsKeptToo() async throws {
        let client = try await relay.line(.client, pair.client, of: pair.owner)
        try await client.send(#"{"type":"command","cmd":"HANG_UP"}"#)
        #expect(try await client.next().content == .failure(.targetOffline(pair.host)))
        let item = try #require(try await page().items.first)
        #expect(item.state == .failed && item.reason == "target_offline" && item.stateTimes?.failed != nil)
    }

    @Test func pruningRemovesSmallBatches() async throws {
        let count = 2 * History.pruneBatch + 10
        let (pair, then) = (self.pair, relay.now)
        try await relay.relay.store.write { transaction in
            for number in 0..<count {
                _ = try transaction.insert(
                    NewMessage(
                        account: pair.owner.id, from: pair.host, receivers: [Receiver(device: pair.client, isNumbered: true)],
                        type: .event, payload: #"{"type":"event"}"#, state: number == 3 ? .sent : .failed,
                        deadline: number == 3 ? then : nil), at: then)
            }
        }
        relay.advance(.seconds(91 * 86_400))
        try await relay.relay.history.prune()
        let (left, forgotten) = try await relay.relay.store.read { transaction in
            (
                try transaction.all("SELECT seq FROM deliveries", as: Int64.self),
                try transaction.one("SELECT forgotten_seq FROM devices WHERE id = ?", pair.client, as: Int64.self)
            )
        }
        #expect(left == [4], "what is still open has a deadline of its own")
        #expect(forgotten == Int64(count))
    }

    @Test func whatIsOldIsRemovedAtTheStart() async throws {
        let host = try await relay.line(.host, pair.host, of: pair.owner)
        try await relay.text("old", to: pair.host, by: pair.owner)
        _ = try await host.next()
        host.close()
        relay.advance(.seconds(30 * 86_400))
        let owner = TestRelay.Person(
            id: pair.owner.id,
            token: try await RelayTokensForTests.token(for: pair.owner.id, at: relay.now, secret: relay.secret))
        try await relay.text("new", to: pair.host, by: owner)
        #expect(try await page(of: owner).total == 2)
        let again = try await relay.restarted(configure: { $0.retentionDays = 30 }, after: .milliseconds(1))
        let working = Task { await again.work() }
        defer { working.cancel() }
        try await eventually { try await again.history(of: owner).count == 1 }
    }
}
