import CryptoPrimitives
import HyperswarmTestKit
import Testing

@testable import Noise

@Suite struct NoiseVectorTests {
    private let vectors: Vectors

    init() throws {
        vectors = try Vectors("noise")
    }

    private func keyPair(_ name: String) throws -> KeyPair {
        let seed = try vectors["keys"][name]["seed"].data()
        return try #require(KeyPair(seed: seed))
    }

    private func handshake(_ pattern: HandshakePattern, _ role: NoiseHandshake.Role, prologue: [UInt8]) throws -> NoiseHandshake {
        let name = role == .initiator ? "initiator" : "responder"
        let knowsRemote = pattern == .ik && role == .initiator
        return NoiseHandshake(
            pattern, role: role, prologue: prologue, staticKey: try keyPair(name + "Static"),
            remoteStaticKey: knowsRemote ? try keyPair("responderStatic").publicKey : nil,
            ephemeralKey: try keyPair(name + "Ephemeral"))
    }

    @Test func hmacMatchesTheReference() throws {
        #expect(vectors["hmacBlake2b512"].array.count == 3)
        for vector in vectors["hmacBlake2b512"].array {
            #expect(HMAC.authenticate(try vector["message"].data(), key: try vector["key"].data()) == vector["out"].bytes)
        }
    }

    @Test func keyDerivationMatchesTheReference() throws {
        #expect(vectors["hkdf"].array.count == 2)
        for vector in vectors["hkdf"].array {
            let keys = HMAC.derive(chainingKey: try vector["chainingKey"].data(), input: try vector["inputKeyMaterial"].data())
            #expect(keys.first == vector["outputs"][0].bytes)
            #expect(keys.second == vector["outputs"][1].bytes)
        }
    }

    /// Every operation of the recorded handshake, with the hash, chaining key and cipher key after it.
    @Test func everyIntermediateStateMatchesTheReference() throws {
        #expect(vectors["protocolName"].string == HandshakePattern.ik.protocolName)
        var state = SymmetricState(protocolName: HandshakePattern.ik.protocolName)
        let trace =
            vectors["IK"]["initTrace"].array + vectors["IK"]["message1"]["trace"].array + vectors["IK"]["message2"]["trace"].array
        #expect(trace.count == 11)
        for step in trace {
            switch step["op"].string {
            case "mixHash":
                state.mixHash(try step["data"].data())
                #expect(state.hash == step["h"].bytes)
            case "mixKey":
                state.mixKey(try step["dh"].data())
                #expect(state.chainingKey == step["ck"].bytes)
                #expect(state.key == step["k"].bytes)
            case "encryptAndHash":
                var receiver = state
                #expect(state.encryptAndHash(try step["input"].data()) == step["output"].bytes)
                #expect(state.hash == step["h"].bytes)
                #expect(receiver.decryptAndHash(try step["output"].data()) == step["input"].bytes)
                #expect(receiver.hash == state.hash)
            default:
                Issue.record("unknown operation")
            }
        }
        #expect(state.split().initiator == vectors["IK"]["initiatorFinal"]["tx"].bytes)
        #expect(state.split().responder == vectors["IK"]["initiatorFinal"]["rx"].bytes)
    }

    @Test func bothRolesReproduceTheRecordedHandshake() throws {
        let prologue = try vectors["prologue"].data()
        #expect(prologue == Namespace.peerHandshake)
        var initiator = try handshake(.ik, .initiator, prologue: prologue)
        var responder = try handshake(.ik, .responder, prologue: prologue)
        let first = try initiator.writeMessage(vectors["IK"]["message1"]["payloadHex"].data())
        #expect(first == vectors["IK"]["message1"]["hex"].bytes)
        #expect(try responder.readMessage(first) == vectors["IK"]["message1"]["payloadHex"].bytes)
        #expect(responder.result == nil)
        let second = try responder.writeMessage(vectors["IK"]["message2"]["payloadHex"].data())
        #expect(second == vectors["IK"]["message2"]["hex"].bytes)
        #expect(try initiator.readMessage(second) == vectors["IK"]["message2"]["payloadHex"].bytes)
        for (handshake, name) in [(initiator, "initiatorFinal"), (responder, "responderFinal")] {
            let expected = vectors["IK"][name]
            let result = try #require(handshake.result)
            #expect(result.hash == expected["hash"].bytes)
            #expect(result.transmitKey == expected["tx"].bytes)
            #expect(result.receiveKey == expected["rx"].bytes)
            #expect(result.remotePublicKey.bytes == expected["remotePublicKey"].bytes)
            #expect((result.role == .initiator) == expected["isInitiator"].boolean)
            #expect(BLAKE2b.hash(Namespace.peerHolepunch, key: result.hash) == expected["holepunchSecret"].bytes)
        }
    }

    @Test func patternWithoutKnownKeysReproducesTheRecordedHandshake() throws {
        var initiator = try handshake(.xx, .initiator, prologue: [])
        var responder = try handshake(.xx, .responder, prologue: [])
        let first = try initiator.writeMessage([])
        #expect(first == vectors["XX"]["message1"].bytes)
        #expect(try responder.readMessage(first).isEmpty)
        let second = try responder.writeMessage([])
        #expect(second == vectors["XX"]["message2"].bytes)
        #expect(try initiator.readMessage(second).isEmpty)
        let third = try initiator.writeMessage([])
        #expect(third == vectors["XX"]["message3"].bytes)
        #expect(try responder.readMessage(third).isEmpty)
        #expect(initiator.result?.hash == vectors["XX"]["hash"].bytes)
        #expect(initiator.result?.transmitKey == vectors["XX"]["initiatorTx"].bytes)
        #expect(responder.result?.transmitKey == vectors["XX"]["initiatorRx"].bytes)
        #expect(responder.result?.remotePublicKey == (try keyPair("initiatorStatic").publicKey))
    }
}
