import Pager2077Wire
import PushKit
import StorageKit
import WireKit

/// A notification for a user, to be sent through a push service. Its form there is chosen when it is sent.
///
/// Contract: `Docs/Protocols/Pager2077.md`, section 3.
enum PagerNotification: Codable, Hashable, Sendable {
    case message(messageId: Message.ID, senderId: User.ID, senderName: String, preview: String)
    case friendRequest(requestId: FriendRequest.ID, senderName: String, senderHexCode: HexCode)
    /// The id is nil in entries of earlier versions.
    case friendAccepted(friendHexCode: HexCode, friendId: User.ID? = nil)
    /// Silent.
    case friendStatus(friendHexCode: HexCode, status: User.Status)

    var urgency: PushUrgency {
        if case .friendStatus = self { .silent } else { .alert }
    }

    /// Only the latest status of a friend is worth sending.
    var topic: String? {
        if case .friendStatus(let hexCode, _) = self { "status of \(hexCode)" } else { nil }
    }

    /// The least time between two notifications on the same topic. Apple's service delivers a few silent ones an hour.
    var spacing: Duration {
        if case .friendStatus = self { .seconds(600) } else { .zero }
    }

    /// A text of at most 100 Unicode scalar values as it is, else whole characters of its first 97 and three dots.
    static func preview(of text: String) -> String {
        text.unicodeScalars.count > 100 ? text.prefix(scalars: 97) + "..." : text
    }
}

/// The pager's outbox of notifications.
struct PagerPushes: Sendable {
    /// The time that a client in the foreground has to acknowledge an event before its notification is sent.
    static let delay: Duration = .seconds(5)

    let outbox: PushOutbox
    let foreground: ForegroundClients

    /// - Parameter cause: The sequence number of the event with the same content.
    func enqueue(
        _ notification: PagerNotification, for user: User.ID, cause: Int64?, in transaction: WriteTransaction
    ) throws {
        let isPresent = foreground.contains(user)
        if isPresent, notification.urgency == .silent {
            // The client has a live socket, and gets the event by it.
            if let topic = notification.topic { try outbox.withdraw(for: user.rawValue, topic: topic, in: transaction) }
            return
        }
        try outbox.enqueue(
            PushDraft(
                recipient: user.rawValue, urgency: notification.urgency, topic: notification.topic, spacing: notification.spacing,
                cause: cause, content: WireJSON.encode(notification), delay: isPresent ? Self.delay : .zero), in: transaction)
    }
}

extension WriteTransaction {
    /// Appends an event to the log of `user` and enqueues its notification. The way to reach the user is looked up when it is sent.
    func notify(
        _ user: UserRecord, _ event: LiveEvent, _ notification: PagerNotification, at time: Timestamp, by pushes: PagerPushes
    ) throws {
        let seq = try append(event, for: user.id, at: time)
        try pushes.enqueue(notification, for: user.id, cause: seq, in: self)
    }

    /// - Returns: The event's sequence number.
    @discardableResult
    func append(_ event: LiveEvent, for user: User.ID, at time: Timestamp) throws -> Int64 {
        try append(WireJSON.encode(event), to: user.rawValue, at: time)
    }
}
