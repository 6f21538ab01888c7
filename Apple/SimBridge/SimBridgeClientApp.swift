import ApplePlatform
import NetworkingKit
import SimBridgeApp
import SimBridgeClient
import SwiftUI
import UIKit

/// SimBridge's remote control as an iPhone app. Not compiled yet: see `Apple/README.md`.
@main
struct SimBridgeClientApp: App {
    private let phone = Phone.device
    private let relays = Relays(
        // Set in the project's build settings; empty where a person types it.
        preset: Bundle.main.object(forInfoDictionaryKey: "SimBridgeServer") as? String ?? "",
        deviceName: UIDevice.current.name
    ) { url throws(ServerAddress.Problem) in
        RemoteService(address: url, http: URLSessionHTTP(), sockets: URLSessionSocket())
    }

    var body: some Scene {
        WindowGroup { SimBridgeRoot(phone: phone, relays: relays) }
    }
}
