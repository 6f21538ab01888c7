public import WireKit

/// An event of a user's log, delivered by `GET /api/live`.
///
/// Encoded with `seq`, `at` and `type` as one flat object. Events report the actions of others. Replies report the user's own
/// actions, except for ``block(userId:isBlocked:)``, which all phones follow. Source: `Docs/Protocols/Pager2077-Live.md`.
public enum LiveEvent: Hashable, Sendable {
    /// A friend has sent a message.
    case message(Message)
    /// Another user has sent a friend request.
    case friendRequest(PendingFriendRequest)
    /// Another user has accepted the user's request and is a friend now.
    case friendAccepted(Friend)
    /// A request to the user does not exist any more, because its sender's account was deleted.
    case requestWithdrawn(requestId: FriendRequest.ID)
    /// A friend has ended the friendship, or the friend's account was deleted.
    case friendRemoved(friendId: User.ID, isAccountDeleted: Bool = false)
    /// A friend has come online or gone offline.
    case friendStatus(friendId: User.ID, status: User.Status, lastSeen: Timestamp)
    /// A friend has read all of the user's messages up to and including `upTo`.
    case read(friendId: User.ID, upTo: Message.ID)
    /// The state of a message that the user has sent to a friend.
    case delivery(friendId: User.ID, messageId: Message.ID, MessageDelivery)
    /// The user has blocked another user or ended a block, perhaps on another phone.
    case block(userId: User.ID, isBlocked: Bool)
}

extension LiveEvent: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, message, request, requestId, friend, friendId, isAccountDeleted, status, lastSeen, upTo, messageId, state, userId
        case isBlocked
    }

    private enum Kind: String, Codable {
        case message, friendRequest, friendAccepted, requestWithdrawn, friendRemoved, friendStatus, read, delivery, block
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Kind.self, forKey: .type) {
        case .message: self = .message(try container.decode(Message.self, forKey: .message))
        case .friendRequest: self = .friendRequest(try container.decode(PendingFriendRequest.self, forKey: .request))
        case .friendAccepted: self = .friendAccepted(try container.decode(Friend.self, forKey: .friend))
        case .requestWithdrawn:
            self = .requestWithdrawn(requestId: try container.decode(FriendRequest.ID.self, forKey: .requestId))
        case .friendRemoved:
            self = .friendRemoved(
                friendId: try container.decode(User.ID.self, forKey: .friendId),
                isAccountDeleted: try container.decodeIfPresent(Bool.self, forKey: .isAccountDeleted) ?? false)
        case .friendStatus:
            self = .friendStatus(
                friendId: try container.decode(User.ID.self, forKey: .friendId),
                status: try container.decode(User.Status.self, forKey: .status),
                lastSeen: try container.decode(Timestamp.self, forKey: .lastSeen))
        case .read:
            self = .read(
                friendId: try container.decode(User.ID.self, forKey: .friendId),
                upTo: try container.decode(Message.ID.self, forKey: .upTo))
        case .delivery:
            self = .delivery(
                friendId: try container.decode(User.ID.self, forKey: .friendId),
                messageId: try container.decode(Message.ID.self, forKey: .messageId),
                try container.decode(MessageDelivery.self, forKey: .state))
        case .block:
            self = .block(
                userId: try container.decode(User.ID.self, forKey: .userId),
                isBlocked: try container.decode(Bool.self, forKey: .isBlocked))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .message(let message):
            try container.encode(Kind.message, forKey: .type)
            try container.encode(message, forKey: .message)
        case .friendRequest(let request):
            try container.encode(Kind.friendRequest, forKey: .type)
            try container.encode(request, forKey: .request)
        case .friendAccepted(let friend):
            try container.encode(Kind.friendAccepted, forKey: .type)
            try container.encode(friend, forKey: .friend)
        case .requestWithdrawn(let requestId):
            try container.encode(Kind.requestWithdrawn, forKey: .type)
            try container.encode(requestId, forKey: .requestId)
        case .friendRemoved(let friendId, let isAccountDeleted):
            try container.encode(Kind.friendRemoved, forKey: .type)
            try container.encode(friendId, forKey: .friendId)
            if isAccountDeleted { try container.encode(true, forKey: .isAccountDeleted) }
        case .friendStatus(let friendId, let status, let lastSeen):
            try container.encode(Kind.friendStatus, forKey: .type)
            try container.encode(friendId, forKey: .friendId)
            try container.encode(status, forKey: .status)
            try container.encode(lastSeen, forKey: .lastSeen)
        case .read(let friendId, let upTo):
            try container.encode(Kind.read, forKey: .type)
            try container.encode(friendId, forKey: .friendId)
            try container.encode(upTo, forKey: .upTo)
        case .delivery(let friendId, let messageId, let state):
            try container.encode(Kind.delivery, forKey: .type)
            try container.encode(friendId, forKey: .friendId)
            try container.encode(messageId, forKey: .messageId)
            try container.encode(state, forKey: .state)
        case .block(let userId, let isBlocked):
            try container.encode(Kind.block, forKey: .type)
            try container.encode(userId, forKey: .userId)
            try container.encode(isBlocked, forKey: .isBlocked)
        }
    }
}

