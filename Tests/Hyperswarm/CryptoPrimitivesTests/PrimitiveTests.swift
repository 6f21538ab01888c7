import CryptoPrimitives
import HyperswarmTestKit
import Testing

@Suite struct PrimitiveTests {
    @Test func namespacesMatchTheReference() throws {
        let vectors = try Vectors("hyperdht")["namespaces"]
        for name in ["hyperswarm/dht", "hyperswarm/secret-stream"] {
            let group = vectors[name].object
            #expect(!group.isEmpty)
            for (_, entry) in group {
                #expect(try Namespace.derive(name, index: UInt8(entry["id"].number())) == entry["hex"].bytes)
            }
            #expect(BLAKE2b.hash(Array(name.utf8)) == vectors["nameHash"][name].bytes)
        }
        let table = vectors["hyperswarm/dht"]
        #expect(Namespace.peerHandshake == table["PEER_HANDSHAKE"]["hex"].bytes)
        #expect(Namespace.peerHolepunch == table["PEER_HOLEPUNCH"]["hex"].bytes)
        #expect(Namespace.announce == table["ANNOUNCE"]["hex"].bytes)
        #expect(Namespace.unannounce == table["UNANNOUNCE"]["hex"].bytes)
        #expect(Namespace.mutablePut == table["MUTABLE_PUT"]["hex"].bytes)
        let stream = vectors["hyperswarm/secret-stream"]
        #expect(Namespace.streamInitiator == stream["INITIATOR"]["hex"].bytes)
        #expect(Namespace.streamResponder == stream["RESPONDER"]["hex"].bytes)
        #expect(Namespace.streamSend == stream["SEND"]["hex"].bytes)
    }

    @Test func keyPairsMatchTheReference() throws {
        for vector in try Vectors("hyperdht")["keyPairs"].array {
            let seed = try vector["seed"].data()
            let pair = try #require(KeyPair(seed: seed))
            #expect(pair.publicKey.bytes == vector["publicKey"].bytes)
            #expect(pair.seed == seed)
            #expect(pair.seed + pair.publicKey.bytes == vector["secretKey"].bytes)
        }
        let target = try Vectors("hyperdht")["peerTarget"][0]
        let key = try #require(PublicKey(target["publicKey"].data()))
        #expect(key.target == target["target"].bytes)
    }

    @Test func diffieHellmanMatchesTheReference() throws {
        let vectors = try Vectors("noise")
        for name in ["initiatorStatic", "responderStatic", "initiatorEphemeral", "responderEphemeral"] {
            let pair = try #require(KeyPair(seed: vectors["keys"][name]["seed"].data()))
            #expect(pair.publicKey.bytes == vectors["keys"][name]["publicKey"].bytes)
            #expect(pair.scalar == vectors["keys"][name]["clampedScalar"].bytes)
        }
        #expect(vectors["dh"].array.count == 3)
        for vector in vectors["dh"].array {
            let seed = try vectors["keys"][vector["local"].text()]["seed"].data()
            let local = try #require(KeyPair(seed: seed))
            let remote = try #require(PublicKey(vector["remotePublicKey"].data()))
            #expect(local.sharedPoint(with: remote) == vector["out"].bytes)
        }
    }

