public import WireKit

/// A user whom the caller has blocked.
public struct BlockedUser: Codable, Hashable, Sendable, Identifiable {
    public var id: User.ID
    public var hexCode: HexCode
    @Nullable public var displayName: String?
    public var blockedAt: Timestamp

    public init(id: User.ID, hexCode: HexCode, displayName: String?, blockedAt: Timestamp) {
        self.id = id
        self.hexCode = hexCode
        self.displayName = displayName
        self.blockedAt = blockedAt
    }
}

/// The reply of `GET /api/blocks`, latest first.
public struct BlockList: Codable, Hashable, Sendable {
    public var users: [BlockedUser]

    public init(users: [BlockedUser]) {
        self.users = users
    }
}

/// The reason for which a user reports another one.
public enum ReportReason: String, Codable, Hashable, Sendable, CaseIterable {
    case spam, harassment, threat, sexual, impersonation, other
}

/// The body of `POST /api/reports`.
public struct ReportCreation: Codable, Hashable, Sendable {
    /// The user who is reported.
    public var userId: User.ID
    /// The reported message, sent by that user to the caller; nil to report the user as such.
    public var messageId: Message.ID?
    public var reason: ReportReason
    /// True to block the user in the same step.
    public var blocks: Bool

    public init(userId: User.ID, messageId: Message.ID? = nil, reason: ReportReason, blocks: Bool = false) {
        self.userId = userId
        self.messageId = messageId
        self.reason = reason
        self.blocks = blocks
    }
}

/// The reply of `GET /api/operator`.
public struct ServiceOperator: Codable, Hashable, Sendable {
    /// The address by which users reach the operator, `mailto:` or `https:`. Null if the operator has set none.
    @Nullable public var contact: String?

    public init(contact: String?) {
        self.contact = contact
    }
}
