import Pager2077Wire
import PushKit
import ServerKit
import StorageKit
import WireKit

/// A notification for a user, to be sent through a push service. Its form is chosen when it is sent.
///
/// Contract: `Docs/Protocols/Pager2077.md`, section 3.
enum PagerNotification: Codable, Hashable, Sendable {
    case message(messageId: Message.ID, senderId: User.ID, senderName: String, preview: String)
    case friendRequest(requestId: FriendRequest.ID, senderName: String, senderHexCode: HexCode)
    /// The id is nil in entries of earlier versions.
    case friendAccepted(friendHexCode: HexCode, friendId: User.ID? = nil)
    /// A silent notification.
    case friendStatus(friendHexCode: HexCode, status: User.Status)

    var urgency: PushUrgency {
        if case .friendStatus = self { .silent } else { .alert }
    }

    /// The topic, of which only the latest notification is sent; nil for none.
    var topic: String? {
        if case .friendStatus(let hexCode, _) = self { "status of \(hexCode)" } else { nil }
    }

    /// Minimum time between two notifications on the same topic. Apple's service delivers a few silent ones an hour.
    var spacing: Duration {
        if case .friendStatus = self { .seconds(600) } else { .zero }
    }

    /// Returns a text of at most 100 Unicode scalar values as it is, otherwise whole characters of its first 97 and three dots.
    static func preview(of text: String) -> String {
        text.unicodeScalars.count > 100 ? text.prefix(scalars: 97) + "..." : text
    }
}

/// The pager's outbox of notifications.
struct PagerPushes: Sendable {
    /// The time that a client in the foreground has to acknowledge an event before its notification is sent.
    static let delay: Duration = .seconds(5)

    /// The usual time until a push service replies, in milliseconds.
    private static let usualReplyTime = 100...1000

    let outbox: PushOutbox
    let foreground: ForegroundClients<User.ID>

    /// - Parameters:
    ///   - cause: The sequence number of the event with the same content; nil if the recipient has blocked the sender. The
    ///     notification is then enqueued but never shown, so that the sender gets a delivery state as usual.
    func enqueue(
        _ notification: PagerNotification, for user: User.ID, cause: Int64?, in transaction: WriteTransaction
    ) throws {
        let isPresent = cause != nil && foreground.contains(user)
        if isPresent, notification.urgency == .silent {
            // The client gets the event through its live socket.
            if let topic = notification.topic { try outbox.withdraw(for: user.rawValue, topic: topic, in: transaction) }
            return
        }
        try outbox.enqueue(
            PushDraft(
                recipient: user.rawValue, urgency: notification.urgency, topic: notification.topic, spacing: notification.spacing,
                cause: cause, content: WireJSON.encode(notification),
                delay: isPresent ? Self.delay : cause == nil ? .milliseconds(Int.random(in: Self.usualReplyTime)) : .zero),
            in: transaction)
    }
}

extension WriteTransaction {
    /// Appends an event to the log of `user` and enqueues its notification, unless the user has blocked the user that the event is
    /// about. The recipient's devices are looked up when the notification is sent.
    func notify(
        _ user: UserRecord, _ event: LiveEvent, _ notification: PagerNotification, at time: Timestamp, by pushes: PagerPushes
    ) throws {
        if let subject = event.subject, try isBlocked(subject, by: user.id) { return }
        let seq = try append(event, for: user.id, at: time)
        try pushes.enqueue(notification, for: user.id, cause: seq, in: self)
    }

    /// - Returns: The event's sequence number.
    @discardableResult
    func append(_ event: LiveEvent, for user: User.ID, at time: Timestamp) throws -> Int64 {
        if let subject = event.subject { try noteMention(of: subject, in: user, at: time) }
        return try append(WireJSON.encode(event), to: user.log, at: time)
    }
}

extension LiveEvent {
    /// The user that the event is about, if not the owner of the log; nil for none.
    var subject: User.ID? {
        switch self {
        case .message(let message): message.senderId
        case .friendRequest(let request): request.request.fromUserId
        case .friendAccepted(let friend): friend.id
        // A deleted account needs no mention, since nothing more will be erased for it.
        case .friendRemoved(let id, let isAccountDeleted): isAccountDeleted ? nil : id
        case .friendStatus(let id, _, _), .read(let id, _), .delivery(let id, _, _), .block(let id, _): id
        case .requestWithdrawn: nil
        }
    }
}
