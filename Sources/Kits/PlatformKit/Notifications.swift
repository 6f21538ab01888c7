/// Notifications outside the app's own screens.
public protocol Notifications: Sendable {
    func permission() async -> NotificationPermission
    /// Prompts a user who has not decided yet. Call it from the handler of a tap.
    func requestPermission() async -> NotificationPermission
    /// The token by which a push service reaches this app on this phone; nil without a push service. Waits for the service.
    /// Call it once there is permission.
    func pushToken() async -> String?
    /// Shows `notification` in place of an earlier one with the same id.
    ///
    /// In a browser any page of the same app and phone may show the notification, also one that is locked or not in front: an app
    /// with a lock of its own leaves out the content that a locked page must not show. Each page knows its own `scenePhase`.
    ///
    /// - Throws: ``PhoneError``; `absent` if no page of the app is open.
    func show(_ notification: LocalNotification) async throws
    func remove(id: String) async
    /// The ids of tapped notifications: those not delivered to a subscriber yet, then each new one.
    @MainActor func taps() -> AsyncStream<String>
}

public enum NotificationPermission: String, Hashable, Sendable {
    case granted, denied, undecided
}

public struct LocalNotification: Hashable, Sendable {
    public var id: String
    public var title: String
    public var body: String

    public init(id: String, title: String, body: String) {
        self.id = id
        self.title = title
        self.body = body
    }
}
