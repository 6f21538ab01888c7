import CompactEncoding
import CryptoPrimitives
import DHTRPC
import HyperswarmTestKit
import Testing

@testable import HyperDHT

@Suite struct HandshakeListenerTests {
    private let server = KeyPair.generate()
    private let relay = PeerAddress(host: "9.9.9.9", port: 9)!
    private let client = PeerAddress(host: "1.2.3.4", port: 5)!

    private func listener(
        limits: HandshakeListener.Limits = .init(), admits: @escaping @Sendable (PublicKey) -> Bool = { _ in true }
    )
        -> HandshakeListener
    {
        var listener = HandshakeListener(keyPair: server, limits: limits, random: SplitMix64(1), admits: admits)
        listener.environment.relays = [NoisePayload.Holepunch.Relay(relayAddress: relay, peerAddress: client)]
        return listener
    }

    private func request(_ value: [UInt8], command: Command = .peerHandshake, from source: PeerAddress? = nil) -> IncomingRequest {
        IncomingRequest(
            from: source ?? relay,
            message: RPCRequest(
                transactionID: 7, to: relay, command: RPCCommand(number: command.rawValue), target: DHTKey(server.publicKey.target),
                value: value))
    }

    private func firstMessage(_ change: (inout NoisePayload) -> Void = { _ in }) throws -> [UInt8] {
        var payload = NoisePayload()
        payload.stream = NoisePayload.Stream(id: 3)
        change(&payload)
        return try HandshakeInitiator(
            keyPair: .generate(), remotePublicKey: server.publicKey, payload: payload, ephemeralKey: .generate()
        ).message
    }

    private func handshake(_ noise: [UInt8], _ mode: RoutingMode = .fromRelay) -> [UInt8] {
        HandshakeMessage(mode: mode, noise: noise, peerAddress: mode == .fromClient ? nil : client).encoded
    }

    private func answer(_ actions: [HandshakeListener.Action]) -> [UInt8]? {
        for action in actions {
            switch action {
            case .reply(_, let value): return value
            case .send(let request, _): return request.value
            default: break
            }
        }
        return nil
    }

    @Test func repeatedMessageGetsTheSameAnswerAndOneStream() throws {
        var listener = listener()
        let noise = try firstMessage()
        let first = listener.receiveHandshake(request(handshake(noise)), now: .zero) { 1 }
        let second = listener.receiveHandshake(request(handshake(noise)), now: .seconds(1)) {
            Issue.record("a second stream")
            return 2
        }
        #expect(first.contains { if case .openStream(1, _) = $0 { true } else { false } })
        #expect(second.count == 1)
        #expect(answer(first) == answer(second))
        #expect(listener.sessionCount == 1)
    }

    @Test func answerThroughARelayKeepsTransactionAndTarget() throws {
        var listener = listener()
        let noise = try firstMessage()
        let actions = listener.receiveHandshake(request(handshake(noise)), now: .zero) { 1 }
        guard case .send(let message, _) = try #require(actions.last(where: { if case .send = $0 { true } else { false } })) else {
            return
        }
        #expect(message.transactionID == 7)
        #expect(message.to == relay)
        #expect(message.target == DHTKey(server.publicKey.target))
        let value = try HandshakeMessage(decoding: try #require(message.value))
        #expect(value.mode == .fromServer)
        #expect(value.peerAddress == client)
        // Through a second relay the answer goes to the first one.
        let other = PeerAddress(host: "8.8.8.8", port: 8)!
        let second = HandshakeMessage(mode: .fromSecondRelay, noise: noise, peerAddress: client, relayAddress: other)
        let forwarded = listener.receiveHandshake(request(second.encoded), now: .zero) { 2 }
        guard case .send(let toOther, _) = try #require(forwarded.first) else { return #expect(Bool(false)) }
        #expect(toOther.to == other)
    }

