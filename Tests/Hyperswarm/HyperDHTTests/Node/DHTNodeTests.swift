import CompactEncoding
import CryptoPrimitives
import DHTRPC
import Dispatch
import HyperswarmTestKit
import NIOCore
import Testing
import UDX

@testable import HyperDHT

/// Whole connections on loopback, over real sockets and ten nodes of our own.
@Suite(.serialized) struct DHTNodeTests {
    enum Kind: CaseIterable { case local, punched, openServer, openClient }

    @Test(arguments: Kind.allCases)
    func peersConnectAndExchangeBytes(_ kind: Kind) async throws {
        try await Testnet.with { nodes in
            let host = try await nodes.addPeer {
                if kind == .openServer { $0.firewall = .open }
                if kind == .punched { $0.localAddresses = [] }
            }
            let client = try await nodes.addPeer {
                if kind == .openClient { $0.firewall = .open }
                if kind == .punched { $0.localAddresses = [] }
            }
            let server = try await TestServer(on: host)
            let outgoing = try await client.connect(to: server.server.publicKey)
            let incoming = try await server.next()
            #expect(outgoing.remotePublicKey == server.server.publicKey)
            #expect(incoming.remotePublicKey == client.configuration.keyPair.publicKey)
            #expect(outgoing.isInitiator)
            #expect(!incoming.isInitiator)
            #expect(outgoing.handshakeHash == incoming.handshakeHash)
            try await outgoing.write("ping")
            #expect(String(buffer: try await incoming.read(count: 4)) == "ping")
            try await incoming.write("pong")
            #expect(String(buffer: try await outgoing.read(count: 4)) == "pong")
            // Half-close: the client ends, the server still answers.
            await outgoing.finish()
            #expect(try await incoming.read() == nil)
            try await incoming.write("bye")
            await incoming.finish()
            #expect(String(buffer: try await outgoing.readToEnd()) == "bye")
            #expect(await client.dialCount == 0)
        }
    }

    /// Each way back from the event loop is a change of thread.
    @Test(.timeLimit(.minutes(1))) func smallWriteDoesNotWaitForTheEventLoop() async throws {
        try await Testnet.with { nodes in
            let server = try await TestServer(on: try await nodes.addPeer())
            let outgoing = try await nodes.addPeer().connect(to: server.server.publicKey)
            let incoming = try await server.next()
            let hasWritten = DispatchSemaphore(value: 0)
            outgoing.eventLoop.execute { hasWritten.wait() }
            for text in ["one", "two", "three"] { try await outgoing.write(ByteBuffer(string: text)) }
            hasWritten.signal()
            #expect(String(buffer: try await incoming.read(count: 11)) == "onetwothree")
            await outgoing.finish()
            let error = await #expect(throws: UDXError.self) { try await outgoing.write("late") }
            #expect(error?.code == .finished)
        }
    }

    @Test func megabytesArriveUnchangedBothWays() async throws {
        try await Testnet.with { nodes in
            let server = try await TestServer(on: try await nodes.addPeer())
            let outgoing = try await nodes.addPeer().connect(to: server.server.publicKey)
            let incoming = try await server.next()
            let up = RandomBytes.make(1_500_000)
            let down = RandomBytes.make(1_200_000)
            async let sentUp: Void = {
                for start in stride(from: 0, to: up.count, by: 70_000) {
                    try await outgoing.write(ByteBuffer(bytes: up[start..<min(start + 70_000, up.count)]))
                }
                await outgoing.finish()
            }()
            async let sentDown: Void = {
                try await incoming.write(ByteBuffer(bytes: down))
                await incoming.finish()
            }()
            async let receivedUp = incoming.readToEnd()
            async let receivedDown = outgoing.readToEnd()
            _ = try await (sentUp, sentDown)
            #expect(Array(try await receivedUp.readableBytesView) == up)
            #expect(Array(try await receivedDown.readableBytesView) == down)
        }
    }

    @Test func unknownKeyIsNotAnnounced() async throws {
        try await Testnet.with { nodes in
            let client = try await nodes.addPeer()
            let error = await #expect(throws: ConnectError.self) { try await client.connect(to: KeyPair.generate().publicKey) }
            #expect(error?.code == .nothingAnnounced)
        }
    }

