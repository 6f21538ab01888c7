import CompactEncoding
import CryptoPrimitives
import HyperswarmTestKit
import Testing

@testable import HyperDHT

/// Messages recorded from the reference implementation, encoded and decoded byte for byte.
@Suite struct MessageVectorTests {
    private let vectors: Vectors

    init() throws {
        vectors = try Vectors("hyperdht")
    }

    @Test func commandNumbersMatchTheReference() {
        let numbers = Set(vectors["commands"].object.values.compactMap(\.integer))
        #expect(numbers == Set(Command.allCases.map { Int($0.rawValue) }))
        #expect(vectors["commands"]["PEER_HOLEPUNCH"].integer == Int(Command.peerHolepunch.rawValue))
        #expect(vectors["commands"]["UNANNOUNCE"].integer == Int(Command.unannounce.rawValue))
        #expect(vectors["firewall"]["CONSISTENT"].integer == Int(Firewall.consistent.rawValue))
        #expect(vectors["firewall"]["RANDOM"].integer == Int(Firewall.random.rawValue))
        #expect(vectors["errors"]["TRY_LATER"].integer == Int(PeerError.tryLater.rawValue))
    }

    @Test func peerRecordsMatchTheReference() throws {
        for vector in vectors["peer"].array {
            let record = try vector.peerRecord()
            #expect(record.encoded == vector["hex"].bytes)
            #expect(try PeerRecord(decoding: vector["hex"].data()) == record)
        }
    }

    @Test func lookupRepliesMatchTheReference() throws {
        for vector in vectors["lookupReply"].array {
            let reply = LookupReply(
                peers: try vector["peers"].array.map { try $0.peerRecord() }, bump: UInt64(try vector["bump"].number()))
            #expect(reply.encoded == vector["hex"].bytes)
            #expect(try LookupReply(decoding: vector["hex"].data()) == reply)
        }
        let short = LookupReply(peers: []).encoded.dropLast()
        #expect(try LookupReply(decoding: Array(short)) == LookupReply(peers: []))
    }

    @Test func announcementsAndTheirSignaturesMatchTheReference() throws {
        #expect(vectors["announce"].array.count == 6)
        for vector in vectors["announce"].array {
            let kind: AnnounceRequest.Kind = vector["kind"].string == "announce" ? .announce : .unannounce
            let keyPair = try #require(try KeyPair(seed: vector["seed"].data()))
            let (target, nodeID, token) = (try vector["target"].data(), try vector["nodeId"].data(), try vector["token"].data())
            let request = AnnounceRequest(
                kind, keyPair: keyPair, relayAddresses: try vector["relayAddresses"].addresses(), target: target, nodeID: nodeID,
                token: token, refresh: vector["refresh"].bytes, bump: UInt64(try vector["bump"].number()))
            let peer = try #require(request.peer)
            let signable = AnnounceRequest.signable(
                kind, peer: peer, target: target, nodeID: nodeID, token: token, refresh: request.refresh)
            #expect(signable == (try vector["namespace"].data() + vector["signableHash"].data()))
            #expect(peer.encoded == vector["peerEncoding"].bytes)
            #expect(request.signature == vector["signature"].bytes)
            #expect(request.encoded == vector["value"].bytes)
            let decoded = try AnnounceRequest(decoding: vector["value"].data())
            #expect(decoded == request)
            #expect(decoded.isValid(kind, target: target, nodeID: nodeID, token: token))
            #expect(!decoded.isValid(kind == .announce ? .unannounce : .announce, target: target, nodeID: nodeID, token: token))
            #expect(!decoded.isValid(kind, target: target, nodeID: nodeID, token: RandomBytes.make(32)))
            #expect(!decoded.isValid(kind, target: target, nodeID: RandomBytes.make(32), token: token))
        }
    }

    @Test func handshakeMessagesMatchTheReference() throws {
        for vector in vectors["peerHandshake"].array {
            let message = HandshakeMessage(
                mode: try #require(RoutingMode(rawValue: UInt64(try vector["mode"].number()))), noise: try vector["noise"].data(),
                peerAddress: try vector["peerAddress"].optionalAddress(), relayAddress: try vector["relayAddress"].optionalAddress()
            )
            #expect(message.encoded == vector["hex"].bytes)
            #expect(try HandshakeMessage(decoding: vector["hex"].data()) == message)
        }
    }

    @Test func holepunchMessagesMatchTheReference() throws {
        for vector in vectors["peerHolepunch"].array {
            let message = HolepunchMessage(
                mode: try #require(RoutingMode(rawValue: UInt64(try vector["mode"].number()))),
                id: UInt64(try vector["id"].number()),
                payload: try vector["payload"].data(), peerAddress: try vector["peerAddress"].optionalAddress())
            #expect(message.encoded == vector["hex"].bytes)
            #expect(try HolepunchMessage(decoding: vector["hex"].data()) == message)
        }
    }

