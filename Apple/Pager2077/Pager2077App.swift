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
            DemonstrationGate(on: delegate.phone) {
                ServerGate(delegate.server) { server in
                    PagerRoot(
                        .shared(
                            on: server.phone, service: RemoteService(address: server.address.url, http: http, sockets: sockets)),
                        on: server.phone)
                }
            } demonstration: {
                PagerDemonstration(on: $0)
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
    override class var activities: any LiveActivities { DeviceLiveActivities(PagerActivityAttributes.self) }

    override nonisolated class func notificationID(ofPush fields: [String: String]) -> String? {
        Pager.notificationID(ofPush: fields)
    }
}