    @Test func missingNetworkIsToldApartFromAMissingPeer() async throws {
        try await Testnet.with(1) { nodes in
            let node = try await nodes.addPeer { $0.bootstrap = [] }
            let error = await #expect(throws: ConnectError.self) { try await node.connect(to: KeyPair.generate().publicKey) }
            #expect(error?.code == .noBootstrapNode)
        }
    }

    @Test func stoppedServerIsNotFoundAnyMore() async throws {
        try await Testnet.with { nodes in
            let server = try await TestServer(on: try await nodes.addPeer())
            let client = try await nodes.addPeer()
            await server.server.stop()
            let error = await #expect(throws: ConnectError.self) { try await client.connect(to: server.server.publicKey) }
            #expect(error?.code == .nothingAnnounced)
        }
    }

    @Test func destroyedConnectionFailsThePeersRead() async throws {
        try await Testnet.with { nodes in
            let server = try await TestServer(on: try await nodes.addPeer())
            let outgoing = try await nodes.addPeer().connect(to: server.server.publicKey)
            let incoming = try await server.next()
            await outgoing.destroy()
            let error = await #expect(throws: UDXError.self) { try await incoming.read() }
            #expect(error?.code == .reset)
            #expect(try await incoming.waitUntilClosed() == .reset)
        }
    }

    /// Two nodes are too few to know the kind of network: the hole punch is given up, and the local path has to do.
    @Test func smallNetworkConnectsOverTheLocalPath() async throws {
        try await Testnet.with(2) { nodes in
            let server = try await TestServer(on: try await nodes.addPeer())
            let outgoing = try await nodes.addPeer().connect(to: server.server.publicKey)
            try await outgoing.write("ping")
            #expect(String(buffer: try await server.next().read(count: 4)) == "ping")
        }
    }

    @Test func unorderedMessagesTravelBesideTheStream() async throws {
        try await Testnet.with { nodes in
            let server = try await TestServer(on: try await nodes.addPeer())
            let outgoing = try await nodes.addPeer().connect(to: server.server.publicKey)
            let incoming = try await server.next()
            #expect(await outgoing.sendUnordered(ByteBuffer(string: "datagram")))
            #expect(String(buffer: try await incoming.readUnordered()) == "datagram")
            #expect(await !outgoing.sendUnordered(ByteBuffer(repeating: 0, count: 5000)))
        }
    }

    @Test func clientsConnectAtTheSameTime() async throws {
        try await Testnet.with { nodes in
            let server = try await TestServer(on: try await nodes.addPeer())
            let client = try await nodes.addPeer()
            let key = server.server.publicKey
            let echo = Task {
                for await connection in server.connections {
                    Task {
                        for try await bytes in connection { try await connection.write(bytes) }
                        await connection.finish()
                    }
                }
            }
            let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let connection = try await client.connect(to: key, keyPair: .generate())
                        try await connection.write("number \(number)")
                        await connection.finish()
                        return String(buffer: try await connection.readToEnd()) == "number \(number)"
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(answers == 8)
            echo.cancel()
        }
    }

