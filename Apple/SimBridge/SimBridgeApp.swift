import AppleOwner
import ApplePlatform
import ApplePush
import NetworkingKit
import PlatformKit
import SimBridgeApp
import SimBridgeClient
import SwiftUI
import UIKit

@main
struct RemoteApp: App {
    @UIApplicationDelegateAdaptor(RemoteDelegate.self) private var delegate
    private let relays: Relays

    init() {
        let (http, sockets) = (URLSessionHTTP(), URLSessionSocket())
        relays = Relays(preset: DeviceDelegate.presetServer, deviceName: PhoneName.ofSystem(UIDevice.current.name)) {
            RemoteService(address: $0, http: http, sockets: sockets)
        }
    }

    var body: some Scene {
        WindowGroup { SimBridgeRoot(phone: delegate.phone, relays: relays) }
    }
}

final class RemoteDelegate: PushDelegate {
    override func addCapabilities(to phone: inout Phone) {
        super.addCapabilities(to: &phone)
        phone.biometrics = DeviceBiometrics()
    }
}
