import Foundation
import WireKit

/// A notification for the service worker of an app's page, the same for all systems.
///
/// Encoded as one JSON object with the names of the properties; absent ones are left out. Wire form: `Docs/Protocols/Push.md`.
package struct WebPushNotification: Encodable, Hashable, Sendable {
    package var title: String
    package var body: String
    /// The notification's id. The worker shows one notification for each tag, and the app learns the tag after a tap.
    package var tag: String
    /// The number on the app's icon; nil to leave the icon as it is.
    package var badge: Int?
    /// The path, on the box's origin, to which the worker posts once it has shown the notification; nil for none.
    package var shown: String?
    /// The path to which the worker posts after a tap; nil for none.
    package var opened: String?

    package init(title: String, body: String, tag: String, badge: Int? = nil, shown: String? = nil, opened: String? = nil) {
        self.title = title
        self.body = body
        self.tag = tag
        self.badge = badge
        self.shown = shown
        self.opened = opened
    }

    /// Returns the message of at most ``WebPushMessage/maximumSize`` bytes: the body is shortened to fit, and the title if needed.
    ///
    /// - Parameter topic: See ``WebPushMessage/topic``.
    package func message(urgency: WebPushMessage.Urgency = .normal, topic: String? = nil) throws -> WebPushMessage {
        WebPushMessage(payload: try encoded(), urgency: urgency, topic: topic)
    }

    private func encoded() throws -> Data {
        let whole = try WireJSON.encode(self)
        if whole.count <= WebPushMessage.maximumSize { return whole }
        return try shortened(\.body) ?? withoutBody.shortened(\.title) ?? whole
    }

    private var withoutBody: WebPushNotification {
        var notification = self
        notification.body = ""
        return notification
    }

    /// Returns the bytes with as many characters of a text as fit.
    ///
    /// - Returns: The bytes; nil if no character fits.
    private func shortened(_ text: WritableKeyPath<WebPushNotification, String>) throws -> Data? {
        // A character takes at least one byte.
        let characters = Array(self[keyPath: text].prefix(WebPushMessage.maximumSize))
        var notification = self
        var best: Data?
        var counts = 1..<characters.count + 1
        while !counts.isEmpty {
            let count = counts.lowerBound + counts.count / 2
            notification[keyPath: text] = String(characters[..<count]) + "…"
            let data = try WireJSON.encode(notification)
            if data.count <= WebPushMessage.maximumSize {
                best = data
                counts = count + 1..<counts.upperBound
            } else {
                counts = counts.lowerBound..<count
            }
        }
        return best
    }
}
