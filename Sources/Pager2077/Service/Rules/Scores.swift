import Pager2077Wire
import WireKit

/// The best score of each user in each game.
struct Scores: Sendable {
    let store: any PagerStore
    let now: @Sendable () -> Timestamp

    /// Keeps the score when it is better than the one before. An equal one is no update.
    func submit(_ submission: ScoreSubmission, by id: User.ID) async throws -> ScoreResult {
        try await store.write { [now] transaction in
            _ = try transaction.caller(id)
            if let best = try transaction.score(of: id, in: submission.game), best.score >= submission.score {
                return ScoreResult(updated: false, score: best.score, updatedAt: best.at)
            }
            let time = now()
            try transaction.setScore(submission.score, of: id, in: submission.game, at: time)
            return ScoreResult(updated: true, score: submission.score, updatedAt: time)
        }
    }

    func leaderboard(_ game: Game, for id: User.ID) async throws -> Leaderboard {
        try await store.read { store in
            _ = try store.caller(id)
            return Leaderboard(entries: try store.leaderboard(of: id, in: game))
        }
    }
}
