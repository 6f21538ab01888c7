import Pager2077Wire
import PushKit

/// The words of a notification.
struct NotificationText: Hashable, Sendable {
    var title: String
    var body: String
}

extension PagerNotification {
    /// Returns the words for a device; nil for a silent notification.
    func text(_ form: NotificationForm) -> NotificationText? {
        switch (self, form.language) {
        case (.message(_, _, let senderName, _), _): NotificationText(title: "📟 \(senderName)", body: page(form) ?? "")
        case (.friendRequest(_, let senderName, _), .english):
            NotificationText(title: "👋 Friend Request", body: "\(senderName) wants to be friends")
        case (.friendRequest(_, let senderName, _), .korean):
            NotificationText(title: "👋 친구 요청", body: "\(senderName) 님이 친구가 되고 싶어 합니다")
        case (.friendAccepted(let friendHexCode, _), .english):
            NotificationText(title: "✅ Friend Request Accepted", body: "\(friendHexCode) accepted your request")
        case (.friendAccepted(let friendHexCode, _), .korean):
            NotificationText(title: "✅ 친구 요청 수락", body: "\(friendHexCode) 님이 친구 요청을 수락했습니다")
        case (.friendStatus, _): nil
        }
    }

    /// Returns the text of a message, or words in its place if previews are off; nil for another notification.
    func page(_ form: NotificationForm) -> String? {
        guard case .message(_, _, _, let preview) = self else { return nil }
        if form.showsPreviews { return preview }
        return switch form.language {
        case .english: "New page"
        case .korean: "새 호출"
        }
    }
}
