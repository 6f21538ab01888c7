import CompactEncoding
import CryptoPrimitives
import DHTRPC
import HyperDHT
import Hyperswarm
import HyperswarmTestKit
import NIOCore
import Testing
import UDX

/// Swarms on ten nodes of this implementation, on loopback.
@Suite(.serialized) struct SwarmNetworkTests {
    /// The network in front of the host: reachable by everybody, or known by hole punching only.
    enum Kind: CaseIterable { case open, firewalled }

    let topic = DHTTopic(hashing: [9])

    /// The swarms that run on a network.
    private final class Swarms {
        let testnet: Testnet
        let kind: Kind
        var nodes: [DHTNode] = []
        var runs: [Task<Void, Never>] = []

        init(_ testnet: Testnet, _ kind: Kind) {
            self.testnet = testnet
            self.kind = kind
        }

        /// Adds a swarm; number 1 is the host.
        func addSwarm(_ number: UInt8) async throws -> PeerSwarm {
            let keyPair = try #require(KeyPair(seed: [UInt8](repeating: number, count: 32)))
            let node = try await testnet.addPeer(waits: false) { configuration in
                configuration.keyPair = keyPair
                switch kind {
                case .open: if number == 1 { configuration.firewall = .open }
                // Without local addresses there is no shortcut over the local network.
                case .firewalled: configuration.localAddresses = []
                }
            }
            nodes.append(node)
            let swarm = PeerSwarm(node: node)
            runs.append(Task { await swarm.run() })
            return swarm
        }

        func close() async {
            for run in runs { run.cancel() }
            for run in runs { await run.value }
        }
    }

    private func withNetwork(
        _ count: Int = 10, _ kind: Kind = .firewalled, _ body: (Swarms) async throws -> Void
    ) async throws {
        try await Testnet.with(count) { testnet in
            let network = Swarms(testnet, kind)
            do {
                try await body(network)
            } catch {
                await network.close()
                throw error
            }
            await network.close()
        }
    }

    private func echo(_ swarm: PeerSwarm) async throws {
        for await connection in swarm.connections {
            for try await bytes in connection { try await connection.write(bytes) }
            await connection.finish()
        }
    }

    @Test(arguments: Kind.allCases)
    func clientFindsTheHostByTopicAndGetsItsEcho(_ kind: Kind) async throws {
        try await withNetwork(10, kind) { network in
            let host = try await network.addSwarm(1)
            await host.join(topic, client: false)
            _ = try await host.joined(topic)
            let echoing = Task { try await echo(host) }
            let client = try await network.addSwarm(2)
            await client.join(topic, server: false)
            #expect(try await client.joined(topic) == 1)
            var connections = client.connections.makeAsyncIterator()
            let connection = try #require(await connections.next())
            try await connection.write(ByteBuffer(string: "hello\n"))
            var answer = ByteBuffer()
            while answer.readableBytes < 6, let bytes = try await connection.read() { answer.writeImmutableBuffer(bytes) }
            #expect(String(buffer: answer) == "hello\n")
            await connection.finish()
            #expect(try await connection.read() == nil)
            echoing.cancel()
            _ = await echoing.result
        }
    }

    @Test(arguments: Kind.allCases)
    func clientConnectsByKey(_ kind: Kind) async throws {
        try await withNetwork(10, kind) { network in
            let host = try await network.addSwarm(1)
            await host.join(topic, client: false)
            _ = try await host.joined(topic)
            let client = try await network.addSwarm(2)
            let key = try #require(KeyPair(seed: [UInt8](repeating: 1, count: 32))).publicKey
            let connection = try await client.connect(to: key)
            #expect(connection.remotePublicKey == key)
        }
    }

    @Test func unknownKeyIsNotAnnounced() async throws {
        try await withNetwork(3) { network in
            let client = try await network.addSwarm(2)
            let stranger = KeyPair.generate().publicKey
            let error = await #expect(throws: ConnectError.self) { try await client.connect(to: stranger) }
            #expect(error?.code == .nothingAnnounced)
        }
    }

    @Test func topicThatNobodyAnnouncedIsEmpty() async throws {
        try await withNetwork(3) { network in
            let client = try await network.addSwarm(2)
            await client.join(topic, server: false)
            #expect(try await client.joined(topic) == 0)
        }
    }

    @Test func stoppedHostIsNoLongerListed() async throws {
        try await withNetwork(5) { network in
            let host = try await network.addSwarm(1)
            await host.join(topic, client: false)
            _ = try await host.joined(topic)
            network.runs[0].cancel()
            await network.runs[0].value
            let client = try await network.addSwarm(2)
            await client.join(topic, server: false)
            #expect(try await client.joined(topic) == 0)
        }
    }

    @Test func stoppedHostEndsItsStreams() async throws {
        try await withNetwork(3) { network in
            let host = try await network.addSwarm(1)
            await host.join(topic, client: false)
            _ = try await host.joined(topic)
            let client = try await network.addSwarm(2)
            await client.join(topic, server: false)
            var connections = client.connections.makeAsyncIterator()
            let connection = try #require(await connections.next())
            var incoming = host.connections.makeAsyncIterator()
            let served = try #require(await incoming.next())
            try await served.write(ByteBuffer(string: "bye"))
            network.runs[0].cancel()
            #expect(try await connection.read().map { String(buffer: $0) } == "bye")
            #expect(try await connection.read() == nil, "an end, not a reset")
            await network.runs[0].value
        }
    }

