import AppleActivities
import ApplePlatform
import ApplePush
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

    var body: some Scene {
        WindowGroup {
            DemonstrationGate(on: delegate.phone) {
                ServerGate(delegate.server) { server in
                    PagerRoot(delegate.pager(of: server), on: server.phone)
                }
            } demonstration: {
                PagerDemonstration(on: $0)
            }
            .statusBarHidden()
            .onOpenURL { link in
                // A tap on a Live Activity opens a link with the notification's id.
                if let id = PagerActivityAttributes.notificationID(of: link) { delegate.notifications.tapped(id) }
            }
        }
    }
}

final class PagerDelegate: PushDelegate {
    private let http = URLSessionHTTP()
    private let sockets = URLSessionSocket()

    /// Secrets are readable after the first unlock, because silent pushes wake the app of a locked phone.
    override class var keychainAccess: KeychainAccess { .afterFirstUnlock }

    func pager(of server: ServerChoice.Server) -> Pager {
        .shared(on: server.phone, service: RemoteService(address: server.url, http: http, sockets: sockets))
    }

    override func receive(silent fields: [String: String]) async -> SilentPushResult {
        guard let server = server.server else { return .noData }
        return await pager(of: server).receive(silent: fields)
    }

    override func addCapabilities(to phone: inout Phone) {
        super.addCapabilities(to: &phone)
        phone.activities = DeviceLiveActivities(PagerActivityAttributes.self) { $0.notificationID }
    }

    override nonisolated class func notificationID(ofPush fields: [String: String]) -> String? {
        Pager.notificationID(ofPush: fields)
    }
}
