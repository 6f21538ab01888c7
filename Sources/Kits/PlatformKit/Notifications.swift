public import WireKit

/// Notifications outside the app's own screens.
public protocol Notifications: Sendable {
    func permission() async -> NotificationPermission
    /// Prompts a user who has not decided yet. Call it from the handler of a tap.
    func requestPermission() async -> NotificationPermission
    /// Returns the address by which a push service reaches this app on this phone; nil without permission or without a push
    /// service. Waits for the push service, which may take long.
    ///
    /// - Parameter key: The service's public key for Web Push, in base64url. A browser has no address without it; an iPhone needs none.
    func pushAddress(key: String?) async -> PushAddress?
    /// Yields whenever the permission or the address may have changed, also outside the app.
    @MainActor func addressChanges() -> AsyncStream<Void>
    /// Sets the number on the app's icon; 0 removes it.
    func setBadge(_ count: Int) async
    /// Shows `notification` in place of an earlier one with the same id.
    ///
    /// In a browser any page of the same app and phone may show the notification, even a page that is locked or not in front: an
    /// app with a lock of its own leaves out the content that a locked page must not show. Each page knows its own `scenePhase`.
    ///
    /// - Throws: ``PhoneError``; `absent` if no page of the app is open.
    func show(_ notification: LocalNotification) async throws
    func remove(id: String) async
    /// Yields the ids of tapped notifications: first those not delivered to a subscriber yet, then each new one.
    @MainActor func taps() -> AsyncStream<String>
}

public enum NotificationPermission: String, Hashable, Sendable {
    case granted, denied, undecided
}

public struct LocalNotification: Hashable, Sendable {
    package var id: String
    package var title: String
    package var body: String

    package init(id: String, title: String, body: String) {
        self.id = id
        self.title = title
        self.body = body
    }
}

/// The notifications of a phone without them.
package struct NoNotifications: Notifications {
    package init() {}
    package func permission() async -> NotificationPermission { .denied }
    package func requestPermission() async -> NotificationPermission { .denied }
    package func pushAddress(key: String?) async -> PushAddress? { nil }
    package func addressChanges() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    package func setBadge(_ count: Int) async {}
    package func show(_ notification: LocalNotification) async throws { throw PhoneError.unsupported }
    package func remove(id: String) async {}
    package func taps() -> AsyncStream<String> { AsyncStream { $0.finish() } }
}
