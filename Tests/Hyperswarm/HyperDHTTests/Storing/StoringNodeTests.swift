import CompactEncoding
import CryptoPrimitives
import DHTRPC
import HyperswarmTestKit
import Testing

@testable import HyperDHT

@Suite struct StoringNodeTests {
    let nodeID = DHTKey(hashing: [1])
    let client = PeerAddress(octets: 0x0a00_0001, port: 5000)
    let server = PeerAddress(octets: 0x0a00_0002, port: 6000)
    let stranger = PeerAddress(octets: 0x0a00_0003, port: 7000)
    let token = [UInt8](repeating: 9, count: 32)
    let topic = DHTKey(hashing: [2])
    let keyPair: KeyPair

    init() throws { keyPair = try #require(KeyPair(seed: [UInt8](repeating: 1, count: 32))) }

    private func makeNode(_ limits: PeerRecordStore.Limits = PeerRecordStore.Limits()) -> StoringNode {
        StoringNode(limits: limits, random: SplitMix64(1))
    }

    private func request(
        _ command: Command, from source: PeerAddress? = nil, target: DHTKey? = nil, value: [UInt8]? = nil,
        hasValidToken: Bool = false,
        transactionID: UInt16 = 77
    ) -> IncomingRequest {
        IncomingRequest(
            from: source ?? client, hasValidToken: hasValidToken,
            message: RPCRequest(
                transactionID: transactionID, to: server, token: hasValidToken ? token : nil, command: command.rpc,
                target: target ?? topic, value: value))
    }

    private func write(
        _ kind: AnnounceRequest.Kind, _ keyPair: KeyPair, target: DHTKey? = nil, from source: PeerAddress? = nil,
        relays: [PeerAddress] = []
    ) -> IncomingRequest {
        let target = target ?? topic
        let value = AnnounceRequest(
            kind, keyPair: keyPair, relayAddresses: relays, target: target.bytes, nodeID: nodeID.bytes, token: token)
        return request(
            kind == .announce ? .announce : .unannounce, from: source, target: target, value: value.encoded, hasValidToken: true)
    }

    private func peers(
        _ node: inout StoringNode, _ topic: DHTKey? = nil, isProved: Bool = true, now: Duration = .zero
    ) throws -> [PeerRecord]? {
        let request = request(.lookup, target: topic, hasValidToken: isProved)
        guard case .reply(let value, 0, true, true)? = node.handle(request, id: nodeID, now: now).first
        else {
            return nil
        }
        return try value.map { try LookupReply(decoding: $0).peers } ?? []
    }

    private let done = StoringNode.Action.reply(value: nil, includesToken: false, includesCloserNodes: false)

    @Test func announcedPeerIsFoundUntilItUnannounces() throws {
        var node = makeNode()
        #expect(try peers(&node) == [])
        #expect(node.handle(write(.announce, keyPair, relays: [server]), id: nodeID, now: .zero) == [done])
        #expect(try peers(&node) == [PeerRecord(publicKey: keyPair.publicKey, relayAddresses: [server])])
        #expect(node.handle(write(.announce, keyPair), id: nodeID, now: .zero) == [done])
        #expect(try peers(&node) == [PeerRecord(publicKey: keyPair.publicKey)], "a second announcement replaces the first")
        #expect(node.recordCount == 1)
        #expect(node.handle(write(.unannounce, keyPair), id: nodeID, now: .zero) == [done])
        #expect(try peers(&node) == [])
        #expect(node.recordCount == 0)
    }

    @Test func storedRecordKeepsThreeRelays() throws {
        var node = makeNode()
        let relays = (1...9).map { PeerAddress(octets: 0x0b00_0000, port: $0) }
        _ = node.handle(write(.announce, keyPair, relays: relays), id: nodeID, now: .zero)
        #expect(try peers(&node)?.first?.relayAddresses == Array(relays.prefix(3)))
    }

    @Test func recordsExpire() throws {
        var node = makeNode()
        let target = DHTKey(hashing: keyPair.publicKey.bytes)
        _ = node.handle(write(.announce, keyPair), id: nodeID, now: .zero)
        _ = node.handle(write(.announce, keyPair, target: target), id: nodeID, now: .zero)
        #expect(try peers(&node, now: .seconds(13 * 60))?.count == 1)
        #expect(try peers(&node, now: .seconds(27 * 60)) == [])
        let find = request(.findPeer, target: target)
        #expect(
            node.handle(find, id: nodeID, now: .seconds(27 * 60)) == [
                .reply(value: nil, includesToken: true, includesCloserNodes: true)
            ])
        let other = try #require(KeyPair(seed: [UInt8](repeating: 3, count: 32)))
        _ = node.handle(write(.announce, other), id: nodeID, now: .seconds(28 * 60))
        #expect(node.recordCount == 1, "expired records are removed")
    }

