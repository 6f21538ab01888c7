public import CompactEncoding
public import CryptoPrimitives
public import DHTRPC
public import HyperDHT
import NIOConcurrencyHelpers
public import NIOCore
import UDX

/// A node of the network as a swarm uses it: connects and listens under one key pair.
public final class DHTSwarmNode: SwarmNode {
    public let node: DHTNode
    private let server = NIOLockedValueBox<PeerServer?>(nil)

    private let keyPair: KeyPair

    /// - Parameter keyPair: The identity of the swarm; that of the node by default.
    public init(_ node: DHTNode, keyPair: KeyPair? = nil) {
        self.node = node
        self.keyPair = keyPair ?? node.configuration.keyPair
    }

    public var eventLoop: any EventLoop { node.eventLoop }
    public var publicKey: PublicKey { keyPair.publicKey }

    public func connect(to peer: PeerRecord) async throws -> PeerConnection {
        try await node.connect(to: peer.publicKey, relayAddresses: peer.relayAddresses, keyPair: keyPair)
    }

    /// - Throws: ``RPCError`` with code `noBootstrapNode` while no node answers; the next call tries again.
    public func listen(onConnection: @escaping @Sendable (PeerConnection) -> Void) async throws {
        let server: PeerServer
        if let existing = self.server.withLockedValue({ $0 }) {
            server = existing
        } else {
            server = try await node.listen(keyPair: keyPair, onConnection: onConnection)
            self.server.withLockedValue { $0 = server }
        }
        if await node.rpc.bootstrapped() == 0 {
            let relays = await server.relayAddresses
            let nodes = await node.rpc.knownNodes
            if relays.isEmpty, nodes.isEmpty { throw RPCError(.noBootstrapNode, "no bootstrap node answered") }
        }
        try Task.checkCancellation()
        await withTaskCancellationHandler {
            _ = await server.announced()
        } onCancel: {
            // Stopping the server ends the wait. The handler itself cannot wait.
            Task { await server.stop() }
        }
        try Task.checkCancellation()
    }

    public func stopListening() async {
        let server = self.server.withLockedValue { server in
            defer { server = nil }
            return server
        }
        await server?.stop()
    }

    public func lookup(
        _ topic: DHTTopic, firstNodes: [PeerAddress], onHit: @escaping @Sendable (PeerDirectory.Hit) -> Void
    ) async throws -> PeerDirectory.Result {
        try await node.directory.lookup(topic, firstNodes: firstNodes, onHit: onHit)
    }

    public func announce(
        _ topic: DHTTopic, firstNodes: [PeerAddress], clearsOldRecords: Bool, onHit: @escaping @Sendable (PeerDirectory.Hit) -> Void
    ) async throws -> PeerDirectory.Result {
        let relays = await server.withLockedValue { $0 }?.relayAddresses ?? []
        return try await node.directory.announce(
            topic, keyPair: keyPair, relayAddresses: relays, firstNodes: firstNodes, clearsOldRecords: clearsOldRecords,
            onHit: onHit)
    }

    public func unannounce(_ topic: DHTTopic, at nodes: [PeerAddress]) async {
        await node.directory.unannounce(topic, keyPair: keyPair, at: nodes)
    }

    public func suspend() async {
        await node.suspend()
    }

    public func resume() async {
        // Without a socket the node stays suspended; the next call tries again.
        try? await node.resume()
    }
}

extension PeerConnection: SwarmConnection {
    public nonisolated var carriesData: Bool { onEventLoop { $0.hasSentData && $0.hasReceivedData } }

    public nonisolated func end() {
        onEventLoop { $0.finish() }
    }

    public nonisolated func drop() {
        onEventLoop { $0.destroy() }
    }

    public nonisolated func probe() {
        onEventLoop { $0.sendKeepAlive() }
    }

    public nonisolated func untilClosed() async {
        await withCheckedContinuation { continuation in
            eventLoop.execute { self.onEventLoop { $0.onClose { _ in continuation.resume() } } }
        }
    }
}

/// A swarm on a node of the network.
public typealias PeerSwarm = Swarm<DHTSwarmNode>

extension Swarm where Node == DHTSwarmNode {
    /// Creates a swarm on a node. Several swarms with different key pairs can share one node.
    ///
    /// - Parameter keyPair: The identity of the swarm; that of the node by default.
    public init(node: DHTNode, keyPair: KeyPair? = nil) {
        self.init(node: DHTSwarmNode(node, keyPair: keyPair))
    }
}
