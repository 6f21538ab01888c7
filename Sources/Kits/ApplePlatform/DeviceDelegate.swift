#if os(iOS)
    import Foundation
    public import PlatformKit
    public import UIKit

    /// The delegate of an app: its phone, and what the system tells about remote notifications.
    ///
    /// Not final: the pager overrides what is its own.
    open class DeviceDelegate: NSObject, UIApplicationDelegate {
        /// The notifications of the app's phone.
        public let notifications: DeviceNotifications
        /// The phone that runs the app.
        public private(set) lazy var phone: Phone = {
            var phone = Phone.device(notifications: notifications, activities: Self.activities)
            phone.privacyPolicy = Self.privacyPolicy
            return phone
        }()
        /// The server of an app whose user chooses it.
        public private(set) lazy var server = ServerChoice(phone: phone, preset: Self.presetServer)
        private let backgroundTime = BackgroundTime()

        /// Called when the app's time in the background is over, before the system suspends it.
        public var willSuspend: (@MainActor @Sendable () async -> Void)? {
            get { backgroundTime.willEnd }
            set { backgroundTime.willEnd = newValue }
        }

        // Early: the system delivers the tap that has started the app only to a delegate that is set before the end of the start.
        public override init() {
            notifications = DeviceNotifications(naming: Self.notificationID)
            super.init()
        }

        /// The address of the first server, from the project's build settings; empty where the user enters one.
        public static var presetServer: String { Bundle.main.object(forInfoDictionaryKey: "ServerAddress") as? String ?? "" }

        /// The privacy policy of the app, from the project's build settings; nil where none is named. A server that the user chooses has its own.
        private static var privacyPolicy: URL? {
            (Bundle.main.object(forInfoDictionaryKey: "PrivacyPolicy") as? String).flatMap { $0.isEmpty ? nil : URL(string: $0) }
        }

        // MARK: Of one app

        open class var activities: any LiveActivities { NoLiveActivities() }

        /// The id of the notification that a push shows: the same as that of a local notification with the same meaning.
        ///
        /// - Parameter fields: The texts of the push beside `aps`.
        /// - Returns: Nil for a push that opens nothing.
        open nonisolated class func notificationID(ofPush fields: [String: String]) -> String? { fields["tag"] }

        // MARK: Remote notifications

        public func application(
            _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
        ) {
            notifications.didRegister(deviceToken)
        }

        public func application(
            _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
        ) {
            notifications.didFailToRegister()
        }

        public func application(
            _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
            fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
        ) {
            completionHandler(notifications.receive(userInfo) ? .newData : .noData)
        }
    }
#endif
