import StorageKit
import WireKit

/// An entry that one sender, and no other, may send until its lease runs out.
struct PushClaim: Hashable, Sendable {
    var entry: PushEntry
    /// A random number for each claim, so that the result of an earlier claim is no longer accepted.
    var lease: Int64
    /// The routes; those with the form of an earlier attempt with an unknown result come first.
    var routes: [PushRoute]
    /// An earlier attempt that a push service may have accepted; nil if there is none.
    var earlier: PushAttempt?
}

/// A request whose result is not known: its sender was killed, or got no reply.
struct PushAttempt: Hashable, Sendable {
    var form: PushForm
    /// The time before the request.
    var at: Timestamp

    /// True if the request cannot have been accepted, because the address was dead by then.
    func wasTooLate(for since: Timestamp?, _ reason: PushReason) -> Bool {
        reason.meansNeverValid || since.map { $0 <= at } == true
    }
}

/// The result of one claim: the claimed entries, and the time of the next claim.
struct PushClaims: Hashable, Sendable {
    var claims: [PushClaim] = []
    /// The entries that have ended, because nothing but a log takes their routes.
    var pretended: [PretendedPush] = []
    /// The time of the next entry, or of the end of the next lease; nil when nothing waits.
    var next: Timestamp?
}

/// An entry that ended as completed without being sent.
struct PretendedPush: Hashable, Sendable {
    var entry: PushEntry
    var route: PushRoute
}

/// The result of sending a claimed entry.
enum PushVerdict: Hashable, Sendable {
    case accepted(PushReceipt)
    case retry(PushReason, by: PushChannel, after: Duration?)
    case failed(PushReason, by: PushChannel?)
}

/// A route that its push service declared dead.
struct DeadRoute: Hashable, Sendable {
    var route: PushRoute
    var since: Timestamp?
}

extension PushOutbox {
    /// Sets all leased entries back to waiting. Called before anything is sent: if the database belongs to one process, the senders of these
    /// entries have ended. Those of another box end with their leases.
    func recover() async throws {
        if database.isShared { return }
        try await database.write { [self] transaction in
            try endLeases(until: .latest, at: now(), in: transaction)
            transaction.onCommit { [bell] in bell.ring() }
        }
    }

    /// Claims up to `limit` entries that are due, alerts first, each with the routes that its recipient has now.
    ///
    /// - Parameters:
    ///   - channels: The channels with a sender. Routes of other channels are left out if the entry has a route of these.
    ///   - pretended: The channels whose sender only logs.
    func claim(
        _ limit: Int, by channels: Set<PushChannel> = Set(PushChannel.allCases), pretended: Set<PushChannel> = []
    ) async throws -> PushClaims {
        try await database.write { [self] transaction in
            let time = now()
            try endLeases(until: time, at: time, in: transaction)
            let hasMoreExpired = try expire(at: time, in: transaction)
            let (known, hasMoreDue) = try resolveTargets(at: time, in: transaction)
            var found = PushClaims()
            while found.claims.count < limit, found.pretended.count < Self.batch {
                let heads: [PushEntry] = try transaction.all(Self.heads, time, limit - found.claims.count)
                if heads.isEmpty { break }
                for entry in heads {
                    let targets = try known[entry.id] ?? targets(of: entry, at: time, in: transaction)
                    guard let targets, let claim = try claim(entry, for: targets, by: channels, at: time, in: transaction) else {
                        continue
                    }
                    if pretended.contains(claim.routes[0].channel) {
                        try pretend(claim, at: time, in: transaction)
                        found.pretended.append(PretendedPush(entry: claim.entry, route: claim.routes[0]))
                    } else {
                        try lease(claim, at: time, in: transaction)
                        found.claims.append(claim)
                    }
                }
            }
            if hasMoreExpired || hasMoreDue || found.pretended.count >= Self.batch {
                found.next = time
            } else {
                found.next = try transaction.one(
                    """
                    SELECT MIN(at) FROM (SELECT MIN(due_at) AS at FROM pushes WHERE state = 'waiting' AND due_at > ?
                        UNION ALL SELECT MIN(lease_until) AS at FROM pushes WHERE state = 'active') AS times
                    """, time, as: Timestamp?.self)
            }
            transaction.onCommit { [nextClaim, next = found.next] in nextClaim.withLock { $0 = next } }
            return found
        }
    }

