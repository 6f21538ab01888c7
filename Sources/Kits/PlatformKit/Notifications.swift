/// Notices outside of the app's own screens.
public protocol Notifications: Sendable {
    func permission() async -> NotificationPermission
    /// Asks the person, where they have not been asked yet. To be called from what a tap started.
    func requestPermission() async -> NotificationPermission
    /// By which a push service reaches this app on this phone; nil where there is none. Waits for the service, if there is one. To be
    /// asked for once there is permission.
    func pushToken() async -> String?
    /// Shows `notification` in place of an earlier one with the same id.
    ///
    /// In a browser a page of the same app and phone shows it, in front or not, locked or not: an app with a lock of its own leaves out what a
    /// locked page must not show. Each page knows its own `scenePhase`.
    ///
    /// - Throws: ``PhoneError``; `absent` when no page of the app is open.
    func show(_ notification: LocalNotification) async throws
    func remove(id: String) async
    /// The ids of notifications that were tapped: what nobody has heard of yet, and from now on.
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
