import CompactEncoding
import CryptoPrimitives
import DHTRPC
import Noise
import Testing

@testable import HyperDHT

/// Client and server against each other over simulated networks, in virtual time.
@Suite struct ConnectAttemptTests {
    @Test func consistentNetworksConnectInTheFirstRound() throws {
        let network = try SimulatedNetwork(client: .consistent, server: .consistent)
        network.run()
        #expect(network.error == nil)
        #expect(try #require(network.establishedAt) < .milliseconds(300))
        #expect(network.clientPath?.octets == network.serverNAT.host)
    }

    @Test func openServerIsReachedDirectly() throws {
        let network = try SimulatedNetwork(client: .random, server: .open, serverClaimsOpen: true)
        network.run()
        #expect(try #require(network.establishedAt) < .milliseconds(200))
        #expect(network.probeCount == 0)
    }

    @Test func serverConnectsToAnOpenClient() throws {
        let network = try SimulatedNetwork(client: .open, server: .random, clientClaimsOpen: true)
        network.run()
        #expect(network.error == nil)
        #expect(try #require(network.establishedAt) < .milliseconds(200))
        #expect(network.probeCount == 0)
    }

    @Test func serversPacketMayOvertakeTheHandshakeAnswer() throws {
        let network = try SimulatedNetwork(client: .open, server: .random, clientClaimsOpen: true)
        network.answerDelay = .milliseconds(500)
        network.run()
        #expect(network.error == nil)
        #expect(network.clientPath?.octets == network.serverNAT.host)
        #expect(try #require(network.establishedAt) >= .milliseconds(500))
    }

    /// Guessing ports is a matter of luck: guess k meets one of min(k, 256) mapped ports of 64,536, so all 1,750 guesses miss with a
    /// probability of ∏ (1 − min(k, 256) / 64,536) ≈ e^−6.45 ≈ 0.16 %. The runs differ in the ports of the networks only; the first one with a
    /// random server is such a miss. Of 3,000 runs, 3 missed.
    @Test(arguments: [(SimulatedNetwork.NAT.Kind.random, SimulatedNetwork.NAT.Kind.consistent), (.consistent, .random)])
    func oneRandomNetworkIsMetByGuessingPorts(_ client: SimulatedNetwork.NAT.Kind, _ server: SimulatedNetwork.NAT.Kind) throws {
        var missCount = 0
        for run in 1...12 as ClosedRange<UInt64> {
            let network = try SimulatedNetwork(client: client, server: server, seed: run)
            network.run()
            #expect(!network.attempt.isGuessingPorts)
            guard let establishedAt = network.establishedAt else {
                missCount += 1
                #expect(network.error?.code == .holePunchFailed)
                continue
            }
            #expect(establishedAt < .seconds(40))
            #expect(network.probeCount > 10)
        }
        #expect(missCount <= 1)
    }

    @Test func twoRandomNetworksFailWithBothKindsNamed() throws {
        let network = try SimulatedNetwork(client: .random, server: .random)
        network.run()
        #expect(network.error?.code == .holePunchFailed)
        #expect(network.error?.localFirewall == .random)
        #expect(network.error?.remoteFirewall == .random)
        #expect(network.now < .seconds(5))
    }

    @Test func serverThatStaysUnknownFailsAfterOneRepetition() throws {
        let network = try SimulatedNetwork(client: .consistent, server: .random, serverSampled: .unknown)
        network.run()
        #expect(network.error?.code == .holePunchFailed)
        #expect(network.error?.remoteFirewall == .unknown)
        #expect(network.now > .seconds(1))
        #expect(network.now < .seconds(10))
    }

    @Test func peersOfOneNetworkConnectLocally() throws {
        let network = try SimulatedNetwork(client: .random, server: .random, sameHost: true)
        network.sharedLocalAddress = PeerAddress(host: "192.168.1.9", port: 6000)
        network.run()
        #expect(network.error == nil)
        #expect(network.clientPath == network.sharedLocalAddress)
    }

    /// holepunchto/hyperdht#210, #236 and #259, holesail/holesail#40: firewalls on both hosts refuse pings of the local network.
    @Test func peersOfOneNetworkMeetThroughTheirFirewalls() throws {
        let network = try SimulatedNetwork(client: .consistent, server: .consistent, sameHost: true)
        network.isGuarded = true
        network.run()
        #expect(network.error == nil)
        #expect(network.clientPath == PeerAddress(host: "192.168.1.9", port: 6000))
        #expect(network.now < .seconds(5))
    }