    /// The small-order points of RFC 7748 as compressed Edwards points: 0, 1, -1, and a value that is not on the curve.
    @Test func smallOrderAndInvalidPointsAreRefused() throws {
        let pair = KeyPair.generate()
        var minusOne = [UInt8](repeating: 0xff, count: 32)
        minusOne[0] = 0xec
        minusOne[31] = 0x7f
        let points = [
            [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31), minusOne,
            [2] + [UInt8](repeating: 0, count: 31),
        ]
        for point in points { #expect(pair.sharedPoint(with: try #require(PublicKey(point))) == nil) }
    }

    @Test func secretBoxMatchesTheReference() throws {
        let vector = try Vectors("hyperdht")["holepunchBox"]
        let key = try vector["key"].data()
        let nonce = try vector["nonce"].data()
        let plaintext = try vector["plaintext"].data()
        let box = SecretBox.seal(plaintext, key: key, nonce: nonce)
        #expect(nonce + box == vector["payload"].bytes)
        #expect(SecretBox.open(box, key: key, nonce: nonce) == plaintext)
        var damaged = box
        damaged[3] ^= 1
        #expect(SecretBox.open(damaged, key: key, nonce: nonce) == nil)
        #expect(SecretBox.open([], key: key, nonce: nonce) == nil)
        #expect(SecretBox.open(box, key: key, nonce: []) == nil)
    }

    @Test func authenticatedEncryptionMatchesTheReference() throws {
        let vector = try Vectors("noise")["aead"]
        let key = try vector["key"].data()
        let nonce = try vector["nonce"].data()
        let data = try vector["ad"].data()
        let plaintext = try vector["plaintext"].data()
        let sealed = ChaCha20Poly1305.seal(plaintext, key: key, nonce: nonce, associatedData: data)
        #expect(sealed == vector["ciphertext"].bytes)
        #expect(ChaCha20Poly1305.open(sealed, key: key, nonce: nonce, associatedData: data) == plaintext)
        #expect(ChaCha20Poly1305.open(sealed, key: key, nonce: nonce) == nil)
        #expect(ChaCha20Poly1305.open(Array(sealed.prefix(15)), key: key, nonce: nonce) == nil)
    }

    @Test func signaturesAreCheckedAgainstKeyAndMessage() {
        let pair = KeyPair.generate()
        var signature = pair.sign([1, 2, 3])
        #expect(pair.publicKey.isValidSignature(signature, for: [1, 2, 3]))
        #expect(!pair.publicKey.isValidSignature(signature, for: [1, 2, 4]))
        #expect(!KeyPair.generate().publicKey.isValidSignature(signature, for: [1, 2, 3]))
        signature[0] ^= 1
        #expect(!pair.publicKey.isValidSignature(signature, for: [1, 2, 3]))
        #expect(!pair.publicKey.isValidSignature([], for: [1, 2, 3]))
    }

    @Test func publicKeysAreOrderedByTheirBytes() throws {
        let low = try #require(PublicKey([UInt8](repeating: 0, count: 31) + [1]))
        let middle = try #require(PublicKey([UInt8](repeating: 0, count: 31) + [0xff]))
        let high = try #require(PublicKey([0x80] + [UInt8](repeating: 0, count: 31)))
        #expect([high, low, middle].sorted() == [low, middle, high])
        #expect(PublicKey([1]) == nil)
        #expect(PublicKey([UInt8](repeating: 0, count: 33)) == nil)
    }

    @Test func keyPairTextHidesTheSecret() throws {
        let pair = try #require(KeyPair(seed: [UInt8](repeating: 0x11, count: 32)))
        var dumped = ""
        dump(pair, to: &dumped)
        for text in ["\(pair)", String(reflecting: pair), dumped] {
            #expect(!text.contains("1111111111"))
            #expect(!text.contains("17, 17"))
        }
    }

    @Test func constantTimeComparisonComparesAllBytes() {
        #expect(ConstantTime.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2]))
        #expect(ConstantTime.areEqual([], []))
    }

    @Test func secretstreamRefusesChangedAndRepeatedMessages() throws {
        var sender = SecretstreamEncryptor(key: RandomBytes.make(32))
        let plaintext: [UInt8] = [1, 2, 3]
        var ciphertext = [UInt8](repeating: 0, count: 20)
        plaintext.withUnsafeBytes { source in ciphertext.withUnsafeMutableBytes { sender.encrypt(source, into: $0) } }
        var receiver = try #require(SecretstreamDecryptor(key: RandomBytes.make(32), header: sender.header))
        var output = [UInt8](repeating: 0, count: 3)
        #expect(
            ciphertext.withUnsafeBytes { source in output.withUnsafeMutableBytes { receiver.decrypt(source, into: $0) } } == nil)
    }

    @Test func injectedRandomBytesAreReproducible() {
        var first = SplitMix64(7)
        var second = SplitMix64(7)
        #expect(RandomBytes.make(13, using: &first) == RandomBytes.make(13, using: &second))
        #expect(RandomBytes.make(13).count == 13)
        #expect(RandomBytes.make(0).isEmpty)
    }
}
