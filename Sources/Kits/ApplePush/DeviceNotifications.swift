#if os(iOS)
    import ApplePlatform
    import Foundation
    public import PlatformKit
    import UIKit
    public import UserNotifications
    public import WireKit

    /// The notifications of an iPhone: one instance per process, which the system and ``PushDelegate`` call back.
    ///
    /// Closures that the system calls on its own threads are marked `@Sendable`; otherwise they would belong to the main actor.
    /// Asynchronous methods are marked `@MainActor`; otherwise they would run on their caller's actor.
    @MainActor
    public final class DeviceNotifications: NSObject, Notifications {
        /// Returns the id of the notification that a push shows: see ``PushDelegate/notificationID(ofPush:)``.
        typealias Naming = @Sendable (_ fields: [String: String]) -> String?

        /// The APNs environment of the device tokens.
        private static let environment: String = {
            let profile = Bundle.main.url(forResource: "embedded", withExtension: "mobileprovision").flatMap {
                try? Data(contentsOf: $0)
            }
            #if DEBUG
                let isDebug = true
            #else
                let isDebug = false
            #endif
            #if targetEnvironment(simulator)
                let isSimulator = true
            #else
                let isSimulator = false
            #endif
            return ProvisioningProfile.pushEnvironment(profile: profile, isSimulator: isSimulator, isDebug: isDebug)
        }()

        private let name: Naming
        private var token: Data?
        /// Callers that wait for the reply to a registration: the device token, or nil for a failure.
        private var registrations: [AsyncStream<Data?>.Continuation] = []
        private var addressListeners: [AsyncStream<Void>.Continuation] = []
        private var tapListeners: [AsyncStream<String>.Continuation] = []
        /// Taps that arrived without a subscriber, at most 16: a tap can start the app.
        private var waitingTaps: [String] = []
        private var observer: MainObserver?

        init(naming name: @escaping Naming) {
            self.name = name
            super.init()
            UNUserNotificationCenter.current().delegate = self
            // The user may have changed the permission in Settings.
            observer = MainObserver(UIApplication.didBecomeActiveNotification) { [weak self] _ in self?.addressMayHaveChanged() }
        }

        // MARK: Permission

        @MainActor public func permission() async -> NotificationPermission {
            await withCheckedContinuation { continuation in
                UNUserNotificationCenter.current().getNotificationSettings { @Sendable settings in
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

        @MainActor public func requestPermission() async -> NotificationPermission {
            // `permission()` reports the user's answer.
            _ = try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge])
            return await permission()
        }

        // MARK: Push address

        @MainActor public func pushAddress(key: String?) async -> PushAddress? {
            guard await permission() == .granted, let token = await deviceToken() else { return nil }
            return .apns(token: token.hexadecimal, environment: Self.environment)
        }

        private func deviceToken() async -> Data? {
            let (replies, continuation) = AsyncStream.makeStream(of: Data?.self)
            registrations.append(continuation)
            UIApplication.shared.registerForRemoteNotifications()
            // The stream ends without an element when the task is cancelled.
            for await reply in replies { return reply }
            return nil
        }

        func didRegister(_ token: Data) {
            let isNew = self.token != nil && self.token != token
            self.token = token
            replyToRegistrations(token)
            if isNew { addressMayHaveChanged() }
        }

        func didFailToRegister() { replyToRegistrations(nil) }

        private func replyToRegistrations(_ token: Data?) {
            for registration in registrations {
                registration.yield(token)
                registration.finish()
            }
            registrations = []
        }

        public func addressChanges() -> AsyncStream<Void> {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            addressListeners.append(continuation)
            return stream
        }

        private func addressMayHaveChanged() { notify(&addressListeners, ()) }

        // MARK: Shown notifications

        @MainActor public func setBadge(_ count: Int) async {
            try? await UNUserNotificationCenter.current().setBadgeCount(max(count, 0))
        }

        @MainActor public func show(_ notification: LocalNotification) async throws {
            let content = UNMutableNotificationContent()
            content.title = notification.title
            content.body = notification.body
            content.sound = .default
            let request = UNNotificationRequest(identifier: notification.id, content: content, trigger: nil)
            let failure = await withCheckedContinuation { continuation in
                UNUserNotificationCenter.current().add(request) { @Sendable error in
                    continuation.resume(returning: error?.localizedDescription)
                }
            }
            guard let failure else { return }
            guard await permission() == .granted else { throw PhoneError.denied }
            throw PhoneError.failed(failure)
        }

        @MainActor public func remove(id: String) async {
            UNUserNotificationCenter.current().removePendingNotificationRequests(withIdentifiers: [id])
            await withCheckedContinuation { [name] (continuation: CheckedContinuation<Void, Never>) in
                // The push service chose the request identifier of a push, so the notification's id is compared instead.
                UNUserNotificationCenter.current().getDeliveredNotifications { @Sendable notifications in
                    let identifiers = notifications.map(\.request).filter { Self.id(of: $0, name) == id }.map(\.identifier)
                    UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: identifiers)
                    continuation.resume()
                }
            }
        }

        // MARK: Taps

        public func taps() -> AsyncStream<String> {
            let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(16))
            for tap in waitingTaps { continuation.yield(tap) }
            waitingTaps = []
            tapListeners.append(continuation)
            return stream
        }

        /// Delivers a tap on a notification, or on a Live Activity, which the app receives as a link.
        public func tapped(_ id: String) {
            notify(&tapListeners, id)
            if tapListeners.isEmpty { waitingTaps = (waitingTaps + [id]).suffix(16) }
        }

        /// Returns the id of a notification: the identifier of a local one, or the name of a push; nil if the push has no name.
        private nonisolated static func id(of request: UNNotificationRequest, _ name: Naming) -> String? {
            guard request.trigger is UNPushNotificationTrigger else { return request.identifier }
            return name(PushPayload(request.content.userInfo).fields)
        }

        /// Yields an element to each listener, and removes listeners that have ended.
        private func notify<Element: Sendable>(_ listeners: inout [AsyncStream<Element>.Continuation], _ element: Element) {
            listeners.removeAll { if case .terminated = $0.yield(element) { true } else { false } }
        }
    }

    // Uses the variants with completion handlers, which the system expects to be called on the thread of the callback.
    extension DeviceNotifications: UNUserNotificationCenterDelegate {
        public nonisolated func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping @Sendable () -> Void
        ) {
            if response.actionIdentifier == UNNotificationDefaultActionIdentifier,
                let id = Self.id(of: response.notification.request, name)
            {
                // Bridges the system's callback to the main actor.
                Task { @MainActor in tapped(id) }
            }
            completionHandler()
        }

        /// Shows local notifications, but no pushes: the app in the foreground shows by itself what a push reports.
        public nonisolated func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
        ) {
            completionHandler(notification.request.trigger is UNPushNotificationTrigger ? [] : [.banner, .list, .sound])
        }
    }
#endif