    /// Selects the first due entry of each recipient, device and urgency that no earlier entry blocks. Silent entries wait only for
    /// those on their own topic: they report states, whose order among each other does not matter. An entry that waits for a retry,
    /// and the entries after it, do not block an entry that expires sooner, such as a call after texts.
    private static let heads = """
        SELECT * FROM pushes AS later
        WHERE state = 'waiting' AND due_at <= ?1 AND expires_at > ?1 AND target IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM pushes AS earlier
            WHERE earlier.recipient = later.recipient AND earlier.urgency = later.urgency AND earlier.origin < later.origin
                AND (earlier.state = 'waiting' OR earlier.state = 'active') AND (earlier.target IS NULL OR earlier.target = later.target)
                AND (later.urgency = 0 OR COALESCE(earlier.topic, '') = COALESCE(later.topic, ''))
                AND NOT (earlier.state = 'waiting' AND earlier.expires_at > later.expires_at AND EXISTS (
                    SELECT 1 FROM pushes AS paused
                    WHERE paused.recipient = later.recipient AND paused.urgency = later.urgency AND paused.target = later.target
                        AND paused.state = 'waiting' AND paused.attempts > 0 AND paused.due_at > ?1
                        AND paused.origin <= earlier.origin)))
        ORDER BY urgency, origin, id LIMIT ?2
        """

    /// Maximum entries that expire, whose devices are looked up, or that are only logged, in one transaction.
    private static let batch = 100

    private func endLeases(until latest: Timestamp, at time: Timestamp, in transaction: WriteTransaction) throws {
        guard try transaction.exists("SELECT 1 FROM pushes WHERE state = 'active' AND lease_until <= ?", latest) else { return }
        let withdrawn: [PushEntry] = try transaction.all(
            "SELECT * FROM pushes WHERE state = 'active' AND lease_until <= ? AND is_withdrawn = 1 ORDER BY id", latest)
        for entry in withdrawn { try end(entry, .withdrawn, at: time, in: transaction) }
        try transaction.execute(
            """
            UPDATE pushes SET state = 'waiting', lease = NULL, lease_until = NULL, state_at = ?
            WHERE state = 'active' AND lease_until <= ?
            """, time, latest)
    }

    /// - Returns: True if more entries may have expired.
    private func expire(at time: Timestamp, in transaction: WriteTransaction) throws -> Bool {
        let expired: [PushEntry] = try transaction.all(
            "SELECT * FROM pushes WHERE state = 'waiting' AND expires_at <= ? ORDER BY expires_at, id LIMIT ?", time, Self.batch)
        for entry in expired { try end(entry, .expired, reason: entry.reason, at: time, in: transaction) }
        return expired.count == Self.batch
    }

    /// Splits each due entry into one for each device of its recipient.
    ///
    /// - Returns: The devices by the ids of the entries; true if more entries may be due.
    private func resolveTargets(
        at time: Timestamp, in transaction: WriteTransaction
    ) throws -> (targets: [Int64: [PushTarget]], hasMore: Bool) {
        var found: [Int64: [PushTarget]] = [:]
        let due: [PushEntry] = try transaction.all(
            """
            SELECT * FROM pushes WHERE state = 'waiting' AND target IS NULL AND due_at <= ?1 AND expires_at > ?1
            ORDER BY urgency, origin LIMIT ?2
            """, time, Self.batch)
        for entry in due {
            guard let targets = try targets(of: entry, at: time, in: transaction) else { continue }
            guard let first = targets.first else {
                try end(entry, .unreachable, at: time, in: transaction)
                continue
            }
            found[entry.id] = targets
            try transaction.execute("UPDATE pushes SET target = ? WHERE id = ?", first.id, entry.id)
            for target in targets.dropFirst() {
                try transaction.execute(
                    """
                    INSERT INTO pushes (identifier, origin, recipient, target, urgency, topic, cause, content, state, attempts,
                        is_withdrawn, enqueued_at, due_at, expires_at, state_at)
                    SELECT ?, origin, recipient, ?, urgency, topic, cause, content, state, attempts, is_withdrawn, enqueued_at,
                        due_at, expires_at, ? FROM pushes WHERE id = ?
                    """, Identifier<PushEntry>.random(), target.id, time, entry.id)
            }
        }
        return (found, due.count == Self.batch)
    }

