package import Pager2077Wire
package import StorageKit
import WireKit

extension FriendRequest: RowDecodable {
    package init(row: Row) throws {
        self.init(
            id: try row.get("id"), fromUserId: try row.get("from_user"), toUserId: try row.get("to_user"),
            status: try row.get("status"), createdAt: try row.get("created_at"), updatedAt: try row.get("updated_at"))
    }
}

extension Friend: RowDecodable {
    package init(row: Row) throws {
        self.init(
            id: try row.get("id"), hexCode: try row.get("hex_code"), displayName: try row.get("display_name"),
            status: try row.get("status"), lastSeen: try row.get("last_seen"))
    }
}

extension PendingFriendRequest: RowDecodable {
    package init(row: Row) throws {
        self.init(
            request: try FriendRequest(row: row), fromUserHexCode: try row.get("hex_code"),
            fromUserDisplayName: try row.get("display_name"))
    }
}

// `user` is a reserved word of PostgreSQL: the column's name stands in quotes.

extension ReadTransaction {
    func areFriends(_ a: User.ID, _ b: User.ID) throws -> Bool {
        try exists(#"SELECT 1 FROM friendships WHERE "user" = ? AND friend = ?"#, a, b)
    }

    func relation(of a: User.ID, to b: User.ID) throws -> Relation {
        try one(
            """
            SELECT EXISTS (SELECT 1 FROM friendships WHERE "user" = ?1 AND friend = ?2) AS are_friends,
                EXISTS (SELECT 1 FROM blocks WHERE "user" = ?1 AND blocked = ?2) AS has_blocked,
                EXISTS (SELECT 1 FROM blocks WHERE "user" = ?2 AND blocked = ?1) AS is_blocked
            """, a, b)
    }

    /// Returns the friends as a user sees them, ordered by hex code, without those whom the user has blocked. Friends who have
    /// blocked the user appear to be offline since then.
    func friends(shownTo user: User.ID) throws -> [Friend] {
        try all(
            """
            SELECT users.id, hex_code, display_name, CASE WHEN seen_at IS NULL THEN status ELSE 'offline' END AS status,
                COALESCE(seen_at, last_seen) AS last_seen
            FROM friendships JOIN users ON users.id = friend
                LEFT JOIN blocks ON blocks."user" = friend AND blocked = friendships."user"
            WHERE friendships."user" = ?1
                AND NOT EXISTS (SELECT 1 FROM blocks AS own WHERE own."user" = ?1 AND own.blocked = friend)
            ORDER BY hex_code
            """, user)
    }

    /// Returns the friends who are notified of a user's status: those whom the user has not blocked.
    func friends(notifiedBy user: User.ID) throws -> [UserRecord] {
        try all(
            """
            SELECT users.* FROM friendships JOIN users ON users.id = friend WHERE friendships."user" = ?1
                AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocks."user" = ?1 AND blocked = friend) ORDER BY hex_code
            """, user)
    }

    func friendIDs(of user: User.ID) throws -> [User.ID] {
        try all(#"SELECT friend FROM friendships WHERE "user" = ?"#, user)
    }

    func friendCount(of user: User.ID) throws -> Int {
        try one(#"SELECT COUNT(*) FROM friendships WHERE "user" = ?"#, user)
    }

    /// - Returns: Nil also for a request of a blocked user.
    func friendRequest(_ id: FriendRequest.ID) throws -> FriendRequest? {
        try first("SELECT * FROM friend_requests WHERE id = ? AND is_dropped = 0", id)
    }

    func pendingRequest(from: User.ID, to: User.ID) throws -> FriendRequest? {
        try first("SELECT * FROM friend_requests WHERE from_user = ? AND to_user = ? AND status = 'pending'", from, to)
    }

    func pendingRequestCount(to user: User.ID) throws -> Int {
        try one("SELECT COUNT(*) FROM friend_requests WHERE to_user = ? AND status = 'pending' AND is_dropped = 0", user)
    }

    /// Returns the pending requests of a user that their recipients can see.
    func pendingRequests(from user: User.ID) throws -> [FriendRequest] {
        try all("SELECT * FROM friend_requests WHERE from_user = ? AND status = 'pending' AND is_dropped = 0", user)
    }

    /// Returns the pending requests to a user, newest first.
    func pendingRequests(to user: User.ID) throws -> [PendingFriendRequest] {
        try all(
            """
            SELECT friend_requests.*, hex_code, display_name FROM friend_requests JOIN users ON users.id = from_user
            WHERE to_user = ? AND friend_requests.status = 'pending' AND is_dropped = 0 ORDER BY position DESC
            """, user)
    }
}

extension WriteTransaction {
    /// - Parameter isDropped: True for a request that its recipient does not get.
    func insert(_ request: FriendRequest, isDropped: Bool = false) throws {
        try execute(
            """
            INSERT INTO friend_requests (id, from_user, to_user, status, created_at, updated_at, is_dropped)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, request.id, request.fromUserId, request.toUserId, request.status, request.createdAt, request.updatedAt, isDropped)
    }

    func update(_ request: FriendRequest) throws {
        try execute(
            "UPDATE friend_requests SET status = ?, updated_at = ? WHERE id = ?", request.status, request.updatedAt, request.id)
        try dropAnsweredRequests(to: request.toUserId)
    }

    func befriend(_ a: User.ID, _ b: User.ID, at time: Timestamp) throws {
        try execute(
            """
            INSERT INTO friendships ("user", friend, created_at) VALUES (?1, ?2, ?3), (?2, ?1, ?3) ON CONFLICT DO NOTHING
            """, a, b, time)
    }

    /// - Returns: True if the two users were friends.
    func unfriend(_ a: User.ID, _ b: User.ID) throws -> Bool {
        try execute(
            """
            DELETE FROM friendships WHERE ("user" = ?1 AND friend = ?2) OR ("user" = ?2 AND friend = ?1)
            """, a, b) > 0
    }
}

/// The relation of one user to another.
struct Relation: RowDecodable {
    var areFriends: Bool
    /// True if the one has blocked the other.
    var hasBlocked: Bool
    /// True if the other has blocked the one.
    var isBlocked: Bool

    init(row: Row) throws {
        (areFriends, hasBlocked, isBlocked) = (try row.get("are_friends"), try row.get("has_blocked"), try row.get("is_blocked"))
    }
}
