import Pager2077Wire
import PushKit
import WireKit

extension PagerNotification {
    /// Returns the form for Apple's push service: an alert, or a background notification.
    func apns(_ form: NotificationForm) -> APNSNotification {
        switch self {
        case .message(let messageId, let senderId, let senderName, _):
            alert(
                form, type: "MESSAGE",
                ["messageId": messageId.rawValue, "senderId": senderId.rawValue, "senderName": senderName])
        case .friendRequest(let requestId, _, let senderHexCode):
            alert(
                form, type: "FRIEND_REQUEST", ["requestId": requestId.rawValue, "senderHexCode": senderHexCode.rawValue])
        case .friendAccepted(let friendHexCode, _):
            alert(form, type: "FRIEND_ACCEPTED", ["friendHexCode": friendHexCode.rawValue])
        case .friendStatus(let friendHexCode, let status):
            APNSNotification(
                .background,
                .background(custom: [
                    "type": .string("FRIEND_STATUS"), "friendHexCode": .string(friendHexCode.rawValue),
                    "status": .string(status.rawValue),
                ]))
        }
    }

    private func alert(_ form: NotificationForm, type: String, _ fields: [String: String]) -> APNSNotification {
        let text = text(form)
        var custom = fields.mapValues { JSONValue.string($0) }
        custom["type"] = .string(type)
        custom["pushId"] = form.pushID.map { .string($0.rawValue) }
        return APNSNotification(
            .alert,
            .alert(
                title: text?.title ?? "", body: text?.body ?? "", badge: form.badge, isMutable: form.pushID != nil, custom: custom))
    }

    /// Returns the start of a Live Activity; nil for a notification that starts none.
    ///
    /// - Parameter time: The time of the event.
    func liveActivity(_ form: NotificationForm, at time: Timestamp) -> APNSNotification? {
        guard case .message(_, let senderId, let senderName, _) = self, let page = page(form) else { return nil }
        // A Swift `Date` is decoded from the seconds since 2001.
        let seconds = time.milliseconds / 1000 - 978_307_200
        var attributes = ["activityType": JSONValue.string("message")]
        // The sender is for the chat that the app opens. The contract has no such member, so the app works without it.
        if form.pushID != nil { attributes["senderId"] = .string(senderId.rawValue) }
        return APNSNotification(
            .liveActivity,
            .liveActivityStart(
                at: time, attributesType: "PagerActivityAttributes", attributes: attributes,
                state: [
                    "sender": .string(senderName), "message": .string(page), "timestamp": .integer(seconds),
                    "isDemo": .bool(false), "messageIndex": .integer(1), "totalMessages": .integer(1),
                ], title: senderName, body: page))
    }
}
