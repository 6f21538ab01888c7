public import WireKit

/// The envelope of a successful reply: `{"success":true,"data":…}`.
public struct Success<Data: Sendable>: Sendable {
    public var data: Data

    public init(data: Data) {
        self.data = data
    }

    private enum CodingKeys: String, CodingKey { case success, data }
}

extension Success: Encodable where Data: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(true, forKey: .success)
        try container.encode(data, forKey: .data)
    }
}

extension Success: Decodable where Data: Decodable {
    public init(from decoder: any Decoder) throws {
        data = try decoder.container(keyedBy: CodingKeys.self).decode(Data.self, forKey: .data)
    }
}

/// The envelope of a failure: `{"success":false,"error":{"code":…,"message":…}}`.
public struct Failure: Codable, Hashable, Sendable {
    public struct Reason: Codable, Hashable, Sendable {
        /// An ``ErrorCode``, or a code that this version does not know.
        public var code: String
        /// A message for developers. The app chooses its own texts by the code.
        public var message: String
        public var details: JSONValue?

        public init(code: String, message: String, details: JSONValue? = nil) {
            self.code = code
            self.message = message
            self.details = details
        }
    }

    public var success = false
    public var error: Reason

    public init(_ error: Reason) {
        self.error = error
    }
}

extension Failure.Reason {
    private static let deletedKey = "isDeleted"
    /// The details of `USER_NOT_FOUND` for the token of an account that was deleted.
    public static let deletedAccount = JSONValue.object([deletedKey: .bool(true)])

    /// True if the caller's account was deleted: by its user, or by the operator. Registering again would make another account.
    public var isAccountDeleted: Bool {
        guard code == ErrorCode.userNotFound.rawValue, case .object(let members) = details else { return false }
        return members[Self.deletedKey] == .bool(true)
    }
}

/// The data of a call that returns nothing else: `{"success":true}`.
public struct Done: Codable, Hashable, Sendable {
    public var success = true

    public init() {}
}

/// The error codes of the contract.
public enum ErrorCode: String, Hashable, Sendable, CaseIterable {
    case invalidInput = "INVALID_INPUT"
    case invalidDisplayName = "INVALID_DISPLAY_NAME"
    case invalidHexCode = "INVALID_HEX_CODE"
    case invalidGame = "INVALID_GAME"
    case invalidScore = "INVALID_SCORE"
    case messageTooLong = "MESSAGE_TOO_LONG"
    /// The request has no bearer token.
    case unauthorized = "UNAUTHORIZED"
    /// The token is malformed, forged or expired. The client must register again.
    case invalidToken = "INVALID_TOKEN"
    case forbidden = "FORBIDDEN"
    case notFriends = "NOT_FRIENDS"
    /// The caller has blocked the other user.
    case blocked = "BLOCKED"
    case notFound = "NOT_FOUND"
    case userNotFound = "USER_NOT_FOUND"
    case friendshipExists = "FRIENDSHIP_EXISTS"
    case duplicateRequest = "DUPLICATE_REQUEST"
    /// The `clientId` belongs to another message.
    case duplicateClientID = "DUPLICATE_CLIENT_ID"
    /// The body exceeds the service's limit.
    case payloadTooLarge = "PAYLOAD_TOO_LARGE"
    /// The path answers WebSocket upgrades only.
    case upgradeRequired = "UPGRADE_REQUIRED"
    /// Too many attempts; `Retry-After` contains the time to wait.
    case rateLimited = "RATE_LIMITED"
    /// The service is overloaded and accepts no more at present.
    case unavailable = "UNAVAILABLE"
    /// The service's disk is full. The same call succeeds once there is room.
    case storageFull = "STORAGE_FULL"
    case internalError = "INTERNAL_ERROR"
}
