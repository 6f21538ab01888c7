import ApplePlatform
import Foundation
import NetworkingKit
import Pager2077App
import Pager2077Client
import Pager2077Wire
import PlatformKit
import SwiftUI
import ViewKit

@main
struct PagerApp: App {
    @UIApplicationDelegateAdaptor(PagerDelegate.self) private var delegate
    private let http = URLSessionHTTP()
    private let sockets = URLSessionSocket()

    var body: some Scene {
        WindowGroup {
            ServerGate(delegate.server) { server in
                PagerRoot(
                    .shared(
                        on: server.phone, service: RemoteService(address: server.address.url, http: http, sockets: sockets)),
                    on: server.phone)
            }
            .statusBarHidden()
            .onOpenURL { link in
                // A tap on a Live Activity.
                if let id = PagerActivityAttributes.notificationID(of: link) { delegate.notifications.tapped(id) }
            }
        }
    }
}

final class PagerDelegate: DeviceDelegate {
    override class var activities: any LiveActivities {
        DeviceLiveActivities(PagerActivityAttributes.self) { $0.notificationID }
    }

    override nonisolated class func notificationID(ofPush fields: [String: String]) -> String? {
        Pager.notificationID(ofPush: fields)
    }
}