    @Test func wrongVersionAndMissingStreamAreRefusedWithAnError() throws {
        for (error, change) in [
            (PeerError.versionMismatch, { $0.version = 2 }), (.aborted, { $0.stream = nil }),
        ] as [(PeerError, (inout NoisePayload) -> Void)] {
            var payload = NoisePayload()
            payload.stream = NoisePayload.Stream(id: 3)
            change(&payload)
            let initiator = try HandshakeInitiator(
                keyPair: .generate(), remotePublicKey: server.publicKey, payload: payload, ephemeralKey: .generate())
            var listener = listener()
            let actions = listener.receiveHandshake(request(handshake(initiator.message)), now: .zero) { 1 }
            let message = try HandshakeMessage(decoding: try #require(answer(actions)))
            #expect(initiator.open(message.noise)?.payload.error == error)
            #expect(listener.sessionCount == 0)
        }
    }

    @Test func refusedClientLearnsThatAndNothingElse() throws {
        var listener = listener(admits: { _ in false })
        var payload = NoisePayload()
        payload.stream = NoisePayload.Stream(id: 3)
        let initiator = try HandshakeInitiator(
            keyPair: .generate(), remotePublicKey: server.publicKey, payload: payload, ephemeralKey: .generate())
        let actions = listener.receiveHandshake(request(handshake(initiator.message)), now: .zero) { 1 }
        #expect(actions.count == 1)
        let message = try HandshakeMessage(decoding: try #require(answer(actions)))
        var expected = NoisePayload()
        expected.error = .aborted
        expected.stream = NoisePayload.Stream(id: 0)
        #expect(initiator.open(message.noise)?.payload == expected)
        #expect(listener.sessionCount == 0)
    }

    @Test func malformedMessagesGetNoAnswer() throws {
        var generator = SplitMix64(8)
        var listener = listener()
        let valid = handshake(try firstMessage())
        let count = Fuzz.inputCount(800)
        for round in 0..<count {
            var bytes = valid
            if round.isMultiple(of: 2) {
                bytes = RandomBytes.make(Int.random(in: 0...150, using: &generator), using: &generator)
            } else {
                // Only the Noise message: the routing fields in front and behind may change without making the message invalid.
                bytes[Int.random(in: 3..<bytes.count - 6, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            }
            #expect(listener.receiveHandshake(request(bytes), now: .seconds(round)) { 1 }.isEmpty)
            #expect(listener.receiveHolepunch(request(bytes, command: .peerHolepunch), now: .seconds(round)).isEmpty)
        }
        #expect(listener.sessionCount == 0)
        #expect(listener.cachedAnswerCount == 0)
    }

    @Test func waitingSessionsAndCachedAnswersAreBounded() throws {
        var limits = HandshakeListener.Limits()
        limits.maximumSessionCount = 4
        var listener = listener(limits: limits)
        for id in 0..<10 as Range<UInt32> {
            _ = listener.receiveHandshake(request(handshake(try firstMessage())), now: .zero) { id }
        }
        #expect(listener.sessionCount == 4)
        #expect(listener.cachedAnswerCount == 4)
        let dropped = listener.advance(to: .seconds(10))
        #expect(dropped.count == 4)
        #expect(listener.sessionCount == 0)
        #expect(listener.cachedAnswerCount == 0)
        #expect(listener.deadline == nil)
    }

    @Test func answersAreKeptUpToALimit() throws {
        var limits = HandshakeListener.Limits()
        limits.maximumAnswerCount = 3
        var listener = listener(limits: limits)
        for id in 0..<5 as Range<UInt32> {
            _ = listener.receiveHandshake(request(handshake(try firstMessage())), now: .zero) { id }
            listener.remove(streamID: id)
        }
        #expect(listener.cachedAnswerCount == 3)
        #expect(listener.deadline == .seconds(10))
        #expect(listener.advance(to: .seconds(10)).isEmpty)
        #expect(listener.cachedAnswerCount == 0)
        #expect(listener.deadline == nil)
    }

    @Test func handshakesOfOneHostAreLimitedInRate() throws {
        var limits = HandshakeListener.Limits()
        limits.burst = 3
        limits.ratePerSecond = 1
        var listener = listener(limits: limits)
        var answered = 0
        for id in 0..<6 as Range<UInt32> {
            let source = PeerAddress(octets: relay.octets, port: UInt16(id) + 1)
            if !listener.receiveHandshake(request(handshake(try firstMessage()), from: source), now: .zero, streamID: { id })
                .isEmpty
            {
                answered += 1
            }
        }
        #expect(answered == 3)
        #expect(!listener.receiveHandshake(request(handshake(try firstMessage())), now: .seconds(1)) { 9 }.isEmpty)
    }

    @Test func directClientIsAnsweredAndConnectedAtOnce() throws {
        var listener = listener()
        let actions = listener.receiveHandshake(
            request(handshake(try firstMessage(), .fromClient), from: client), now: .zero
        ) { 1 }
        #expect(actions.contains { if case .connectStream(1, 3, client, .main) = $0 { true } else { false } })
        let value = try HandshakeMessage(decoding: try #require(answer(actions)))
        #expect(value.mode == .reply)
        #expect(value.peerAddress == nil)
    }

    @Test func firstPacketTellsTheClientsAddressOnce() throws {
        var listener = listener()
        _ = listener.receiveHandshake(request(handshake(try firstMessage())), now: .zero) { 1 }
        let socket = SocketID(number: 4)
        #expect(listener.packetReceived(streamID: 2, from: client, socket: socket, now: .zero).isEmpty)
        #expect(
            listener.packetReceived(streamID: 1, from: client, socket: socket, now: .zero) == [
                .connectStream(streamID: 1, remoteID: 3, to: client, socket: socket)
            ])
        #expect(listener.packetReceived(streamID: 1, from: relay, socket: socket, now: .zero).isEmpty)
        #expect(listener.advance(to: .seconds(10)).isEmpty)
    }

    @Test func clientWithoutHeaderIsDroppedFifteenSecondsAfterItsArrival() throws {
        var listener = listener()
        let arrival = Duration.seconds(9)
        _ = listener.receiveHandshake(request(handshake(try firstMessage())), now: .zero) { 1 }
        _ = listener.packetReceived(streamID: 1, from: client, socket: .main, now: arrival)
        #expect(listener.advance(to: arrival + .seconds(14)).isEmpty)
        #expect(listener.deadline == arrival + .seconds(15))
        #expect(listener.advance(to: arrival + .seconds(15)) == [.dropStream(streamID: 1)])
        #expect(listener.sessionCount == 0)
    }

    @Test func clientWithHeaderIsNotDropped() throws {
        var listener = listener()
        _ = listener.receiveHandshake(request(handshake(try firstMessage())), now: .zero) { 1 }
        _ = listener.packetReceived(streamID: 1, from: client, socket: .main, now: .zero)
        listener.remove(streamID: 1)
        #expect(listener.advance(to: .seconds(60)).isEmpty)
    }

    @Test func onlyProbesOfExpectedHostsAreAnswered() throws {
        var listener = listener()
        #expect(listener.receiveProbe(from: client, socket: .main).isEmpty)
        _ = listener.receiveHandshake(request(handshake(try firstMessage())), now: .zero) { 1 }
        #expect(listener.receiveProbe(from: client, socket: .main) == [.probe(client, socket: .main)])
        #expect(listener.receiveProbe(from: PeerAddress(host: "6.6.6.6", port: 6)!, socket: .main).isEmpty)
    }
}