/// A message from the service on the live socket, one JSON object per text frame.
public enum LiveServerMessage: Hashable, Sendable {
    /// The first message: the sequence number of the user's latest event. The requested events follow.
    case hello(seq: Int64)
    /// One event. Sequence numbers start at 1 and have no gaps, per user.
    case event(seq: Int64, at: Timestamp, LiveEvent)
    /// The log no longer contains the events after the client's `after`: fetch everything again and continue from `seq`.
    case reset(seq: Int64)
    /// The client's message was invalid; the socket stays open.
    case error(message: String)
    /// A message of a type that this version does not know. Its sequence number counts.
    case unknown(seq: Int64?)
}

extension LiveServerMessage: Codable {
    private enum CodingKeys: String, CodingKey { case type, seq, at, message }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(String.self, forKey: .type) {
        case "error": self = .error(message: try container.decode(String.self, forKey: .message))
        case "hello": self = .hello(seq: try container.decode(Int64.self, forKey: .seq))
        case "reset": self = .reset(seq: try container.decode(Int64.self, forKey: .seq))
        default:
            guard let event = try? LiveEvent(from: decoder) else {
                self = .unknown(seq: try container.decodeIfPresent(Int64.self, forKey: .seq))
                return
            }
            self = .event(
                seq: try container.decode(Int64.self, forKey: .seq),
                at: try container.decode(Timestamp.self, forKey: .at), event)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .hello(let seq):
            try container.encode("hello", forKey: .type)
            try container.encode(seq, forKey: .seq)
        case .reset(let seq):
            try container.encode("reset", forKey: .type)
            try container.encode(seq, forKey: .seq)
        case .error(let message):
            try container.encode("error", forKey: .type)
            try container.encode(message, forKey: .message)
        case .event(let seq, let at, let event):
            try event.encode(to: encoder)
            try container.encode(seq, forKey: .seq)
            try container.encode(at, forKey: .at)
        case .unknown(let seq):
            try container.encode("unknown", forKey: .type)
            try container.encodeIfPresent(seq, forKey: .seq)
        }
    }
}

/// A message from the client on the live socket, one JSON object per text frame.
public enum LiveClientMessage: Hashable, Sendable {
    /// Acknowledges all events up to `seq`.
    case ack(seq: Int64)
    /// Reports the app's presence in the foreground. True expires after 45 s; repeat it every 30 s.
    case presence(foreground: Bool)
}

extension LiveClientMessage: Codable {
    private enum CodingKeys: String, CodingKey { case type, seq, foreground }
    private enum Kind: String, Codable { case ack, presence }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Kind.self, forKey: .type) {
        case .ack: self = .ack(seq: try container.decode(Int64.self, forKey: .seq))
        case .presence: self = .presence(foreground: try container.decode(Bool.self, forKey: .foreground))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .ack(let seq):
            try container.encode(Kind.ack, forKey: .type)
            try container.encode(seq, forKey: .seq)
        case .presence(let foreground):
            try container.encode(Kind.presence, forKey: .type)
            try container.encode(foreground, forKey: .foreground)
        }
    }
}
