import CompactEncoding
import CryptoPrimitives
import DHTRPC
import HyperswarmTestKit
import NIOCore
import Testing
import UDX

@testable import HyperDHT

/// Whole connections through a blind relay, on loopback. The peers send no probes, since loopback is a path that always works.
@Suite(.serialized) struct BlindRelayTests {
    private func withRelay(
        _ body: (_ nodes: Testnet, _ relay: BlindRelay, _ relayNode: DHTNode) async throws -> Void
    ) async throws {
        try await Testnet.with { nodes in
            let node = try await nodes.addPeer()
            let relay = try await BlindRelay.start(on: node)
            await relay.announced()
            try await body(nodes, relay, node)
        }
    }

    private func peer(_ nodes: Testnet, _ relay: PublicKey? = nil, timeout: Duration = .seconds(15)) async throws -> DHTNode {
        try await nodes.addPeer {
            $0.relayThrough = relay
            $0.relayUse = .only
            $0.relayTimeout = timeout
        }
    }

    enum Choice: CaseIterable { case client, server, both }

    @Test(arguments: Choice.allCases)
    func peersEchoAMegabyteThroughTheRelay(_ choice: Choice) async throws {
        try await withRelay { nodes, relay, relayNode in
            let server = try await TestServer(on: try await peer(nodes, choice == .client ? nil : relay.publicKey))
            let client = try await peer(nodes, choice == .server ? nil : relay.publicKey)
            let outgoing = try await client.connect(to: server.server.publicKey)
            let incoming = try await server.next()
            #expect(outgoing.relay == relay.publicKey)
            #expect(incoming.relay == relay.publicKey)
            #expect(await outgoing.remoteAddress == relayNode.localAddress)
            #expect(await incoming.remoteAddress == relayNode.localAddress)
            #expect(await relay.pairCount == 1)
            let data = RandomBytes.make(1_000_000)
            async let echo: Void = {
                for try await bytes in incoming { try await incoming.write(bytes) }
                await incoming.finish()
            }()
            async let sent: Void = {
                try await outgoing.write(ByteBuffer(bytes: data))
                await outgoing.finish()
            }()
            #expect(Array(try await outgoing.readToEnd().readableBytesView) == data)
            _ = try await (echo, sent)
            #expect(outgoing.remotePublicKey == server.server.publicKey)
        }
    }

    @Test func relayIsUsedAfterAFailedHolePunch() async throws {
        try await withRelay { nodes, relay, _ in
            // The server punches no holes and has no local address: only the relay is left.
            let host = try await nodes.addPeer {
                $0.relayUse = .only
                $0.localAddresses = []
            }
            let server = try await TestServer(on: host)
            let client = try await nodes.addPeer { $0.relayThrough = relay.publicKey }
            let outgoing = try await client.connect(to: server.server.publicKey)
            #expect(outgoing.relay == relay.publicKey)
            let direct = try await nodes.addPeer()
            let error = await #expect(throws: ConnectError.self) { try await direct.connect(to: server.server.publicKey) }
            #expect(error?.code == .holePunchFailed)
        }
    }

    @Test func relayThatNobodyAnnouncedIsUnreachable() async throws {
        try await Testnet.with { nodes in
            let server = try await TestServer(on: try await peer(nodes))
            let client = try await peer(nodes, KeyPair.generate().publicKey)
            let error = await #expect(throws: ConnectError.self) { try await client.connect(to: server.server.publicKey) }
            #expect(error?.code == .relayUnreachable)
            #expect(error?.detail.contains("nothingAnnounced") == true)
        }
    }

    @Test func peerThatDoesNotRelayRefuses() async throws {
        try await Testnet.with { nodes in
            let other = try await TestServer(on: try await nodes.addPeer())
            let server = try await TestServer(on: try await peer(nodes))
            let client = try await peer(nodes, other.server.publicKey)
            let key = server.server.publicKey
            let dial = Task { try await client.connect(to: key) }
            // Both peers come to it; it hangs up.
            for _ in 0..<2 { try await other.next().finish() }
            let error = await #expect(throws: ConnectError.self) { try await dial.value }
            #expect(error?.code == .relayRefused)
        }
    }

    @Test func relayThatNeverPairsTimesOut() async throws {
        try await Testnet.with { nodes in
            let silent = try await TestServer(on: try await nodes.addPeer())
            let server = try await TestServer(on: try await peer(nodes))
            let client = try await peer(nodes, silent.server.publicKey, timeout: .milliseconds(300))
            let error = await #expect(throws: ConnectError.self) { try await client.connect(to: server.server.publicKey) }
            #expect(error?.code == .relayTimedOut)
            #expect(await client.dialCount == 0)
        }
    }

    @Test func endOfTheConnectionEndsThePairing() async throws {
        try await withRelay { nodes, relay, relayNode in
            let server = try await TestServer(on: try await peer(nodes))
            let outgoing = try await peer(nodes, relay.publicKey).connect(to: server.server.publicKey)
            let incoming = try await server.next()
            await outgoing.destroy()
            #expect(try await incoming.waitUntilClosed() == .reset)
            #expect(await relayNode.streams.relayCount == 0)
        }
    }

    @Test func stoppedRelayIsNamedByTheConnectionsThatItEnds() async throws {
        try await withRelay { nodes, relay, relayNode in
            let server = try await TestServer(on: try await peer(nodes))
            let outgoing = try await peer(nodes, relay.publicKey).connect(to: server.server.publicKey)
            let incoming = try await server.next()
            await relay.stop()
            for connection in [outgoing, incoming] {
                let error = await #expect(throws: ConnectError.self) { try await connection.read() }
                #expect(error?.code == .relayRefused)
            }
            #expect(await relayNode.streams.relayCount == 0)
        }
    }
}
