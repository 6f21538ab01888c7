import AppleCamera
import ApplePlatform
import ApplePush
import DiscoveryKit
import EndlessCodeApp
import EndlessCodeClient
import NetworkingKit
import PlatformKit
import SwiftUI
import UIKit

@main
@MainActor
struct CodeApp: App {
    @UIApplicationDelegateAdaptor(CodeDelegate.self) private var delegate
    private let network = ServerNetwork(phoneName: PhoneName.ofSystem(UIDevice.current.name), transports: URLSessionTransports())

    var body: some Scene {
        WindowGroup { EndlessCodeRoot(phone: delegate.phone, network: network) }
    }
}

final class CodeDelegate: PushDelegate {
    override func addCapabilities(to phone: inout Phone) {
        super.addCapabilities(to: &phone)
        phone.scanner = DeviceScanner()
        phone.discovery = LocalDiscovery()
    }
}
