public import WireKit

/// A text from one friend to another, as in the history.
public struct Message: Codable, Hashable, Sendable, Identifiable {
    public typealias ID = Identifier<Message>

    /// Maximum length of a text after trimming, in characters (Unicode scalar values).
    public static let maximumTextLength = 500

    public var id: ID
    public var senderId: User.ID
    public var recipientId: User.ID
    public var text: String
    /// True when the recipient has fetched the message.
    public var isRead: Bool
    /// The time at which the service accepted the message.
    public var timestamp: Timestamp
    /// The sender's name, or the hex code of a sender without a name.
    public var senderDisplayName: String
    /// The delivery state, for the sender; nil while nothing is known.
    public var delivery: MessageDelivery?
    /// The position of the message among all that the service has accepted. Nil from a service that does not send it.
    public var number: Int64?

    public init(
        id: ID, senderId: User.ID, recipientId: User.ID, text: String, isRead: Bool, timestamp: Timestamp,
        senderDisplayName: String, delivery: MessageDelivery? = nil, number: Int64? = nil
    ) {
        self.id = id
        self.senderId = senderId
        self.recipientId = recipientId
        self.text = text
        self.isRead = isRead
        self.timestamp = timestamp
        self.senderDisplayName = senderDisplayName
        self.delivery = delivery
        self.number = number
    }
}

/// The body of `POST /api/messages`.
public struct MessageCreation: Codable, Hashable, Sendable {
    /// Maximum length of ``clientId``, in characters (Unicode scalar values).
    public static let maximumClientIDLength = 64

    public var recipientId: User.ID
    public var text: String
    /// The idempotency key, chosen by the sender: a message sent again with the same key is stored once.
    public var clientId: String?

    public init(recipientId: User.ID, text: String, clientId: String? = nil) {
        self.recipientId = recipientId
        self.text = text
        self.clientId = clientId
    }
}

/// The reply to a sent message; identical for a repeated `clientId`.
public struct MessageReceipt: Codable, Hashable, Sendable {
    public var messageId: Message.ID
    public var timestamp: Timestamp
    /// The number of the stored message: ``Message/number``.
    public var number: Int64?

    public init(messageId: Message.ID, timestamp: Timestamp, number: Int64? = nil) {
        self.messageId = messageId
        self.timestamp = timestamp
        self.number = number
    }
}

/// The reply of `GET /api/messages/:friendId?limit=`: the latest messages, oldest first.
public struct MessageHistory: Codable, Hashable, Sendable {
    /// The allowed values of the query item `limit`.
    public static let limits = 1...100
    public static let defaultLimit = 50

    public var messages: [Message]

    public init(messages: [Message]) {
        self.messages = messages
    }
}

/// The conversation with a friend who has sent unread messages.
public struct Conversation: Codable, Hashable, Sendable, Identifiable {
    /// The latest message in either direction.
    public struct LastMessage: Codable, Hashable, Sendable {
        public var id: Message.ID
        public var senderId: User.ID
        public var text: String
        public var timestamp: Timestamp

        public init(id: Message.ID, senderId: User.ID, text: String, timestamp: Timestamp) {
            self.id = id
            self.senderId = senderId
            self.text = text
            self.timestamp = timestamp
        }
    }

    public var friendId: User.ID
    public var friendHexCode: HexCode
    @Nullable public var friendDisplayName: String?
    /// Count of unread messages, at least 1.
    public var unreadCount: Int
    @Nullable public var lastMessage: LastMessage?

    public var id: User.ID { friendId }

    public init(
        friendId: User.ID, friendHexCode: HexCode, friendDisplayName: String?, unreadCount: Int, lastMessage: LastMessage?
    ) {
        self.friendId = friendId
        self.friendHexCode = friendHexCode
        self.friendDisplayName = friendDisplayName
        self.unreadCount = unreadCount
        self.lastMessage = lastMessage
    }
}

/// The reply of `GET /api/conversations`, ordered by latest unread message, newest first.
public struct ConversationList: Codable, Hashable, Sendable {
    public var conversations: [Conversation]

    public init(conversations: [Conversation]) {
        self.conversations = conversations
    }
}
