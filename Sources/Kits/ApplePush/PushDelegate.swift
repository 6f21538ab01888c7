#if os(iOS)
    public import ApplePlatform
    public import Foundation
    public import PlatformKit
    public import UIKit

    /// The delegate of an app that shows notifications and receives pushes: passes on what the system tells about them.
    ///
    /// Methods of `UIApplicationDelegate` belong here, or override one: Objective-C does not find a new one in a subclass of another module
    /// (swiftlang/swift, issue 61632).
    open class PushDelegate: DeviceDelegate, UIApplicationDelegate {
        /// The notifications of the app's phone.
        public let notifications: DeviceNotifications

        // Early: the system delivers the tap that has started the app only to a delegate that is set before the end of the start.
        public override init() {
            notifications = DeviceNotifications(naming: Self.notificationID)
            super.init()
        }

        open override func addCapabilities(to phone: inout Phone) { phone.notifications = notifications }

        /// The id of the notification that a push shows: the same as that of a local notification with the same meaning.
        ///
        /// - Parameter fields: The texts of the push beside `aps`.
        /// - Returns: Nil for a push that opens nothing.
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

        /// Handles a push that shows nothing, in an app with the background mode `remote-notification`: also one that the push has started, which
        /// has no screen then.
        ///
        /// - Parameter fields: The texts of the push beside `aps`.
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
