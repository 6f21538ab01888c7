public import WireKit

/// A person with a pager.
public enum User {
    public typealias ID = Identifier<User>

    /// Whether a user says to be there. Says nothing about whether a push is needed; see `Docs/Protocols/Pager2077-Live.md`.
    public enum Status: String, Codable, Hashable, Sendable {
        case online, offline
    }
}

/// What `GET /api/users/me` tells a user of themself.
///
/// Contract: `Docs/Protocols/Pager2077.md`, "Own record". Nobody else is ever shown the two tokens.
public struct OwnUser: Codable, Hashable, Sendable {
    public var id: User.ID
    public var hexCode: HexCode
    @Nullable public var displayName: String?
    public var status: User.Status
    /// When ``status`` last changed.
    public var lastSeen: Timestamp
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    /// What identifies the person at registration: the APNs token of the phone, or a made-up one.
    public var deviceToken: String
    /// The token that starts a Live Activity from afar.
    @Nullable public var liveActivityToken: String?

    public init(
        id: User.ID, hexCode: HexCode, displayName: String?, status: User.Status, lastSeen: Timestamp,
        createdAt: Timestamp, updatedAt: Timestamp, deviceToken: String, liveActivityToken: String?
    ) {
        self.id = id
        self.hexCode = hexCode
        self.displayName = displayName
        self.status = status
        self.lastSeen = lastSeen
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.deviceToken = deviceToken
        self.liveActivityToken = liveActivityToken
    }
}

/// `POST /api/users/register`.
public struct Registration: Codable, Hashable, Sendable {
    /// Longest device token that is taken, in characters. One of APNs has 64 or more.
    public static let maximumTokenLength = 512

    public var deviceToken: String

    public init(deviceToken: String) {
        self.deviceToken = deviceToken
    }
}

/// What registration answers. The same device token gives the same user and a fresh ``token``.
public struct Registered: Codable, Hashable, Sendable {
    public var userId: User.ID
    public var hexCode: HexCode
    /// Bearer token for everything else, valid for seven days.
    public var token: String

    public init(userId: User.ID, hexCode: HexCode, token: String) {
        self.userId = userId
        self.hexCode = hexCode
        self.token = token
    }
}

/// `PUT /api/users/status`.
public struct StatusUpdate: Codable, Hashable, Sendable {
    public var status: User.Status

    public init(status: User.Status) {
        self.status = status
    }
}

/// `PUT /api/users/live-activity-token`. Null when activities are switched off.
public struct LiveActivityTokenUpdate: Codable, Hashable, Sendable {
    @Nullable public var liveActivityToken: String?

    public init(liveActivityToken: String?) {
        self.liveActivityToken = liveActivityToken
    }
}

/// `PUT /api/users/display-name`. For the rule see ``DisplayName``.
public struct DisplayNameUpdate: Codable, Hashable, Sendable {
    public var displayName: String

    public init(displayName: String) {
        self.displayName = displayName
    }
}

/// What a change of name answers.
public struct NamedUser: Codable, Hashable, Sendable {
    public var userId: User.ID
    public var hexCode: HexCode
    @Nullable public var displayName: String?

    public init(userId: User.ID, hexCode: HexCode, displayName: String?) {
        self.userId = userId
        self.hexCode = hexCode
        self.displayName = displayName
    }
}
