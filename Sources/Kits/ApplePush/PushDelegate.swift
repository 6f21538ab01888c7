#if os(iOS)
    public import ApplePlatform
    public import Foundation
    public import PlatformKit
    public import UIKit

    /// The delegate of an app that shows notifications and receives pushes. Forwards the system's callbacks to ``notifications``.
    ///
    /// Methods of `UIApplicationDelegate` belong here, or override one: Objective-C does not find a new one in a subclass of another module
    /// (swiftlang/swift, issue 61632).
    open class PushDelegate: DeviceDelegate, UIApplicationDelegate {
        /// The notifications of the app's phone.
        public let notifications: DeviceNotifications

        // Early, because the system delivers the tap that launched the app only to a delegate that is set before the launch ends.
        public override init() {
            notifications = DeviceNotifications(naming: Self.notificationID)
            super.init()
        }

        open override func addCapabilities(to phone: inout Phone) { phone.notifications = notifications }

        /// Returns the id of the notification that a push shows, equal to that of a local notification with the same meaning.
        ///
        /// - Parameter fields: The push's text fields other than `aps`.
        /// - Returns: The id; nil for a push that opens nothing.
        open nonisolated class func notificationID(ofPush fields: [String: String]) -> String? { fields["tag"] }

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

        /// Handles a push that shows nothing, in an app with the background mode `remote-notification`. The push may have launched
        /// the app, which then has no screen.
        ///
        /// - Parameter fields: The push's text fields other than `aps`.
        open func receive(silent fields: [String: String]) async -> SilentPushResult { .noData }

        public func application(
            _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
            fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
        ) {
            let payload = PushPayload(userInfo)
            guard payload.isSilent else { return completionHandler(.noData) }
            // The system suspends the app again after the call of the handler.
            Task {
                let outcome = await result(within: SilentPushResult.limit, clock: ContinuousClock(), late: SilentPushResult.failed)
                {
                    await self.receive(silent: payload.fields)
                }
                completionHandler(UIBackgroundFetchResult(outcome))
            }
        }
    }

    extension UIBackgroundFetchResult {
        fileprivate init(_ result: SilentPushResult) {
            self =
                switch result {
                case .newData: .newData
                case .noData: .noData
                case .failed: .failed
                }
        }
    }
#endif