    @Test func noisePayloadsMatchTheReference() throws {
        #expect(vectors["noisePayload"].array.count == 5)
        for vector in vectors["noisePayload"].array {
            let payload = try vector.noisePayload()
            #expect(payload.encoded == vector["hex"].bytes)
            #expect(try NoisePayload(decoding: vector["hex"].data()) == payload)
        }
        for name in ["message1", "message2"] {
            let vector = try Vectors("noise")["IK"][name]
            #expect(try vector["payload"].noisePayload().encoded == vector["payloadHex"].bytes)
        }
    }

    @Test func payloadOfAnotherVersionIsNotParsedFurther() throws {
        let payload = try NoisePayload(decoding: [2, 0xff, 0xff])
        #expect(payload.version == 2)
        #expect(payload.stream == nil)
    }

    @Test func holepunchPayloadsMatchTheReference() throws {
        #expect(vectors["holepunchPayload"].array.count == 4)
        for vector in vectors["holepunchPayload"].array {
            var payload = HolepunchPayload()
            payload.error = PeerError(rawValue: UInt64(try vector["error"].number()))
            payload.firewall = try #require(Firewall(rawValue: UInt64(try vector["firewall"].number())))
            payload.round = UInt64(try vector["round"].number())
            payload.isConnected = vector["connected"].boolean == true
            payload.isPunching = vector["punching"].boolean == true
            payload.addresses = vector["addresses"].isNull ? nil : try vector["addresses"].addresses()
            payload.remoteAddress = try vector["remoteAddress"].optionalAddress()
            payload.token = vector["token"].bytes
            payload.remoteToken = vector["remoteToken"].bytes
            #expect(payload.encoded == vector["hex"].bytes)
            #expect(try HolepunchPayload(decoding: vector["hex"].data()) == payload)
        }
        let box = vectors["holepunchBox"]
        let key = try box["key"].data()
        let payload = try HolepunchPayload(opening: box["payload"].data(), key: key)
        #expect(payload.encoded == box["plaintext"].bytes)
        #expect(payload.sealed(key: key, nonce: try box["nonce"].data()) == box["payload"].bytes)
        #expect(throws: CompactEncodingError.self) {
            try HolepunchPayload(opening: box["payload"].data(), key: RandomBytes.make(32))
        }
        #expect(throws: CompactEncodingError.self) { try HolepunchPayload(opening: [1, 2], key: key) }
    }

    @Test func mutableAndImmutableRecordsMatchTheReference() throws {
        for vector in vectors["mutable"].array {
            let keyPair = try #require(try KeyPair(seed: vector["seed"].data()))
            let record = MutableRecord(
                keyPair: keyPair, sequence: UInt64(try vector["seq"].number()), value: try vector["value"].data())
            #expect(record.signature == vector["signature"].bytes)
            #expect(record.encodedPut == vector["putRequest"].bytes)
            #expect(record.encodedReply == vector["getResponse"].bytes)
            #expect(try MutableRecord(decodingPut: vector["putRequest"].data()) == record)
            #expect(try MutableRecord(decodingReply: vector["getResponse"].data(), publicKey: keyPair.publicKey) == record)
            #expect(record.isValid)
            var changed = record
            changed.sequence += 1
            #expect(!changed.isValid)
        }
        for vector in vectors["immutable"].array {
            #expect(MutableRecord.immutableTarget(of: try vector["value"].data()) == vector["target"].bytes)
        }
    }
}

extension Vectors {
    func optionalAddress() throws -> PeerAddress? { isNull ? nil : try address }

    func addresses() throws -> [PeerAddress] { try array.map { try $0.address } }

    func peerRecord() throws -> PeerRecord {
        PeerRecord(
            publicKey: try #require(try PublicKey(self["publicKey"].data())), relayAddresses: try self["relayAddresses"].addresses()
        )
    }

    func noisePayload() throws -> NoisePayload {
        var payload = NoisePayload()
        payload.error = PeerError(rawValue: UInt64(try self["error"].number()))
        payload.firewall = try #require(Firewall(rawValue: UInt64(try self["firewall"].number())))
        if !self["holepunch"].isNull {
            let relays = try self["holepunch"]["relays"].array.map {
                NoisePayload.Holepunch.Relay(
                    relayAddress: try $0["relayAddress"].address, peerAddress: try $0["peerAddress"].address)
            }
            payload.holepunch = NoisePayload.Holepunch(id: UInt64(try self["holepunch"]["id"].number()), relays: relays)
        }
        payload.addresses4 = try self["addresses4"].addresses()
        payload.stream = NoisePayload.Stream(
            id: UInt32(try self["udx"]["id"].number()), isSocketReusable: self["udx"]["reusableSocket"].boolean ?? false)
        if !self["relayThrough"].isNull {
            payload.relayThrough = NoisePayload.RelayThrough(
                publicKey: try #require(try PublicKey(self["relayThrough"]["publicKey"].data())),
                token: try self["relayThrough"]["token"].data())
        }
        payload.relayAddresses = try self["relayAddresses"].addresses()
        return payload
    }
}
