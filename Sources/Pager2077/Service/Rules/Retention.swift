import Pager2077Wire
import StorageKit
import WireKit

/// The limits of the stored data, and the order of its removal.
///
/// | data | kept | removed first |
/// | --- | --- | --- |
/// | messages | ``messageAge``, ``messagesPerUser`` sent by one user, ``messages`` in all | the oldest; in a full service those of a sender with more than the average |
/// | accounts | ``users`` | never used: after a day. Without friends, requests, messages and scores: when not seen for ``unusedAge``. Others stay; a full service refuses new ones |
/// | answered friend requests | ``answeredRequests`` to one user | the oldest |
struct Retention: Hashable, Sendable {
    var messageAge: Duration = .seconds(365 * 86_400)
    var messagesPerUser = 10_000
    var messages = 1_000_000
    var users = 100_000
    var unusedAge: Duration = .seconds(30 * 86_400)

    static let answeredRequests = 100
    /// Maximum time from the registration of an account to its first use.
    static let firstUseTime: Duration = .seconds(86_400)
    /// Maximum rows that one transaction removes.
    fileprivate static let batch = 1000

    /// Removes expired messages and unused accounts. Called periodically.
    func prune(_ store: Database, now: Timestamp) async throws {
        while try await store.write({ try $0.removeMessages(before: now - messageAge) }) {}
        while try await store.write({ try $0.removeUnusedAccounts(unusedAge, at: now) }) {}
    }
}

extension ReadTransaction {
    /// Returns the count of all rows of a table whose count is stored.
    func total(_ table: String) throws -> Int { try one("SELECT count FROM totals WHERE name = ?", table) }
}

extension WriteTransaction {
    /// Makes room for a message that `sender` has just sent.
    func dropExcessMessages(of sender: User.ID, _ retention: Retention) throws {
        let counts = try one(
            """
            SELECT sent_messages, (SELECT count FROM totals WHERE name = 'messages') AS messages FROM users WHERE id = ?
            """, sender, as: MessageCounts.self)
        if counts.sent > retention.messagesPerUser {
            try removeOldestMessages(counts.sent - retention.messagesPerUser, of: sender)
        } else if counts.all > retention.messages {
            let average = retention.messages / max(1, try total("users"))
            try removeOldestMessages(counts.all - retention.messages, of: counts.sent > average ? sender : nil)
        }
    }

    /// - Parameter sender: The sender of the messages; nil for all senders.
    private func removeOldestMessages(_ count: Int, of sender: User.ID?) throws {
        let limit = min(count, Retention.batch)
        if let sender {
            try execute(
                "DELETE FROM messages WHERE position IN (SELECT position FROM messages WHERE sender = ? ORDER BY position LIMIT ?)",
                sender, limit)
        } else {
            try execute(
                "DELETE FROM messages WHERE position IN (SELECT position FROM messages ORDER BY position LIMIT ?)", limit)
        }
    }

    /// - Returns: True if there may be more.
    fileprivate func removeMessages(before time: Timestamp) throws -> Bool {
        try execute(
            "DELETE FROM messages WHERE position IN (SELECT position FROM messages WHERE at < ? LIMIT ?)", time, Retention.batch)
            == Retention.batch
    }

    /// - Returns: True if there may be more.
    fileprivate func removeUnusedAccounts(_ unusedAge: Duration, at time: Timestamp) throws -> Bool {
        let unused: [UserRecord] = try all(
            """
            SELECT * FROM users WHERE (status = 'offline' OR is_watched_live = 0) AND sent_messages = 0 AND received_messages = 0
                AND (last_seen < ?1 AND updated_at < ?1 AND COALESCE(device_token_at, 0) < ?1
                    OR created_at < ?2 AND updated_at = created_at AND COALESCE(device_token_at, created_at) = created_at
                        AND is_watched_live = 0 AND NOT EXISTS (SELECT 1 FROM devices WHERE devices."user" = users.id))
                AND NOT EXISTS (SELECT 1 FROM friendships WHERE friendships."user" = users.id)
                AND NOT EXISTS (SELECT 1 FROM friend_requests WHERE to_user = users.id)
                AND NOT EXISTS (SELECT 1 FROM friend_requests WHERE from_user = users.id)
                AND NOT EXISTS (SELECT 1 FROM scores WHERE scores."user" = users.id)
            LIMIT ?3
            """, time - unusedAge, time - Retention.firstUseTime, Retention.batch)
        for user in unused { try erase(user) }
        return unused.count == Retention.batch
    }

    /// Removes the oldest answered requests to a user.
    func dropAnsweredRequests(to user: User.ID) throws {
        try execute(
            """
            DELETE FROM friend_requests WHERE to_user = ?1 AND status <> 'pending' AND position <= (
                SELECT position FROM friend_requests WHERE to_user = ?1 AND status <> 'pending' ORDER BY position DESC LIMIT 1 OFFSET ?2)
            """, user, Retention.answeredRequests)
    }
}

/// The stored messages of one sender, and of all.
private struct MessageCounts: RowDecodable {
    var sent: Int
    var all: Int

    init(row: Row) throws { (sent, all) = (try row.get("sent_messages"), try row.get("messages")) }
}
