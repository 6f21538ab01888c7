import CompactEncoding
import CryptoPrimitives
import DHTRPC
import Foundation
import HyperDHT
import HyperswarmTestKit
import NetworkingKit
import Testing

@testable import SwarmTransport

/// The parts of the transport that a network in memory does not have.
@Suite(.serialized) struct SwarmTransportTests {
    @Test func silentNetworkIsToldApartFromAMissingPeer() async throws {
        try await Testnet.with(1) { network in
            let transport = SwarmTransport(node: try await network.addPeer { $0.bootstrap = [] })
            let key = try #require(PeerKey(KeyPair.generate().publicKey.bytes))
            for destination in [DialDestination.key(key), .topic(PeerTopic(key))] {
                let error = await #expect(throws: DialError.self) { try await transport.dial(destination) }
                #expect(error?.code == .network)
                #expect(error?.hop == .lookup)
            }
        }
    }

    @Test func bytesThatAreNoKeyFailBeforeAnythingIsSent() async throws {
        try await Testnet.with(1) { network in
            let transport = SwarmTransport(node: try await network.addPeer())
            // y = 2 is no point of the curve.
            let key = try #require(PeerKey([2] + [UInt8](repeating: 0, count: 31)))
            let error = await #expect(throws: DialError.self) { try await transport.dial(.key(key)) }
            #expect(error?.code == .key)
        }
    }

    @Test func everyFailureNamesItsHop() {
        let expected: [(ConnectError.Code, DialError.Code, DialHop)] = [
            (.invalidKey, .key, .lookup), (.noBootstrapNode, .network, .lookup), (.nothingAnnounced, .notFound, .lookup),
            (.handshakeTimedOut, .timedOut, .handshake), (.handshakeRefused, .refused, .handshake),
            (.holePunchFailed, .unreachable, .holePunching), (.relayUnreachable, .unreachable, .holePunching),
            (.relayRefused, .refused, .holePunching), (.relayTimedOut, .timedOut, .holePunching),
            (.streamTimedOut, .timedOut, .stream),
            (.streamFailed, .broken, .stream),
        ]
        for (code, dialCode, hop) in expected {
            let error = DialError(ConnectError(code))
            #expect(error.code == dialCode)
            #expect(error.hop == hop)
        }
        let error = DialError(ConnectError(.holePunchFailed, localFirewall: .random, remoteFirewall: .random))
        #expect(error.detail.contains("random"), "both kinds of network are named")
    }

    @Test func networkWithoutIPv4IsNamed() {
        let silent = DialError(.network, at: .lookup)
        func code(_ error: DialError, _ hasIPv4: Bool, _ hasIPv6: Bool) -> DialError.Code {
            error.explained(by: InternetRoutes(hasIPv4: hasIPv4, hasIPv6: hasIPv6)).code
        }
        #expect(code(silent, false, true) == .noIPv4)
        // Translated by the system, or no network at all.
        #expect(
            code(silent, true, true) == .network && code(silent, true, false) == .network && code(silent, false, false) == .network)
        #expect(code(DialError(.notFound, at: .lookup), false, true) == .notFound)
    }

    @Test func hostsHaveTheirIPv4AddressesOnly() async throws {
        let loopback = try #require(HostAndPort("localhost:49737"))
        #expect(await loopback.addresses().map(\.description) == ["127.0.0.1:49737"])
        #expect(await HostAndPort("192.0.2.7:1")?.addresses().map(\.description) == ["192.0.2.7:1"])
        #expect(await HostAndPort("name.invalid:1")?.addresses() == [])
    }

    @Test func cancelledDialThrowsCancellation() async throws {
        try await Testnet.with(3) { network in
            let transport = SwarmTransport(node: try await network.addPeer())
            let key = try #require(PeerKey(KeyPair.generate().publicKey.bytes))
            for destination in [DialDestination.key(key), .topic(PeerTopic(key))] {
                let dial = Task { try await transport.dial(destination) }
                dial.cancel()
                let result = await dial.result
                #expect(throws: CancellationError.self) { try result.get() }
            }
        }
    }

    @Test func cancelledAcceptorLeavesNoRecordBehind() async throws {
        try await Testnet.with(5) { network in
            let host = SwarmTransport(node: try await network.addPeer())
            try await withAcceptor(host, topics: [PeerTopic(host.ownKey)]) { _ in
                let counts = await network.counts()
                #expect(counts.records == 5)
                #expect(counts.routes == 3)
            }
            let counts = await network.counts()
            #expect(counts.records == 0)
            #expect(counts.routes == 0)
        }
    }

    /// Somebody else announces under the topic and does not answer: the host is reached all the same.
    @Test func silentStrangerUnderATopicDoesNotHideTheHost() async throws {
        try await Testnet.with(5) { network in
            let host = SwarmTransport(node: try await network.addPeer())
            let client = SwarmTransport(node: try await network.addPeer())
            let topic = PeerTopic(host.ownKey)
            let stranger = try await network.addPeer()
            let target = try #require(DHTKey(topic.bytes))
            let relay = await network.address(1)
            let announced = try await stranger.directory.announce(target, keyPair: .generate(), relayAddresses: [relay])
            #expect(announced.storedCount == 5)
            try await withAcceptor(host, topics: [topic]) { acceptor in
                let dialled = try await client.dial(.topic(topic))
                #expect(dialled.remoteKey == host.ownKey)
                _ = try await acceptor.next()
            }
        }
    }

    @Test func peersShareANodeUnderKeysOfTheirOwn() async throws {
        try await Testnet.with(3) { network in
            let shared = try await network.addPeer()
            let phones = [SwarmTransport(node: shared, keyPair: .generate()), SwarmTransport(node: shared, keyPair: .generate())]
            let host = SwarmTransport(node: try await network.addPeer())
            try await withAcceptor(host) { acceptor in
                for phone in phones {
                    let dialled = try await phone.dial(.key(host.ownKey))
                    #expect(try await acceptor.next().remoteKey == phone.ownKey)
                    dialled.close()
                }
            }
        }
    }
}
