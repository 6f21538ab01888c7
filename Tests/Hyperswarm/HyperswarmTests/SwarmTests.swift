import CompactEncoding
import CryptoPrimitives
import DHTRPC
import HyperDHT
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

@testable import Hyperswarm

/// A swarm on a network in memory: the topics, and who listens.
@Suite struct SwarmTests {
    let topic = DHTTopic(hashing: [1])

    private func runs(_ swarm: Swarm<MemoryNode>) -> Task<Void, Never> {
        Task { await swarm.run() }
    }

    @Test func clientAndServerOfATopicConnect() async throws {
        let network = MemoryNetwork()
        let server = Swarm(node: network.makeNode(1))
        let client = Swarm(node: network.makeNode(2))
        let tasks = [runs(server), runs(client)]
        await server.join(topic, client: false)
        #expect(try await server.joined(topic) == 0)
        await client.join(topic, server: false)
        #expect(try await client.joined(topic) == 1)
        var outgoing = client.connections.makeAsyncIterator()
        var incoming = server.connections.makeAsyncIterator()
        let first = try #require(await outgoing.next())
        let second = try #require(await incoming.next())
        #expect(first.remotePublicKey == network.key(1))
        #expect(second.remotePublicKey == network.key(2))
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        #expect(first.isClosed)
        #expect(network.announced(topic).isEmpty, "the record is removed at the end")
        #expect(await outgoing.next() == nil)
    }

    @Test func peersThatDialEachOtherKeepOneConnection() async throws {
        for round in 1...20 {
            let network = MemoryNetwork()
            let left = Swarm(node: network.makeNode(UInt8(round)))
            let right = Swarm(node: network.makeNode(UInt8(round + 100)))
            let tasks = [runs(left), runs(right)]
            await left.join(topic)
            await right.join(topic)
            _ = try await left.joined(topic)
            _ = try await right.joined(topic)
            await left.refresh()
            await right.refresh()
            for swarm in [left, right] {
                var connections = swarm.connections.makeAsyncIterator()
                _ = try #require(await connections.next())
            }
            for task in tasks { task.cancel() }
            for task in tasks { await task.value }
        }
    }

    @Test func connectByKeyReturnsTheConnectionOrTheError() async throws {
        let network = MemoryNetwork()
        let server = Swarm(node: network.makeNode(1))
        let client = Swarm(node: network.makeNode(2))
        let tasks = [runs(server), runs(client)]
        await server.join(topic, client: false)
        _ = try await server.joined(topic)
        let connection = try await client.connect(to: network.key(1))
        #expect(try await client.connect(to: network.key(1)) === connection)
        await #expect(throws: MemoryNetwork.Failure.self) { try await client.connect(to: network.key(9)) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        await #expect(throws: CancellationError.self) { try await client.connect(to: network.key(1)) }
    }

