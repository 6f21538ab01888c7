import Pager2077Wire
import PushKit
import StorageKit
import WireKit

/// A user as stored.
struct UserRecord: Hashable, Sendable {
    var id: User.ID
    var hexCode: HexCode
    var deviceToken: String
    var displayName: String?
    var status = User.Status.offline
    var lastSeen: Timestamp
    var createdAt: Timestamp
    var updatedAt: Timestamp
    var liveActivityToken: String?
    /// The time when the app last sent the token; nil for a token from before this time was stored.
    var liveActivityTokenAt: Timestamp?
    /// The time of the last registration with the device token; nil for a registration from before this time was stored.
    var deviceTokenAt: Timestamp?
    /// The time when the push service declared the device token dead; nil for a live token. A new registration revives the token.
    var deviceTokenDiedAt: Timestamp?
    /// The APNs environment of the tokens, confirmed by Apple; nil until the first reply.
    var pushEnvironment: APNSEnvironment?
    /// True from the user's first live socket until the socket is lost and the user is set offline.
    var isWatchedLive = false

    /// The display name, or the hex code of a user without one.
    var shownName: String { displayName ?? hexCode.rawValue }

    var asFriend: Friend {
        Friend(id: id, hexCode: hexCode, displayName: displayName, status: status, lastSeen: lastSeen)
    }

    var asOwnUser: OwnUser {
        OwnUser(
            id: id, hexCode: hexCode, displayName: displayName, status: status, lastSeen: lastSeen, createdAt: createdAt,
            updatedAt: updatedAt, deviceToken: deviceToken, liveActivityToken: liveActivityToken)
    }
}

extension UserRecord: RowDecodable {
    init(row: Row) throws {
        self.init(
            id: try row.get("id"), hexCode: try row.get("hex_code"), deviceToken: try row.get("device_token"),
            displayName: try row.get("display_name"), status: try row.get("status"), lastSeen: try row.get("last_seen"),
            createdAt: try row.get("created_at"), updatedAt: try row.get("updated_at"),
            liveActivityToken: try row.get("live_activity_token"), liveActivityTokenAt: try row.get("live_activity_token_at"),
            deviceTokenAt: try row.get("device_token_at"), deviceTokenDiedAt: try row.get("device_token_died_at"),
            pushEnvironment: try row.get("push_environment"), isWatchedLive: try row.get("is_watched_live"))
    }
}

extension ReadTransaction {
    func user(_ id: User.ID) throws -> UserRecord? { try first("SELECT * FROM users WHERE id = ?", id) }
    func user(hexCode: HexCode) throws -> UserRecord? { try first("SELECT * FROM users WHERE hex_code = ?", hexCode) }
    func user(deviceToken: String) throws -> UserRecord? { try first("SELECT * FROM users WHERE device_token = ?", deviceToken) }

    /// Returns the user that a token names.
    ///
    /// - Throws: ``PagerError`` `USER_NOT_FOUND` when there is no such user any more.
    func caller(_ id: User.ID) throws -> UserRecord {
        if let user = try user(id) { return user }
        throw try isDeleted(id) ? PagerError.accountDeleted : PagerError.userNotFound()
    }
}

extension WriteTransaction {
    /// - Precondition: Hex code and device token are free.
    func insert(_ user: UserRecord) throws {
        try execute(
            """
            INSERT INTO users (id, hex_code, device_token, display_name, status, last_seen, created_at, updated_at,
                live_activity_token, live_activity_token_at, device_token_at, device_token_died_at, push_environment, is_watched_live)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, user.id, user.hexCode, user.deviceToken, user.displayName, user.status, user.lastSeen, user.createdAt,
            user.updatedAt, user.liveActivityToken, user.liveActivityTokenAt, user.deviceTokenAt, user.deviceTokenDiedAt,
            user.pushEnvironment, user.isWatchedLive)
    }

    /// Stores all columns that can change.
    func update(_ user: UserRecord) throws {
        try execute(
            """
            UPDATE users SET display_name = ?, status = ?, last_seen = ?, updated_at = ?, live_activity_token = ?,
                live_activity_token_at = ?, device_token_at = ?, device_token_died_at = ?, push_environment = ?,
                is_watched_live = ? WHERE id = ?
            """, user.displayName, user.status, user.lastSeen, user.updatedAt, user.liveActivityToken, user.liveActivityTokenAt,
            user.deviceTokenAt, user.deviceTokenDiedAt, user.pushEnvironment, user.isWatchedLive, user.id)
    }
}
