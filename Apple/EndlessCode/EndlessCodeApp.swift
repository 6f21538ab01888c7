import ApplePlatform
import EndlessCodeApp
import EndlessCodeClient
import NetworkingKit
import SwiftUI
import UIKit

@main
struct CodeApp: App {
    @UIApplicationDelegateAdaptor(DeviceDelegate.self) private var delegate
    private let network = ServerNetwork(phoneName: UIDevice.current.name, transports: URLSessionTransports())

    var body: some Scene {
        WindowGroup { EndlessCodeRoot(phone: delegate.phone, network: network) }
    }
}