    @Test func closedConnectionIsDialledAgain() async throws {
        let network = MemoryNetwork()
        let server = Swarm(node: network.makeNode(1))
        let client = Swarm(node: network.makeNode(2))
        let tasks = [runs(server), runs(client)]
        await server.join(topic, client: false)
        _ = try await server.joined(topic)
        await client.join(topic, server: false)
        var connections = client.connections.makeAsyncIterator()
        let first = try #require(await connections.next())
        first.drop()
        let second = try #require(await connections.next())
        #expect(second !== first)
        #expect(second.remotePublicKey == network.key(1))
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    @Test func unreachableNetworkIsToldToTheCaller() async throws {
        let network = MemoryNetwork()
        network.isDown = true
        let client = Swarm(node: network.makeNode(2))
        let task = runs(client)
        await client.join(topic, server: false)
        do {
            _ = try await client.joined(topic)
            Issue.record("joined")
        } catch let error as RPCError {
            #expect(error.code == .noBootstrapNode)
        }
        task.cancel()
        await task.value
    }

    @Test func leftTopicIsUnannounced() async throws {
        let network = MemoryNetwork()
        let server = Swarm(node: network.makeNode(1))
        let task = runs(server)
        await server.join(topic, client: false)
        _ = try await server.joined(topic)
        #expect(network.announced(topic) == [network.key(1)])
        await server.leave(topic)
        while !network.announced(topic).isEmpty { await Task.yield() }
        await #expect(throws: CancellationError.self) { try await server.joined(topic) }
        task.cancel()
        await task.value
    }

    @Test func suspendedSwarmClosesAndResumes() async throws {
        let network = MemoryNetwork()
        let server = Swarm(node: network.makeNode(1))
        let client = Swarm(node: network.makeNode(2))
        let tasks = [runs(server), runs(client)]
        await server.join(topic, client: false)
        _ = try await server.joined(topic)
        await client.join(topic, server: false)
        var connections = client.connections.makeAsyncIterator()
        let first = try #require(await connections.next())
        await client.suspend()
        #expect(first.isClosed)
        await client.resume()
        let second = try #require(await connections.next())
        #expect(!second.isClosed)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}

/// Topics and listeners in memory.
final class MemoryNetwork: Sendable {
    struct Failure: Error {}

    private struct State {
        var topics: [DHTTopic: Set<PublicKey>] = [:]
        var listeners: [PublicKey: @Sendable (MemoryConnection) -> Void] = [:]
        var isDown = false
    }

    let eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let state = NIOLockedValueBox(State())

    var isDown: Bool {
        get { state.withLockedValue { $0.isDown } }
        set { state.withLockedValue { $0.isDown = newValue } }
    }

    func key(_ number: UInt8) -> PublicKey {
        PublicKey([UInt8](repeating: number, count: 32)) ?? KeyPair.generate().publicKey
    }

    func makeNode(_ number: UInt8) -> MemoryNode {
        MemoryNode(network: self, eventLoop: eventLoop, publicKey: key(number))
    }

    func announced(_ topic: DHTTopic) -> Set<PublicKey> {
        state.withLockedValue { $0.topics[topic] ?? [] }
    }

    func setAnnounced(_ isAnnounced: Bool, _ key: PublicKey, _ topic: DHTTopic) {
        state.withLockedValue { state in
            if isAnnounced {
                state.topics[topic, default: []].insert(key)
            } else {
                state.topics[topic]?.remove(key)
            }
        }
    }

    func setListener(_ listener: (@Sendable (MemoryConnection) -> Void)?, of key: PublicKey) {
        state.withLockedValue { $0.listeners[key] = listener }
    }

    func listener(of key: PublicKey) -> (@Sendable (MemoryConnection) -> Void)? {
        state.withLockedValue { $0.listeners[key] }
    }
}

struct MemoryNode: SwarmNode {
    let network: MemoryNetwork
    let eventLoop: any EventLoop
    let publicKey: PublicKey

    func connect(to peer: PeerRecord) async throws -> MemoryConnection {
        guard let listener = network.listener(of: peer.publicKey) else { throw MemoryNetwork.Failure() }
        let (near, far) = MemoryConnection.makePair(near: publicKey, far: peer.publicKey)
        eventLoop.execute { listener(far) }
        return near
    }

    func listen(onConnection: @escaping @Sendable (MemoryConnection) -> Void) async throws {
        network.setListener(onConnection, of: publicKey)
    }

    func stopListening() async {
        network.setListener(nil, of: publicKey)
    }

    func lookup(_ topic: DHTTopic, firstNodes: [PeerAddress], onHit: @escaping @Sendable (PeerDirectory.Hit) -> Void) async throws
        -> PeerDirectory.Result
    {
        if network.isDown { throw RPCError(.noBootstrapNode) }
        let peers = network.announced(topic).map { PeerRecord(publicKey: $0) }
        let hit = PeerDirectory.Hit(peers: peers, node: PeerAddress(octets: 1 << 24, port: 1))
        try await eventLoop.submit { onHit(hit) }.get()
        return PeerDirectory.Result(closest: [hit.node], peers: peers)
    }

    func announce(
        _ topic: DHTTopic, firstNodes: [PeerAddress], clearsOldRecords: Bool, onHit: @escaping @Sendable (PeerDirectory.Hit) -> Void
    ) async throws -> PeerDirectory.Result {
        let result = try await lookup(topic, firstNodes: firstNodes, onHit: onHit)
        network.setAnnounced(true, publicKey, topic)
        return result
    }

    func unannounce(_ topic: DHTTopic, at nodes: [PeerAddress]) async {
        network.setAnnounced(false, publicKey, topic)
    }

    func suspend() async {}
    func resume() async {}
}

final class MemoryConnection: SwarmConnection {
    private struct State {
        var isClosed = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        var other: MemoryConnection?
    }

    let remotePublicKey: PublicKey
    private let state = NIOLockedValueBox(State())

    private init(remotePublicKey: PublicKey) { self.remotePublicKey = remotePublicKey }

    static func makePair(near: PublicKey, far: PublicKey) -> (MemoryConnection, MemoryConnection) {
        let (first, second) = (MemoryConnection(remotePublicKey: far), MemoryConnection(remotePublicKey: near))
        first.state.withLockedValue { $0.other = second }
        second.state.withLockedValue { $0.other = first }
        return (first, second)
    }

    var carriesData: Bool { false }
    var isClosed: Bool { state.withLockedValue { $0.isClosed } }

    func drop() {
        let (waiters, other) = state.withLockedValue { state in
            defer { state = State(isClosed: true) }
            return (state.waiters, state.other)
        }
        for waiter in waiters { waiter.resume() }
        other?.drop()
    }

    func probe() {}

    func end() { drop() }

    func untilClosed() async {
        await withCheckedContinuation { continuation in
            let isClosed = state.withLockedValue { state in
                if !state.isClosed { state.waiters.append(continuation) }
                return state.isClosed
            }
            if isClosed { continuation.resume() }
        }
    }
}
