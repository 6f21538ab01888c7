import CompactEncoding
import CryptoPrimitives
import DHTRPC
import HyperswarmTestKit
import Noise
import Testing

@testable import HyperDHT

/// A client in a network with random ports that connects over its blind relay and looks for a path of its own meanwhile, as the
/// reference's client does.
@Suite struct MoveFromRelayTests {
    private static let streamID: UInt32 = 1
    private static let clientStreamID: UInt32 = 3
    private let relay = PeerAddress(host: "9.9.9.9", port: 9)!
    private let blindRelay = PeerAddress(host: "7.7.7.7", port: 7)!
    private let client = PeerAddress(host: "1.2.3.4", port: 5)!
    private let own = PeerAddress(host: "5.6.7.8", port: 9)!

    /// A server with a client that is on the relay, and what the client needs for its hole punch.
    private func relayed(_ change: (inout HandshakeListener) -> Void = { _ in }) throws -> (HandshakeListener, LateClient) {
        let server = KeyPair.generate()
        var listener = HandshakeListener(keyPair: server, random: SplitMix64(1))
        listener.environment.relays = [NoisePayload.Holepunch.Relay(relayAddress: relay, peerAddress: own)]
        listener.environment.sampledFirewall = .consistent
        listener.environment.sampledAddresses = [own]
        change(&listener)
        var payload = NoisePayload()
        payload.stream = NoisePayload.Stream(id: Self.clientStreamID)
        payload.relayThrough = NoisePayload.RelayThrough(
            publicKey: KeyPair.generate().publicKey, token: [UInt8](repeating: 1, count: 32))
        let initiator = try HandshakeInitiator(
            keyPair: .generate(), remotePublicKey: server.publicKey, payload: payload, ephemeralKey: .generate())
        var late = LateClient(relay: relay, address: client, target: DHTKey(hashing: server.publicKey.bytes))
        let message = HandshakeMessage(mode: .fromRelay, noise: initiator.message, peerAddress: client)
        let actions = listener.receiveHandshake(late.request(.peerHandshake, message.encoded), now: .zero) { Self.streamID }
        let answer = try HandshakeMessage(decoding: try #require(LateClient.answer(actions)))
        let opened = try #require(initiator.open(answer.noise))
        late.id = try #require(opened.payload.holepunch).id
        late.secret = BLAKE2b.hash(Namespace.peerHolepunch, key: opened.result.hash)
        let paired = listener.relayPaired(
            streamID: Self.streamID, RelayPath(streamID: 50, address: blindRelay, socket: .main), now: .seconds(1))
        #expect(paired == [.connectStream(streamID: Self.streamID, remoteID: 50, to: blindRelay, socket: .main)])
        return (listener, late)
    }

    /// The messages by which both sides agree to guess ports. Returns the second answer.
    private func agree(_ listener: inout HandshakeListener, _ late: inout LateClient, at now: Duration) throws -> HolepunchPayload {
        let first = try #require(try late.ask(&listener, now: now))
        #expect(first.firewall == .consistent && first.error == .none)
        late.token = first.token
        late.isPunching = true
        return try #require(try late.ask(&listener, now: now))
    }

    @Test(arguments: [false, true]) func clientOnARelayMovesToItsOwnPath(isEstablished: Bool) throws {
        var (listener, late) = try relayed()
        if isEstablished {
            let stays = listener.established(streamID: Self.streamID, now: .seconds(2))
            #expect(stays)
        }
        let answer = try agree(&listener, &late, at: .seconds(3))
        #expect(answer.isPunching && answer.error == .none && !answer.isConnected)
        #expect(listener.isGuessingPorts(Self.streamID))
        var probes: [PeerAddress] = []
        while let due = listener.deadline, due < .seconds(8) {
            for case .probe(let address, _) in listener.advance(to: due) { probes.append(address) }
        }
        #expect(probes.count > 200 && probes.allSatisfy { $0.octets == client.octets })
        // The server's guess has opened the way: the client's probe is answered, and its first packet moves the stream.
        let path = PeerAddress(octets: client.octets, port: probes[7].port)
        #expect(listener.receiveProbe(from: path, socket: .main) == [.probe(path, socket: .main)])
        let moved = listener.packetReceived(streamID: Self.streamID, from: path, socket: .main, now: .seconds(8))
        #expect(
            moved == [.changeRemote(streamID: Self.streamID, remoteID: Self.clientStreamID, to: path, socket: .main)])
        #expect(!listener.isGuessingPorts(Self.streamID))
        #expect(listener.receiveProbe(from: path, socket: .main).isEmpty)
        // The client's last message crosses the move.
        #expect(try late.ask(&listener, now: .seconds(8))?.isConnected == true)
        #expect(!listener.isGuessingPorts(Self.streamID))
    }

