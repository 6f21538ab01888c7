import ApplePlatform
import LocalLLMApp
import LocalLLMClient
import SwarmTransport
import SwiftUI

@main
struct ChatApp: App {
    @UIApplicationDelegateAdaptor(DeviceDelegate.self) private var delegate
    /// The phone is a peer of the network from the first dial on. In the background the system takes its sockets away.
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
