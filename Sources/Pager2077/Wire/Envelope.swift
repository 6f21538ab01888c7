public import WireKit

/// What wraps the data of a success: `{"success":true,"data":…}`.
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

/// Why a call failed: `{"success":false,"error":{"code":…,"message":…}}`.
public struct Failure: Codable, Hashable, Sendable {
    public struct Reason: Codable, Hashable, Sendable {
        /// One of ``ErrorCode``, or one that a newer service has.
        public var code: String
        /// For developers. The app finds its own words by the code.
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

/// Data that says only that it was done: `{"success":true}`.
public struct Done: Codable, Hashable, Sendable {
    public var success = true

    public init() {}
}

/// The stable codes of failures.
public enum ErrorCode: String, Hashable, Sendable, CaseIterable {
    case invalidInput = "INVALID_INPUT"
    case invalidDisplayName = "INVALID_DISPLAY_NAME"
    case invalidHexCode = "INVALID_HEX_CODE"
    case invalidGame = "INVALID_GAME"
    case invalidScore = "INVALID_SCORE"
    case messageTooLong = "MESSAGE_TOO_LONG"
    /// No bearer token was sent.
    case unauthorized = "UNAUTHORIZED"
    /// The token is malformed, forged or expired: register again.
    case invalidToken = "INVALID_TOKEN"
    case forbidden = "FORBIDDEN"
    case notFriends = "NOT_FRIENDS"
    case notFound = "NOT_FOUND"
    case userNotFound = "USER_NOT_FOUND"
    case friendshipExists = "FRIENDSHIP_EXISTS"
    case duplicateRequest = "DUPLICATE_REQUEST"
    /// The `clientId` was used for another message.
    case duplicateClientID = "DUPLICATE_CLIENT_ID"
    /// The body is larger than the service reads.
    case payloadTooLarge = "PAYLOAD_TOO_LARGE"
    /// The path answers WebSocket upgrades only.
    case upgradeRequired = "UPGRADE_REQUIRED"
    /// Too many attempts; `Retry-After` says when to try again.
    case rateLimited = "RATE_LIMITED"
    /// The service is too busy to accept more just now.
    case unavailable = "UNAVAILABLE"
    case internalError = "INTERNAL_ERROR"
}
