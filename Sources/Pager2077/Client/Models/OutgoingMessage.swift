import Pager2077Wire

/// The payload of a message in the outbox.
struct OutgoingMessage: Codable, Hashable, Sendable {
    var recipientId: User.ID
    var text: String
}
