import Foundation
import GRDB
import SimBridgeWire
import StorageKit
import WireKit

/// What was relayed between the devices of an account.
struct History: Sendable {
    /// The weights of one page together, in bytes: half of what our clients read. A caller that asked for more items asks again from where
    /// the page ends. An item that is heavier by itself comes alone, with its type as payload.
    static let maximumPage = 2 * 1024 * 1024
    /// Messages removed in one transaction.
    static let pruned = 500

    let store: SQLiteStore
    let now: @Sendable () -> Timestamp
    /// How long it is kept.
    let retention: Duration

    /// - Parameter device: Only what it sent or received; nil: all of the account's. One that is not the account's has none.
    /// - Returns: A `HistoryPage` as JSON. Payloads stand in it as they were received: what is read and written again could weigh many times as
    ///   much.
    func page(of account: Account.ID, device: Device.ID?, limit: Int, offset: Int) async throws -> Data {
        try await store.read { database in
            let isOfDevice = """
                (from_device = ? OR to_device = ? OR EXISTS (SELECT 1 FROM deliveries WHERE message = messages.id AND device = ?))
                """
            let filter = device == nil ? "account = ?" : "account = ? AND \(isOfDevice)"
            let arguments: StatementArguments =
                device.map { [account.rawValue, $0.rawValue, $0.rawValue, $0.rawValue] } ?? [account.rawValue]
            let total =
                try Int.fetchOne(
                    database.cachedStatement(sql: "SELECT COUNT(*) FROM messages WHERE \(filter)"), arguments: arguments) ?? 0
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: """
                        SELECT id, from_device, to_device, type, state, reason, created_at, sent_at, confirmed_at, ended_at, weight,
                            CASE WHEN weight > \(Self.maximumPage) THEN NULL ELSE payload END AS payload
                        FROM messages WHERE \(filter) ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?
                        """), arguments: arguments + [limit, offset])
            var page = Data(#"{"items":["#.utf8)
            var size = 0
            while let row = try rows.next() {
                let isFirst = size == 0
                size += row["weight"]
                if size > Self.maximumPage, !isFirst { break }
                if !isFirst { page.append(UInt8(ascii: ",")) }
                page.append(try HistoryItem.json(row))
            }
            page.append(Data(#"],"limit":\#(limit),"offset":\#(offset),"total":\#(total)}"#.utf8))
            return page
        }
    }

    /// Removes what is older than ``retention``, but for commands that are still open: those have a deadline. A cursor before it is then reset.
    func prune() async throws {
        let before = (now() - retention).milliseconds
        while true {
            // Found by a reader, and removed a few at a time: nobody waits long for the only writer.
            let old = try await store.read { database in
                // An event waits for a device that may never come back.
                try Int64.fetchAll(
                    database,
                    sql: """
                        SELECT messages.id FROM accounts CROSS JOIN messages ON account = accounts.id
                        WHERE messages.created_at < ? AND (is_open = 0 OR deadline IS NULL) LIMIT \(Self.pruned)
                        """, arguments: [before])
            }
            if old.isEmpty { break }
            try await store.write { try $0.database.forget(old) }
        }
        try await store.prune(now: now().milliseconds)
    }
}

extension HistoryItem {
    /// The item as JSON, with its payload as it was received.
    fileprivate static func json(_ row: Row) throws -> Data {
        var item = HistoryItem(row)
        guard let payload: String = row["payload"] else { return try WireJSON.encode(item) }
        item.payload = .null
        var json = try WireJSON.encode(item)
        // The members before it are numbers, times and the type, which is one of three words.
        guard let place = json.range(of: Data(#""payload":null"#.utf8)) else { return json }
        json.replaceSubrange(place.upperBound - 4..<place.upperBound, with: Data(payload.utf8))
        return json
    }

    /// With only its type as payload.
    fileprivate init(_ row: Row) {
        func time(_ column: String) -> RelayTime? {
            (row[column] as Int64?).map { RelayTime(Timestamp(milliseconds: $0)) }
        }
        let state = DeliveryState(rawValue: row["state"])
        let (created, ended) = (time("created_at"), time("ended_at"))
        let type: String = row["type"]
        self.init(
            id: ID(row["id"]), fromDeviceId: Device.ID(row["from_device"]), toDeviceId: Device.ID(row["to_device"]),
            msgType: MessageType(rawValue: type), payload: .object(["type": .string(type)]), createdAt: created, state: state,
            stateTimes: StateTimes(
                accepted: created, sent: time("sent_at"), confirmed: time("confirmed_at"), failed: state == .failed ? ended : nil,
                expired: state == .expired ? ended : nil, unknown: state == .unknown ? ended : nil),
            reason: row["reason"])
    }
}
