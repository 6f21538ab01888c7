import Foundation
import SimBridgeWire
import StorageKit
import WireKit

/// The messages relayed between the devices of an account.
struct History: Sendable {
    /// Maximum weight of one page, in bytes: half of the maximum of our clients. A client that requested more items continues at
    /// the page's end. A heavier item is returned alone, with only its type as payload.
    static let maximumPageWeight = 2 * 1024 * 1024
    /// Maximum messages removed in one transaction.
    static let pruneBatch = 500

    let store: Database
    let now: @Sendable () -> Timestamp
    let retention: Duration

    /// - Parameter device: Selects messages that this device sent or received; nil selects all messages of the account. A device
    ///   of another account has none.
    /// - Returns: A `HistoryPage` as JSON. Payloads are copied as received: encoding decoded payloads could multiply their size.
    func page(of account: Account.ID, device: Device.ID?, limit: Int, offset: Int) async throws -> Data {
        let (total, rows) = try await store.read { transaction -> (Int, [HistoryRow]) in
            var weight = 0
            func fits(_ row: HistoryRow) -> Bool {
                let isFirst = weight == 0
                weight += row.weight
                return isFirst || weight <= Self.maximumPageWeight
            }
            guard let device else {
                let total = try transaction.one("SELECT COUNT(*) FROM messages WHERE account = ?", account, as: Int.self)
                let rows = try transaction.all(
                    "\(Self.selection) WHERE account = ? ORDER BY id DESC LIMIT ? OFFSET ?", account, limit,
                    offset, as: HistoryRow.self, while: fits)
                return (total, rows)
            }
            let total = try transaction.one(
                "SELECT COUNT(*) FROM messages WHERE account = ?1 AND \(Self.isOfDevice)", account, device, as: Int.self)
            let rows = try transaction.all(
                """
                \(Self.selection) WHERE account = ?1 AND \(Self.isOfDevice)
                ORDER BY id DESC LIMIT ?3 OFFSET ?4
                """, account, device, limit, offset, as: HistoryRow.self, while: fits)
            return (total, rows)
        }
        var page = Data(#"{"items":["#.utf8)
        for (index, row) in rows.enumerated() {
            if index > 0 { page.append(UInt8(ascii: ",")) }
            page.append(try row.json)
        }
        page.append(Data(#"],"limit":\#(limit),"offset":\#(offset),"total":\#(total)}"#.utf8))
        return page
    }

    private static let selection = """
        SELECT id, from_device, to_device, type, state, reason, created_at, sent_at, confirmed_at, ended_at, weight,
            CASE WHEN weight > \(maximumPageWeight) THEN NULL ELSE payload END AS payload
        FROM messages
        """

    private static let isOfDevice = """
        (from_device = ?2 OR to_device = ?2 OR EXISTS (SELECT 1 FROM deliveries WHERE message = messages.id AND device = ?2))
        """

    /// Removes messages older than ``retention``, except for open commands: those have a deadline. A cursor before a removed message is
    /// reset.
    func prune() async throws {
        let before = now() - retention
        while true {
            // Selected by a reader and removed in small batches, so that no other write waits long for the only writer.
            let old = try await store.read { transaction in
                // Open events have no deadline and are removed, because they may wait for a device that never returns.
                try transaction.all(
                    """
                    SELECT id FROM messages WHERE created_at < ?
                        AND (is_open = 0 OR deadline IS NULL) LIMIT \(Self.pruneBatch)
                    """, before, as: HistoryItem.ID.self)
            }
            if old.isEmpty { break }
            try await store.write { try $0.forget(old) }
        }
        try await store.prune(now: now())
    }
}

private struct HistoryRow: Sendable, RowDecodable {
    /// The item, with the message's type as its payload.
    private var item: HistoryItem
    /// The payload as JSON text; nil if the item is too heavy for a page.
    private var payload: String?
    let weight: Int

    init(row: Row) throws {
        func time(_ column: String) throws -> RelayTime? { try row.get(column, as: Timestamp?.self).map { RelayTime($0) } }
        let state = try row.get("state", as: DeliveryState.self)
        let (created, ended) = (try time("created_at"), try time("ended_at"))
        let type = try row.get("type", as: MessageType.self)
        item = HistoryItem(
            id: try row.get("id"), fromDeviceId: try row.get("from_device"), toDeviceId: try row.get("to_device"), msgType: type,
            payload: .object(["type": .string(type.rawValue)]), createdAt: created, state: state,
            stateTimes: StateTimes(
                accepted: created, sent: try time("sent_at"), confirmed: try time("confirmed_at"),
                failed: state == .failed ? ended : nil, expired: state == .expired ? ended : nil,
                unknown: state == .unknown ? ended : nil),
            reason: try row.get("reason"))
        payload = try row.get("payload")
        weight = try row.get("weight")
    }

    /// The item as JSON, with its payload as it was received.
    var json: Data {
        get throws {
            guard let payload else { return try WireJSON.encode(item) }
            var item = item
            item.payload = .null
            var json = try WireJSON.encode(item)
            // The members before `payload` are numbers, times and the type, which is one of three words.
            guard let place = json.range(of: Data(#""payload":null"#.utf8)) else { return json }
            json.replaceSubrange(place.upperBound - 4..<place.upperBound, with: Data(payload.utf8))
            return json
        }
    }
}
