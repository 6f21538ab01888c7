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
        let kept = try live.map(\.rawValue).columnText
        var removed = try all(
            """
            SELECT id FROM sessions WHERE COALESCE(closed_at, created_at) < ?
                AND id NOT IN (SELECT value FROM json_each(?)) LIMIT \(Self.removalCount)
            """, time - limits.age, kept, as: Session.ID.self)
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
        let removed = try all(
            """
            SELECT id FROM sessions WHERE user_id = ? AND id NOT IN (SELECT value FROM json_each(?))
            ORDER BY rowid LIMIT ?
            """, user, try live.map(\.rawValue).columnText, min(count - limit, Self.removalCount), as: Session.ID.self)
        for id in removed { try removeTalk(id) }
        return removed
    }

    /// Removes the oldest talks of the networks with the most bytes, until the rest fits; a bounded number of them.
    @discardableResult
    func removeTalks(over size: Int, keeping live: Set<Session.ID>) throws -> [Session.ID] {
        let kept = try live.map(\.rawValue).columnText
        var removed: [Session.ID] = []
        while removed.count < Self.removalCount, try one("SELECT size FROM talks_total", as: Int.self) > size {
            let oldest = try first(
                """
                WITH removable AS (
                    SELECT rowid AS number, id, network, size FROM sessions
                    WHERE id NOT IN (SELECT value FROM json_each(?)))
                SELECT id FROM removable
                WHERE network = (SELECT network FROM removable GROUP BY network ORDER BY SUM(size) DESC LIMIT 1)
                ORDER BY number LIMIT 1
                """, kept, as: Session.ID.self)
            guard let oldest else { break }
            try removeTalk(oldest)
            removed.append(oldest)
        }
        return removed
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
