package import Pager2077Wire
package import StorageKit
import WireKit

/// The best score of each user in each game.
struct Scores: Sendable {
    let store: Database
    let now: @Sendable () -> Timestamp

    /// Stores the score when it is better than the stored one. An equal score is no update.
    func submit(_ submission: ScoreSubmission, by id: User.ID) async throws -> ScoreResult {
        try await store.write { [now] transaction in
            _ = try transaction.caller(id)
            let best = try transaction.first(
                #"SELECT score, at FROM scores WHERE "user" = ? AND game = ?"#, id, submission.game, as: BestScore.self)
            if let best, best.score >= submission.score {
                return ScoreResult(updated: false, score: best.score, updatedAt: best.at)
            }
            let time = now()
            try transaction.execute(
                """
                INSERT INTO scores ("user", game, score, at) VALUES (?, ?, ?, ?)
                ON CONFLICT ("user", game) DO UPDATE SET score = excluded.score, at = excluded.at
                """, id, submission.game, submission.score, time)
            return ScoreResult(updated: true, score: submission.score, updatedAt: time)
        }
    }

    /// Returns the scores of the user and their friends, best first; of equal scores, the earlier one first.
    func leaderboard(_ game: Game, for id: User.ID) async throws -> Leaderboard {
        try await store.read { transaction in
            _ = try transaction.caller(id)
            let entries = try transaction.all(
                """
                SELECT users.id, display_name, hex_code, score, at FROM scores JOIN users ON users.id = scores."user"
                WHERE game = ?1 AND (scores."user" = ?2
                    OR scores."user" IN (SELECT friend FROM friendships WHERE friendships."user" = ?2
                        AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocks."user" = ?2 AND blocked = friend)))
                ORDER BY score DESC, at, hex_code
                """, game, id, as: Leaderboard.Entry.self)
            return Leaderboard(entries: entries)
        }
    }
}

private struct BestScore: RowDecodable {
    var score: Int
    var at: Timestamp

    init(row: Row) throws {
        score = try row.get("score")
        at = try row.get("at")
    }
}

extension Leaderboard.Entry: RowDecodable {
    package init(row: Row) throws {
        self.init(
            userId: try row.get("id"), displayName: try row.get("display_name"), hexCode: try row.get("hex_code"),
            score: try row.get("score"), updatedAt: try row.get("at"))
    }
}