    /// holepunchto/hyperdht#112: hosts have addresses of bridges to containers, which may be the same on both.
    @Test func localAddressesAreTriedWithoutOnesOwn() {
        func addresses(_ hosts: String...) -> [PeerAddress] { hosts.map { PeerAddress(host: $0, port: 49_737)! } }
        let own = addresses("172.17.0.1", "192.168.1.2")
        func candidates(_ hosts: String...) -> [PeerAddress] {
            PathSelector.localCandidates(hosts.map { PeerAddress(host: $0, port: 49_737)! }, localAddresses: own)
        }
        #expect(candidates("172.17.0.1", "192.168.1.9") == addresses("192.168.1.9"))
        #expect(candidates("10.0.0.3", "172.17.0.9", "192.168.1.9") == addresses("172.17.0.9", "192.168.1.9", "10.0.0.3"))
        #expect(candidates("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "192.168.1.9").count == 4)
        #expect(candidates("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "192.168.1.9").first == addresses("192.168.1.9").first)
        // A server on the same host has another port.
        let sameHost = ["172.17.0.1", "192.168.1.2"].map { PeerAddress(host: $0, port: 6_000)! }
        #expect(PathSelector.localCandidates(sameHost, localAddresses: own) == sameHost)
        #expect(PathSelector.localCandidates(own, localAddresses: own).isEmpty)
    }

    @Test func unknownPeerIsNotAnnounced() throws {
        let network = try SimulatedNetwork(client: .consistent, server: .consistent)
        network.relayKnowsServer = false
        network.run()
        #expect(network.error?.code == .nothingAnnounced)
        let empty = try SimulatedNetwork(client: .consistent, server: .consistent)
        empty.run(relays: [])
        #expect(empty.error?.code == .nothingAnnounced)
    }

    @Test func silentServerIsToldApartFromAnUnknownOne() throws {
        let network = try SimulatedNetwork(client: .consistent, server: .consistent)
        network.losesHandshakes = true
        network.run()
        #expect(network.error?.code == .handshakeTimedOut)
    }

    @Test func relaysAreAskedTwoAtATime() throws {
        let network = try SimulatedNetwork(client: .consistent, server: .consistent)
        var attempt = network.attempt
        let relays = (1...5).map { PeerAddress(octets: 0x0808_0800 + $0, port: 1) }
        #expect(attempt.addRelays(relays + relays).count == 2)
        #expect(attempt.handshakeTimedOut(at: relays[0]).count == 1)
        #expect(attempt.handshakeAnswered(by: relays[4], value: nil, ownAddress: relays[0], now: .zero).isEmpty)
        // A response of a node that was not asked changes nothing.
        #expect(attempt.handshakeAnswered(by: network.relay, value: nil, ownAddress: relays[0], now: .zero).isEmpty)
    }

    @Test func forgedHandshakeAnswersAreIgnored() throws {
        let network = try SimulatedNetwork(client: .consistent, server: .consistent)
        var attempt = network.attempt
        let relays = (1...2).map { PeerAddress(octets: 0x0808_0800 + $0, port: 1) }
        _ = attempt.addRelays(relays)
        let forged = HandshakeMessage(mode: .reply, noise: RandomBytes.make(80), peerAddress: relays[0]).encoded
        #expect(attempt.handshakeAnswered(by: relays[0], value: forged, ownAddress: relays[0], now: .zero).isEmpty)
        #expect(!attempt.hasFailed)
        #expect(attempt.handshakeAnswered(by: relays[1], value: [1, 2, 3], ownAddress: relays[0], now: .zero).isEmpty)
        #expect(!attempt.hasFailed)
    }

    @Test func strangersProbesDoNotChooseThePath() throws {
        let network = try SimulatedNetwork(client: .consistent, server: .consistent)
        let stranger = PeerAddress(host: "66.66.66.66", port: 66)!
        #expect(network.attempt.probeReceived(from: stranger, socket: .main, now: .zero).isEmpty)
    }

    @Test func streamThatNeverBeginsTimesOut() throws {
        let network = try SimulatedNetwork(client: .consistent, server: .consistent)
        var attempt = network.attempt
        var listener = network.listener
        let request = try #require(attempt.addRelays([network.relay]).first)
        guard case .requestHandshake(_, let value) = request else { return #expect(Bool(false)) }
        let incoming = IncomingRequest(
            from: network.relay,
            message: RPCRequest(
                transactionID: 1, to: network.relay, command: RPCCommand(number: 0),
                target: DHTKey(network.serverKeyPair.publicKey.target), value: value))
        let actions = listener.receiveHandshake(incoming, now: .zero) { 9 }
        guard case .reply(_, let reply) = try #require(actions.dropFirst().first) else { return #expect(Bool(false)) }
        let connected = attempt.handshakeAnswered(by: network.relay, value: reply, ownAddress: network.relay, now: .zero)
        guard case .connectStream(9, network.relay, .main, let result) = try #require(connected.first) else {
            return #expect(Bool(false))
        }
        #expect(result.remotePublicKey == network.serverKeyPair.publicKey)
        let failure = attempt.advance(to: ConnectAttempt.streamTimeout)
        guard case .fail(let error) = try #require(failure.first) else { return #expect(Bool(false)) }
        #expect(error.code == .streamTimedOut)
    }
}
