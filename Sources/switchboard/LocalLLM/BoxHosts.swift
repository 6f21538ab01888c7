import CryptoPrimitives
import Foundation
import HyperDHT
import LocalLLMClient
import LocalLLMService
import LocalLLMWire
import Logging
import NetworkingKit
import PlatformKit
import ServerKit
import SwarmTransport

/// The hosts that phones in browsers reach through a box: the demo host of the box, within the process, and any other one over Hyperswarm.
///
/// Every phone dials with its own key. The box joins the network when a phone dials a Server ID that is not the demo's, and not before.
struct BoxHosts: Sendable {
    /// The settings, without the prefix.
    static let settings = [BoxSwarm.setting("browsers find hosts")]

    let demo: ModelHostService
    private let demoID: ServerID
    private let peers = InProcessPeers()
    private let store: AnswerStore
    private let node: SharedNode

    /// - Throws: `StartupError`.
    init(_ box: BoxContext) throws {
        node = try box.swarm.node(box.settings)
        let folder = box.dataFolder.appending(path: "localllm-demo")
        try PrivateFiles.ensureFolder(folder)
        let identity = try HostIdentity(file: folder.appending(path: "host.key"))
        demoID = identity.serverID
        store = try LocalLLMCommand.openStore(folder)
        guard let key = PeerKey(demoID.bytes) else { preconditionFailure("a Server ID has 32 bytes") }
        let logger = box.logger
        demo = ModelHostService(
            ModelHost(
                ModelHost.Configuration(hostName: "Demo", admission: .open), acceptor: peers.peer(key), engine: DemoEngine(),
                store: store
            ) { logger.debug("LocalLLM demo", metadata: ["notice": "\($0.words)"]) })
    }

    /// The network of a phone.
    var network: HostNetwork {
        HostNetwork(offered: [OfferedHost(demoID, name: "Demo")]) { [demoID, peers, node] secret, id in
            guard let keyPair = KeyPair(seed: Array(secret)), let key = PeerKey(keyPair.publicKey.bytes) else {
                throw PhoneError.failed("the key is not usable")
            }
            return id == demoID ? peers.peer(key) : SwarmTransport(node: try await node.value(), keyPair: keyPair)
        }
    }

    @Sendable func close() async {
        await node.close()
        store.close()
    }
}
