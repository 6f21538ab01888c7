import Foundation
import GRDB
import Pager2077Wire
import StorageKit
import WireKit

/// One transaction of SQLite.
struct SQLitePagerWriting: SQLitePagerQueries, PagerWriting {
    let transaction: WriteTransaction
    var database: Database { transaction.database }

    func insert(_ user: UserRecord) throws {
        try database.execute(
            sql: """
                INSERT INTO users (hex_code, device_token, display_name, status, last_seen, created_at, updated_at,
                    live_activity_token, is_watched_live, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: user.columns)
    }

    func update(_ user: UserRecord) throws {
        try database.execute(
            sql: """
                UPDATE users SET hex_code = ?, device_token = ?, display_name = ?, status = ?, last_seen = ?, created_at = ?,
                    updated_at = ?, live_activity_token = ?, is_watched_live = ? WHERE id = ?
                """,
            arguments: user.columns)
    }

    func insert(_ request: FriendRequest) throws {
        try database.execute(
            sql: "INSERT INTO friend_requests (id, from_user, to_user, status, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                request.id.rawValue, request.fromUserId.rawValue, request.toUserId.rawValue, request.status.rawValue,
                request.createdAt.milliseconds, request.updatedAt.milliseconds,
            ])
    }

    func update(_ request: FriendRequest) throws {
        try database.execute(
            sql: "UPDATE friend_requests SET status = ?, updated_at = ? WHERE id = ?",
            arguments: [request.status.rawValue, request.updatedAt.milliseconds, request.id.rawValue])
    }

    func befriend(_ a: User.ID, _ b: User.ID, at: Timestamp) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO friendships (user, friend, created_at) VALUES (?1, ?2, ?3), (?2, ?1, ?3)",
            arguments: [a.rawValue, b.rawValue, at.milliseconds])
    }

    func part(_ a: User.ID, _ b: User.ID) throws -> Bool {
        try database.execute(
            sql: "DELETE FROM friendships WHERE (user = ?1 AND friend = ?2) OR (user = ?2 AND friend = ?1)",
            arguments: [a.rawValue, b.rawValue])
        return database.changesCount > 0
    }

    func insert(_ message: Message) throws {
        try database.cachedStatement(
            sql: "INSERT INTO messages (id, pair, sender, recipient, text, is_read, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            message.id.rawValue, pair(message.senderId, message.recipientId), message.senderId.rawValue,
            message.recipientId.rawValue,
            message.text, message.isRead, message.timestamp.milliseconds,
        ])
    }

    func markRead(from sender: User.ID, to reader: User.ID) throws -> Message.ID? {
        let latest = try String.fetchOne(
            database,
            sql: "SELECT id FROM messages WHERE recipient = ? AND sender = ? AND is_read = 0 ORDER BY position DESC LIMIT 1",
            arguments: [reader.rawValue, sender.rawValue])
        guard let latest else { return nil }
        try database.execute(
            sql: "UPDATE messages SET is_read = 1 WHERE recipient = ? AND sender = ? AND is_read = 0",
            arguments: [reader.rawValue, sender.rawValue])
        return Message.ID(latest)
    }

    func setScore(_ score: Int, of user: User.ID, in game: Game, at: Timestamp) throws {
        try database.execute(
            sql: """
                INSERT INTO scores (user, game, score, at) VALUES (?, ?, ?, ?)
                ON CONFLICT (user, game) DO UPDATE SET score = excluded.score, at = excluded.at
                """,
            arguments: [user.rawValue, game.rawValue, score, at.milliseconds])
    }

    func append(_ event: LiveEvent, for user: User.ID, at: Timestamp) throws -> Int64 {
        try transaction.append(try WireJSON.encode(event), to: user.rawValue, at: at.milliseconds)
    }

    func enqueue(_ notification: PagerNotification, for user: User.ID, cause: Int64?, at: Timestamp) throws {
        try transaction.enqueue(
            try WireJSON.encode(notification), for: user.rawValue, urgency: notification.urgency, topic: notification.topic,
            cause: cause,
            at: at.milliseconds)
    }

    func withdrawNotifications(for user: User.ID, causes: ClosedRange<Int64>, at: Timestamp) throws {
        try transaction.withdraw(for: user.rawValue, causes: causes, at: at.milliseconds)
    }

    func once(_ id: String, from sender: User.ID, content: Data, at: Timestamp, perform: () throws -> Data) throws -> Data {
        try transaction.once(id, from: sender.rawValue, content: content, at: at.milliseconds, perform: perform)
    }
}
