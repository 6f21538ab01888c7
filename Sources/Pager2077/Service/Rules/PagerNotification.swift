import Pager2077Wire
import StorageKit
import WireKit

/// A notification for a user, to be sent through a push service. Its form there is chosen when it is sent.
///
/// Contract: `Docs/Protocols/Pager2077.md`, section 3.
enum PagerNotification: Codable, Hashable, Sendable {
    case message(messageId: Message.ID, senderId: User.ID, senderName: String, preview: String)
    case friendRequest(requestId: FriendRequest.ID, senderName: String, senderHexCode: HexCode)
    case friendAccepted(friendHexCode: HexCode)
    /// Silent.
    case friendStatus(friendHexCode: HexCode, status: User.Status)

    var urgency: OutboxUrgency {
        if case .friendStatus = self { .silent } else { .alert }
    }

    /// Only the latest status of a friend is worth sending.
    var topic: String? {
        if case .friendStatus(let hexCode, _) = self { "status of \(hexCode)" } else { nil }
    }

    /// A text of at most 100 characters as it is, else its first 97 and three dots.
    static func preview(of text: String) -> String {
        text.unicodeScalars.count > 100 ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(97))) + "..." : text
    }
}

extension UserRecord {
    /// True if a push can reach this user now. Simulated device tokens never receive one; a message can start a Live Activity.
    func isReachable(by notification: PagerNotification) -> Bool {
        if case .message = notification, (liveActivityToken?.count ?? 0) >= 32 { return true }
        return !["simulator-", "denied-token-", "browser-"].contains { deviceToken.hasPrefix($0) }
    }
}

extension WriteTransaction {
    /// Appends an event to the log of `user`, and enqueues the notification where a push can reach them.
    func notify(_ user: UserRecord, _ event: LiveEvent, _ notification: PagerNotification, at time: Timestamp) throws {
        let seq = try append(event, for: user.id, at: time)
        if user.isReachable(by: notification) { try enqueue(notification, for: user.id, cause: seq, at: time) }
    }

    /// - Returns: The event's sequence number.
    @discardableResult
    func append(_ event: LiveEvent, for user: User.ID, at time: Timestamp) throws -> Int64 {
        try append(WireJSON.encode(event), to: user.rawValue, at: time)
    }

    /// - Parameter cause: The sequence number of the event with the same content.
    func enqueue(_ notification: PagerNotification, for user: User.ID, cause: Int64?, at time: Timestamp) throws {
        try enqueue(
            WireJSON.encode(notification), for: user.rawValue, urgency: notification.urgency, topic: notification.topic,
            cause: cause, at: time)
    }
}
