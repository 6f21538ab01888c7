import GRDB
import Pager2077Wire
import WireKit

/// A snapshot or a transaction of SQLite that answers questions.
protocol SQLitePagerQueries: PagerReading {
    var database: Database { get }
}

struct SQLitePagerReading: SQLitePagerQueries {
    let database: Database
}

extension SQLitePagerQueries {
    func user(_ id: User.ID) throws -> UserRecord? { try user(where: "id = ?", id.rawValue) }
    func user(hexCode: HexCode) throws -> UserRecord? { try user(where: "hex_code = ?", hexCode.rawValue) }
    func user(deviceToken: String) throws -> UserRecord? { try user(where: "device_token = ?", deviceToken) }

    private func user(where condition: String, _ value: String) throws -> UserRecord? {
        try Row.fetchOne(database.cachedStatement(sql: "SELECT * FROM users WHERE \(condition)"), arguments: [value])
            .map(UserRecord.init)
    }

    func usersWatchedLive() throws -> [User.ID] {
        try String.fetchAll(database, sql: "SELECT id FROM users WHERE is_watched_live = 1 AND status = 'online'").map {
            User.ID($0)
        }
    }

    func areFriends(_ a: User.ID, _ b: User.ID) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM friendships WHERE user = ? AND friend = ?)"),
            arguments: [a.rawValue, b.rawValue])!
    }

    func friends(of user: User.ID) throws -> [UserRecord] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT users.* FROM friendships JOIN users ON users.id = friend WHERE user = ? ORDER BY hex_code"),
            arguments: [user.rawValue]
        ).map(UserRecord.init)
    }

    func friendCount(of user: User.ID) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT COUNT(*) FROM friendships WHERE user = ?"), arguments: [user.rawValue])!
    }

    func pendingRequestCount(to user: User.ID) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT COUNT(*) FROM friend_requests WHERE to_user = ? AND status = 'pending'"),
            arguments: [user.rawValue])!
    }

    func friendRequest(_ id: FriendRequest.ID) throws -> FriendRequest? {
        try Row.fetchOne(database, sql: "SELECT * FROM friend_requests WHERE id = ?", arguments: [id.rawValue]).map(
            FriendRequest.init)
    }

    func pendingRequest(from: User.ID, to: User.ID) throws -> FriendRequest? {
        try Row.fetchOne(
            database, sql: "SELECT * FROM friend_requests WHERE from_user = ? AND to_user = ? AND status = 'pending'",
            arguments: [from.rawValue, to.rawValue]
        ).map(FriendRequest.init)
    }

    func pendingRequests(to user: User.ID) throws -> [PendingFriendRequest] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT friend_requests.*, hex_code, display_name FROM friend_requests JOIN users ON users.id = from_user
                WHERE to_user = ? AND friend_requests.status = 'pending' ORDER BY position DESC
                """,
            arguments: [user.rawValue]
        ).map { row in
            PendingFriendRequest(
                request: try FriendRequest(row), fromUserHexCode: try row.decode("hex_code"),
                fromUserDisplayName: row["display_name"])
        }
    }

    func messages(between a: User.ID, and b: User.ID, limit: Int) throws -> [Message] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT messages.*, COALESCE(display_name, hex_code) AS sender_name FROM messages JOIN users ON users.id = sender
                WHERE pair = ? ORDER BY position DESC LIMIT ?
                """,
            arguments: [pair(a, b), limit]
        ).reversed().map { row in
            Message(
                id: Message.ID(row["id"]), senderId: User.ID(row["sender"]), recipientId: User.ID(row["recipient"]),
                text: row["text"],
                isRead: row["is_read"], timestamp: Timestamp(milliseconds: row["at"]), senderDisplayName: row["sender_name"])
        }
    }

    func conversations(of user: User.ID) throws -> [Conversation] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT users.id AS friend, hex_code, display_name, unread.count AS count,
                    last.id AS last_id, last.sender AS last_sender, last.text AS last_text, last.at AS last_at
                FROM (SELECT sender, COUNT(*) AS count, MAX(position) AS latest FROM messages
                        WHERE recipient = ?1 AND is_read = 0 GROUP BY sender) AS unread
                    JOIN friendships ON friendships.user = ?1 AND friend = unread.sender
                    JOIN users ON users.id = unread.sender
                    JOIN messages AS last ON last.position =
                        (SELECT MAX(position) FROM messages WHERE pair = MIN(?1, unread.sender) || MAX(?1, unread.sender))
                ORDER BY unread.latest DESC
                """,
            arguments: [user.rawValue]
        ).map { row in
            Conversation(
                friendId: User.ID(row["friend"]), friendHexCode: try row.decode("hex_code"), friendDisplayName: row["display_name"],
                unreadCount: row["count"],
                lastMessage: Conversation.LastMessage(
                    id: Message.ID(row["last_id"]), senderId: User.ID(row["last_sender"]), text: row["last_text"],
                    timestamp: Timestamp(milliseconds: row["last_at"])))
        }
    }

    func score(of user: User.ID, in game: Game) throws -> (score: Int, at: Timestamp)? {
        try Row.fetchOne(
            database, sql: "SELECT score, at FROM scores WHERE user = ? AND game = ?", arguments: [user.rawValue, game.rawValue]
        ).map { ($0["score"], Timestamp(milliseconds: $0["at"])) }
    }

    func leaderboard(of user: User.ID, in game: Game) throws -> [Leaderboard.Entry] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT users.id, display_name, hex_code, score, at FROM scores JOIN users ON users.id = scores.user
                WHERE game = ?1 AND (scores.user = ?2 OR scores.user IN (SELECT friend FROM friendships WHERE user = ?2))
                ORDER BY score DESC, at, hex_code
                """,
            arguments: [game.rawValue, user.rawValue]
        ).map { row in
            Leaderboard.Entry(
                userId: User.ID(row["id"]), displayName: row["display_name"], hexCode: try row.decode("hex_code"),
                score: row["score"],
                updatedAt: Timestamp(milliseconds: row["at"]))
        }
    }

    /// Both users, in an order that does not depend on who writes to whom.
    func pair(_ a: User.ID, _ b: User.ID) -> String { min(a.rawValue, b.rawValue) + max(a.rawValue, b.rawValue) }
}
