import Foundation
import GRDB
import SimBridgeWire
import StorageKit
import WireKit

/// What was relayed between the devices of an account.
struct History: Sendable {
    /// What the payloads of one page may have together, in bytes: half of what our clients read. Whoever asked for more items asks again
    /// from where it ends. A payload that is larger by itself comes alone, as its type.
    static let maximumPage = 2 * 1024 * 1024
    /// Messages removed in one transaction.
    static let pruned = 500

    let store: SQLiteStore
    let now: @Sendable () -> Timestamp
    /// How long it is kept.
    let retention: Duration

    /// - Parameter device: Only what it sent or received; nil: all of the account's. One that is not the account's has none.
    func page(of account: Account.ID, device: Device.ID?, limit: Int, offset: Int) async throws -> HistoryPage {
        try await store.read { database in
            let filter = device == nil ? "account = ?" : "account = ? AND (from_device = ? OR to_device = ?)"
            let arguments: StatementArguments =
                device.map { [account.rawValue, $0.rawValue, $0.rawValue] } ?? [account.rawValue]
            let total =
                try Int.fetchOne(
                    database.cachedStatement(sql: "SELECT COUNT(*) FROM messages WHERE \(filter)"), arguments: arguments) ?? 0
            let rows = try Row.fetchCursor(
                database.cachedStatement(
                    sql: "SELECT * FROM messages WHERE \(filter) ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?"),
                arguments: arguments + [limit, offset])
            var items: [HistoryItem] = []
            var size = 0
            while let row = try rows.next() {
                size += (row["payload"] as String).utf8.count
                if size > Self.maximumPage, !items.isEmpty { break }
                items.append(HistoryItem(row))
            }
            return HistoryPage(items: items, total: total, offset: offset, limit: limit)
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
    fileprivate init(_ row: Row) {
        func time(_ column: String) -> RelayTime? {
            (row[column] as Int64?).map { RelayTime(Timestamp(milliseconds: $0)) }
        }
        let state = DeliveryState(rawValue: row["state"])
        let (created, ended) = (time("created_at"), time("ended_at"))
        let (type, text): (String, String) = (row["type"], row["payload"])
        let payload: JSONValue? =
            text.utf8.count > History.maximumPage
            ? .object(["type": .string(type)]) : try? WireJSON.decode(JSONValue.self, from: Data(text.utf8))
        self.init(
            id: ID(row["id"]), fromDeviceId: Device.ID(row["from_device"]), toDeviceId: Device.ID(row["to_device"]),
            msgType: MessageType(rawValue: type), payload: payload ?? .object([:]), createdAt: created, state: state,
            stateTimes: StateTimes(
                accepted: created, sent: time("sent_at"), confirmed: time("confirmed_at"), failed: state == .failed ? ended : nil,
                expired: state == .expired ? ended : nil, unknown: state == .unknown ? ended : nil),
            reason: row["reason"])
    }
}
