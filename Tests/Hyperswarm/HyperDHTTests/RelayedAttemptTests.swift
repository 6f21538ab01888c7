import CompactEncoding
import CryptoPrimitives
import DHTRPC
import Testing

@testable import HyperDHT

/// Client and server with a blind relay over simulated networks, in virtual time.
@Suite struct RelayedAttemptTests {
    @Test(arguments: [(true, false), (false, true), (true, true)])
    func twoRandomNetworksMeetThroughTheRelay(_ chooses: (client: Bool, server: Bool)) throws {
        let network = try SimulatedNetwork(
            client: .random, server: .random, clientRelays: chooses.client, serverRelays: chooses.server)
        network.run()
        #expect(network.error == nil)
        #expect(network.clientPath == network.blindRelay)
        // Each side sends to the relay under the relay's id.
        #expect(network.serverRemoteID == 502)
        #expect(network.attempt.isRelayed)
        #expect(try #require(network.establishedAt) < .seconds(4))
    }

    @Test func directPathIsPreferredToTheRelay() throws {
        let network = try SimulatedNetwork(client: .consistent, server: .consistent, clientRelays: true)
        network.run()
        #expect(network.error == nil)
        #expect(network.clientPath?.octets == network.serverNAT.host)
        #expect(!network.attempt.isRelayed)
    }

    @Test func serverFollowsAClientThatLeavesTheRelay() throws {
        // The server is at the relay before the client's first packet comes straight to it.
        let network = try SimulatedNetwork(client: .consistent, server: .random, clientRelays: true, seed: 2)
        let client = PeerAddress(host: "1.2.3.4", port: 50)!
        network.run()
        #expect(network.clientPath == network.blindRelay)
        let actions = network.listener.packetReceived(streamID: 1001, from: client, socket: .main, now: network.now)
        #expect(actions == [.changeRemote(streamID: 1001, remoteID: 77, to: client, socket: .main)])
        let later = network.listener.packetReceived(streamID: 1001, from: network.relay, socket: .main, now: network.now)
        #expect(later.isEmpty)
    }

    typealias Kinds = (client: SimulatedNetwork.NAT.Kind, server: SimulatedNetwork.NAT.Kind)

    @Test(arguments: [(.random, .consistent), (.consistent, .random)] as [Kinds], 2...5 as ClosedRange<UInt64>)
    func streamMovesFromTheRelayToTheGuessedPath(_ kinds: Kinds, seed: UInt64) throws {
        let network = try SimulatedNetwork(client: kinds.client, server: kinds.server, clientRelays: true, seed: seed)
        network.run()
        #expect(network.error == nil)
        // A lucky guess within the first second needs no relay.
        guard network.clientPath == network.blindRelay else { return }
        #expect(network.attempt.mayMove)
        network.runOn()
        let move = try #require(network.clientMove)
        #expect(move.remoteID == 1001 && move.address.octets == network.serverNAT.host)
        #expect(network.serverChange?.remoteID == 77)
        #expect(network.serverChange?.address.octets == network.clientNAT.host)
        #expect(network.attempt.deadline == nil && !network.attempt.isGuessingPorts)
        #expect(!network.listener.isGuessingPorts(1001))
    }

    @Test func twoRandomNetworksStayOnTheRelay() throws {
        let network = try SimulatedNetwork(client: .random, server: .random, clientRelays: true)
        network.run()
        #expect(!network.attempt.mayMove)
        #expect(network.attempt.deadline == nil)
    }

    @Test func sideThatPunchesNoHolesSendsNoProbes() throws {
        let network = try SimulatedNetwork(client: .consistent, server: .consistent, clientRelays: true, punchesHoles: false)
        network.run()
        #expect(network.error == nil)
        #expect(network.clientPath == network.blindRelay)
        #expect(network.probeCount == 0)
    }

    @Test(arguments: [
        (SimulatedNetwork.BlindRelay.isUnreachable, ConnectError.Code.relayUnreachable), (.refuses, .relayRefused),
        (.neverPairs, .relayTimedOut), (.vanishesAfterPairing, .relayTimedOut),
    ])
    func failureOfTheRelayIsNamedWithBothNetworks(
        _ conduct: SimulatedNetwork.BlindRelay, _ code: ConnectError.Code
    ) throws {
        let network = try SimulatedNetwork(client: .random, server: .random, clientRelays: true)
        network.blindRelayConduct = conduct
        network.run()
        #expect(network.error?.code == code)
        #expect(network.error?.localFirewall == .random)
        #expect(network.error?.remoteFirewall == .random)
        #expect(network.now < .seconds(40))
    }

    @Test func brokenRelayDoesNotHarmTheDirectPath() throws {
        let network = try SimulatedNetwork(client: .consistent, server: .consistent, clientRelays: true)
        network.blindRelayConduct = .refuses
        network.run()
        #expect(network.error == nil)
        #expect(network.clientPath?.octets == network.serverNAT.host)
    }

    @Test func clientsRelaysOfAServerAreBounded() throws {
        let keyPair = KeyPair.generate()
        let relay = PeerAddress(host: "9.9.9.9", port: 9)!
        var listener = HandshakeListener(keyPair: keyPair)
        var pairs = 0
        for id in 0..<20 as Range<UInt32> {
            var payload = NoisePayload()
            payload.stream = NoisePayload.Stream(id: id)
            payload.relayThrough = NoisePayload.RelayThrough(publicKey: keyPair.publicKey, token: [UInt8](repeating: 1, count: 32))
            let noise = try HandshakeInitiator(
                keyPair: .generate(), remotePublicKey: keyPair.publicKey, payload: payload, ephemeralKey: .generate()
            ).message
            let value = HandshakeMessage(mode: .fromRelay, noise: noise, peerAddress: PeerAddress(host: "1.2.3.4", port: 5)!)
                .encoded
            let request = IncomingRequest(
                from: relay,
                message: RPCRequest(
                    transactionID: 1, to: relay, command: Command.peerHandshake.rpc, target: DHTKey(keyPair.publicKey.target),
                    value: value))
            let actions = listener.receiveHandshake(request, now: .zero) { id }
            pairs += actions.count { if case .pair = $0 { true } else { false } }
        }
        #expect(pairs == 16)
    }
}