    /// - Returns: The claim, not stored yet; nil if the entry has ended instead, for example because its recipient has no route left.
    private func claim(
        _ entry: PushEntry, for targets: [PushTarget], by channels: Set<PushChannel>, at time: Timestamp,
        in transaction: WriteTransaction
    ) throws -> PushClaim? {
        guard let target = targets.first(where: { $0.id == entry.target }) else {
            try end(entry, .unreachable, at: time, in: transaction)
            return nil
        }
        let served = target.routes.filter { channels.contains($0.channel) }
        var routes = served.isEmpty ? target.routes : served
        var earlier: PushAttempt?
        if let form = entry.attempted {
            // The entry may have been accepted in this form, and must not be shown in two.
            let same = routes.filter { $0.form == form }
            guard !same.isEmpty else {
                try end(entry, .failed, reason: .unknownResult, at: time, in: transaction)
                return nil
            }
            routes = same + routes.filter { $0.form != form }
            earlier = PushAttempt(form: form, at: entry.attemptedAt ?? time)
        }
        var claimed = entry
        (claimed.state, claimed.attempted, claimed.attemptedAt) = (.active, routes[0].form, earlier?.at ?? time)
        return PushClaim(entry: claimed, lease: drawLease(), routes: routes, earlier: earlier)
    }

    private func lease(_ claim: PushClaim, at time: Timestamp, in transaction: WriteTransaction) throws {
        try transaction.execute(
            """
            UPDATE pushes SET state = 'active', lease = ?, lease_until = ?, attempted = ?, attempted_at = ?, state_at = ? WHERE id = ?
            """, claim.lease, time + limits.lease, claim.entry.attempted, claim.entry.attemptedAt, time, claim.entry.id)
    }

    /// Ends an entry as if a push service had accepted it.
    private func pretend(_ claim: PushClaim, at time: Timestamp, in transaction: WriteTransaction) throws {
        let receipt = PushReceipt(route: claim.routes[0], isPretended: true)
        try end(claim.entry, .completed, reason: .pretended, receipt: receipt, at: time, in: transaction)
    }

    /// Stores that a claimed entry is about to be sent by the next of its routes, because the earlier ones did not accept it.
    ///
    /// - Returns: True if the entry may be sent; false if the lease has run out, or the entry was withdrawn or has expired.
    func proceed(_ claim: PushClaim, to route: PushRoute, forgetting dead: [DeadRoute]) async throws -> Bool {
        try await database.write { [self] transaction in
            let time = now()
            for each in dead { try directory.forget(each.route, of: claim.entry, since: each.since, in: transaction) }
            let held: PushEntry? = try transaction.first(
                "SELECT * FROM pushes WHERE id = ? AND state = 'active' AND lease = ?", claim.entry.id, claim.lease)
            guard let held else { return false }
            let isWithdrawn = try isWithdrawn(held, in: transaction)
            if isWithdrawn || held.expiresAt <= time {
                try end(held, isWithdrawn ? .withdrawn : .expired, at: time, in: transaction)
                transaction.onCommit { [bell] in bell.ring() }
                return false
            }
            try transaction.execute(
                "UPDATE pushes SET attempted = ?, attempted_at = ? WHERE id = ?", route.form, time, claim.entry.id)
            return true
        }
    }

    private func isWithdrawn(_ entry: PushEntry, in transaction: ReadTransaction) throws -> Bool {
        try transaction.exists("SELECT 1 FROM pushes WHERE id = ? AND is_withdrawn = 1", entry.id)
    }

