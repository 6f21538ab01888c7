import Foundation
import PlatformKit
import UIKit
import UserNotifications
import WireKit

/// The notifications of an iPhone. One for the process: the system calls it back. Not compiled yet: see `Apple/README.md`.
///
/// The app's delegate passes on what it is told about remote notifications.
@MainActor
final class DeviceNotifications: NSObject, Notifications {
    /// The id of the notification that a push is shown as, made of the push's own members: the same id as that of a local notification with
    /// the same meaning. Nil for a push that opens nothing.
    typealias Naming = @Sendable (_ fields: [String: String]) -> String?

    /// The environment of device tokens: that of the provisioning profile.
    private static let environment: String = {
        #if DEBUG
            "sandbox"
        #else
            "production"
        #endif
    }()

    private let name: Naming
    private var token: Data?
    /// Those who wait for the reply to a registration; nil for a failure.
    private var registrations: [AsyncStream<Data?>.Continuation] = []
    private var addressListeners: [AsyncStream<Void>.Continuation] = []
    private var silentListeners: [AsyncStream<[String: String]>.Continuation] = []
    private var tapListeners: [AsyncStream<String>.Continuation] = []
    /// Taps that nobody has subscribed to yet: a tap can start the app.
    private var taps: [String] = []

    init(naming name: @escaping Naming) {
        self.name = name
        super.init()
        UNUserNotificationCenter.current().delegate = self
        // The user may have changed the permission in Settings.
        NotificationCenter.default.addObserver(
            self, selector: #selector(becameActive), name: UIApplication.didBecomeActiveNotification, object: nil)
    }

    // MARK: Permission

    func permission() async -> NotificationPermission {
        await withCheckedContinuation { continuation in
            UNUserNotificationCenter.current().getNotificationSettings { settings in
                let permission: NotificationPermission =
                    switch settings.authorizationStatus {
                    case .authorized, .provisional, .ephemeral: .granted
                    case .denied: .denied
                    case .notDetermined: .undecided
                    @unknown default: .undecided
                    }
                continuation.resume(returning: permission)
            }
        }
    }

    func requestPermission() async -> NotificationPermission {
        _ = try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge])
        return await permission()
    }

    // MARK: The address

    func pushAddress(key: String?) async -> PushAddress? {
        guard await permission() == .granted, let token = await deviceToken() else { return nil }
        return .apns(token: token.hexadecimal, environment: Self.environment)
    }

    private func deviceToken() async -> Data? {
        let (replies, continuation) = AsyncStream.makeStream(of: Data?.self)
        registrations.append(continuation)
        UIApplication.shared.registerForRemoteNotifications()
        // Ends without an element when the task is cancelled.
        for await reply in replies { return reply }
        return nil
    }

    /// For `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
    func registered(_ token: Data) {
        let isNew = self.token != nil && self.token != token
        self.token = token
        replyToRegistrations(token)
        if isNew { notify(&addressListeners, ()) }
    }

    /// For `application(_:didFailToRegisterForRemoteNotificationsWithError:)`.
    func registrationFailed() { replyToRegistrations(nil) }

    private func replyToRegistrations(_ token: Data?) {
        for registration in registrations {
            registration.yield(token)
            registration.finish()
        }
        registrations = []
    }

    func addressChanges() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        addressListeners.append(continuation)
        return stream
    }

    @objc private func becameActive() { notify(&addressListeners, ()) }

    // MARK: Silent pushes

    /// For `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
    ///
    /// - Returns: False for a push that is shown.
    func received(_ payload: [AnyHashable: Any]) -> Bool {
        guard let aps = payload["aps"] as? [AnyHashable: Any], aps["alert"] == nil else { return false }
        notify(&silentListeners, Self.fields(of: payload))
        return true
    }

    func silentPushes() -> AsyncStream<[String: String]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [String: String].self)
        silentListeners.append(continuation)
        return stream
    }

    // MARK: Shown notifications

    func setBadge(_ count: Int) async { try? await UNUserNotificationCenter.current().setBadgeCount(max(count, 0)) }

    func show(_ notification: LocalNotification) async throws {
        let content = UNMutableNotificationContent()
        content.title = notification.title
        content.body = notification.body
        content.sound = .default
        let request = UNNotificationRequest(identifier: notification.id, content: content, trigger: nil)
        do {
            try await UNUserNotificationCenter.current().add(request)
        } catch {
            guard await permission() == .granted else { throw PhoneError.denied }
            throw PhoneError.failed(error.localizedDescription)
        }
    }

    func remove(id: String) async {
        UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: [id])
        let name = name
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            // A push has an identifier that the push service chose.
            UNUserNotificationCenter.current().getDeliveredNotifications { notifications in
                let identifiers = notifications.map(\.request).filter { Self.id(of: $0, name) == id }.map(\.identifier)
                UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: identifiers)
                continuation.resume()
            }
        }
    }

    // MARK: Taps

    func taps() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(16))
        for tap in taps { continuation.yield(tap) }
        taps = []
        tapListeners.append(continuation)
        return stream
    }

    /// Delivers the tap on a notification, or on a Live Activity, which opens a link.
    func tapped(_ id: String) {
        notify(&tapListeners, id)
        if tapListeners.isEmpty { taps = (taps + [id]).suffix(16) }
    }

    /// The id of a notification: that of a local one, or the name of a push.
    private nonisolated static func id(of request: UNNotificationRequest, _ name: Naming) -> String? {
        guard request.trigger is UNPushNotificationTrigger else { return request.identifier }
        return name(fields(of: request.content.userInfo))
    }

    /// The texts beside `aps`.
    private nonisolated static func fields(of payload: [AnyHashable: Any]) -> [String: String] {
        payload.reduce(into: [:]) { fields, member in
            if let key = member.key as? String, let value = member.value as? String { fields[key] = value }
        }
    }

    /// Yields to those who still listen.
    private func notify<Element: Sendable>(_ listeners: inout [AsyncStream<Element>.Continuation], _ element: Element) {
        listeners.removeAll { if case .terminated = $0.yield(element) { true } else { false } }
    }
}

// With completion handlers, which the system wants to be called on the thread of the call.
extension DeviceNotifications: UNUserNotificationCenterDelegate {
    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        if response.actionIdentifier == UNNotificationDefaultActionIdentifier,
            let id = Self.id(of: response.notification.request, name)
        {
            Task { @MainActor in tapped(id) }
        }
        completionHandler()
    }

    /// The app in the foreground shows what arrives by itself: a push has nothing to add. Its own notifications are shown.
    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler(notification.request.trigger is UNPushNotificationTrigger ? [] : [.banner, .list, .sound])
    }
}
