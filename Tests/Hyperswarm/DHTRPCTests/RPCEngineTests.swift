import CompactEncoding
import CryptoPrimitives
import HyperswarmTestKit
import Testing

@testable import DHTRPC

@Suite struct RPCEngineTests {
    let client = PeerAddress(octets: 0x0a00_0001, port: 5000)
    let other = PeerAddress(octets: 0x0a00_0002, port: 5000)

    /// One engine and what it sends.
    private func makeEngine(_ role: RPCConfiguration.Role = .ephemeral, bootstrap: [PeerAddress] = []) -> RPCEngine {
        RPCEngine(configuration: RPCConfiguration(bootstrap: bootstrap, role: role), random: SplitMix64(3))
    }

    private func sends(_ engine: inout RPCEngine) -> [(bytes: [UInt8], to: PeerAddress)] {
        engine.takeActions().compactMap { if case .send(let bytes, let to, _) = $0 { (bytes, to) } else { nil } }
    }

    private func requests(_ engine: inout RPCEngine) -> [RPCRequest] {
        sends(&engine).compactMap { if case .request(let request)? = RPCMessage($0.bytes) { request } else { nil } }
    }

    private func responses(_ engine: inout RPCEngine) -> [RPCResponse] {
        sends(&engine).compactMap { if case .response(let response)? = RPCMessage($0.bytes) { response } else { nil } }
    }

    private func request(_ command: RPCCommand, value: [UInt8]? = nil, target: DHTKey? = nil, token: [UInt8]? = nil) -> [UInt8] {
        RPCRequest(transactionID: 9, to: other, token: token, command: command, target: target, value: value).encode()
    }

    @Test func unansweredRequestIsSentFourTimesThenFails() throws {
        var engine = makeEngine()
        let id = engine.request(.ping, to: other, now: .zero)
        var datagrams = sends(&engine).map(\.bytes)
        for second in 1...3 {
            engine.advance(to: .seconds(second))
            datagrams += sends(&engine).map(\.bytes)
        }
        #expect(datagrams.count == 4)
        #expect(Set(datagrams).count == 1, "repetitions are identical")
        engine.advance(to: .milliseconds(3999))
        #expect(engine.takeActions().isEmpty)
        engine.advance(to: .seconds(4))
        guard case .requestFinished(let failed, .failure(let error))? = engine.takeActions().first else {
            Issue.record("no failure")
            return
        }
        #expect(failed == id)
        #expect(error.code == .timedOut)
    }

    @Test func responseFromAnotherSourceIsIgnored() throws {
        var engine = makeEngine()
        _ = engine.request(.ping, to: other, now: .zero)
        let sent = try #require(requests(&engine).first)
        let response = RPCResponse(transactionID: sent.transactionID, to: client).encode()
        engine.receive(response, from: PeerAddress(octets: 0x0a00_0003, port: 5000), now: .zero)
        engine.receive(response, from: PeerAddress(octets: other.octets, port: 5001), now: .zero)
        #expect(engine.takeActions().isEmpty)
        engine.receive(response, from: other, now: .milliseconds(30))
        guard case .requestFinished(_, .success(let reply))? = engine.takeActions().first else {
            Issue.record("no reply")
            return
        }
        #expect(reply.roundTrip == .milliseconds(30))
        engine.receive(response, from: other, now: .milliseconds(31))
        #expect(engine.takeActions().isEmpty, "a duplicate is ignored")
    }

    @Test func idOfAnotherAddressIsTreatedAsAbsent() throws {
        var engine = makeEngine()
        _ = engine.request(.ping, to: other, now: .zero)
        let sent = try #require(requests(&engine).first)
        let response = RPCResponse(transactionID: sent.transactionID, to: client, id: DHTKey(nodeAt: client))
        engine.receive(response.encode(), from: other, now: .zero)
        guard case .requestFinished(_, .success(let reply))? = engine.takeActions().first else {
            Issue.record("no reply")
            return
        }
        #expect(reply.id == nil)
        #expect(engine.table.count == 0)
    }

