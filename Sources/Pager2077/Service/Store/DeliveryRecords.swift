import Pager2077Wire
import StorageKit

/// The state of a sent message: the columns `delivery` and `event` of `messages`.
enum DeliveryRecords {
    static let migration = Migration(
        "pager-delivery-1",
        script: """
            ALTER TABLE messages ADD COLUMN delivery TEXT;
            -- The number of the message's event in the recipient's log. NULL once the message was shown or read.
            ALTER TABLE messages ADD COLUMN event INTEGER;
            CREATE INDEX messages_not_shown ON messages (recipient, event) WHERE event IS NOT NULL;
            """)
}

/// A message whose state may still change.
struct UnreadMessage: RowDecodable {
    var id: Message.ID
    var senderId: User.ID
    var recipientId: User.ID
    var delivery: MessageDelivery?

    init(row: Row) throws {
        id = try row.get("id")
        senderId = try row.get("sender")
        recipientId = try row.get("recipient")
        delivery = try row.get("delivery")
    }
}

extension ReadTransaction {
    /// - Returns: Nil for a message that was read, or does not exist.
    func unreadMessage(_ id: Message.ID) throws -> UnreadMessage? {
        try first("SELECT id, sender, recipient, delivery FROM messages WHERE id = ? AND is_read = 0", id)
    }

    /// Returns the messages to a user that are neither shown nor read, by the numbers of their events.
    func messagesNotShown(to recipient: User.ID, events: ClosedRange<Int64>) throws -> [UnreadMessage] {
        try all(
            """
            SELECT id, sender, recipient, delivery FROM messages WHERE recipient = ? AND event >= ? AND event <= ? ORDER BY event
            """, recipient, events.lowerBound, events.upperBound)
    }
}

extension WriteTransaction {
    func store(_ delivery: MessageDelivery, of message: Message.ID) throws {
        switch delivery {
        case .unreachable, .failed, .accepted:
            try execute("UPDATE messages SET delivery = ? WHERE id = ?", delivery, message)
        case .shown, .opened:
            try execute("UPDATE messages SET delivery = ?, event = NULL WHERE id = ?", delivery, message)
        }
    }
}
