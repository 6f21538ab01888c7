import ApplePlatform
import NetworkingKit
import Pager2077App
import Pager2077Client
import SwiftUI

/// The pager as an iPhone app. Not compiled yet: the Xcode project, and `ApplePlatform` with the device as a `Phone`, come together.
@main
struct Pager2077App: App {
    private let phone = Phone.device
    private let service = RemoteService(
        // Set in the project's build settings, one for each configuration.
        address: URL(string: Bundle.main.object(forInfoDictionaryKey: "PagerServer") as? String ?? "")!,
        http: URLSessionHTTP(), sockets: URLSessionSocket())

    var body: some Scene {
        WindowGroup {
            PagerRoot(.shared(on: phone, service: service), on: phone)
                .statusBarHidden()
        }
    }
}
