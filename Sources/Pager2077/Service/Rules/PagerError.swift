import Pager2077Wire
import WireKit

/// The refusal of a call by one of the pager's rules. Code and sentence are the contract's (`Docs/Protocols/Pager2077.md`, section 2).
struct PagerError: Error, Equatable {
    var code: ErrorCode
    var message: String
    /// The time that the client waits before a retry; nil for none.
    var retryAfter: Duration?
    /// The facts of the refusal that a client can read beside its code; nil for none.
    var details: JSONValue?

    init(_ code: ErrorCode, _ message: String, retryAfter: Duration? = nil, details: JSONValue? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
        self.details = details
    }

    static func invalidInput(_ message: String) -> PagerError { PagerError(.invalidInput, message) }
    static func userNotFound(_ message: String = "User not found") -> PagerError { PagerError(.userNotFound, message) }
    /// The refusal of a caller whose account was deleted.
    static let accountDeleted = PagerError(.userNotFound, "Account deleted", details: Failure.Reason.deletedAccount)
    static let blocked = PagerError(.blocked, "You have blocked this user")
    static let notFriends = PagerError(.notFriends, "Users are not friends")
    static func tooManyAttempts(retryAfter: Duration) -> PagerError {
        PagerError(.rateLimited, "Too many attempts. Try again later", retryAfter: retryAfter)
    }
}