    @Test func bothPeersServeAndDialAndKeepOneConnection() async throws {
        try await withNetwork(5) { network in
            let left = try await network.addSwarm(1)
            let right = try await network.addSwarm(2)
            await left.join(topic)
            await right.join(topic)
            _ = try await left.joined(topic)
            _ = try await right.joined(topic)
            await left.refresh()
            for swarm in [left, right] {
                var connections = swarm.connections.makeAsyncIterator()
                _ = try #require(await connections.next())
            }
            #expect(await left.openConnections.count == 1)
            #expect(await right.openConnections.count == 1)
        }
    }

    /// Writes `bytes` and reads as many back.
    private func exchange(_ bytes: ByteBuffer, _ connection: PeerConnection) async throws -> ByteBuffer {
        async let written: Void = connection.write(bytes)
        var answer = ByteBuffer()
        while answer.readableBytes < bytes.readableBytes, let part = try await connection.read() {
            answer.writeImmutableBuffer(part)
        }
        try await written
        return answer
    }

    @Test(arguments: Kind.allCases)
    func restartedHostIsFoundByAConnectedClient(_ kind: Kind) async throws {
        try await withNetwork(10, kind) { network in
            let host = try await network.addSwarm(1)
            await host.join(topic, client: false)
            _ = try await host.joined(topic)
            let client = try await network.addSwarm(2)
            await client.join(topic, server: false)
            var connections = client.connections.makeAsyncIterator()
            let first = try #require(await connections.next())
            // Nothing is unannounced, as after a crash.
            let crashed = network.nodes[0]
            await crashed.rpc.close()
            await crashed.close()
            await first.untilClosed()
            let again = try await network.addSwarm(1)
            await again.join(topic, client: false)
            _ = try await again.joined(topic)
            let echoing = Task { try await echo(again) }
            let second = try #require(await connections.next())
            let line = ByteBuffer(string: "still there?\n")
            #expect(try await exchange(line, second) == line)
            echoing.cancel()
            _ = await echoing.result
        }
    }

    @Test(arguments: Kind.allCases)
    func longLineComesBackWhole(_ kind: Kind) async throws {
        try await withNetwork(10, kind) { network in
            let host = try await network.addSwarm(1)
            await host.join(topic, client: false)
            _ = try await host.joined(topic)
            let echoing = Task { try await echo(host) }
            let client = try await network.addSwarm(2)
            await client.join(topic, server: false)
            var connections = client.connections.makeAsyncIterator()
            let connection = try #require(await connections.next())
            let line = ByteBuffer(bytes: (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
            #expect(try await exchange(line, connection) == line)
            echoing.cancel()
            _ = await echoing.result
        }
    }

    @Test(arguments: Kind.allCases)
    func suspendedSwarmConnectsAgainAfterResuming(_ kind: Kind) async throws {
        try await withNetwork(10, kind) { network in
            let host = try await network.addSwarm(1)
            await host.join(topic, client: false)
            _ = try await host.joined(topic)
            let client = try await network.addSwarm(2)
            await client.join(topic, server: false)
            var connections = client.connections.makeAsyncIterator()
            let first = try #require(await connections.next())
            await client.suspend()
            await first.untilClosed()
            await client.resume()
            let second = try #require(await connections.next())
            #expect(second.remotePublicKey == first.remotePublicKey)
        }
    }

    @Test(arguments: Kind.allCases)
    func twoClientsTalkToOneHostAtOnce(_ kind: Kind) async throws {
        try await withNetwork(10, kind) { network in
            let host = try await network.addSwarm(1)
            await host.join(topic, client: false)
            _ = try await host.joined(topic)
            let clients = [try await network.addSwarm(2), try await network.addSwarm(3)]
            var outgoing: [PeerConnection] = []
            for client in clients {
                await client.join(topic, server: false)
                var connections = client.connections.makeAsyncIterator()
                outgoing.append(try #require(await connections.next()))
            }
            var connections = host.connections.makeAsyncIterator()
            var incoming: [PeerConnection] = []
            for _ in clients { incoming.append(try #require(await connections.next())) }
            #expect(Set(incoming.map(\.remotePublicKey)).count == 2)
            for (number, connection) in outgoing.enumerated() {
                try await connection.write(ByteBuffer(string: "client \(number)\n"))
            }
            for connection in incoming {
                let line = try #require(try await connection.read())
                try await connection.write(line)
            }
            for (number, connection) in outgoing.enumerated() {
                #expect(try await connection.read().map { String(buffer: $0) } == "client \(number)\n")
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func resumedHostIsFoundAgain(_ kind: Kind) async throws {
        try await withNetwork(10, kind) { network in
            let host = try await network.addSwarm(1)
            await host.join(topic, client: false)
            _ = try await host.joined(topic)
            await host.suspend()
            await host.resume()
            let client = try await network.addSwarm(2)
            await client.join(topic, server: false)
            var connections = client.connections.makeAsyncIterator()
            let connection = try #require(await connections.next())
            #expect(connection.remotePublicKey == network.nodes[0].configuration.keyPair.publicKey)
        }
    }
}
