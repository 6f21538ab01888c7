public import Foundation
public import WireKit

/// The progress of an entry of the outbox.
public enum OutboxState: String, Hashable, Sendable, SQLValue {
    case waiting
    /// Being sent.
    case active
    case completed
    /// Given up; the reason is kept.
    case failed
    /// The recipient received the content by another way before it was sent.
    case withdrawn
}

/// A notification to be sent to a service outside, written in the same transaction as its cause.
public struct OutboxEntry: Hashable, Sendable {
    public var id: Int64
    public var recipient: String
    public var state: OutboxState
    /// The sequence number of the event with the same content in the recipient's log.
    public var cause: Int64?
    public var payload: Data
}

extension OutboxEntry: RowDecodable {
    public init(row: Row) throws {
        self.init(
            id: try row.get("id"), recipient: try row.get("recipient"), state: try row.get("state"), cause: try row.get("cause"),
            payload: try row.get("payload"))
    }
}

/// The order in which entries are sent, and in which they are kept when too many wait.
public enum OutboxUrgency: Int, Hashable, Sendable, SQLValue {
    /// Shown to the recipient.
    case alert = 0
    /// Not shown.
    case silent = 1
}

extension WriteTransaction {
    /// Adds an entry.
    ///
    /// If more than ``LineLimits/outboxPerRecipient`` wait for a recipient, silent entries fail first, of each kind the oldest.
    ///
    /// - Parameters:
    ///   - topic: The subject, where a newer entry on it makes earlier ones pointless: it replaces those that wait.
    ///   - cause: The sequence number of the event with the same content in the recipient's log.
    public func enqueue(
        _ payload: Data, for recipient: String, urgency: OutboxUrgency = .alert, topic: String? = nil, cause: Int64?,
        at time: Timestamp
    ) throws {
        if let topic {
            try execute("DELETE FROM outbox WHERE recipient = ? AND state = 'waiting' AND topic = ?", recipient, topic)
        }
        try execute(
            """
            INSERT INTO outbox (recipient, urgency, topic, state, cause, payload, at, state_at)
            VALUES (?, ?, ?, 'waiting', ?, ?, ?, ?)
            """, recipient, urgency, topic, cause, payload, time, time)
        let waiting = try one("SELECT COUNT(*) FROM outbox WHERE recipient = ? AND state = 'waiting'", recipient, as: Int.self)
        if waiting > LineLimits.outboxPerRecipient {
            try execute(
                """
                UPDATE outbox SET state = 'failed', reason = 'too many were waiting', state_at = ? WHERE id IN
                    (SELECT id FROM outbox WHERE recipient = ? AND state = 'waiting' ORDER BY urgency DESC, id LIMIT ?)
                """, time, recipient, waiting - LineLimits.outboxPerRecipient)
        }
    }

    /// Withdraws the entries that wait for `recipient` and were caused by these events.
    public func withdraw(for recipient: String, causes: ClosedRange<Int64>, at time: Timestamp) throws {
        try execute(
            """
            UPDATE outbox SET state = 'withdrawn', state_at = ?
            WHERE recipient = ? AND state = 'waiting' AND cause BETWEEN ? AND ?
            """, time, recipient, causes.lowerBound, causes.upperBound)
    }
}

extension Database {
    /// The number of entries in each state.
    public func outboxCounts() async throws -> [OutboxState: Int] {
        struct StateCount: RowDecodable {
            var state: OutboxState
            var count: Int

            init(row: Row) throws {
                state = try row.get("state")
                count = try row.get("count")
            }
        }
        return try await read { transaction in
            try transaction.all("SELECT state, COUNT(*) AS count FROM outbox GROUP BY state", as: StateCount.self)
                .reduce(into: [:]) { $0[$1.state] = $1.count }
        }
    }

    /// Entries in `state`, in the order in which they are to be sent.
    public func outboxEntries(_ state: OutboxState, limit: Int) async throws -> [OutboxEntry] {
        try await read {
            try $0.all(
                "SELECT id, recipient, state, cause, payload FROM outbox WHERE state = ? ORDER BY urgency, id LIMIT ?", state, limit
            )
        }
    }

    /// Removes entries older than ``LineLimits`` allow, and fails entries that have waited too long. Called periodically.
    public func prune(now: Timestamp) async throws {
        try await write { transaction in
            // Ordered by sequence number, not by time: a clock that was set back must not tear a hole into a log.
            try transaction.execute(
                """
                WITH expired AS (SELECT log, MAX(seq) AS seq FROM events WHERE at < ? GROUP BY log)
                DELETE FROM events WHERE EXISTS (SELECT 1 FROM expired WHERE expired.log = events.log AND events.seq <= expired.seq)
                """, now - LineLimits.eventAge)
            try transaction.execute("DELETE FROM commands WHERE at < ?", now - LineLimits.commandAge)
            try transaction.execute(
                """
                UPDATE outbox SET state = 'failed', reason = 'waited too long', state_at = ? WHERE state = 'waiting' AND at < ?
                """, now, now - LineLimits.outboxDeadline)
            try transaction.execute(
                "DELETE FROM outbox WHERE state IN ('completed', 'failed', 'withdrawn') AND state_at < ?",
                now - LineLimits.outboxAge)
        }
    }
}
