package import CompactEncoding
import DHTRPC
package import HyperDHT
package import NIOCore
import NIOPosix

/// Nodes on loopback that store and relay, each with the first one as bootstrap node, and the peers beside them.
package final class Testnet {
    package let eventLoop: any EventLoop
    /// The storing nodes.
    package private(set) var nodes: [DHTNode] = []
    /// The address of the first storing node.
    package private(set) var bootstrap: [PeerAddress] = []
    private var peers: [DHTNode] = []

    private init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Runs `body` with a network and closes everything after it.
    package static func with(_ count: Int = 10, _ body: (Testnet) async throws -> Void) async throws {
        let network = Testnet(eventLoop: MultiThreadedEventLoopGroup.singleton.next())
        do {
            for _ in 0..<count { try await network.addNode() }
            try await body(network)
        } catch {
            await network.close()
            throw error
        }
        await network.close()
    }

    /// Adds a storing node at a free port. Its id is of its address, so the port must be known before.
    @discardableResult
    package func addNode() async throws -> DHTNode {
        for _ in 0..<100 {
            // Below the ports that the system gives to other tests.
            let address = PeerAddress(octets: 0x7f00_0001, port: .random(in: 10_000..<32_000))
            var configuration = NodeConfiguration(bootstrap: bootstrap)
            configuration.bindAddress = address
            configuration.role = .persistent(address)
            // Another test has the port.
            guard let node = try? await DHTNode.start(configuration, on: eventLoop) else { continue }
            if bootstrap.isEmpty { bootstrap = [address] }
            nodes.append(node)
            _ = await node.rpc.bootstrapped()
            return node
        }
        throw NoFreePort()
    }

    private struct NoFreePort: Error {}

    /// Adds a peer, which stores nothing.
    ///
    /// - Parameter waits: Waits until the peer has joined the network.
    package func addPeer(waits: Bool = true, _ change: (inout NodeConfiguration) -> Void = { _ in }) async throws -> DHTNode {
        var configuration = NodeConfiguration(bootstrap: bootstrap)
        configuration.bindAddress = PeerAddress(octets: 0x7f00_0001, port: 0)
        change(&configuration)
        let peer = try await DHTNode.start(configuration, on: eventLoop)
        peers.append(peer)
        if waits { _ = await peer.rpc.bootstrapped() }
        return peer
    }

    /// The address of a storing node.
    package func address(_ index: Int) async -> PeerAddress { await nodes[index].localAddress }

    /// Records and routes in the whole network.
    package func counts() async -> (records: Int, routes: Int) {
        var counts = (records: 0, routes: 0)
        for node in nodes {
            counts.records += await node.recordCount
            counts.routes += await node.routeCount
        }
        return counts
    }

    private func close() async {
        for peer in peers { await peer.close() }
        for node in nodes { await node.close() }
    }
}