    @Test func nodeEntersTheTableOnlyAfterAnsweringAPing() throws {
        var engine = makeEngine()
        let ping = RPCRequest(transactionID: 1, to: client, id: DHTKey(nodeAt: other), command: .ping)
        engine.receive(ping.encode(), from: other, now: .zero)
        #expect(engine.table.count == 0, "the source of a request can be forged")
        let check = try #require(requests(&engine).first)
        #expect(check.command == .ping)
        #expect(check.to == other)
        let response = RPCResponse(transactionID: check.transactionID, to: client, id: DHTKey(nodeAt: other))
        engine.receive(response.encode(), from: other, now: .zero)
        #expect(engine.table.nodes.map(\.address) == [other])
    }

    @Test func ephemeralNodeSendsNoIDAndPersistentNodeDoes() throws {
        var ephemeral = makeEngine()
        _ = ephemeral.request(.ping, to: other, now: .zero)
        #expect(requests(&ephemeral).first?.id == nil)
        var persistent = makeEngine(.persistent(client))
        _ = persistent.request(.ping, to: other, now: .zero)
        #expect(requests(&persistent).first?.id == DHTKey(nodeAt: client))
        persistent.receive(request(.ping), from: other, now: .zero)
        #expect(responses(&persistent).first?.id == DHTKey(nodeAt: client))
    }

    @Test func persistentNodeWithoutAddressAdoptsTheSampledOne() throws {
        var engine = makeEngine(.persistent(nil))
        #expect(engine.id == nil)
        for index in 1...3 {
            let node = PeerAddress(octets: 0x0b00_0000 + UInt32(index), port: 1)
            _ = engine.request(.ping, to: node, now: .zero)
            let sent = try #require(requests(&engine).last)
            engine.receive(RPCResponse(transactionID: sent.transactionID, to: client).encode(), from: node, now: .zero)
        }
        #expect(engine.id == DHTKey(nodeAt: client))
    }

    @Test func pingIsAnsweredWithTheAddressOfTheRequester() throws {
        var engine = makeEngine()
        engine.receive(request(.ping, value: [1, 2, 3]), from: other, now: .zero)
        #expect(responses(&engine) == [RPCResponse(transactionID: 9, to: other)])
    }

    @Test func pingNATIsAnsweredAtTheOtherPort() throws {
        var engine = makeEngine()
        engine.receive(request(.pingNAT, value: [0x4c, 0xc2]), from: other, now: .zero)
        let port = PeerAddress(octets: other.octets, port: 49740)
        let sent = sends(&engine)
        #expect(sent.map(\.to) == [port])
        #expect(sent.first.flatMap { RPCMessage($0.bytes) } == .response(RPCResponse(transactionID: 9, to: port)))
        engine.receive(request(.pingNAT, value: [0, 0]), from: other, now: .zero)
        engine.receive(request(.pingNAT, value: [7]), from: other, now: .zero)
        engine.receive(request(.pingNAT), from: other, now: .zero)
        #expect(sends(&engine).isEmpty)
    }

    @Test func delayedPingWaitsAndTooLongOnesAreIgnored() throws {
        var engine = makeEngine()
        engine.receive(request(.delayedPing, value: [0x88, 0x13, 0, 0]), from: other, now: .zero)
        engine.receive(request(.delayedPing, value: [0x11, 0x27, 0, 0]), from: other, now: .zero)
        #expect(sends(&engine).isEmpty)
        #expect(engine.deadline == .seconds(5))
        engine.advance(to: .milliseconds(4999))
        #expect(sends(&engine).isEmpty)
        engine.advance(to: .seconds(5))
        #expect(responses(&engine).count == 1)
        engine.advance(to: .seconds(11))
        #expect(responses(&engine).isEmpty)
    }

    @Test func delayedPingsAreLimited() {
        var engine = makeEngine()
        for port in 1...1000 {
            engine.receive(
                request(.delayedPing, value: [0x88, 0x13, 0, 0]), from: PeerAddress(octets: 1 << 24, port: UInt16(port)), now: .zero
            )
        }
        engine.advance(to: .seconds(5))
        #expect(responses(&engine).count == RPCEngine.maximumDelayedReplyCount)
    }

    @Test func unknownInternalCommandGetsAnError() throws {
        var engine = makeEngine()
        engine.receive(request(RPCCommand(number: 77, isInternal: true)), from: other, now: .zero)
        #expect(responses(&engine).map(\.error) == [RPCErrorNumber.unknownCommand])
    }

