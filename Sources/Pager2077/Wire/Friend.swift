public import WireKit

/// A friend of the caller.
public struct Friend: Codable, Hashable, Sendable, Identifiable {
    public var id: User.ID
    public var hexCode: HexCode
    /// The friend's name. Null when the friend has none; show the hex code instead.
    @Nullable public var displayName: String?
    public var status: User.Status
    public var lastSeen: Timestamp

    public init(id: User.ID, hexCode: HexCode, displayName: String?, status: User.Status, lastSeen: Timestamp) {
        self.id = id
        self.hexCode = hexCode
        self.displayName = displayName
        self.status = status
        self.lastSeen = lastSeen
    }
}

/// The reply of `GET /api/friends`, ordered by hex code.
public struct FriendList: Codable, Hashable, Sendable {
    public var friends: [Friend]

    public init(friends: [Friend]) {
        self.friends = friends
    }
}

/// A request of one user to become friends with another.
public struct FriendRequest: Codable, Hashable, Sendable, Identifiable {
    public typealias ID = Identifier<FriendRequest>

    public enum Status: String, Codable, Hashable, Sendable {
        case pending, accepted, rejected
    }

    public var id: ID
    public var fromUserId: User.ID
    public var toUserId: User.ID
    public var status: Status
    public var createdAt: Timestamp
    public var updatedAt: Timestamp

    public init(
        id: ID, fromUserId: User.ID, toUserId: User.ID, status: Status, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.fromUserId = fromUserId
        self.toUserId = toUserId
        self.status = status
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// The body of `POST /api/friends/request`.
public struct FriendRequestCreation: Codable, Hashable, Sendable {
    /// The hex code as typed; the service converts it to upper case.
    public var toHexCode: String

    public init(toHexCode: String) {
        self.toHexCode = toHexCode
    }
}

/// A pending request with its sender. On the wire, the fields of both are members of one object.
public struct PendingFriendRequest: Codable, Hashable, Sendable, Identifiable {
    public var request: FriendRequest
    public var fromUserHexCode: HexCode
    public var fromUserDisplayName: String?

    public var id: FriendRequest.ID { request.id }

    public init(request: FriendRequest, fromUserHexCode: HexCode, fromUserDisplayName: String?) {
        self.request = request
        self.fromUserHexCode = fromUserHexCode
        self.fromUserDisplayName = fromUserDisplayName
    }

    private enum CodingKeys: String, CodingKey {
        case fromUserHexCode, fromUserDisplayName
    }

    public init(from decoder: any Decoder) throws {
        request = try FriendRequest(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        fromUserHexCode = try container.decode(HexCode.self, forKey: .fromUserHexCode)
        fromUserDisplayName = try container.decodeIfPresent(String.self, forKey: .fromUserDisplayName)
    }

    public func encode(to encoder: any Encoder) throws {
        try request.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(fromUserHexCode, forKey: .fromUserHexCode)
        try container.encode(fromUserDisplayName, forKey: .fromUserDisplayName)
    }
}

/// The reply of `GET /api/friends/requests/pending`: the requests to the caller, newest first.
public struct PendingFriendRequests: Codable, Hashable, Sendable {
    public var requests: [PendingFriendRequest]

    public init(requests: [PendingFriendRequest]) {
        self.requests = requests
    }
}

/// The reply to accepting a request: the sender of the request.
public struct AcceptedFriend: Codable, Hashable, Sendable {
    public var friend: Friend

    public init(friend: Friend) {
        self.friend = friend
    }
}
