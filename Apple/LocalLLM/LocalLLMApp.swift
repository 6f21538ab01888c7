import AppleCamera
import ApplePlatform
import LocalLLMApp
import LocalLLMClient
import PlatformKit
import SwarmTransport
import SwiftUI
import UIKit

@main
struct ChatApp: App {
    @UIApplicationDelegateAdaptor(ChatDelegate.self) private var delegate
    /// The phone's node in the peer-to-peer network. It starts with the first dial, and closes before the system suspends the app.
    private let node = SharedNode(bootstrap: HostAndPort.publicNodes)

    var body: some Scene {
        WindowGroup {
            LocalLLMRoot(
                phone: delegate.phone, network: HostNetwork { [node] secret, _ in try await node.transport(secret: secret) }
            )
            .onAppear { delegate.willSuspend = { [node] in await node.close() } }
        }
    }
}

final class ChatDelegate: DeviceDelegate, UIApplicationDelegate {
    override func addCapabilities(to phone: inout Phone) { phone.scanner = DeviceScanner() }
}
