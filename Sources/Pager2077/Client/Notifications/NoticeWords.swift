/// The words of notifications, in one language. `%@` stands for a name.
public struct NoticeWords: Hashable, Sendable {
    /// The language, as in RFC 5646.
    public var language: String
    public var message: String
    public var friendRequest: String
    public var wantsToBeFriends: String
    public var friendAccepted: String
    public var acceptedRequest: String

    public init(
        language: String = "en", message: String = "New page", friendRequest: String = "Friend Request",
        wantsToBeFriends: String = "%@ wants to be friends", friendAccepted: String = "Friend Request Accepted",
        acceptedRequest: String = "%@ accepted your request"
    ) {
        self.language = language
        self.message = message
        self.friendRequest = friendRequest
        self.wantsToBeFriends = wantsToBeFriends
        self.friendAccepted = friendAccepted
        self.acceptedRequest = acceptedRequest
    }
}