    /// Returns the reachable devices of the recipient.
    ///
    /// - Returns: The devices; nil if the entry has failed, because the service cannot read it.
    private func targets(of entry: PushEntry, at time: Timestamp, in transaction: WriteTransaction) throws -> [PushTarget]? {
        do {
            return try directory.targets(of: entry, at: time, in: transaction).filter { !$0.routes.isEmpty }
        } catch let error as StorageError where error.code != .unreadable {
            // A statement has failed, which may have ended the transaction.
            throw error
        } catch {
            // One entry must not hold up all others.
            try end(entry, .failed, reason: .unreadable, at: time, in: transaction)
            return nil
        }
    }

    /// Stores the result of a claimed entry.
    ///
    /// - Parameters:
    ///   - dead: Dead routes, which are forgotten whatever the result.
    ///   - random: A number from 0 to 1 for the jitter of the pause.
    /// - Returns: The new state; nil when the lease had run out, and nothing was changed.
    @discardableResult
    func complete(
        _ claim: PushClaim, _ verdict: PushVerdict, dead: [DeadRoute] = [], random: Double = 0
    ) async throws -> PushState? {
        try await database.write { [self] transaction in
            let time = now()
            for each in dead { try directory.forget(each.route, of: claim.entry, since: each.since, in: transaction) }
            let held: PushEntry? = try transaction.first(
                "SELECT * FROM pushes WHERE id = ? AND state = 'active' AND lease = ?", claim.entry.id, claim.lease)
            // Later entries may have waited for this entry, and a retry of this entry has to be scheduled.
            transaction.onCommit { [bell] in bell.ring() }
            guard let held else { return nil }
            switch verdict {
            case .accepted(let receipt):
                let reason = receipt.isPretended ? PushReason.pretended : nil
                try end(held, .completed, reason: reason, receipt: receipt, at: time, in: transaction)
                return .completed
            case .failed(let reason, let channel):
                try end(held.sent(by: channel), .failed, reason: reason, at: time, in: transaction)
                return .failed
            case .retry(let reason, let channel, let pause):
                let hasEarlier = claim.earlier.map { $0.form == held.attempted && $0.at == held.attemptedAt } ?? false
                return try postpone(
                    held.sent(by: channel), reason, after: pause, random, hasEarlier: hasEarlier, at: time, in: transaction)
            }
        }
    }

    private func postpone(
        _ held: PushEntry, _ reason: PushReason, after pause: Duration?, _ random: Double, hasEarlier: Bool, at time: Timestamp,
        in transaction: WriteTransaction
    ) throws -> PushState {
        var entry = held
        entry.attempts += 1
        let lifetime = Duration.milliseconds(entry.expiresAt.milliseconds - entry.enqueuedAt.milliseconds)
        let due = time + max(limits.pause(after: entry.attempts, lifetime: lifetime, random: random), pause ?? .zero)
        // The result of an earlier attempt stays unknown if a later attempt is refused.
        let isUnknown = reason != .shortLease && (reason.leavesResultUnknown || hasEarlier)
        let isWithdrawn = try isWithdrawn(entry, in: transaction)
        let state: PushState =
            if isWithdrawn {
                .withdrawn
            } else if due >= entry.expiresAt {
                .expired
            } else {
                .waiting
            }
        try transaction.execute(
            """
            UPDATE pushes SET state = 'waiting', reason = ?1, route = ?2, attempts = ?3, lease = NULL, lease_until = NULL, due_at = ?4,
                state_at = ?5, attempted = CASE WHEN ?6 = 1 THEN attempted END, attempted_at = CASE WHEN ?6 = 1 THEN attempted_at END
            WHERE id = ?7
            """, reason, entry.route, entry.attempts, due, time, isUnknown, entry.id)
        if state != .waiting { try end(entry, state, reason: reason, at: time, in: transaction) }
        return state
    }
}

extension PushEntry {
    fileprivate func sent(by channel: PushChannel?) -> PushEntry {
        var entry = self
        entry.route = channel ?? route
        return entry
    }
}

extension Identifier {
    static func random() -> Identifier {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }
}
