/// A user with devices. Devices of one account can be paired with each other.
public enum Account {
    public typealias ID = NumericID<Account>

    /// The allowed length of a user name, in characters (Unicode scalar values).
    public static let usernameLength = 1...50
    /// Maximum length of a password, in UTF-8 bytes. Every byte counts.
    public static let maximumPasswordLength = 1024
    /// The `detail` of the 401 reply to a token of a deleted account.
    public static let deletedDetail = "Invalid token: The account has been deleted"
}

/// The body of `POST /auth/register` and `POST /auth/login`.
public struct Credentials: Codable, Hashable, Sendable {
    public var username: String
    public var password: String

    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}

/// The body of `POST /auth/password`. Revokes all earlier tokens and closes all their connections, the caller's included.
public struct PasswordChange: Codable, Hashable, Sendable {
    public var password: String
    public var newPassword: String

    public init(password: String, newPassword: String) {
        self.password = password
        self.newPassword = newPassword
    }

    private enum CodingKeys: String, CodingKey {
        case password
        case newPassword = "new_password"
    }
}

/// The body of `POST /auth/delete`: a password or an ID token. Deletes the account and all data that the relay stores for it.
public struct AccountDeletion: Codable, Hashable, Sendable {
    public var password: String?
    /// A Google OpenID Connect ID token; nil if the password is the proof.
    public var idToken: String?

    public init(password: String) { self.password = password }
    public init(idToken: String) { self.idToken = idToken }

    private enum CodingKeys: String, CodingKey {
        case password
        case idToken = "id_token"
    }
}

/// The reply to the deletion of an account.
public struct DeletedAccount: Codable, Hashable, Sendable {
    /// Always `deleted`.
    public var status: String

    public init(status: String = "deleted") { self.status = status }
}

/// The reply to a registration, which does not log in.
public struct Registered: Codable, Hashable, Sendable {
    public var id: Account.ID
    public var username: String

    public init(id: Account.ID, username: String) {
        self.id = id
        self.username = username
    }
}

/// The body of `POST /auth/google`.
public struct GoogleSignIn: Codable, Hashable, Sendable {
    /// An OpenID Connect ID token of Google.
    public var idToken: String

    public init(idToken: String) {
        self.idToken = idToken
    }

    private enum CodingKeys: String, CodingKey { case idToken = "id_token" }
}

/// The reply to a login with a password or with Google, and to a password change.
public struct LoggedIn: Codable, Hashable, Sendable {
    /// The bearer token for all other calls, valid for 24 hours.
    public var token: String
    public var userId: Account.ID

    public init(token: String, userId: Account.ID) {
        self.token = token
        self.userId = userId
    }

    private enum CodingKeys: String, CodingKey {
        case token
        case userId = "user_id"
    }
}
