/// The words of notifications, in one language. `%@` stands for a name.
package struct NoticeWords: Hashable, Sendable {
    /// The language, as in RFC 5646.
    package var language: String
    package var message: String
    package var friendRequest: String
    package var wantsToBeFriends: String
    package var friendAccepted: String
    package var acceptedRequest: String

    package init(
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
