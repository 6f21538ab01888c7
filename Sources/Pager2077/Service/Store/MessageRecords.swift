package import Pager2077Wire
package import StorageKit
import WireKit

extension Message: RowDecodable {
    /// Reads a row of `messages`, with the sender's name as `sender_name`.
    package init(row: Row) throws {
        self.init(
            id: try row.get("id"), senderId: try row.get("sender"), recipientId: try row.get("recipient"),
            text: try row.get("text"), isRead: try row.get("is_read"), timestamp: try row.get("at"),
            senderDisplayName: try row.get("sender_name"), delivery: try row.get("delivery"),
            number: try row.get("position"))
    }
}

extension Conversation: RowDecodable {
    package init(row: Row) throws {
        self.init(
            friendId: try row.get("friend"), friendHexCode: try row.get("hex_code"), friendDisplayName: try row.get("display_name"),
            unreadCount: try row.get("count"),
            lastMessage: Conversation.LastMessage(
                id: try row.get("last_id"), senderId: try row.get("last_sender"), text: try row.get("last_text"),
                timestamp: try row.get("last_at")))
    }
}

extension ReadTransaction {
    /// Returns the latest messages of a reader with a friend, oldest first, without those that the reader did not get.
    func messages(of reader: User.ID, with friend: User.ID, limit: Int) throws -> [Message] {
        let messages: [Message] = try all(
            """
            SELECT messages.*, COALESCE(display_name, hex_code) AS sender_name FROM messages JOIN users ON users.id = sender
            WHERE pair = ?1 AND (is_dropped = 0 OR sender = ?2) ORDER BY position DESC LIMIT ?3
            """, pair(reader, friend), reader, limit)
        return messages.reversed().map { message in
            var message = message
            // Only the sender sees the delivery state.
            if message.senderId != reader { message.delivery = nil }
            return message
        }
    }

    /// Returns a message that its recipient has got from a user; nil if there is none.
    func message(_ id: Message.ID, from sender: User.ID, to recipient: User.ID) throws -> (text: String, at: Timestamp)? {
        try first(
            "SELECT text, at FROM messages WHERE id = ? AND sender = ? AND recipient = ? AND is_dropped = 0", id, sender, recipient,
            as: MessageText.self
        ).map { ($0.text, $0.at) }
    }

    /// True for a message that its recipient did not get, because the sender was blocked.
    func isDropped(_ id: Message.ID) throws -> Bool { try exists("SELECT 1 FROM messages WHERE id = ? AND is_dropped = 1", id) }

    /// Returns the count of unread messages from friends whom the user has not blocked.
    func unreadCount(of user: User.ID) throws -> Int {
        try one(
            """
            SELECT COUNT(*) FROM messages JOIN friendships ON "user" = recipient AND friend = sender
            WHERE recipient = ?1 AND is_read = 0 AND is_dropped = 0
                AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocks."user" = ?1 AND blocked = sender)
            """, user)
    }

    /// Returns the conversations with unread messages, the latest unread message first, without users whom the user has blocked.
    func conversations(of user: User.ID) throws -> [Conversation] {
        try all(
            """
            SELECT users.id AS friend, hex_code, display_name, unread.count AS count,
                last.id AS last_id, last.sender AS last_sender, last.text AS last_text, last.at AS last_at
            FROM (SELECT sender, COUNT(*) AS count, MAX(position) AS latest FROM messages
                    WHERE recipient = ?1 AND is_read = 0 AND is_dropped = 0 GROUP BY sender) AS unread
                JOIN friendships ON friendships."user" = ?1 AND friend = unread.sender
                JOIN users ON users.id = unread.sender
                JOIN messages AS last ON last.position =
                    (SELECT MAX(position) FROM messages
                        WHERE pair = CASE WHEN ?1 < unread.sender THEN ?1 || unread.sender ELSE unread.sender || ?1 END
                            AND (is_dropped = 0 OR sender = ?1))
            WHERE NOT EXISTS (SELECT 1 FROM blocks WHERE blocks."user" = ?1 AND blocked = unread.sender)
            ORDER BY unread.latest DESC
            """, user)
    }
}

extension WriteTransaction {
    /// - Parameter event: The number of the message's event in the recipient's log; nil for a message that the recipient does not get.
    /// - Returns: The message's number.
    func insert(_ message: Message, event: Int64?) throws -> Int64 {
        try one(
            """
            INSERT INTO messages (id, pair, sender, recipient, text, is_read, at, is_dropped, event) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            RETURNING position
            """, message.id, pair(message.senderId, message.recipientId), message.senderId, message.recipientId, message.text,
            message.isRead, message.timestamp, event == nil, event)
    }

    /// Marks all messages from one user to another as read.
    ///
    /// - Returns: The latest message that was unread.
    func markRead(from sender: User.ID, to reader: User.ID) throws -> Message.ID? {
        let latest = try first(
            """
            SELECT id FROM messages WHERE recipient = ? AND sender = ? AND is_read = 0 AND is_dropped = 0
            ORDER BY position DESC LIMIT 1
            """, reader, sender, as: Message.ID.self)
        guard let latest else { return nil }
        try execute(
            "UPDATE messages SET is_read = 1, event = NULL WHERE recipient = ? AND sender = ? AND is_read = 0 AND is_dropped = 0",
            reader, sender)
        return latest
    }
}

private struct MessageText: RowDecodable {
    var text: String
    var at: Timestamp

    init(row: Row) throws {
        text = try row.get("text")
        at = try row.get("at")
    }
}

/// Returns the key of the messages between two users, the same in both directions.
private func pair(_ a: User.ID, _ b: User.ID) -> String { min(a.rawValue, b.rawValue) + max(a.rawValue, b.rawValue) }
