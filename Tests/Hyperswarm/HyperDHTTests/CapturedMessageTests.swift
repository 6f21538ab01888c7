import CompactEncoding
import CryptoPrimitives
import HyperswarmTestKit
import Noise
import Testing

@testable import HyperDHT

/// Messages of connections that were recorded on loopback from the reference implementation.
@Suite struct CapturedMessageTests {
    private static let files = ["session-default", "session-open", "session-direct", "session-punch"]

    /// The host of all recordings.
    private func host() throws -> KeyPair {
        try #require(KeyPair(seed: [UInt8](repeating: 0x11, count: 32)))
    }

    @Test(arguments: files)
    func hostOpensTheClientsFirstMessages(_ file: String) throws {
        let session = try Vectors(file)
        #expect(try host().publicKey.bytes == session["hostPublicKey"].bytes)
        var opened = 0
        for datagram in session["datagrams"].array {
            guard datagram["command"].string == "PEER_HANDSHAKE", datagram["value"]["modeName"].string == "FROM_CLIENT" else {
                continue
            }
            var responder = NoiseHandshake(.ik, role: .responder, prologue: Namespace.peerHandshake, staticKey: try host())
            let payload = try NoisePayload(decoding: responder.readMessage(datagram["value"]["noise"].data()))
            #expect(responder.remoteStaticKey?.bytes == session["clientPublicKey"].bytes)
            #expect(payload.version == 1)
            #expect(payload.error == .none)
            #expect(payload.stream?.id == (try UInt32(session["udx"]["clientStreamId"].number())))
            opened += 1
        }
        #expect(opened > 0)
    }

    @Test(arguments: files)
    func recordedMessagesAreReencodedUnchanged(_ file: String) throws {
        let session = try Vectors(file)
        let key = try session["noiseResult"]["holepunchSecret"].data()
        var handshakes = 0
        for datagram in session["datagrams"].array {
            let command = datagram["command"].string ?? datagram["inReplyTo"].string
            let value = datagram["value"]
            let packet = try datagram["hex"].data()
            if command == "PEER_HANDSHAKE", !value.isNull {
                let message = HandshakeMessage(
                    mode: try #require(RoutingMode(rawValue: UInt64(try value["mode"].number()))), noise: try value["noise"].data(),
                    peerAddress: try value["peerAddress"].optionalAddress(),
                    relayAddress: try value["relayAddress"].optionalAddress())
                #expect(packet.hasSuffix(message.encoded))
                handshakes += 1
            }
            if command == "PEER_HOLEPUNCH", !value.isNull {
                let message = HolepunchMessage(
                    mode: try #require(RoutingMode(rawValue: UInt64(try value["mode"].number()))),
                    id: UInt64(try value["id"].number()),
                    payload: try value["payload"].data(), peerAddress: try value["peerAddress"].optionalAddress())
                #expect(packet.hasSuffix(message.encoded))
                let payload = try HolepunchPayload(opening: message.payload, key: key)
                #expect(payload.round == UInt64(try value["decrypted"]["round"].number()))
                #expect(
                    payload.addresses
                        == (value["decrypted"]["addresses"].isNull ? nil : try value["decrypted"]["addresses"].addresses()))
                #expect(payload.remoteAddress == (try value["decrypted"]["remoteAddress"].optionalAddress()))
                #expect(payload.sealed(key: key, nonce: Array(message.payload.prefix(24))) == message.payload)
            }
        }
        #expect(handshakes > 0)
    }

    @Test func recordedAnnouncementsCarryValidSignatures() throws {
        let session = try Vectors("session-announce")
        let datagrams = session["datagrams"].array
        // The node's id is in its replies.
        var nodeIDs: [Int: [UInt8]] = [:]
        for datagram in datagrams where datagram["kind"].string == "response" {
            if let id = datagram["id"].bytes { nodeIDs[try datagram["src"].number()] = id }
        }
        var checked = 0
        for datagram in datagrams {
            guard let command = datagram["command"].string, ["ANNOUNCE", "UNANNOUNCE"].contains(command) else { continue }
            // The value is the rest of the packet behind type, flags, tid, to, token, command, target and its length.
            let packet = try datagram["hex"].data()
            var decoder = Decoder(Array(packet.dropFirst(10 + 32 + 1 + 32)))
            let request = try AnnounceRequest(decoding: decoder.readBuffer())
            let nodeID = try #require(nodeIDs[datagram["dst"].number()])
            let kind: AnnounceRequest.Kind = command == "ANNOUNCE" ? .announce : .unannounce
            #expect(request.peer?.publicKey == (try host().publicKey))
            let isValid = request.isValid(
                kind, target: try datagram["target"].data(), nodeID: nodeID, token: try datagram["token"].data())
            #expect(isValid)
            checked += 1
        }
        #expect(checked == 32)
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ suffix: [UInt8]) -> Bool { self.suffix(suffix.count) == suffix[...] }
}
