/// A person with phones. Devices of one account can be paired with each other.
public enum Account {
    public typealias ID = NumericID<Account>

    /// How long a user name may be, in characters (Unicode scalar values).
    public static let usernameLength = 1...50
    /// Longest password, in UTF-8 bytes. Every byte counts.
    public static let maximumPasswordLength = 1024
}

/// `POST /auth/register` and `POST /auth/login`.
public struct Credentials: Codable, Hashable, Sendable {
    public var username: String
    public var password: String

    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}

/// What registration answers. It does not log in.
public struct Registered: Codable, Hashable, Sendable {
    public var id: Account.ID
    public var username: String

    public init(id: Account.ID, username: String) {
        self.id = id
        self.username = username
    }
}

/// `POST /auth/google`.
public struct GoogleSignIn: Codable, Hashable, Sendable {
    /// An OpenID Connect ID token of Google's.
    public var idToken: String

    public init(idToken: String) {
        self.idToken = idToken
    }

    private enum CodingKeys: String, CodingKey { case idToken = "id_token" }
}

/// What both ways to log in answer.
public struct LoggedIn: Codable, Hashable, Sendable {
    /// Bearer token for everything else, valid for 24 hours.
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
