package import Pager2077Wire
package import StorageKit
import WireKit

/// Blocks between users, and the marks of messages and requests that are not delivered because of a block.
enum BlockRecords {
    static let migration = Migration(
        "pager-7-blocks",
        script: """
            CREATE TABLE blocks (
                "user" TEXT NOT NULL REFERENCES users,
                blocked TEXT NOT NULL REFERENCES users,
                created_at INTEGER NOT NULL,
                -- The time since which the user seems to be offline to the blocked one.
                seen_at INTEGER NOT NULL,
                PRIMARY KEY ("user", blocked)
            ) WITHOUT ROWID;
            CREATE INDEX blocks_blocked ON blocks (blocked);

            -- True for what a blocked user has sent: the sender sees it as sent, and the recipient never.
            ALTER TABLE messages ADD COLUMN is_dropped INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE friend_requests ADD COLUMN is_dropped INTEGER NOT NULL DEFAULT 0;
            DROP INDEX messages_unread;
            CREATE INDEX messages_unread ON messages (recipient, is_read, is_dropped, sender, position);
            """)
}

extension BlockedUser: RowDecodable {
    package init(row: Row) throws {
        self.init(
            id: try row.get("id"), hexCode: try row.get("hex_code"), displayName: try row.get("display_name"),
            blockedAt: try row.get("blocked_at"))
    }
}

extension ReadTransaction {
    func isBlocked(_ other: User.ID, by user: User.ID) throws -> Bool {
        try exists(#"SELECT 1 FROM blocks WHERE "user" = ? AND blocked = ?"#, user, other)
    }

    func blockCount(of user: User.ID) throws -> Int { try one(#"SELECT COUNT(*) FROM blocks WHERE "user" = ?"#, user) }

    /// Returns the users whom `user` has blocked, latest first.
    func blockedUsers(of user: User.ID) throws -> [BlockedUser] {
        try all(
            """
            SELECT users.id, hex_code, display_name, blocks.created_at AS blocked_at FROM blocks JOIN users ON users.id = blocked
            WHERE blocks."user" = ? ORDER BY blocks.created_at DESC, hex_code
            """, user)
    }

    /// Returns a user as another user sees them: offline since the block, if `user` has blocked `other`.
    func shown(_ user: UserRecord, to other: User.ID) throws -> Friend {
        var shown = user.asFriend
        let seenAt = try first(
            #"SELECT seen_at FROM blocks WHERE "user" = ? AND blocked = ?"#, user.id, other, as: Timestamp.self)
        if let seenAt { (shown.status, shown.lastSeen) = (.offline, seenAt) }
        return shown
    }

    /// True for a notification that the user must not get, because of a block: of the other user now, or when the message or request came.
    func isSilenced(_ notification: PagerNotification, for user: User.ID) throws -> Bool {
        func isBlocked(_ code: HexCode) throws -> Bool {
            try self.user(hexCode: code).map { try self.isBlocked($0.id, by: user) } ?? false
        }
        return switch notification {
        case .message(let message, let sender, _, _): try self.isBlocked(sender, by: user) || isDropped(message)
        case .friendRequest(_, _, let code), .friendAccepted(let code, _), .friendStatus(let code, _): try isBlocked(code)
        }
    }
}

extension WriteTransaction {
    func insertBlock(of other: User.ID, by user: UserRecord, at time: Timestamp) throws {
        try execute(
            #"INSERT INTO blocks ("user", blocked, created_at, seen_at) VALUES (?, ?, ?, ?)"#, user.id, other, time,
            user.status == .online ? time : user.lastSeen)
        // The sender still sees the request as pending.
        try execute(
            "UPDATE friend_requests SET is_dropped = 1 WHERE from_user = ? AND to_user = ? AND status = 'pending'", other, user.id)
    }

    /// - Returns: True if the user had been blocked.
    func removeBlock(of other: User.ID, by user: User.ID) throws -> Bool {
        guard try execute(#"DELETE FROM blocks WHERE "user" = ? AND blocked = ?"#, user, other) > 0 else { return false }
        // A request that was not delivered must not keep its sender from asking again.
        try execute("DELETE FROM friend_requests WHERE from_user = ? AND to_user = ? AND is_dropped = 1", other, user)
        return true
    }
}
