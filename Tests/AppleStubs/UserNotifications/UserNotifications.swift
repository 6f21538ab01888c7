// The part of UserNotifications that ApplePlatform uses. The methods of the delegate are optional on iOS; here they are requirements, so that a
// method with another signature is found. Pages: https://developer.apple.com/documentation/usernotifications/<type>/<member>
@_exported import Foundation

/// unauthorizationoptions
public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var badge: UNAuthorizationOptions { fatalError() }
    public static var sound: UNAuthorizationOptions { fatalError() }
    public static var alert: UNAuthorizationOptions { fatalError() }
}

/// unauthorizationstatus
public enum UNAuthorizationStatus: Int, Sendable {
    case notDetermined, denied, authorized, provisional, ephemeral
}

/// unnotificationpresentationoptions
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var sound: UNNotificationPresentationOptions { fatalError() }
    public static var list: UNNotificationPresentationOptions { fatalError() }
    public static var banner: UNNotificationPresentationOptions { fatalError() }
}

/// unusernotificationcenter
open class UNUserNotificationCenter: NSObject {
    open class func current() -> UNUserNotificationCenter { fatalError() }
    open weak var delegate: (any UNUserNotificationCenterDelegate)?
    /// unusernotificationcenter/requestauthorization(options:completionhandler:), called as an asynchronous method.
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { fatalError() }
    open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {}
    open func add(
        _ request: UNNotificationRequest, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {}
    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {}
    open func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {}
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {}
    /// unusernotificationcenter/setbadgecount(_:withcompletionhandler:), called as an asynchronous method.
    @available(iOS 16.0, *)
    open func setBadgeCount(_ newBadgeCount: Int) async throws {}
}

/// unusernotificationcenterdelegate
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
}

/// unnotificationsettings
open class UNNotificationSettings: NSObject {
    open var authorizationStatus: UNAuthorizationStatus { fatalError() }
}

/// unnotification
open class UNNotification: NSObject {
    open var request: UNNotificationRequest { fatalError() }
}

/// unnotificationrequest
open class UNNotificationRequest: NSObject {
    public convenience init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) { fatalError() }
    open var identifier: String { fatalError() }
    open var content: UNNotificationContent { fatalError() }
    open var trigger: UNNotificationTrigger? { fatalError() }
}

/// unnotificationcontent
open class UNNotificationContent: NSObject {
    open var userInfo: [AnyHashable: Any] { fatalError() }
}

/// unmutablenotificationcontent
open class UNMutableNotificationContent: UNNotificationContent {
    public override init() {}
    open var title = ""
    open var body = ""
    open var sound: UNNotificationSound?
}

/// unnotificationsound
open class UNNotificationSound: NSObject {
    open class var `default`: UNNotificationSound { fatalError() }
}

/// unnotificationtrigger
open class UNNotificationTrigger: NSObject {}

/// unpushnotificationtrigger
open class UNPushNotificationTrigger: UNNotificationTrigger {}

/// unnotificationresponse
open class UNNotificationResponse: NSObject {
    open var notification: UNNotification { fatalError() }
    open var actionIdentifier: String { fatalError() }
}

/// unnotificationdefaultactionidentifier
// swift-format-ignore: AlwaysUseLowerCamelCase
public let UNNotificationDefaultActionIdentifier = ""
