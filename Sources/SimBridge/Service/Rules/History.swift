import Foundation
import GRDB
import SimBridgeWire
import StorageKit
import WireKit

/// What was relayed between the devices of an account.
struct History: Sendable {
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
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT * FROM messages WHERE \(filter) ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?"),
                arguments: arguments + [limit, offset])
            return HistoryPage(items: rows.map(HistoryItem.init), total: total, offset: offset, limit: limit)
        }
    }

    /// Removes what is older than ``retention``, but for commands that are still open: those have a deadline. A cursor before it is then reset.
    func prune() async throws {
        let before = (now() - retention).milliseconds
        // An event waits for a device that may never come back.
        let old = "created_at < ? AND (is_open = 0 OR deadline IS NULL)"
        try await store.write { transaction in
            try transaction.database.execute(
                sql: """
                    WITH old AS (
                        SELECT to_device, MAX(seq) AS seq FROM messages WHERE \(old) AND seq IS NOT NULL
                        GROUP BY to_device)
                    UPDATE devices SET forgotten_seq = MAX(forgotten_seq, old.seq) FROM old WHERE old.to_device = devices.id
                    """, arguments: [before])
            try transaction.database.execute(sql: "DELETE FROM messages WHERE \(old)", arguments: [before])
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
        let payload = try? WireJSON.decode(JSONValue.self, from: Data((row["payload"] as String).utf8))
        self.init(
            id: ID(row["id"]), fromDeviceId: Device.ID(row["from_device"]), toDeviceId: Device.ID(row["to_device"]),
            msgType: MessageType(rawValue: row["type"]), payload: payload ?? .object([:]), createdAt: created, state: state,
            stateTimes: StateTimes(
                accepted: created, sent: time("sent_at"), confirmed: time("confirmed_at"), failed: state == .failed ? ended : nil,
                expired: state == .expired ? ended : nil, unknown: state == .unknown ? ended : nil),
            reason: row["reason"])
    }
}
