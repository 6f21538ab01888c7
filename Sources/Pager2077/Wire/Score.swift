public import WireKit

/// The pager's games.
public enum Game: String, Codable, Hashable, Sendable, CaseIterable {
    case snake, tetris
}

/// `POST /api/scores`.
public struct ScoreSubmission: Codable, Hashable, Sendable {
    public var game: Game
    /// Zero or more.
    public var score: Int

    public init(game: Game, score: Int) {
        self.game = game
        self.score = score
    }
}

/// What submitting a score answers: the best one that is kept.
public struct ScoreResult: Codable, Hashable, Sendable {
    /// Whether this was better than all before. An equal score is no update.
    public var updated: Bool
    public var score: Int
    public var updatedAt: Timestamp

    public init(updated: Bool, score: Int, updatedAt: Timestamp) {
        self.updated = updated
        self.score = score
        self.updatedAt = updatedAt
    }
}

/// `GET /api/leaderboard/:game`: the caller and their friends, best first.
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