    @Test func findNodeWithoutTargetIsIgnored() {
        var engine = makeEngine()
        engine.receive(request(.findNode), from: other, now: .zero)
        #expect(engine.takeActions().isEmpty)
    }

    @Test func downHintChecksOnlyKnownNodes() throws {
        var engine = makeEngine()
        let unknown = PeerAddress(octets: 0x0c00_0001, port: 7)
        engine.receive(request(.downHint, value: unknown.encoded), from: other, now: .zero)
        #expect(requests(&engine).isEmpty, "hints cannot make this node send to strangers")
        _ = engine.request(.ping, to: unknown, now: .zero)
        let sent = try #require(requests(&engine).first)
        engine.receive(
            RPCResponse(transactionID: sent.transactionID, to: client, id: DHTKey(nodeAt: unknown)).encode(), from: unknown,
            now: .zero)
        engine.receive(request(.downHint, value: unknown.encoded), from: other, now: .zero)
        engine.receive(request(.downHint, value: unknown.encoded), from: other, now: .zero)
        #expect(requests(&engine).map(\.to) == [unknown], "one check is in flight")
        for second in 1...4 { engine.advance(to: .seconds(second)) }
        #expect(engine.table.count == 0, "the silent node left the table")
    }

    @Test func wrongTokenGetsAnErrorWithAFreshToken() throws {
        var engine = makeEngine(.persistent(client))
        let announce = RPCCommand(number: 4)
        let target = DHTKey(nodeAt: client)
        engine.receive(request(announce, target: target, token: [UInt8](repeating: 1, count: 32)), from: other, now: .zero)
        let refusal = try #require(responses(&engine).first)
        #expect(refusal.error == RPCErrorNumber.invalidToken)
        let token = try #require(refusal.token)
        engine.receive(request(announce, target: target, token: token), from: other, now: .seconds(1))
        guard case .incoming(let accepted)? = engine.takeActions().first else {
            Issue.record("not accepted")
            return
        }
        #expect(accepted.hasValidToken)
        let elsewhere = PeerAddress(octets: 0x0a00_0009, port: 5000)
        engine.receive(request(announce, target: target, token: token), from: elsewhere, now: .seconds(1))
        #expect(responses(&engine).map(\.error) == [RPCErrorNumber.invalidToken], "tokens are bound to a host")
    }

    @Test func expiredTokenGetsAnErrorWithAFreshToken() throws {
        var engine = makeEngine(.persistent(client))
        let target = DHTKey(nodeAt: client)
        let announce = RPCCommand(number: 4)
        engine.receive(request(announce, target: target, token: [UInt8](repeating: 1, count: 32)), from: other, now: .seconds(1))
        let token = try #require(responses(&engine).first?.token)
        for second in 2...17 { engine.advance(to: .seconds(second)) }
        _ = engine.takeActions()
        engine.receive(request(announce, target: target, token: token), from: other, now: .seconds(17))
        let refusal = try #require(responses(&engine).first)
        #expect(refusal.error == RPCErrorNumber.invalidToken)
        #expect(refusal.token != nil && refusal.token != token)
    }

    @Test func tokensLiveBetweenSevenAndFifteenSeconds() throws {
        for (age, isValid) in [(7.4, true), (15.1, false), (100, false)] {
            var random = SplitMix64(4)
            var issuer = TokenIssuer(now: .zero, random: &random)
            issuer.advance(to: .seconds(7.4), random: &random)
            let token = issuer.token(for: other)
            issuer.advance(to: .seconds(7.4 + age), random: &random)
            #expect(issuer.isValid(token, for: other) == isValid, "\(age) s")
        }
    }

    @Test func sendsStayBelowTheCongestionLimit() {
        var engine = makeEngine()
        for index in 0..<500 {
            _ = engine.request(.ping, to: PeerAddress(octets: 0x0b00_0000 + UInt32(index), port: 1), now: .zero)
        }
        #expect(sends(&engine).count == 80)
        engine.advance(to: .milliseconds(700))
        #expect(sends(&engine).isEmpty)
        engine.advance(to: .milliseconds(750))
        #expect(sends(&engine).count == 80)
        engine.advance(to: .milliseconds(1500))
        #expect(sends(&engine).isEmpty, "160 are outstanding")
        engine.advance(to: .milliseconds(3000))
        #expect(sends(&engine).count == 80)
    }

