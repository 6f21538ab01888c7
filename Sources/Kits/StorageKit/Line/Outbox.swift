public import Foundation
import GRDB

/// How far an entry of the outbox has come.
public enum OutboxState: String, Hashable, Sendable {
    case waiting
    /// Somebody is sending it.
    case active
    case completed
    /// Given up; the reason is kept.
    case failed
    /// The recipient had it by another way before it was sent.
    case withdrawn
}

/// Something to be sent to somebody outside, written in the same transaction as its cause.
public struct OutboxEntry: Hashable, Sendable {
    public var id: Int64
    public var recipient: String
    public var state: OutboxState
    /// The event in the recipient's log that tells the same.
    public var cause: Int64?
    public var payload: Data
}

/// What goes first when there is a choice.
public enum OutboxUrgency: Int, Hashable, Sendable {
    /// Somebody is waiting to be told.
    case alert = 0
    /// Nobody sees it come.
    case silent = 1
}

extension WriteTransaction {
    /// Adds an entry.
    ///
    /// When more than ``LineLimits/outboxPerRecipient`` wait for the same recipient, silent ones fail first, of each kind the oldest.
    ///
    /// - Parameters:
    ///   - topic: What it is about, if a newer entry about the same makes it pointless: it then replaces those that wait.
    ///   - cause: The event in the recipient's log that tells the same.
    public func enqueue(
        _ payload: Data, for recipient: String, urgency: OutboxUrgency = .alert, topic: String? = nil, cause: Int64?, at: Int64
    ) throws {
        if let topic {
            try database.cachedStatement(
                sql: "DELETE FROM outbox WHERE recipient = ? AND state = 'waiting' AND topic = ?"
            ).execute(arguments: [recipient, topic])
        }
        try database.cachedStatement(
            sql: """
                INSERT INTO outbox (recipient, urgency, topic, state, cause, payload, at, state_at)
                VALUES (?, ?, ?, 'waiting', ?, ?, ?, ?)
                """
        ).execute(
            arguments: [recipient, urgency.rawValue, topic, cause, payload, at, at])
        try database.cachedStatement(
            sql: """
                UPDATE outbox SET state = 'failed', reason = 'too many were waiting', state_at = ? WHERE id IN
                    (SELECT id FROM outbox WHERE recipient = ? AND state = 'waiting' ORDER BY urgency, id DESC LIMIT -1 OFFSET ?)
                """
        ).execute(
            arguments: [at, recipient, LineLimits.outboxPerRecipient])
    }

    /// Takes back what still waits for `recipient` because of these events.
    public func withdraw(for recipient: String, causes: ClosedRange<Int64>, at: Int64) throws {
        try database.execute(
            sql: """
                UPDATE outbox SET state = 'withdrawn', state_at = ?
                WHERE recipient = ? AND state = 'waiting' AND cause BETWEEN ? AND ?
                """,
            arguments: [at, recipient, causes.lowerBound, causes.upperBound])
    }
}

extension SQLiteStore {
    /// How many entries are in each state.
    public func outboxCounts() async throws -> [OutboxState: Int] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT state, COUNT(*) AS count FROM outbox GROUP BY state").reduce(into: [:]) {
                counts, row in
                if let state = OutboxState(rawValue: row["state"]) { counts[state] = row["count"] }
            }
        }
    }

    /// Entries in `state`, in the order in which they are to be sent.
    public func outboxEntries(_ state: OutboxState, limit: Int) async throws -> [OutboxEntry] {
        try await read { database in
            try Row.fetchAll(
                database, sql: "SELECT id, recipient, cause, payload FROM outbox WHERE state = ? ORDER BY urgency, id LIMIT ?",
                arguments: [state.rawValue, limit]
            ).map {
                OutboxEntry(id: $0["id"], recipient: $0["recipient"], state: state, cause: $0["cause"], payload: $0["payload"])
            }
        }
    }

    /// Removes what is older than ``LineLimits`` say, and gives up what has waited too long. To be called now and then.
    public func prune(now: Int64) async throws {
        @Sendable func before(_ age: Duration) -> Int64 { now - age.components.seconds * 1000 }
        try await write { transaction in
            let database = transaction.database
            // By number, not by time: a clock that was set back must not tear a hole into a log.
            try database.execute(
                sql: """
                    WITH old AS (SELECT log, MAX(seq) AS seq FROM events WHERE at < ? GROUP BY log)
                    DELETE FROM events WHERE EXISTS (SELECT 1 FROM old WHERE old.log = events.log AND events.seq <= old.seq)
                    """,
                arguments: [before(LineLimits.eventAge)])
            try database.execute(sql: "DELETE FROM commands WHERE at < ?", arguments: [before(LineLimits.commandAge)])
            try database.execute(
                sql:
                    "UPDATE outbox SET state = 'failed', reason = 'waited too long', state_at = ? WHERE state = 'waiting' AND at < ?",
                arguments: [now, before(LineLimits.outboxDeadline)])
            try database.execute(
                sql: "DELETE FROM outbox WHERE state IN ('completed', 'failed', 'withdrawn') AND state_at < ?",
                arguments: [before(LineLimits.outboxAge)])
        }
    }
}
