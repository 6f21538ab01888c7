// The part of UIKit that the code for iPhones uses, without views. Pages: https://developer.apple.com/documentation/uikit/<type>/<member>
@_exported import Accessibility
@_exported import Foundation

/// uiresponder
@MainActor
open class UIResponder: NSObject {
    /// uiresponder/keyboardwillshownotification
    public nonisolated class var keyboardWillShowNotification: NSNotification.Name { fatalError() }
    /// uiresponder/keyboardwillhidenotification
    public nonisolated class var keyboardWillHideNotification: NSNotification.Name { fatalError() }
}

/// uibackgroundtaskidentifier
public struct UIBackgroundTaskIdentifier: Hashable, RawRepresentable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// uibackgroundfetchresult
public enum UIBackgroundFetchResult: UInt, Sendable {
    case newData, noData, failed
}

/// uiapplication
@MainActor
open class UIApplication: UIResponder {
    open class var shared: UIApplication { fatalError() }
    open var connectedScenes: Set<UIScene> { fatalError() }
    open func registerForRemoteNotifications() {}
    /// uiapplication/beginbackgroundtask(withname:expirationhandler:)
    open nonisolated func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { fatalError() }
    open nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
    public nonisolated class var didBecomeActiveNotification: NSNotification.Name { fatalError() }
    /// uiapplication/protecteddatadidbecomeavailablenotification
    public nonisolated class var protectedDataDidBecomeAvailableNotification: NSNotification.Name { fatalError() }
    public nonisolated class var didEnterBackgroundNotification: NSNotification.Name { fatalError() }
    public nonisolated class var willEnterForegroundNotification: NSNotification.Name { fatalError() }
}

/// uiapplicationdelegate
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {}

/// Methods of `UIApplicationDelegate`, which are optional on iOS. The files in `Tests/AppleStubs/OptionalMethods` say which classes have them, so that
/// a method with another signature is found.
@MainActor
public protocol RemoteNotificationMethods {
    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)
}

/// uipasteboard
open class UIPasteboard: NSObject {
    open class var general: UIPasteboard { fatalError() }
    open var string: String? {
        get { fatalError() }
        set {}
    }
    open var hasStrings: Bool { fatalError() }
}

/// uidevice
@MainActor
open class UIDevice: NSObject {
    open class var current: UIDevice { fatalError() }
    open var name: String { fatalError() }
}
