package import CoreMetrics
package import StorageKit
package import WireKit

/// Notifications that wait for a push service, in the service's own database.
///
///     enqueue ─▶ waiting ──claim──▶ active ──▶ completed
///                 ▲  │                │ ├────▶ failed        given up: a dead letter with its reason
///                 │  ├─▶ withdrawn    │ └────▶ waiting       tried again after a pause
///                 │  ├─▶ expired      │
///                 │  └─▶ unreachable  │                       until the entry expires
///                 └─── lease ran out ─┘                       its sender was killed
///
/// An entry is written in the transaction of its cause. It is sent at least once and completed once: a sender that comes back after its
/// lease ran out changes nothing. The entries of one recipient, device and urgency are sent in order, one at a time.
package final class PushOutbox: Sendable {
    let database: Database
    let directory: any PushDirectory
    let limits: PushLimits
    let now: @Sendable () -> Timestamp
    let drawLease: @Sendable () -> Int64
    let metrics: PushMetrics
    /// Rings after each transaction that has made an entry due before the next claim.
    let bell = Bell()
    /// The time of the next claim if the bell does not ring before; nil if none is planned.
    let nextClaim = Locked<Timestamp?>(nil)

    /// - Parameters:
    ///   - database: The service's database, with ``PushTables/migrations``.
    ///   - system: The system's name in metrics.
    package init(
        database: Database, directory: any PushDirectory, system: String, metrics: any MetricsFactory,
        limits: PushLimits = PushLimits(),
        now: @escaping @Sendable () -> Timestamp = { .now },
        drawLease: @escaping @Sendable () -> Int64 = { .random(in: .min ... .max) }
    ) {
        self.database = database
        self.directory = directory
        self.limits = limits
        self.metrics = PushMetrics(system: system, factory: metrics)
        self.now = now
        self.drawLease = drawLease
    }

    /// Adds an entry, in the transaction of its cause.
    ///
    /// If more than ``PushLimits/waitingPerRecipient`` entries wait for a recipient, the oldest fail, silent ones first.
    package func enqueue(_ draft: PushDraft, in transaction: WriteTransaction) throws {
        let time = now()
        var due = time + draft.delay
        if let topic = draft.topic {
            try withdraw(topic, of: draft.recipient, reason: .replaced, at: time, in: transaction)
            if let last = try lastSent(topic, to: draft.recipient, in: transaction) {
                // A clock that was set back must not hold entries up for longer than the spacing.
                due = max(due, min(last, time) + draft.spacing)
            }
        }
        let id = try transaction.one(
            """
            INSERT INTO pushes (identifier, origin, recipient, urgency, topic, cause, content, state, attempts, is_withdrawn,
                enqueued_at, due_at, expires_at, state_at) VALUES (?, 0, ?, ?, ?, ?, ?, 'waiting', 0, 0, ?, ?, ?, ?) RETURNING id
            """, Identifier<PushEntry>.random(), draft.recipient, draft.urgency, draft.topic, draft.cause, draft.content, time,
            due, time + draft.lifetime, time, as: Int64.self)
        try transaction.execute("UPDATE pushes SET origin = id WHERE id = ?", id)
        try dropExcess(of: draft.recipient, at: time, in: transaction)
        transaction.onCommit { [bell, nextClaim, due] in
            // A claim whose time has passed is late: the clock was set, or the machine slept.
            let isPlanned = nextClaim.withLock { $0.map { time < $0 && $0 <= due } ?? false }
            if !isPlanned { bell.ring() }
        }
    }

    /// Wakes the sender if an entry may have waited for one that has ended.
    private func ring(for recipient: String, at time: Timestamp, in transaction: WriteTransaction) throws {
        let isDue = try transaction.exists(
            "SELECT 1 FROM pushes WHERE recipient = ? AND state = 'waiting' AND due_at <= ?", recipient, time)
        if isDue { transaction.onCommit { [bell] in bell.ring() } }
    }

    /// Returns the time of the latest entry on a topic that was sent, or is being sent; nil if there is none.
    private func lastSent(_ topic: String, to recipient: String, in transaction: WriteTransaction) throws -> Timestamp? {
        try transaction.one(
            "SELECT MAX(state_at) FROM pushes WHERE recipient = ? AND topic = ? AND state IN ('active', 'completed')", recipient,
            topic, as: Timestamp?.self)
    }

    /// Withdraws the entries for `recipient` on a topic, whose content the recipient gets another way. An entry that is being sent
    /// is not retried.
    package func withdraw(for recipient: String, topic: String, in transaction: WriteTransaction) throws {
        let time = now()
        try withdraw(topic, of: recipient, reason: nil, at: time, in: transaction)
        try ring(for: recipient, at: time, in: transaction)
    }

    private func withdraw(
        _ topic: String, of recipient: String, reason: PushReason?, at time: Timestamp, in transaction: WriteTransaction
    ) throws {
        let waiting: [PushEntry] = try transaction.all(
            "SELECT * FROM pushes WHERE recipient = ? AND state = 'waiting' AND topic = ? ORDER BY state_at, id", recipient, topic)
        for entry in waiting { try end(entry, .withdrawn, reason: reason, at: time, in: transaction) }
        try transaction.execute(
            "UPDATE pushes SET is_withdrawn = 1 WHERE recipient = ? AND state = 'active' AND topic = ?", recipient, topic)
    }

    private func dropExcess(of recipient: String, at time: Timestamp, in transaction: WriteTransaction) throws {
        // Counted once for all devices: a recipient with many of them must not lose notifications earlier.
        let waiting = try transaction.one(
            "SELECT COUNT(DISTINCT origin) FROM pushes WHERE recipient = ? AND state = 'waiting'", recipient, as: Int.self)
        guard waiting > limits.waitingPerRecipient else { return }
        let oldest: [PushEntry] = try transaction.all(
            """
            SELECT * FROM pushes WHERE recipient = ?1 AND state = 'waiting' AND origin IN (
                SELECT origin FROM pushes WHERE recipient = ?1 AND state = 'waiting' GROUP BY urgency, origin
                ORDER BY urgency DESC, origin LIMIT ?2)
            ORDER BY urgency DESC, origin, id
            """, recipient, waiting - limits.waitingPerRecipient)
        for entry in oldest { try end(entry, .failed, reason: .tooManyWaiting, at: time, in: transaction) }
    }

    /// Withdraws the entries for `recipient` that these events have caused. An entry that is being sent is not retried.
    package func withdraw(for recipient: String, causes: ClosedRange<Int64>, in transaction: WriteTransaction) throws {
        let time = now()
        let waiting: [PushEntry] = try transaction.all(
            "SELECT * FROM pushes WHERE recipient = ? AND state = 'waiting' AND cause BETWEEN ? AND ? ORDER BY urgency, origin, id",
            recipient,
            causes.lowerBound, causes.upperBound)
        for entry in waiting { try end(entry, .withdrawn, at: time, in: transaction) }
        try transaction.execute(
            "UPDATE pushes SET is_withdrawn = 1 WHERE recipient = ? AND state = 'active' AND cause BETWEEN ? AND ?", recipient,
            causes.lowerBound, causes.upperBound)
        try ring(for: recipient, at: time, in: transaction)
    }

    /// Withdraws the entries for `recipient` that are pointless now. An entry that is being sent is not retried.
    package func withdraw(
        for recipient: String, in transaction: WriteTransaction, where isPointless: (PushEntry) throws -> Bool
    ) throws {
        let time = now()
        let unsent: [PushEntry] = try transaction.all(
            "SELECT * FROM pushes WHERE recipient = ? AND (state = 'waiting' OR state = 'active') ORDER BY urgency, origin, id",
            recipient)
        for entry in unsent where try isPointless(entry) {
            if entry.state == .waiting {
                try end(entry, .withdrawn, at: time, in: transaction)
            } else {
                try transaction.execute("UPDATE pushes SET is_withdrawn = 1 WHERE id = ?", entry.id)
            }
        }
        try ring(for: recipient, at: time, in: transaction)
    }

    /// Ends an entry. Stores its state before it calls the directory.
    func end(
        _ entry: PushEntry, _ state: PushState, reason: PushReason? = nil, receipt: PushReceipt? = nil, at time: Timestamp,
        in transaction: WriteTransaction
    ) throws {
        var ended = entry
        (ended.state, ended.reason, ended.route) = (state, reason, receipt?.route.channel ?? entry.route)
        try transaction.execute(
            "UPDATE pushes SET state = ?, reason = ?, route = ?, lease = NULL, lease_until = NULL, state_at = ? WHERE id = ?",
            state, reason, ended.route, time, entry.id)
        try directory.entryDidEnd(ended, by: receipt, at: time, in: transaction)
        transaction.onCommit { [metrics] in metrics.record(state, reason) }
    }

    // MARK: Queries

    /// Returns the entry with an identifier; nil if the entry does not exist, or is no longer kept.
    package func entry(_ identifier: Identifier<PushEntry>) async throws -> PushEntry? {
        try await database.read { try $0.first("SELECT * FROM pushes WHERE identifier = ?", identifier) }
    }

    /// Returns the count of entries in each state.
    package func counts() async throws -> [PushState: Int] {
        try await count("SELECT state, COUNT(*) AS count FROM pushes GROUP BY state")
    }

    /// Returns the counts of waiting and active entries. Reads no others.
    func depth() async throws -> [PushState: Int] {
        try await count("SELECT state, COUNT(*) AS count FROM pushes WHERE state = 'waiting' OR state = 'active' GROUP BY state")
    }

    private struct StateCount: RowDecodable {
        var state: PushState
        var count: Int

        init(row: Row) throws {
            state = try row.get("state")
            count = try row.get("count")
        }
    }

    private func count(_ query: String) async throws -> [PushState: Int] {
        try await database.read { try $0.all(query, as: StateCount.self).reduce(into: [:]) { $0[$1.state] = $1.count } }
    }

    /// Returns entries in `state`, the latest first: the dead letters with `failed`.
    package func entries(_ state: PushState, limit: Int) async throws -> [PushEntry] {
        try await database.read {
            try $0.all("SELECT * FROM pushes WHERE state = ? ORDER BY state_at DESC, id DESC LIMIT ?", state, limit)
        }
    }

    /// Removes ended entries after ``PushLimits/retention``. Called periodically.
    package func prune() async throws {
        _ = try await database.write { [limits, now] transaction in
            try transaction.execute(
                """
                DELETE FROM pushes WHERE state IN ('completed', 'failed', 'expired', 'withdrawn', 'unreachable') AND state_at < ?
                """, now() - limits.retention)
        }
    }
}

extension ReadTransaction {
    /// Returns the entries of one notification: one for each device, once the devices are known.
    package func pushes(origin: Int64) throws -> [PushEntry] {
        try all("SELECT * FROM pushes WHERE origin = ? ORDER BY id", origin)
    }
}
