import Pager2077Wire
import PushKit
import WireKit

extension PagerNotification {
    /// The notification's id on a device, as in the app's own notifications. A later notification replaces one with the same id.
    private var tag: String? {
        switch self {
        case .message(_, let senderId, _, _): "chat-\(senderId)"
        case .friendRequest(let requestId, _, _): "request-\(requestId)"
        // Entries of earlier versions have the hex code only.
        case .friendAccepted(let friendHexCode, let friendId): "friend-\(friendId?.rawValue ?? friendHexCode.rawValue)"
        case .friendStatus: nil
        }
    }

    private var isMessage: Bool { if case .message = self { true } else { false } }

    /// Returns the form for a browser's service worker; nil for a silent notification, which a browser must not get.
    ///
    /// - Parameter pathPrefix: The path below which the box serves the pager.
    func webPush(_ form: NotificationForm, pathPrefix: String) throws -> WebPushMessage? {
        guard let text = text(form), let tag else { return nil }
        // Only the sender of a message learns whether it was shown.
        let reports = isMessage ? form.pushID.map { "\(pathPrefix)/api/pushes/\($0)/" } : nil
        return try WebPushNotification(
            title: text.title, body: text.body, tag: tag, badge: form.badge, shown: reports.map { $0 + "shown" },
            opened: reports.map { $0 + "opened" }
        ).message(urgency: isMessage ? .high : .normal)
    }

    /// Returns the form for ntfy; nil for a silent notification.
    func ntfy(_ form: NotificationForm) -> NtfyMessage? {
        text(form).map { NtfyMessage(title: $0.title, text: $0.body, priority: isMessage ? .high : .standard) }
    }
}
