import PlatformKit
import UIKit

/// Passes on what the system tells an app about remote notifications. Not compiled yet: see `Apple/README.md`.
final class PagerDelegate: NSObject, UIApplicationDelegate {
    let notifications = DeviceNotifications { fields in
        switch fields["type"] {
        case "MESSAGE": fields["senderId"].map { "chat-\($0)" }
        case "FRIEND_REQUEST": fields["requestId"].map { "request-\($0)" }
        case "FRIEND_ACCEPTED": fields["friendHexCode"].map { "friend-\($0)" }
        default: nil
        }
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        notifications.registered(deviceToken)
    }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error) {
        notifications.registrationFailed()
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        completionHandler(notifications.received(userInfo) ? .newData : .noData)
    }
}