    /// A dial ends its walk as soon as it has an answer: the other requests of the walk are cancelled and answered all the same.
    @Test func answersToCancelledRequestsMakeRoomForOthers() {
        var engine = makeEngine()
        for round in 0..<50 as Range<UInt32> {
            let nodes = (0..<8 as Range<UInt32>).map { PeerAddress(octets: 0x0b00_0000 + 8 * round + $0, port: 1) }
            let query = engine.query(.findNode, target: DHTKey(nodeAt: client), firstNodes: nodes, now: .zero)
            let asked = requests(&engine)
            #expect(asked.count == nodes.count, "round \(round) waits")
            engine.cancel(query, now: .zero)
            for request in asked {
                let answer = RPCResponse(transactionID: request.transactionID, to: client)
                engine.receive(answer.encode(), from: request.to, now: .zero)
            }
            #expect(sends(&engine).isEmpty)
        }
    }

    @Test func cancelledRequestIsNotRepeated() {
        var engine = makeEngine()
        let id = engine.request(.ping, to: other, now: .zero)
        #expect(sends(&engine).count == 1)
        engine.cancel(id, now: .zero)
        for second in 1...5 {
            engine.advance(to: .seconds(second))
            #expect(engine.takeActions().isEmpty)
        }
    }

    @Test func requestQueueIsBounded() {
        var engine = makeEngine()
        var overloaded = 0
        for index in 0..<6000 {
            _ = engine.request(.ping, to: PeerAddress(octets: 0x0b00_0000 + UInt32(index), port: 1), now: .zero)
            for case .requestFinished(_, .failure(let error)) in engine.takeActions() where error.code == .overloaded {
                overloaded += 1
            }
        }
        #expect(overloaded == 6000 - 80 - RequestTable.maximumQueueLength)
    }

    @Test func suspendedNodeIsSilentAndFailsItsRequests() {
        var engine = makeEngine(bootstrap: [other])
        let id = engine.request(.ping, to: other, now: .zero)
        _ = engine.takeActions()
        engine.suspend()
        guard case .requestFinished(id, .failure(let error))? = engine.takeActions().first else {
            Issue.record("no failure")
            return
        }
        #expect(error.code == .closed)
        #expect(engine.deadline == nil)
        engine.receive(request(.ping), from: other, now: .seconds(1))
        #expect(engine.takeActions().isEmpty)
        engine.resume(now: .seconds(100))
        #expect(requests(&engine).map(\.command) == [.findNode])
    }

    @Test func eachNodeHasOneAddressSample() {
        var sampler = NATSampler()
        for port in 1...10 { sampler.add(PeerAddress(octets: 9, port: UInt16(port)), from: other) }
        #expect(sampler.sampleCount == 1)
        #expect(sampler.address == PeerAddress(octets: 9, port: 10))
    }

    /// Random bytes, mutated and valid messages from random sources: no trap, and no reply to what is malformed.
    @Test func garbageIsNeverAnswered() throws {
        var random = SplitMix64(11)
        let file = try Vectors("dht-rpc")
        let samples = try (file["requests"].array + file["responses"].array).map { try $0["hex"].data() }
        var engine = makeEngine(.persistent(client))
        var replies = 0
        var tableCount = 0
        for index in 0..<Fuzz.inputCount(25_000) {
            var bytes = Fuzz.input(samples, &random)
            if let first = bytes.indices.first, random.isTrue(probability: 0.1) {
                bytes[first] = Bool.random(using: &random) ? 0x03 : 0x13
            }
            let source = PeerAddress(
                octets: UInt32.random(in: 0...UInt32.max, using: &random), port: UInt16.random(in: 0...3, using: &random))
            let now = Duration.milliseconds(index)
            engine.receive(bytes, from: source, now: now)
            if index % 64 == 0 { engine.advance(to: now) }
            for action in engine.takeActions() {
                if case .send(let sent, _, _) = action, case .response? = RPCMessage(sent) {
                    replies += 1
                    if index % 64 != 0 {
                        guard case .request? = RPCMessage(bytes) else {
                            Issue.record("a reply to \(bytes)")
                            continue
                        }
                    }
                }
            }
            tableCount = max(tableCount, engine.table.count)
        }
        #expect(tableCount == 0)
        #expect(replies > 0)
    }
}
