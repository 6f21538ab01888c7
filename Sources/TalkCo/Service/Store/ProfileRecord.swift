import Foundation
import StorageKit
import TalkCoWire
import WireKit

/// A profile as stored.
struct ProfileRecord: Hashable, Sendable {
    /// Maximum count of profiles.
    static let maximumCount = 100_000

    var user: Learner.ID
    var name: String?
    var level: CEFRLevel?
    var goal: String?
    var data: ProfileData
    /// The sentences behind the level; nil before the first judgement.
    var levelEvidence: [LevelEvidence]?
    /// Count of removed talks and, as `removedCompletedCount`, of the completed conversations among them. Not changed by a save.
    var removedCount = 0
    var removedCompletedCount = 0
    /// The error rates of the last removed talks; nil while the learner has other talks.
    var lastErrorRates: [String: Double]?
    var updatedAt: Timestamp
}

extension ProfileRecord: RowDecodable {
    init(row: Row) throws {
        self.init(
            user: try row.get("user_id"), name: try row.get("user_name"), level: try row.get("level"),
            goal: try row.get("learning_goal"), data: try row.json("data") ?? ProfileData(),
            levelEvidence: try row.json("level_evidence"), removedCount: try row.get("removed_talks"),
            removedCompletedCount: try row.get("removed_completed"), lastErrorRates: try row.json("error_rates"),
            updatedAt: try row.get("updated_at"))
    }
}

extension ReadTransaction {
    fileprivate static var profileQuery: String {
        """
        SELECT user_id, user_name, level, learning_goal, data, level_evidence, removed_talks, removed_completed, error_rates,
            updated_at
        FROM profiles WHERE user_id = ?
        """
    }

    func profileRecord(of user: Learner.ID) throws -> ProfileRecord? {
        try first(Self.profileQuery, user)
    }

    /// Returns the profile with the values that are counted and calculated from the sessions.
    func profile(_ record: ProfileRecord) throws -> Profile {
        var data = record.data
        // A talk counts once its review is ended, although the work that follows may take longer.
        let kept: Int = try one(
            """
            SELECT COUNT(*) FROM sessions WHERE user_id = ? AND mode = 'conversation' AND status IN ('completing', 'completed')
            """, record.user)
        data.sessionCount = kept + record.removedCompletedCount
        for type in IssueType.allCases where data.weakPoints[type.rawValue] == nil { data.weakPoints[type.rawValue] = [] }
        return Profile(
            userId: record.user, userName: record.name, level: record.level, learningGoal: record.goal,
            needsReview: data.weakPoints.values.joined().contains { $0.examples.count >= WeakPoint.reviewThreshold },
            profileData: data, levelEvidence: record.levelEvidence ?? [],
            errorRates: try errorRates(of: record.user) ?? record.lastErrorRates, talkRates: try talkRates(of: record.user),
            practice: try practice(of: record.user),
            updatedAt: TalkTime(record.updatedAt))
    }
}

extension WriteTransaction {
    /// Returns the stored profile, and creates a missing one.
    ///
    /// - Parameter name: The name for a profile that has none.
    func ensureProfile(of user: Learner.ID, name: String? = nil, at time: Timestamp) throws -> ProfileRecord {
        let changeCount = try execute(
            """
            INSERT INTO profiles (user_id, user_name, data, updated_at) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (user_id) DO UPDATE SET user_name = excluded.user_name, updated_at = excluded.updated_at
            WHERE profiles.user_name IS NULL AND excluded.user_name IS NOT NULL
            """, user, name, try ProfileData().columnText, time)
        if changeCount > 0 { try boundProfiles(to: ProfileRecord.maximumCount, keeping: user) }
        return try one(Self.profileQuery, user)
    }

    func save(_ record: ProfileRecord) throws {
        try execute(
            """
            UPDATE profiles SET user_name = ?2, level = ?3, learning_goal = ?4, data = ?5, level_evidence = ?6, updated_at = ?7
            WHERE user_id = ?1
            """, record.user, record.name, record.level, record.goal, try record.data.columnText,
            try record.levelEvidence?.columnText, record.updatedAt)
    }
}
