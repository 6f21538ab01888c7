import Pager2077Wire

/// The refusal of a call by one of the pager's rules. Code and sentence are the contract's (`Docs/Protocols/Pager2077.md`, section 2).
struct PagerError: Error, Equatable {
    var code: ErrorCode
    var message: String
    /// The time that the client waits before a retry.
    var retryAfter: Duration?

    init(_ code: ErrorCode, _ message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    static func invalidInput(_ message: String) -> PagerError { PagerError(.invalidInput, message) }
    static func userNotFound(_ message: String = "User not found") -> PagerError { PagerError(.userNotFound, message) }
    static let notFriends = PagerError(.notFriends, "Users are not friends")
    static func tooManyAttempts(retryAfter: Duration) -> PagerError {
        PagerError(.rateLimited, "Too many attempts. Try again later", retryAfter: retryAfter)
    }
}
