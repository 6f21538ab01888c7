import PushKit
import WireKit

/// The form of notifications for one device.
struct NotificationForm: Hashable, Sendable {
    var language: NotificationLanguage
    /// True if notifications may contain the text of messages.
    var showsPreviews: Bool
    /// The number on the app's icon; nil to leave it as it is.
    var badge: Int?
    /// The entry of the outbox, by which the device reports that it has shown the notification; nil for a device that reports nothing.
    var pushID: Identifier<PushEntry>?

    /// The contract's form, for a device that has only registered.
    static let contract = NotificationForm(language: .english, showsPreviews: true, badge: 1, pushID: nil)
}