    @Test func selfAnnouncementBecomesARoute() throws {
        var node = makeNode()
        let target = DHTKey(hashing: keyPair.publicKey.bytes)
        _ = node.handle(write(.announce, keyPair, target: target, from: server), id: nodeID, now: .zero)
        #expect(node.routeCount == 1)
        #expect(node.recordCount == 0)
        let value = PeerRecord(publicKey: keyPair.publicKey).encoded
        #expect(
            node.handle(request(.findPeer, target: target), id: nodeID, now: .zero)
                == [.reply(value: value, includesToken: true, includesCloserNodes: true)])
        _ = node.handle(write(.unannounce, keyPair, target: target, from: server), id: nodeID, now: .zero)
        #expect(node.routeCount == 0)
    }

    @Test func writesWithoutProofAreIgnored() throws {
        var node = makeNode()
        let good = write(.announce, keyPair)
        var noToken = good
        noToken.hasValidToken = false
        noToken.message.token = nil
        #expect(node.handle(noToken, id: nodeID, now: .zero).isEmpty)
        #expect(node.handle(good, id: nil, now: .zero).isEmpty, "a node without id stores nothing")
        #expect(node.handle(good, id: DHTKey(hashing: [7]), now: .zero).isEmpty, "signed for another node")
        var otherTopic = good
        otherTopic.message.target = DHTKey(hashing: [8])
        #expect(node.handle(otherTopic, id: nodeID, now: .zero).isEmpty)
        var otherToken = good
        otherToken.message.token = [UInt8](repeating: 8, count: 32)
        #expect(node.handle(otherToken, id: nodeID, now: .zero).isEmpty)
        var otherCommand = good
        otherCommand.message.command = Command.unannounce.rpc
        #expect(node.handle(otherCommand, id: nodeID, now: .zero).isEmpty)
        for index in 0..<(good.message.value?.count ?? 0) {
            var forged = good
            forged.message.value?[index] ^= 1
            #expect(node.handle(forged, id: nodeID, now: .zero).isEmpty, "byte \(index)")
        }
        #expect(node.recordCount == 0)
        #expect(node.handle(good, id: nodeID, now: .zero) == [done])
    }

    @Test func nobodyRemovesTheRecordOfAnother() throws {
        var node = makeNode()
        let other = try #require(KeyPair(seed: [UInt8](repeating: 3, count: 32)))
        _ = node.handle(write(.announce, keyPair), id: nodeID, now: .zero)
        _ = node.handle(write(.unannounce, other), id: nodeID, now: .zero)
        #expect(try peers(&node)?.map(\.publicKey) == [keyPair.publicKey])
    }

    @Test func lookupReturnsTwentyRandomRecords() throws {
        var node = makeNode()
        for index in 1...40 {
            let pair = try #require(KeyPair(seed: [UInt8](repeating: UInt8(index), count: 32)))
            _ = node.handle(write(.announce, pair), id: nodeID, now: .zero)
        }
        let first = try #require(try peers(&node))
        let second = try #require(try peers(&node))
        #expect(first.count == 20)
        #expect(Set(first).count == 20)
        #expect(first != second)
    }

    @Test func unprovedAddressGetsAShortAnswer() throws {
        var node = makeNode()
        let relays = (1...3).map { PeerAddress(octets: 0x0b00_0000, port: $0) }
        for index in 1...40 {
            let pair = try #require(KeyPair(seed: [UInt8](repeating: UInt8(index), count: 32)))
            _ = node.handle(write(.announce, pair, relays: relays), id: nodeID, now: .zero)
            let own = DHTKey(hashing: pair.publicKey.bytes)
            _ = node.handle(write(.announce, pair, target: own, from: server), id: nodeID, now: .zero)
        }
        #expect(try peers(&node, isProved: false)?.count == 3)
        let targets = [topic, DHTKey(hashing: KeyPair(seed: [UInt8](repeating: 1, count: 32))!.publicKey.bytes)]
        // Whoever writes a victim's address into requests gains less than nine times its own bytes, for every command.
        for number in UInt64(0)...12 {
            for target in targets {
                let message = RPCRequest(transactionID: 1, to: server, command: RPCCommand(number: number), target: target)
                for action in node.handle(IncomingRequest(from: client, message: message), id: nodeID, now: .zero) {
                    guard case .reply(let value, let error, let includesToken, let includesCloserNodes) = action else { continue }
                    let reply = RPCResponse(
                        transactionID: 1, to: client, id: nodeID, token: includesToken ? token : nil,
                        closerNodes: includesCloserNodes ? [PeerAddress](repeating: stranger, count: 20) : [], error: error,
                        value: value)
                    #expect(reply.encode().count < 9 * message.encode().count, "command \(number)")
                }
            }
        }
    }

    @Test func recordsAndRoutesAreBounded() throws {
        var limits = PeerRecordStore.Limits()
        limits.maximumRecordCount = 12
        limits.maximumRecordsPerTopic = 5
        limits.maximumRouteCount = 3
        var node = makeNode(limits)
        var refused = 0
        for topic in 0..<4 {
            for index in 1...8 {
                let pair = try #require(KeyPair(seed: [UInt8](repeating: UInt8(index), count: 32)))
                let announce = write(.announce, pair, target: DHTKey(hashing: [UInt8(topic)]))
                if node.handle(announce, id: nodeID, now: .zero).isEmpty { refused += 1 }
                if topic == 0 {
                    _ = node.handle(write(.announce, pair, target: DHTKey(hashing: pair.publicKey.bytes)), id: nodeID, now: .zero)
                }
            }
        }
        #expect(node.recordCount == 12)
        #expect(node.routeCount == 3)
        #expect(refused > 0)
        #expect(try peers(&node, DHTKey(hashing: [0]))?.count == 5)
    }

    // MARK: - Relaying

    private func routedNode() -> (StoringNode, DHTKey) {
        var node = makeNode()
        let target = DHTKey(hashing: keyPair.publicKey.bytes)
        _ = node.handle(write(.announce, keyPair, target: target, from: server), id: nodeID, now: .zero)
        return (node, target)
    }

    @Test func handshakeTravelsToTheServerAndBack() throws {
        var (node, target) = routedNode()
        let hello = HandshakeMessage(mode: .fromClient, noise: [1, 2, 3])
        let out = node.handle(request(.peerHandshake, target: target, value: hello.encoded), id: nodeID, now: .zero)
        let expected = RPCRequest(
            transactionID: 77, to: server, command: Command.peerHandshake.rpc, target: target,
            value: HandshakeMessage(mode: .fromRelay, noise: [1, 2, 3], peerAddress: client).encoded)
        #expect(out == [.forward(expected, socket: .main)])
        let answer = HandshakeMessage(mode: .fromServer, noise: [4], peerAddress: client)
        let back = node.handle(
            request(.peerHandshake, from: server, target: target, value: answer.encoded), id: nodeID, now: .seconds(2))
        let value = HandshakeMessage(mode: .reply, noise: [4], peerAddress: server).encoded
        #expect(back == [.respond(RPCResponse(transactionID: 77, to: client, value: value), socket: .main)])
    }

    @Test func handshakeTravelsOverASecondRelay() throws {
        var (second, target) = routedNode()
        var first = makeNode()
        let relayAddress = PeerAddress(octets: 0x0a00_0009, port: 1)
        let hello = HandshakeMessage(mode: .fromClient, noise: [1], relayAddress: relayAddress)
        guard
            case .forward(let hop, _)? = first.handle(
                request(.peerHandshake, target: target, value: hello.encoded), id: nodeID, now: .zero
            ).first
        else {
            Issue.record("not forwarded")
            return
        }
        #expect(hop.to == relayAddress)
        let out = second.handle(IncomingRequest(from: stranger, message: hop), id: nodeID, now: .zero)
        guard case .forward(let last, _)? = out.first else {
            Issue.record("not forwarded")
            return
        }
        #expect(last.to == server)
        #expect(
            last.value
                == HandshakeMessage(mode: .fromSecondRelay, noise: [1], peerAddress: client, relayAddress: stranger).encoded)
    }

    @Test func holepunchTravelsToTheServerAndBack() throws {
        var (node, target) = routedNode()
        let message = HolepunchMessage(mode: .fromClient, id: 5, payload: [1, 2])
        let out = node.handle(request(.peerHolepunch, target: target, value: message.encoded), id: nodeID, now: .zero)
        let value = HolepunchMessage(mode: .fromRelay, id: 5, payload: [1, 2], peerAddress: client).encoded
        #expect(
            out == [
                .forward(
                    RPCRequest(transactionID: 77, to: server, command: Command.peerHolepunch.rpc, target: target, value: value),
                    socket: .main)
            ])
        let answer = HolepunchMessage(mode: .fromServer, id: 0, payload: [3], peerAddress: client)
        let back = node.handle(request(.peerHolepunch, from: server, target: target, value: answer.encoded), id: nodeID, now: .zero)
        let reply = HolepunchMessage(mode: .reply, id: 0, payload: [3], peerAddress: server).encoded
        #expect(back == [.respond(RPCResponse(transactionID: 77, to: client, value: reply), socket: .main)])
    }

    @Test func unknownPeerGetsCloserNodesAndNoValue() throws {
        var node = makeNode()
        let notFound = StoringNode.Action.reply(value: nil, includesToken: false, includesCloserNodes: true)
        let hello = HandshakeMessage(mode: .fromClient, noise: [1])
        #expect(node.handle(request(.peerHandshake, value: hello.encoded), id: nodeID, now: .zero) == [notFound])
        let punch = HolepunchMessage(mode: .fromClient, id: 5, payload: [1])
        #expect(node.handle(request(.peerHolepunch, value: punch.encoded), id: nodeID, now: .zero) == [notFound])
    }

    @Test func answersForClientsThatDidNotAskAreDropped() throws {
        var (node, target) = routedNode()
        let answer = HandshakeMessage(mode: .fromServer, noise: [4], peerAddress: stranger).encoded
        #expect(node.handle(request(.peerHandshake, from: server, target: target, value: answer), id: nodeID, now: .zero).isEmpty)
        let hello = HandshakeMessage(mode: .fromClient, noise: [1]).encoded
        _ = node.handle(request(.peerHandshake, target: target, value: hello), id: nodeID, now: .zero)
        let late = HandshakeMessage(mode: .fromServer, noise: [4], peerAddress: client).encoded
        let wrongNumber = request(.peerHandshake, from: server, target: target, value: late, transactionID: 78)
        #expect(node.handle(wrongNumber, id: nodeID, now: .zero).isEmpty)
        #expect(
            node.handle(request(.peerHandshake, from: server, target: target, value: late), id: nodeID, now: .seconds(20)).isEmpty)
    }

    @Test func handshakesOfOneSourceAreLimited() throws {
        var (node, target) = routedNode()
        let hello = HandshakeMessage(mode: .fromClient, noise: [1]).encoded
        func forwarded(from source: PeerAddress, at now: Duration) -> Int {
            (0..<1000).count { index in
                !node.handle(
                    request(.peerHandshake, from: source, target: target, value: hello, transactionID: UInt16(index)), id: nodeID,
                    now: now
                ).isEmpty
            }
        }
        #expect(forwarded(from: client, at: .zero) == 512)
        #expect(forwarded(from: stranger, at: .zero) == 512, "other sources are not affected")
        #expect(forwarded(from: client, at: .seconds(1)) == 256)
        #expect(node.relayCount <= StoringNode.maximumRelayCount)
    }

    /// A popular server answers all its clients through the same relays, from one address.
    @Test func answersOfAServerAreNotLimited() throws {
        var (node, target) = routedNode()
        let hello = HandshakeMessage(mode: .fromClient, noise: [1]).encoded
        for index in 1...2000 as ClosedRange<UInt16> {
            let client = PeerAddress(octets: 2 << 24, port: index)
            let asked = request(.peerHandshake, from: client, target: target, value: hello, transactionID: index)
            #expect(!node.handle(asked, id: nodeID, now: .zero).isEmpty)
            let value = HandshakeMessage(mode: .fromServer, noise: [4], peerAddress: client).encoded
            let answer = request(.peerHandshake, from: server, target: target, value: value, transactionID: index)
            #expect(node.handle(answer, id: nodeID, now: .zero).count == 1)
            #expect(node.handle(answer, id: nodeID, now: .zero).isEmpty, "one answer for one request")
        }
        #expect(node.relayCount == 0)
    }

    @Test func rateLimiterForgetsQuietSources() {
        var limiter = RateLimiter(burst: 2, ratePerSecond: 1, maximumSourceCount: 10)
        let sources = (1...30).map { PeerAddress(octets: 1 << 24, port: $0) }
        let admitted = sources.filter { limiter.admit($0, now: .zero) }
        #expect(admitted.count == 10)
        #expect(limiter.sourceCount == 10)
        let isAdmittedLater = limiter.admit(sources[20], now: .seconds(5))
        #expect(isAdmittedLater)
        #expect(limiter.sourceCount == 1)
    }

    @Test func oversizedNoiseMessageIsIgnored() throws {
        var (node, target) = routedNode()
        let hello = HandshakeMessage(mode: .fromClient, noise: [UInt8](repeating: 0, count: 1201)).encoded
        #expect(node.handle(request(.peerHandshake, target: target, value: hello), id: nodeID, now: .zero).isEmpty)
    }

    @Test func mutatedRequestsNeverTrapAndNeverStore() throws {
        var random = SplitMix64(5)
        var (node, target) = routedNode()
        let values =
            [
                write(.announce, keyPair).message.value ?? [], HandshakeMessage(mode: .fromClient, noise: [1, 2, 3]).encoded,
                HolepunchMessage(mode: .fromClient, id: 1, payload: [1, 2, 3]).encoded,
            ]
        for index in 0..<Fuzz.inputCount(10_000) {
            var value = values[index % 3]
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let position = Int.random(in: 0..<value.count, using: &random)
                value[position] ^= UInt8.random(in: 1...255, using: &random)
            }
            value.removeLast(Int.random(in: 0...min(4, value.count), using: &random))
            let command = Command.allCases.randomElement(using: &random) ?? .lookup
            let message = request(
                command, from: PeerAddress(octets: UInt32(index) + 1 << 24, port: 1),
                target: Bool.random(using: &random) ? target : topic,
                value: value, hasValidToken: true)
            _ = node.handle(message, id: nodeID, now: .milliseconds(index))
        }
        #expect(node.recordCount == 0)
    }
}
