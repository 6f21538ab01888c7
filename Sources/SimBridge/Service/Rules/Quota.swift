import GRDB
import SimBridgeWire
import StorageKit

/// How much an account may have the relay keep. Its oldest messages that are settled make room for new ones; when there are none, events that
/// some of their receivers have acknowledged. Commands that wait, and events that nobody has acknowledged, are never forgotten for that, so
/// that an account can be full.
struct Quota: Sendable {
    /// All that the account has kept is still to be delivered.
    struct Full: Error {
        fileprivate var account: Account.ID
    }

    /// Messages forgotten at once: what holds up other writers.
    private static let batch = 500

    let store: SQLiteStore
    /// Bytes of an account: the weights of its messages (``MessageWeight``).
    let bytes: Int

    /// To be called in the transaction that then stores `payload`.
    ///
    /// - Throws: ``Full``.
    func check(_ account: Account.ID, for payload: String, in database: Database) throws {
        let kept = try database.keptBytes(of: account)
        if kept + payload.utf8.count > bytes { throw Full(account: account) }
    }

    /// As the store's own, and makes room where ``check(_:for:in:)`` finds none.
    ///
    /// - Throws: What `body` throws; ``Full`` when nothing can be forgotten.
    func write<Value: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value) async throws -> Value {
        while true {
            do {
                return try await store.write(body)
            } catch let full as Full {
                // In transactions of their own: others get their turn, and whoever writes too much waits.
                let count = try await store.write { [bytes] transaction in
                    // A little more, so that not every message has to.
                    try transaction.database.forgetOldest(of: full.account, bytes: bytes / 64, limit: Self.batch)
                }
                if count == 0 { throw full }
            }
        }
    }
}

extension Database {
    /// Kept by triggers: see ``RelayMigrations``.
    fileprivate func keptBytes(of account: Account.ID) throws -> Int {
        try Int.fetchOne(
            cachedStatement(sql: "SELECT kept_bytes FROM accounts WHERE id = ?"), arguments: [account.rawValue]) ?? 0
    }

    /// - Returns: How many were forgotten.
    fileprivate func forgetOldest(of account: Account.ID, bytes: Int, limit: Int) throws -> Int {
        // A client that is away holds up nobody: it is told of the gap when it comes back.
        for isForgettable in ["is_open = 0", "type = 'event' AND state = 'confirmed'"] {
            let rows = try Row.fetchCursor(
                cachedStatement(
                    sql: """
                        SELECT id, weight FROM messages WHERE account = ? AND \(isForgettable)
                        ORDER BY created_at, id LIMIT ?
                        """), arguments: [account.rawValue, limit])
            var ids: [Int64] = []
            var size = 0
            while size < bytes, let row = try rows.next() {
                ids.append(row["id"])
                size += row["weight"]
            }
            guard !ids.isEmpty else { continue }
            try forget(ids)
            return ids.count
        }
        return 0
    }

    /// Removes messages. A cursor before one of them is then reset.
    func forget(_ messages: [Int64]) throws {
        guard !messages.isEmpty else { return }
        let ids = messages.map(String.init).joined(separator: ",")
        try execute(
            sql: """
                WITH old AS (
                    SELECT device, MAX(seq) AS seq FROM deliveries WHERE message IN (\(ids)) AND seq IS NOT NULL GROUP BY device)
                UPDATE devices SET forgotten_seq = MAX(forgotten_seq, old.seq) FROM old WHERE old.device = devices.id
                """)
        try execute(sql: "DELETE FROM deliveries WHERE message IN (\(ids))")
        try execute(sql: "DELETE FROM messages WHERE id IN (\(ids))")
    }
}
