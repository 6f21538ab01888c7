import ApplePlatform
import NetworkingKit
import Pager2077App
import Pager2077Client
import Pager2077Wire
import PlatformKit
import SwiftUI

/// The pager as an iPhone app. Not compiled yet: the Xcode project, and `ApplePlatform` with the device as a `Phone`, come together.
@main
struct Pager2077App: App {
    @UIApplicationDelegateAdaptor(PagerDelegate.self) private var delegate
    private let service = RemoteService(
        // Set in the project's build settings, one for each configuration.
        address: URL(string: Bundle.main.object(forInfoDictionaryKey: "PagerServer") as? String ?? "")!,
        http: URLSessionHTTP(), sockets: URLSessionSocket())

    var body: some Scene {
        WindowGroup {
            let phone = Phone.device(notifications: delegate.notifications, activities: DeviceLiveActivities())
            PagerRoot(.shared(on: phone, service: service), on: phone)
                .statusBarHidden()
                .onOpenURL { link in
                    // A tap on a Live Activity.
                    if let id = PagerActivityAttributes.notificationID(of: link) { delegate.notifications.tapped(id) }
                }
        }
    }
}
