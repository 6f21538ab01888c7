import Pager2077Wire
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

    /// Shorter than 101 characters as it is; else the first 97 and three dots.
    static func preview(of text: String) -> String {
        text.unicodeScalars.count > 100 ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(97))) + "..." : text
    }
}

extension UserRecord {
    /// Whether any push could reach this user now: made-up device tokens are never pushed to.
    var isReachableByPush: Bool {
        let isMadeUp = ["simulator-", "denied-token-", "browser-"].contains { deviceToken.hasPrefix($0) }
        return !isMadeUp || (liveActivityToken?.count ?? 0) >= 32
    }
}

extension PagerWriting {
    /// Tells `user` over the live socket and, where that is possible, by push.
    func tell(_ user: UserRecord, _ event: LiveEvent, _ notification: PagerNotification?, at: Timestamp) throws {
        let seq = try append(event, for: user.id, at: at)
        if let notification, user.isReachableByPush { try enqueue(notification, for: user.id, cause: seq, at: at) }
    }
}