    @Test func dialsBetweenTwoKeysGiveOneConnection() async throws {
        try await Testnet.with { nodes in
            let server = try await TestServer(on: try await nodes.addPeer())
            let client = try await nodes.addPeer()
            let key = server.server.publicKey
            let results = await withTaskGroup(of: Result<PeerConnection, ConnectError>.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        do throws(ConnectError) { return .success(try await client.connect(to: key)) } catch {
                            return .failure(error)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count { if case .success = $0 { true } else { false } } == 1)
            #expect(results.count { if case .failure(let error) = $0 { error.code == .superseded } else { false } } == 3)
            // One that begins later is a new one.
            let later = try await client.connect(to: key)
            try await later.write("later")
            let first = try await server.next()
            #expect(String(buffer: try await server.next().read(count: 5)) == "later")
            #expect(await first.closure == nil)
            #expect(await client.dialGates.isEmpty)
        }
    }

    @Test func furtherDialGoesOnAfterTheFirstHasFailed() async throws {
        try await Testnet.with { nodes in
            let server = try await TestServer(on: try await nodes.addPeer())
            let client = try await nodes.addPeer()
            let key = server.server.publicKey
            let first = Task { try await client.connect(to: key, relayAddresses: [PeerAddress("127.0.0.1:9")!]) }
            let second = Task { try await client.connect(to: key) }
            let third = Task { try await client.connect(to: key) }
            first.cancel()
            third.cancel()
            await #expect(throws: ConnectError.self) { try await first.value }
            await #expect(throws: ConnectError.self) { try await third.value }
            let connection = try await second.value
            #expect(await connection.closure == nil)
            #expect(await client.dialGates.isEmpty)
        }
    }

    @Test func cancelledDialEndsAtOnce() async throws {
        try await Testnet.with { nodes in
            let client = try await nodes.addPeer()
            let dial = Task {
                try await client.connect(to: KeyPair.generate().publicKey, relayAddresses: [PeerAddress("127.0.0.1:9")!])
            }
            dial.cancel()
            let error = await #expect(throws: ConnectError.self) { try await dial.value }
            #expect(error?.code == .closed)
            #expect(await client.dialCount == 0)
        }
    }

    @Test func idleConnectionSendsKeepAlivesThatNobodySees() async throws {
        try await Testnet.with { nodes in
            let server = try await TestServer(on: try await nodes.addPeer { $0.keepAliveInterval = .milliseconds(20) })
            let outgoing = try await nodes.addPeer().connect(to: server.server.publicKey)
            let incoming = try await server.next()
            let (keepAlives, continuation) = AsyncStream.makeStream(of: Void.self)
            await incoming.setKeepAliveHandler { continuation.yield() }
            var iterator = keepAlives.makeAsyncIterator()
            for _ in 0..<3 { await iterator.next() }
            try await incoming.write("data")
            #expect(String(buffer: try await outgoing.read(count: 4)) == "data")
            #expect(await outgoing.hasReceivedData)
            #expect(await !outgoing.hasSentData)
        }
    }

    @Test func slowReaderStopsTheWriter() async throws {
        try await Testnet.with { nodes in
            let window = 64 * 1024
            func small(_ configuration: inout NodeConfiguration) {
                configuration.stream.receiveWindow = window
                configuration.stream.writeHighWaterMark = 32 * 1024
                configuration.stream.writeLowWaterMark = 16 * 1024
            }
            let server = try await TestServer(on: try await nodes.addPeer(small))
            let outgoing = try await nodes.addPeer(small).connect(to: server.server.publicKey)
            let incoming = try await server.next()
            let total = 1_000_000
            let chunk = 10_000
            let counter = Counter()
            let writer = Task {
                for _ in 0..<total / chunk {
                    try await outgoing.write(ByteBuffer(repeating: 7, count: chunk))
                    // At every write: the peer's window, this side's queue, and what the reader just took.
                    #expect(await counter.add(chunk) < window + 32 * 1024 + 4 * chunk + window)
                    #expect(await outgoing.unsentByteCount < 32 * 1024 + 2 * chunk)
                }
                await outgoing.finish()
            }
            while let bytes = try await incoming.read() {
                #expect(await incoming.unreadByteCount <= window)
                await counter.add(-bytes.readableBytes)
            }
            try await writer.value
            #expect(await counter.value == 0)
        }
    }

    @Test func garbageGetsNoReplyAndDoesNotHarmTheNode() async throws {
        try await Testnet.with { nodes in
            let server = try await TestServer(on: try await nodes.addPeer())
            let client = try await nodes.addPeer()
            let target = DHTKey(hashing: server.server.publicKey.bytes)
            let stranger = try await RecordingSocket.bind(on: nodes.eventLoop)
            let address = await server.node.localAddress
            var generator = SplitMix64(9)
            let count = Fuzz.inputCount(2_000)
            var pingCount = 0
            for round in 0..<count {
                var bytes = RandomBytes.make(Int.random(in: 0...80, using: &generator), using: &generator)
                // Handshakes and hole punches for the right target with random contents, beside pure noise.
                if round.isMultiple(of: 2) {
                    bytes =
                        RPCRequest(
                            transactionID: UInt16(truncatingIfNeeded: round), to: address,
                            command: (round.isMultiple(of: 4) ? Command.peerHandshake : .peerHolepunch).rpc, target: target,
                            value: bytes
                        ).encode()
                } else if bytes.first == 3 || bytes.first == 0x13 {
                    bytes[0] = 0xff
                }
                stranger.send(ByteBuffer(bytes: bytes), to: address)
                guard round % 64 == 63 || round == count - 1 else { continue }
                // An answered ping marks the end of a batch: everything before it was handled, and no socket's buffer overflows.
                pingCount += 1
                stranger.send(ByteBuffer(bytes: RPCRequest(transactionID: 1, to: address, command: .ping).encode()), to: address)
                #expect(await stranger.next()?.first == 0x13)
            }
            #expect(stranger.count == pingCount)
            _ = try await client.connect(to: server.server.publicKey)
        }
    }

    @Test func hostAnswersHandshakesThatAreSentStraightToIt() async throws {
        try await Testnet.with { nodes in
            let host = try await nodes.addPeer { $0.firewall = .open }
            let server = try await TestServer(on: host)
            let own = await host.localAddress
            #expect(await server.server.relayAddresses.first == own)
            #expect(await server.server.relayAddresses.count == 3)
            let connection = try await nodes.addPeer().connect(to: server.server.publicKey, relayAddresses: [own])
            #expect(await connection.remoteAddress == own)
        }
    }

    @Test func nodeThatHasJustStartedWaitsForNodesToSampleItsAddress() async throws {
        try await Testnet.with { nodes in
            let node = try await nodes.addPeer(waits: false)
            #expect(await node.sampleAddress() == .consistent)
        }
    }

    @Test func onlyNodeOfANetworkIsItsOwnServer() async throws {
        try await Testnet.with(0) { nodes in
            let host = try await nodes.addPeer { $0.role = .persistent(nil) }
            let (connections, continuation) = AsyncStream.makeStream(of: PeerConnection.self)
            let server = try await host.listen { continuation.yield($0) }
            let own = await host.localAddress
            let outgoing = try await nodes.addPeer { $0.bootstrap = [own] }.connect(to: server.publicKey)
            try await outgoing.write("alone")
            var iterator = connections.makeAsyncIterator()
            #expect(String(buffer: try #require(await iterator.next()?.read(count: 5))) == "alone")
        }
    }

    @Test func relaysOfAPeerAreRememberedForTheNextDial() async throws {
        try await Testnet.with { nodes in
            let server = try await TestServer(on: try await nodes.addPeer())
            let client = try await nodes.addPeer()
            #expect(await client.relayCache[server.server.publicKey] == nil)
            _ = try await client.connect(to: server.server.publicKey)
            let relays = try #require(await client.relayCache[server.server.publicKey])
            #expect(await Set(relays) == Set(server.server.relayAddresses))
        }
    }

    @Test func hostWithoutFilterFindsOutThatItIsReachable() async throws {
        try await Testnet.with { nodes in
            let host = try await nodes.addPeer()
            #expect(await host.firewall != .open)
            #expect(await host.checkReachability())
            #expect(await host.firewall == .open)
            let server = try await TestServer(on: host)
            _ = try await nodes.addPeer().connect(to: server.server.publicKey)
        }
    }

    @Test func dataOfAnotherKeyIsRefusedByTheHook() async throws {
        try await Testnet.with { nodes in
            let friend = KeyPair.generate()
            let (accepted, continuation) = AsyncStream.makeStream(of: PublicKey.self)
            let host = try await nodes.addPeer()
            let key = friend.publicKey
            let server = try await host.listen(admits: { $0 == key }, onConnection: { continuation.yield($0.remotePublicKey) })
            await server.announced()
            let client = try await nodes.addPeer()
            _ = try await client.connect(to: server.publicKey, keyPair: friend)
            var keys = accepted.makeAsyncIterator()
            #expect(await keys.next() == key)
            let error = await #expect(throws: ConnectError.self) { try await client.connect(to: server.publicKey) }
            #expect(error?.code == .handshakeRefused)
            #expect(error?.peerError == .aborted)
        }
    }

    @Test func nodeGoesOnAfterSuspension() async throws {
        try await Testnet.with { nodes in
            let host = try await nodes.addPeer()
            let server = try await TestServer(on: host)
            let client = try await nodes.addPeer()
            await client.suspend()
            let error = await #expect(throws: ConnectError.self) { try await client.connect(to: server.server.publicKey) }
            #expect(error?.code == .closed)
            try await client.resume()
            _ = await client.rpc.bootstrapped()
            let connection = try await client.connect(to: server.server.publicKey)
            try await connection.write("again")
            #expect(String(buffer: try await server.next().read(count: 5)) == "again")
        }
    }
}

actor Counter {
    private(set) var value = 0

    @discardableResult
    func add(_ count: Int) -> Int {
        value += count
        return value
    }
}
