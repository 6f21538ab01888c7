import Foundation
import GRDB
import Pager2077Wire
import StorageKit
import WireKit

/// The pager's store in one SQLite file.
struct SQLitePagerStore: PagerStore {
    let store: SQLiteStore

    /// - Throws: `StorageError`.
    init(path: String) throws(StorageError) {
        store = try SQLiteStore(path: path, migrations: PagerMigrations.all)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any PagerReading) throws -> Value) async throws -> Value {
        try await store.read { try body(SQLitePagerReading(database: $0)) }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any PagerWriting) throws -> Value) async throws -> Value {
        try await store.write { try body(SQLitePagerWriting(transaction: $0)) }
    }

    func feed(of user: User.ID, after: Int64?) async throws -> (feed: EventFeed, latest: Int64) {
        // The bell first: what is appended between the two lines below is then rung for.
        let rings = store.rings(for: user.rawValue)
        let latest = try await store.latestEvent(of: user.rawValue)
        let feed = EventFeed(after: after ?? latest, rings: rings) { [store] cursor in
            try await store.events(of: user.rawValue, after: cursor, limit: EventFeed.pageSize)
        }
        return (feed, latest)
    }

    func notificationCounts() async throws -> [OutboxState: Int] { try await store.outboxCounts() }

    func waitingNotifications(limit: Int) async throws -> [(recipient: User.ID, notification: PagerNotification)] {
        try await store.outboxEntries(.waiting, limit: limit).map {
            (User.ID($0.recipient), try WireJSON.decode(PagerNotification.self, from: $0.payload))
        }
    }

    func prune(now: Timestamp) async throws { try await store.prune(now: now.milliseconds) }

    func close() { store.close() }
}

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
        try transaction.enqueue(try WireJSON.encode(notification), for: user.rawValue, cause: cause, at: at.milliseconds)
    }

    func withdrawNotifications(for user: User.ID, upTo cause: Int64, at: Timestamp) throws {
        try transaction.withdraw(for: user.rawValue, upTo: cause, at: at.milliseconds)
    }

    func once(_ id: String, from sender: User.ID, content: Data, at: Timestamp, perform: () throws -> Data) throws -> Data {
        try transaction.once(id, from: sender.rawValue, content: content, at: at.milliseconds, perform: perform)
    }
}

// MARK: Rows

/// A row says something that no version of this program has written.
struct CorruptRow: Error {
    var column: String
}

extension Row {
    fileprivate func decode<Value: RawRepresentable>(_ column: String) throws -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: self[column]) else { throw CorruptRow(column: column) }
        return value
    }
}

extension UserRecord {
    fileprivate init(_ row: Row) throws {
        self.init(
            id: User.ID(row["id"]), hexCode: try row.decode("hex_code"), deviceToken: row["device_token"],
            displayName: row["display_name"], status: try row.decode("status"), lastSeen: Timestamp(milliseconds: row["last_seen"]),
            createdAt: Timestamp(milliseconds: row["created_at"]), updatedAt: Timestamp(milliseconds: row["updated_at"]),
            liveActivityToken: row["live_activity_token"], isWatchedLive: row["is_watched_live"])
    }

    /// Everything, the id last.
    fileprivate var columns: StatementArguments {
        [
            hexCode.rawValue, deviceToken, displayName, status.rawValue, lastSeen.milliseconds, createdAt.milliseconds,
            updatedAt.milliseconds, liveActivityToken, isWatchedLive, id.rawValue,
        ]
    }
}

extension FriendRequest {
    fileprivate init(_ row: Row) throws {
        self.init(
            id: FriendRequest.ID(row["id"]), fromUserId: User.ID(row["from_user"]), toUserId: User.ID(row["to_user"]),
            status: try row.decode("status"), createdAt: Timestamp(milliseconds: row["created_at"]),
            updatedAt: Timestamp(milliseconds: row["updated_at"]))
    }
}
