import CompactEncoding
import CryptoPrimitives
import DHTRPC
package import HyperDHT
import NIOCore
import NIOPosix
import UDX

/// Ten storing nodes on loopback and, beside them, a server and a client.
package struct Testnet: Sendable {
    static let nodeCount = 10

    package let server: DHTNode
    package let client: DHTNode
    private let nodes: [DHTNode]

    struct NoFreePort: Error {}

    /// Runs `body` with a network and closes all nodes after it.
    package static func with<Result>(
        sharesEventLoop: Bool = false, _ body: (Testnet) async throws -> Result
    ) async throws -> Result {
        let testnet = try await Testnet(sharesEventLoop: sharesEventLoop)
        do {
            let result = try await body(testnet)
            await testnet.close()
            return result
        } catch {
            await testnet.close()
            throw error
        }
    }

    private init(sharesEventLoop: Bool) async throws {
        var nodes: [DHTNode] = []
        var bootstrap: [PeerAddress] = []
        for _ in 0..<Self.nodeCount {
            let node = try await Self.startStoringNode(bootstrap: bootstrap)
            _ = await node.rpc.bootstrapped()
            if bootstrap.isEmpty { bootstrap = [await node.localAddress] }
            nodes.append(node)
        }
        let loops = EventLoops(areShared: sharesEventLoop).pair
        server = try await Self.startPeer(bootstrap: bootstrap, on: loops[0])
        client = try await Self.startPeer(bootstrap: bootstrap, on: loops[1])
        self.nodes = nodes
    }

    private static func startPeer(bootstrap: [PeerAddress], on eventLoop: any EventLoop) async throws -> DHTNode {
        var configuration = NodeConfiguration(bootstrap: bootstrap)
        configuration.bindAddress = PeerAddress(octets: 0x7f00_0001, port: 0)
        let node = try await DHTNode.start(configuration, on: eventLoop)
        _ = await node.rpc.bootstrapped()
        return node
    }

    /// Starts a node at a free port. The node's id is derived from its address, so the port must be known before.
    private static func startStoringNode(bootstrap: [PeerAddress]) async throws -> DHTNode {
        for _ in 0..<100 {
            let address = PeerAddress(octets: 0x7f00_0001, port: .random(in: 10_000..<32_000))
            var configuration = NodeConfiguration(bootstrap: bootstrap)
            configuration.bindAddress = address
            configuration.role = .persistent(address)
            // A failure means that another program has the port.
            if let node = try? await DHTNode.start(configuration) { return node }
        }
        throw NoFreePort()
    }

    private func close() async {
        await client.close()
        await server.close()
        for node in nodes { await node.close() }
    }
}