    @Test func clientThatComesBackLaterStillPunches() throws {
        var (listener, late) = try relayed()
        let stays = listener.established(streamID: Self.streamID, now: .seconds(2))
        #expect(stays)
        #expect(try late.ask(&listener, now: .seconds(50)) != nil)
        #expect(listener.advance(to: .seconds(100)).isEmpty)
        #expect(try agree(&listener, &late, at: .seconds(100)).isPunching)
    }

    @Test func clientThatStopsLookingStaysOnTheRelay() throws {
        var (listener, late) = try relayed()
        let stays = listener.established(streamID: Self.streamID, now: .seconds(2))
        #expect(stays)
        #expect(listener.advance(to: .seconds(61)).isEmpty)
        #expect(listener.advance(to: .seconds(62)) == [.stayOnRelay(streamID: Self.streamID)])
        #expect(listener.sessionCount == 0)
        #expect(try late.ask(&listener, now: .seconds(63)) == nil)
    }

    @Test func guessesThatMissLeaveTheStreamOnTheRelay() throws {
        var (listener, late) = try relayed()
        let stays = listener.established(streamID: Self.streamID, now: .seconds(2))
        #expect(stays)
        _ = try agree(&listener, &late, at: .seconds(3))
        var ends: [HandshakeListener.Action] = []
        while let due = listener.deadline {
            for action in listener.advance(to: due) { if case .probe = action {} else { ends.append(action) } }
        }
        #expect(ends == [.stayOnRelay(streamID: Self.streamID)])
    }

    @Test func serverThatPunchesNoHolesKeepsNoSession() throws {
        var (listener, _) = try relayed { $0.environment.punchesHoles = false }
        let stays = listener.established(streamID: Self.streamID, now: .seconds(2))
        #expect(!stays)
        #expect(listener.sessionCount == 0)
    }

    /// An arrival over the relay is no header: a client that sends none is dropped.
    @Test func holePunchKeepsNoStreamWithoutItsHeader() throws {
        var (listener, late) = try relayed()
        _ = try agree(&listener, &late, at: .seconds(3))
        var ends: [HandshakeListener.Action] = []
        while let due = listener.deadline, due < .seconds(17) {
            for action in listener.advance(to: due) { if case .probe = action {} else { ends.append(action) } }
        }
        #expect(ends == [.dropStream(streamID: Self.streamID)])
    }
}

/// The messages of a client's hole punch, as they come through a relay.
private struct LateClient {
    let relay: PeerAddress
    let address: PeerAddress
    let target: DHTKey
    var id: UInt64 = 0
    var secret: [UInt8] = []
    var round: UInt64 = 0
    var isPunching = false
    /// The server's token.
    var token: [UInt8]?

    init(relay: PeerAddress, address: PeerAddress, target: DHTKey) {
        self.relay = relay
        self.address = address
        self.target = target
    }

    func request(_ command: Command, _ value: [UInt8]) -> IncomingRequest {
        IncomingRequest(
            from: relay,
            message: RPCRequest(
                transactionID: 7, to: relay, command: RPCCommand(number: command.rawValue), target: target, value: value))
    }

    static func answer(_ actions: [HandshakeListener.Action]) -> [UInt8]? {
        for case .send(let request, _) in actions { return request.value }
        return nil
    }

    /// Sends the next message. Returns the answer; `nil` for none.
    mutating func ask(_ listener: inout HandshakeListener, now: Duration) throws -> HolepunchPayload? {
        var payload = HolepunchPayload()
        payload.round = round
        payload.firewall = .random
        payload.isPunching = isPunching
        payload.addresses = [PeerAddress(octets: address.octets, port: 0)]
        payload.remoteToken = token
        round += 1
        let message = HolepunchMessage(
            mode: .fromRelay, id: id, payload: payload.sealed(key: secret, nonce: RandomBytes.make(SecretBox.nonceSize)),
            peerAddress: address)
        guard let value = Self.answer(listener.receiveHolepunch(request(.peerHolepunch, message.encoded), now: now)) else {
            return nil
        }
        return try HolepunchPayload(opening: HolepunchMessage(decoding: value).payload, key: secret)
    }
}
