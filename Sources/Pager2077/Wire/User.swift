public import WireKit

/// The user of a pager.
public enum User {
    public typealias ID = Identifier<User>

    /// The status that a user chose. Not used to decide about push notifications; see `Docs/Protocols/Pager2077-Live.md`.
    public enum Status: String, Codable, Hashable, Sendable {
        case online, offline
    }
}

/// The reply of `GET /api/users/me`: the caller's own record.
///
/// Contract: `Docs/Protocols/Pager2077.md`, "Own record". The two tokens are never sent to another user.
public struct OwnUser: Codable, Hashable, Sendable {
    public var id: User.ID
    public var hexCode: HexCode
    @Nullable public var displayName: String?
    public var status: User.Status
    /// The time of the last change of ``status``.
    public var lastSeen: Timestamp
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    /// The token that identifies the user at registration: the phone's APNs token, or a generated one.
    public var deviceToken: String
    /// The token that starts a Live Activity remotely.
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

/// The body of `POST /api/users/register`.
public struct Registration: Codable, Hashable, Sendable {
    /// Maximum length of a device token, in characters. APNs tokens have 64 or more.
    public static let maximumTokenLength = 512

    public var deviceToken: String

    public init(deviceToken: String) {
        self.deviceToken = deviceToken
    }
}

/// The reply to a registration. The same device token always returns the same user, with a new ``token``.
public struct Registered: Codable, Hashable, Sendable {
    public var userId: User.ID
    public var hexCode: HexCode
    /// The bearer token for all other calls, valid for seven days.
    public var token: String

    public init(userId: User.ID, hexCode: HexCode, token: String) {
        self.userId = userId
        self.hexCode = hexCode
        self.token = token
    }
}

/// The body of `POST /api/users/me/deletion`.
public struct AccountDeletion: Codable, Hashable, Sendable {
    /// The caller's own code as typed: the confirmation that this account is meant.
    public var hexCode: String

    public init(hexCode: String) {
        self.hexCode = hexCode
    }
}

/// The body of `PUT /api/users/status`.
public struct StatusUpdate: Codable, Hashable, Sendable {
    public var status: User.Status

    public init(status: User.Status) {
        self.status = status
    }
}

/// The body of `PUT /api/users/live-activity-token`. Null turns Live Activities off.
public struct LiveActivityTokenUpdate: Codable, Hashable, Sendable {
    @Nullable public var liveActivityToken: String?
    /// The phone that the token belongs to; nil for the phone that registered.
    public var deviceId: PushDevice.ID?

    public init(liveActivityToken: String?, deviceId: PushDevice.ID? = nil) {
        self.liveActivityToken = liveActivityToken
        self.deviceId = deviceId
    }
}

/// The body of `PUT /api/users/display-name`. For the rule see ``DisplayName``.
public struct DisplayNameUpdate: Codable, Hashable, Sendable {
    public var displayName: String

    public init(displayName: String) {
        self.displayName = displayName
    }
}

/// The reply to a change of the name.
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
