public import WireKit

/// The pager's games.
public enum Game: String, Codable, Hashable, Sendable, CaseIterable {
    case snake, tetris
}

/// The body of `POST /api/scores`.
public struct ScoreSubmission: Codable, Hashable, Sendable {
    public var game: Game
    /// The score, at least 0.
    public var score: Int

    public init(game: Game, score: Int) {
        self.game = game
        self.score = score
    }
}

/// The reply to a submitted score: the user's best score.
public struct ScoreResult: Codable, Hashable, Sendable {
    /// True when the submitted score exceeds all earlier ones. An equal score is not an update.
    public var updated: Bool
    public var score: Int
    public var updatedAt: Timestamp

    public init(updated: Bool, score: Int, updatedAt: Timestamp) {
        self.updated = updated
        self.score = score
        self.updatedAt = updatedAt
    }
}

/// The reply of `GET /api/leaderboard/:game`: the caller and their friends, best first.
public struct Leaderboard: Codable, Hashable, Sendable {
    public struct Entry: Codable, Hashable, Sendable {
        public var userId: User.ID
        @Nullable public var displayName: String?
        public var hexCode: HexCode
        public var score: Int
        public var updatedAt: Timestamp

        public init(userId: User.ID, displayName: String?, hexCode: HexCode, score: Int, updatedAt: Timestamp) {
            self.userId = userId
            self.displayName = displayName
            self.hexCode = hexCode
            self.score = score
            self.updatedAt = updatedAt
        }
    }

    public var entries: [Entry]

    public init(entries: [Entry]) {
        self.entries = entries
    }
}
