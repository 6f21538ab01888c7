import CompactEncoding
import CryptoPrimitives
import DHTRPC
import HyperswarmTestKit
import NIOCore
import Testing
import UDX

@testable import HyperDHT

/// Ten nodes of this implementation on loopback.
@Suite struct TestnetTests {
    let topic = DHTKey(hashing: [42])
    let keyPair: KeyPair

    init() throws { keyPair = try #require(KeyPair(seed: [UInt8](repeating: 1, count: 32))) }

    @Test func announcedPeerIsLookedUpAndUnannounced() async throws {
        try await Testnet.with(10) { network in
            let host = PeerDirectory(rpc: try await network.addPeer().rpc)
            let client = PeerDirectory(rpc: try await network.addPeer().rpc)
            #expect(try await client.lookup(topic).peers.isEmpty)
            let relay = await network.address(3)
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
        try await Testnet.with(10) { network in
            let rpc = try await network.addPeer().rpc
            let announcer = Announcer(rpc: rpc, keyPair: keyPair)
            await announcer.start()
            let relays = await announcer.announced()
            #expect(relays.count == 3)
            let own = await rpc.localAddress
            #expect(relays.allSatisfy { $0.peerAddress == own })
            let client = PeerDirectory(rpc: try await network.addPeer().rpc)
            let found = try await client.findPeer(keyPair.publicKey)
            #expect(Set(found.map(\.from)) == Set(relays.map(\.relayAddress)))
            await announcer.stop()
            #expect(await network.counts().routes == 0)
            #expect(try await client.findPeer(keyPair.publicKey).isEmpty)
        }
    }

    @Test func firstAnnouncementReplacesTheRecordOfAnEarlierRun() async throws {
        try await Testnet.with(5) { network in
            let first = PeerDirectory(rpc: try await network.addPeer().rpc)
            _ = try await first.announce(topic, keyPair: keyPair, relayAddresses: [await network.address(0)])
            let second = PeerDirectory(rpc: try await network.addPeer().rpc)
            let relay = await network.address(1)
            let result = try await second.announce(topic, keyPair: keyPair, relayAddresses: [relay], clearsOldRecords: true)
            #expect(result.storedCount == 5)
            #expect(try await second.lookup(topic).peers.map(\.relayAddresses) == [[relay]])
            #expect(await network.counts().records == 5)
        }
    }

    @Test func storingNodeThatJoinsLaterTakesTheNextAnnouncement() async throws {
        try await Testnet.with(4) { network in
            let host = PeerDirectory(rpc: try await network.addPeer().rpc)
            _ = try await host.announce(topic, keyPair: keyPair, relayAddresses: [])
            await network.nodes[2].close()
            let joined = try await network.addNode()
            #expect(await joined.recordCount == 0)
            let announced = try await host.announce(topic, keyPair: keyPair, relayAddresses: [])
            #expect(announced.storedCount == 4)
            #expect(await joined.recordCount == 1)
        }
    }

    @Test func crowdedTopicIsReadWithTheTokenOfTheFirstReply() async throws {
        try await Testnet.with(2) { network in
            let announcer = PeerDirectory(rpc: try await network.addPeer().rpc)
            for index in 1...12 {
                let pair = try #require(KeyPair(seed: [UInt8](repeating: UInt8(index), count: 32)))
                _ = try await announcer.announce(topic, keyPair: pair, relayAddresses: [])
            }
            let rpc = try await network.addPeer().rpc
            let reply = try await rpc.request(Command.lookup.rpc, to: await network.address(0), target: topic)
            #expect(try LookupReply(decoding: try #require(reply.value)).peers.count == 3)
            #expect(try await PeerDirectory(rpc: rpc).lookup(topic).peers.count == 12)
        }
    }

    @Test func wrongTokenIsReplacedByTheFreshOne() async throws {
        try await Testnet.with(1) { network in
            let rpc = try await network.addPeer().rpc
            var reply = try await rpc.request(Command.lookup.rpc, to: await network.address(0), target: topic)
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
        try await Testnet.with(1) { network in
            let silent = try await RecordingSocket.bind(on: network.eventLoop)
            let rpc = try await network.addPeer(waits: false) { $0.bootstrap = [silent.localAddress] }.rpc
            let error = await #expect(throws: RPCError.self) {
                try await rpc.query(Command.lookup.rpc, target: topic, maximumSends: 1)
            }
            #expect(error?.code == .noBootstrapNode)
            try await silent.close()
            let connected = PeerDirectory(rpc: try await network.addPeer().rpc)
            #expect(try await connected.lookup(topic).peers.isEmpty)
        }
    }

    @Test func nodeWithoutPeersAnswersUnknownCommands() async throws {
        try await Testnet.with(1) { network in
            let rpc = try await network.addPeer().rpc
            let reply = try await rpc.request(RPCCommand(number: 99), to: await network.address(0), target: topic)
            #expect(reply.error == RPCErrorNumber.unknownCommand)
            let client = try await network.addPeer().rpc
            let ephemeral = try await rpc.request(Command.lookup.rpc, to: await client.localAddress, target: topic)
            #expect(ephemeral.error == RPCErrorNumber.unknownCommand, "an ephemeral node stores nothing")
            #expect(ephemeral.id == nil)
        }
    }

    @Test func cancelledLookupEndsAtOnce() async throws {
        try await Testnet.with(1) { network in
            let silent = try await RecordingSocket.bind(on: network.eventLoop)
            let rpc = try await network.addPeer().rpc
            let address = silent.localAddress
            let task = Task { try await rpc.query(Command.lookup.rpc, target: topic, firstNodes: [address]) }
            await Task.yield()
            task.cancel()
            let result = await task.result
            #expect(throws: RPCError.self) { try result.get() }
            try await silent.close()
        }
    }

    @Test func suspendedNodeRefusesAndResumes() async throws {
        try await Testnet.with(3) { network in
            let rpc = try await network.addPeer().rpc
            await rpc.suspend()
            await #expect(throws: RPCError.self) { try await rpc.ping(await network.address(0)) }
            await rpc.resume()
            _ = try await rpc.ping(await network.address(0))
        }
    }

    @Test func unfilteredHostIsReachableThroughAFreshSocket() async throws {
        try await Testnet.with(6) { network in
            let peer = try await network.addPeer()
            #expect(await peer.checkReachability())
            // Answers to another port arrive nowhere, as behind a filter.
            let nowhere = await peer.rpc.attach(Nowhere())
            #expect(await peer.rpc.reachableAddress(through: nowhere, port: 9, asking: [await network.address(0)]) == nil)
        }
    }

    private struct Nowhere: DatagramTransport {
        let localAddress = PeerAddress(octets: 0x7f00_0001, port: 9)
        func send(_ bytes: ByteBuffer, to address: PeerAddress) {}
    }
}
