import Foundation
import StorageKit
import TalkCoWire
import WireKit

/// The retention limits of talks. Beyond a limit, the oldest talk is removed first; the learner's profile keeps its results.
struct TalkLimits: Hashable, Sendable {
    /// Retention of a talk after its end, or after its beginning if the talk was not ended.
    var age = Duration.seconds(365 * 86_400)
    var countForUser = 500
    /// Maximum size of the texts of all talks, in bytes. Beyond it, the network with the most bytes loses its oldest talk.
    var size = 1_073_741_824
}

extension WriteTransaction {
    /// Maximum count of talks that one call removes.
    private static var removalCount: Int { 50 }

    /// Removes talks beyond the limits, a bounded number of them.
    ///
    /// - Parameter live: The sessions with an open conversation, which stay.
    /// - Returns: True if there may be more.
    func pruneTalks(_ limits: TalkLimits, keeping live: Set<Session.ID>, at time: Timestamp) throws -> Bool {
        var removed = try all(
            "SELECT id FROM sessions WHERE COALESCE(closed_at, created_at) < ? LIMIT ?", time - limits.age,
            live.count + Self.removalCount, as: Session.ID.self
        ).first(Self.removalCount, notIn: live)
        for id in removed { try removeTalk(id) }
        let users = try all(
            "SELECT user_id FROM sessions GROUP BY user_id HAVING COUNT(*) > ? LIMIT 5", limits.countForUser, as: Learner.ID.self)
        for user in users { removed += try removeTalks(of: user, over: limits.countForUser, keeping: live) }
        removed += try removeTalks(over: limits.size, keeping: live)
        return !removed.isEmpty
    }

    /// Removes the oldest talks of a learner, a bounded number of them.
    @discardableResult
    func removeTalks(of user: Learner.ID, over limit: Int, keeping live: Set<Session.ID>) throws -> [Session.ID] {
        let count = try one("SELECT COUNT(*) FROM sessions WHERE user_id = ?", user, as: Int.self)
        guard count > limit else { return [] }
        let excess = min(count - limit, Self.removalCount)
        let removed = try all(
            "SELECT id FROM sessions WHERE user_id = ? ORDER BY number LIMIT ?", user, live.count + excess, as: Session.ID.self
        ).first(excess, notIn: live)
        for id in removed { try removeTalk(id) }
        return removed
    }

    /// Removes the oldest talks of the networks with the most bytes, until the rest fits; a bounded number of them.
    @discardableResult
    func removeTalks(over size: Int, keeping live: Set<Session.ID>) throws -> [Session.ID] {
        var total = try talksSize()
        guard total > size else { return [] }
        var sizes = try removableSizes(keeping: live)
        var removed: [Session.ID] = []
        while removed.count < Self.removalCount, total > size {
            guard let (network, _) = sizes.filter({ $0.value > 0 }).max(by: { $0.value < $1.value }) else { break }
            let found = try all(
                "SELECT id FROM sessions WHERE network = ? ORDER BY number LIMIT ?", network, live.count + 1, as: Session.ID.self
            ).first(1, notIn: live)
            guard let oldest = found.first else { break }
            try removeTalk(oldest)
            removed.append(oldest)
            let rest = try talksSize()
            sizes[network, default: 0] -= total - rest
            total = rest
        }
        return removed
    }

    private func talksSize() throws -> Int { try one("SELECT size FROM talks_total") }

    /// Returns the sizes of the talks without an open conversation, by network.
    private func removableSizes(keeping live: Set<Session.ID>) throws -> [CallerNetwork: Int] {
        let networks = try all("SELECT network, SUM(size) AS size FROM sessions GROUP BY network", as: NetworkSize.self)
        var sizes = Dictionary(uniqueKeysWithValues: networks.map { ($0.network, $0.size) })
        for id in live {
            let open = try first("SELECT network, size FROM sessions WHERE id = ?", id, as: NetworkSize.self)
            if let open { sizes[open.network, default: 0] -= open.size }
        }
        return sizes
    }

    /// Removes the talks of a learner, a bounded number of them, and the profile once there are none.
    ///
    /// - Returns: True if there may be more.
    func removeLearner(_ user: Learner.ID) throws -> Bool {
        let talks = try all(
            "SELECT id FROM sessions WHERE user_id = ? LIMIT \(Self.removalCount)", user, as: Session.ID.self)
        for id in talks { try removeTalk(id) }
        if !talks.isEmpty { return true }
        try execute("DELETE FROM profiles WHERE user_id = ?", user)
        return false
    }

    /// Removes a session with all of its data.
    private func removeTalk(_ id: Session.ID) throws {
        guard let session = try session(id) else { return }
        let rates = try errorRates(of: session.user)
        let (hasWords, isCompleted) = (try hasSegments(id), session.mode == .conversation && session.status == .completed)
        for table in ["marks", "corrections"] {
            try execute("DELETE FROM \(table) WHERE segment IN (SELECT id FROM segments WHERE session = ?)", id)
        }
        for table in ["jobs", "turn_audio", "turns", "recordings", "segments"] {
            try execute("DELETE FROM \(table) WHERE session = ?", id)
        }
        try execute("DELETE FROM sessions WHERE id = ?", id)
        try execute(
            """
            UPDATE profiles SET removed_talks = removed_talks + ?2, removed_completed = removed_completed + ?3 WHERE user_id = ?1
            """, session.user, hasWords, isCompleted)
        // The last rates are kept when the last talk is removed.
        if let rates, try errorRates(of: session.user) == nil {
            try execute("UPDATE profiles SET error_rates = ? WHERE user_id = ?", try rates.columnText, session.user)
        }
    }

    /// Removes profiles of learners without talks beyond a limit: empty profiles first, then the longest unchanged ones.
    ///
    /// - Parameter user: The learner whose profile is kept.
    func boundProfiles(to limit: Int, keeping user: Learner.ID) throws {
        let count = try one("SELECT COUNT(*) FROM profiles", as: Int.self)
        guard count > limit else { return }
        try execute(
            """
            DELETE FROM profiles WHERE user_id IN (
                SELECT user_id FROM profiles
                WHERE user_id <> ?1 AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.user_id = profiles.user_id)
                ORDER BY (level IS NOT NULL OR learning_goal IS NOT NULL OR data <> ?2), updated_at LIMIT ?3)
            """, user, try ProfileData().columnText, min(count - limit, Self.removalCount))
    }
}

extension [Session.ID] {
    fileprivate func first(_ count: Int, notIn live: Set<Session.ID>) -> [Session.ID] {
        Array(filter { !live.contains($0) }.prefix(count))
    }
}

/// The size of one talk, or of all talks, of a network.
private struct NetworkSize: RowDecodable {
    var network: CallerNetwork
    var size: Int

    init(row: Row) throws { (network, size) = (try row.get("network"), try row.get("size")) }
}
