import SimBridgeWire
import StorageKit

/// The storage quota of an account. To make room for new messages, the relay removes the oldest messages that have ended, else the
/// oldest events that a receiver has acknowledged. The relay never removes waiting commands and events without an acknowledgement
/// for this purpose, so an account can be full.
struct Quota: Sendable {
    /// The quota of the account is used up by messages that still have to be delivered.
    struct Full: Error {
        fileprivate var account: Account.ID
    }

    /// Maximum messages removed in one transaction.
    private static let batch = 500

    let store: Database
    /// The quota of one account, in bytes. Compared with the sum of the weights of its messages (``MessageWeight``).
    let bytes: Int

    /// Checks that the account has room for `payload`. Must be called in the transaction that then stores it.
    ///
    /// - Throws: ``Full``; ``RelayError`` for an account that was deleted meanwhile.
    func check(_ account: Account.ID, for payload: String, in transaction: ReadTransaction) throws {
        // Kept by triggers: see `RelayMigrations`.
        let stored = try transaction.first("SELECT kept_bytes FROM accounts WHERE id = ?", account, as: Int.self)
        guard let stored else { throw RelayError(.unauthorized, Account.deletedDetail) }
        if stored + payload.utf8.count > bytes { throw Full(account: account) }
    }

    /// Runs `Database.write`. While ``check(_:for:in:)`` finds no room, removes messages and tries again.
    ///
    /// - Throws: The error of `body`; ``Full`` when nothing can be removed.
    func write<Value, Result: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value, onCommit: @escaping @Sendable (Value) -> Result
    ) async throws -> Result {
        while true {
            do {
                return try await store.write(body, onCommit: onCommit)
            } catch let full as Full {
                // In a separate transaction, so that other writes come in between, and only the account without room waits.
                let count = try await store.write { [bytes] transaction in
                    // Removes a little more than needed, so that not every write has to make room.
                    try transaction.forgetOldest(of: full.account, bytes: bytes / 64, limit: Self.batch)
                }
                if count == 0 { throw full }
            }
        }
    }
}

extension WriteTransaction {
    /// - Returns: The number of messages removed.
    fileprivate func forgetOldest(of account: Account.ID, bytes: Int, limit: Int) throws -> Int {
        // An absent client does not block the other clients: its cursor is reset when it returns.
        for isRemovable in ["is_open = 0", "type = 'event' AND state = 'confirmed'"] {
            var removed = 0
            let oldest = try all(
                "SELECT id, weight FROM messages WHERE account = ? AND \(isRemovable) ORDER BY id LIMIT ?", account,
                limit,
                as: WeighedMessage.self,
                while: { message in
                    defer { removed += message.weight }
                    return removed < bytes
                })
            guard !oldest.isEmpty else { continue }
            try forget(oldest.map(\.id))
            return oldest.count
        }
        return 0
    }

    /// Removes messages. A cursor before a removed message is reset.
    func forget(_ messages: [HistoryItem.ID]) throws {
        for id in messages {
            try execute(
                """
                UPDATE devices SET forgotten_seq = deliveries.seq FROM deliveries
                WHERE deliveries.message = ? AND deliveries.device = devices.id AND deliveries.seq > devices.forgotten_seq
                """, id)
            try execute("DELETE FROM deliveries WHERE message = ?", id)
            try execute("DELETE FROM messages WHERE id = ?", id)
        }
    }
}

private struct WeighedMessage: RowDecodable {
    var id: HistoryItem.ID
    var weight: Int

    init(row: Row) throws {
        id = try row.get("id")
        weight = try row.get("weight")
    }
}
