import CompactEncoding
import CryptoPrimitives
import DHTRPC
import NIOCore
import Testing
import UDX

@testable import HyperDHT

/// Ten nodes of this implementation on loopback.
@Suite struct LoopbackNetworkTests {
    let topic = DHTKey(hashing: [42])
    let keyPair: KeyPair

    init() throws { keyPair = try #require(KeyPair(seed: [UInt8](repeating: 1, count: 32))) }

    @Test func announcedPeerIsLookedUpAndUnannounced() async throws {
        try await LoopbackNetwork.with(10) { network in
            let host = PeerDirectory(rpc: try await network.addClient())
            let client = PeerDirectory(rpc: try await network.addClient())
            #expect(try await client.lookup(topic).peers.isEmpty)
            let relay = network.nodes[3].address
            let announced = try await host.announce(topic, keyPair: keyPair, relayAddresses: [relay])
            #expect(announced.storedCount == 10)
            let found = try await client.lookup(topic)
            #expect(found.peers == [PeerRecord(publicKey: keyPair.publicKey, relayAddresses: [relay])])
            #expect(await host.unannounce(topic, keyPair: keyPair, at: announced.closest) == 10)
            #expect(try await client.lookup(topic).peers.isEmpty)
            #expect(await network.counts().records == 0)
        }
    }

    @Test func announcerFindsRelaysAndRemovesItself() async throws {
        try await LoopbackNetwork.with(10) { network in
            let rpc = try await network.addClient()
            let announcer = Announcer(rpc: rpc, keyPair: keyPair)
            await announcer.start()
            let relays = await announcer.announced()
            #expect(relays.count == 3)
            let own = await rpc.localAddress
            #expect(relays.allSatisfy { $0.peerAddress == own })
            let client = PeerDirectory(rpc: try await network.addClient())
            let found = try await client.findPeer(keyPair.publicKey)
            #expect(Set(found.map(\.from)) == Set(relays.map(\.relayAddress)))
            await announcer.stop()
            #expect(await network.counts().routes == 0)
            #expect(try await client.findPeer(keyPair.publicKey).isEmpty)
        }
    }

    @Test func firstAnnouncementReplacesTheRecordOfAnEarlierRun() async throws {
        try await LoopbackNetwork.with(5) { network in
            let first = PeerDirectory(rpc: try await network.addClient())
            _ = try await first.announce(topic, keyPair: keyPair, relayAddresses: [network.nodes[0].address])
            let second = PeerDirectory(rpc: try await network.addClient())
            let relay = network.nodes[1].address
            let result = try await second.announce(topic, keyPair: keyPair, relayAddresses: [relay], clearsOldRecords: true)
            #expect(result.storedCount == 5)
            #expect(try await second.lookup(topic).peers.map(\.relayAddresses) == [[relay]])
            #expect(await network.counts().records == 5)
        }
    }

    @Test func restartedNodeStoresAgain() async throws {
        try await LoopbackNetwork.with(4) { network in
            let host = PeerDirectory(rpc: try await network.addClient())
            _ = try await host.announce(topic, keyPair: keyPair, relayAddresses: [])
            let port = Int(network.nodes[2].address.port)
            await network.stop(2)
            network.nodes.remove(at: 2)
            let restarted = try await network.addNode(port: port)
            #expect(await restarted.node.recordCount == 0)
            let announced = try await host.announce(topic, keyPair: keyPair, relayAddresses: [])
            #expect(announced.storedCount == 4)
            #expect(await restarted.node.recordCount == 1)
        }
    }

    @Test func wrongTokenIsReplacedByTheFreshOne() async throws {
        try await LoopbackNetwork.with(1) { network in
            let rpc = try await network.addClient()
            var reply = try await rpc.request(Command.lookup.rpc, to: network.nodes[0].address, target: topic)
            reply.token = [UInt8](repeating: 7, count: 32)
            let forged = reply
            let refused = try await rpc.request(
                Command.announce.rpc, to: forged.from, target: topic, value: [0], token: [UInt8](repeating: 7, count: 32))
            #expect(refused.error == RPCErrorNumber.invalidToken)
            #expect(refused.token != nil)
            let stored = await withCheckedContinuation { continuation in
                rpc.eventLoop.execute {
                    rpc.onEventLoop {
                        $0.startWrite(.announce, target: topic, keyPair: keyPair, to: forged) {
                            continuation.resume(returning: $0 != nil)
                        }
                    }
                }
            }
            #expect(stored)
            #expect(await network.counts().records == 1)
        }
    }

    @Test func missingBootstrapNodeIsToldApartFromAnEmptyTopic() async throws {
        try await LoopbackNetwork.with(1) { network in
            let dead = try await LoopbackSocket.bind(on: network.eventLoop)
            let address = dead.localAddress
            try await dead.channel.close()
            let rpc = try await network.addClient(bootstrap: [address], waits: false)
            let error = await #expect(throws: RPCError.self) {
                try await rpc.query(Command.lookup.rpc, target: topic, maximumSends: 1)
            }
            #expect(error?.code == .noBootstrapNode)
            let connected = PeerDirectory(rpc: try await network.addClient())
            #expect(try await connected.lookup(topic).peers.isEmpty)
        }
    }

    @Test func nodeWithoutPeersAnswersUnknownCommands() async throws {
        try await LoopbackNetwork.with(1) { network in
            let rpc = try await network.addClient()
            let reply = try await rpc.request(RPCCommand(number: 99), to: network.nodes[0].address, target: topic)
            #expect(reply.error == RPCErrorNumber.unknownCommand)
            let client = try await network.addClient()
            let ephemeral = try await rpc.request(Command.lookup.rpc, to: await client.localAddress, target: topic)
            #expect(ephemeral.error == RPCErrorNumber.unknownCommand, "an ephemeral node stores nothing")
            #expect(ephemeral.id == nil)
        }
    }

    @Test func cancelledLookupEndsAtOnce() async throws {
        try await LoopbackNetwork.with(1) { network in
            let silent = try await LoopbackSocket.bind(on: network.eventLoop)
            let rpc = try await network.addClient()
            let address = silent.localAddress
            let task = Task { try await rpc.query(Command.lookup.rpc, target: topic, firstNodes: [address]) }
            await Task.yield()
            task.cancel()
            let result = await task.result
            #expect(throws: RPCError.self) { try result.get() }
            try await silent.channel.close()
        }
    }

    @Test func suspendedNodeRefusesAndResumes() async throws {
        try await LoopbackNetwork.with(3) { network in
            let rpc = try await network.addClient()
            await rpc.suspend()
            await #expect(throws: RPCError.self) { try await rpc.ping(network.nodes[0].address) }
            await rpc.resume()
            _ = try await rpc.ping(network.nodes[0].address)
        }
    }

    @Test func unfilteredHostIsReachableThroughAFreshSocket() async throws {
        try await LoopbackNetwork.with(6) { network in
            let rpc = try await network.addClient()
            let fresh = try await LoopbackSocket.bind(on: network.eventLoop)
            let socket = await rpc.attach(fresh)
            try await fresh.connect(to: rpc, as: socket)
            #expect(await rpc.reachableAddress(through: socket, port: fresh.localAddress.port) == fresh.localAddress)
            // Answers to another port arrive nowhere, as behind a filter.
            #expect(await rpc.reachableAddress(through: socket, port: 9, asking: [network.nodes[0].address]) == nil)
            try await fresh.channel.close()
        }
    }
}
