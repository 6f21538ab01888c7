public import WireKit

/// One text from one friend to another, as the history shows it.
public struct Message: Codable, Hashable, Sendable, Identifiable {
    public typealias ID = Identifier<Message>

    /// Longest text after trimming, in characters (Unicode scalar values).
    public static let maximumTextLength = 500

    public var id: ID
    public var senderId: User.ID
    public var recipientId: User.ID
    public var text: String
    /// Whether the recipient has fetched it.
    public var isRead: Bool
    /// When the service accepted it.
    public var timestamp: Timestamp
    /// The sender's name, or their hex code when they have none.
    public var senderDisplayName: String

    public init(
        id: ID, senderId: User.ID, recipientId: User.ID, text: String, isRead: Bool, timestamp: Timestamp,
        senderDisplayName: String
    ) {
        self.id = id
        self.senderId = senderId
        self.recipientId = recipientId
        self.text = text
        self.isRead = isRead
        self.timestamp = timestamp
        self.senderDisplayName = senderDisplayName
    }
}

/// `POST /api/messages`.
public struct MessageCreation: Codable, Hashable, Sendable {
    /// Longest ``clientId``, in characters.
    public static let maximumClientIDLength = 64

    public var recipientId: User.ID
    public var text: String
    /// Chosen by the sender, one for each message: sent again with the same id it is still one message.
    public var clientId: String?

    public init(recipientId: User.ID, text: String, clientId: String? = nil) {
        self.recipientId = recipientId
        self.text = text
        self.clientId = clientId
    }
}

/// What sending a message answers; the first answer again when its `clientId` was used before.
public struct MessageReceipt: Codable, Hashable, Sendable {
    public var messageId: Message.ID
    public var timestamp: Timestamp

    public init(messageId: Message.ID, timestamp: Timestamp) {
        self.messageId = messageId
        self.timestamp = timestamp
    }
}

/// `GET /api/messages/:friendId?limit=`: the latest, oldest first.
public struct MessageHistory: Codable, Hashable, Sendable {
    /// How many messages one reply may hold, and holds when not told.
    public static let limits = 1...100
    public static let defaultLimit = 50

    public var messages: [Message]

    public init(messages: [Message]) {
        self.messages = messages
    }
}

/// A friend with unread messages.
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
    /// At least one.
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

/// `GET /api/conversations`: the one with the latest unread message first.
public struct ConversationList: Codable, Hashable, Sendable {
    public var conversations: [Conversation]

    public init(conversations: [Conversation]) {
        self.conversations = conversations
    }
}
