import Pager2077Wire
import StorageKit
import WireKit

/// Something to tell a user through a push service. Which form it takes there is decided when it is sent.
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

    /// Of what somebody's status was, only the latest is worth sending.
    var topic: String? {
        if case .friendStatus(let hexCode, _) = self { "status of \(hexCode)" } else { nil }
    }

    /// Shorter than 101 characters as it is; else the first 97 and three dots.
    static func preview(of text: String) -> String {
        text.unicodeScalars.count > 100 ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(97))) + "..." : text
    }
}

extension UserRecord {
    /// Whether a push could reach this user now. Made-up device tokens are never pushed to; a message can start a Live Activity.
    func isReachable(by notification: PagerNotification) -> Bool {
        if case .message = notification, (liveActivityToken?.count ?? 0) >= 32 { return true }
        return !["simulator-", "denied-token-", "browser-"].contains { deviceToken.hasPrefix($0) }
    }
}

extension PagerWriting {
    /// Tells `user` over the live socket and, where that is possible, by push.
    func tell(_ user: UserRecord, _ event: LiveEvent, _ notification: PagerNotification?, at: Timestamp) throws {
        let seq = try append(event, for: user.id, at: at)
        if let notification, user.isReachable(by: notification) { try enqueue(notification, for: user.id, cause: seq, at: at) }
    }
}
