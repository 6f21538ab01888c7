/// The names and texts of the demonstration, in the language of the phone.
package struct DemonstrationWords: Hashable, Sendable {
    var friend: String
    var otherFriend: String
    /// The name of a person who asks to be a friend.
    var stranger: String
    /// The messages with ``friend``: hers first, then in turn.
    var messages: [String]
    /// The messages with ``otherFriend``: his first, then in turn.
    var otherMessages: [String]
    /// The answers to the user's messages, in turn.
    var answers: [String]

    package init(
        friend: String, otherFriend: String, stranger: String, messages: [String], otherMessages: [String], answers: [String]
    ) {
        (self.friend, self.otherFriend, self.stranger) = (friend, otherFriend, stranger)
        (self.messages, self.otherMessages, self.answers) = (messages, otherMessages, answers)
    }
}
