import CryptoPrimitives
import HyperswarmTestKit
import Noise
import SecretStream
import Testing

@Suite struct SecretStreamVectorTests {
    private let vectors: Vectors

    init() throws {
        vectors = try Vectors("secretstream")
    }

    /// The outcome of the recorded handshake as one side sees it.
    private func handshake(_ role: NoiseHandshake.Role) throws -> NoiseHandshake.Result {
        let keys = (try vectors["initiatorTx"].data(), try vectors["initiatorRx"].data())
        return NoiseHandshake.Result(
            role: role, remotePublicKey: KeyPair.generate().publicKey, hash: try vectors["handshakeHash"].data(),
            transmitKey: role == .initiator ? keys.0 : keys.1, receiveKey: role == .initiator ? keys.1 : keys.0)
    }

    @Test func framesMatchTheReference() throws {
        let recorded = vectors["initiatorToResponder"]
        let encryptor = try #require(try SecretstreamEncryptor(key: recorded["key"].data(), header: recorded["header"].data()))
        var sender = EncryptedStream(try handshake(.initiator), encryptor: encryptor)
        #expect(sender.openingFrame == vectors["initiatorHeaderFrame"]["frame"].bytes)
        #expect(recorded["messages"].array.count == 6)
        for message in recorded["messages"].array {
            #expect(sender.encrypt(try message["plaintext"].data()) == message["frame"].bytes)
        }
    }

    /// Chunks of 37 bytes are those that the reference implementation was fed with.
    @Test(arguments: [1, 2, 3, 5, 37, 59, 4096])
    func recordedStreamIsReadInChunks(of size: Int) throws {
        let recorded = vectors["initiatorToResponder"]
        var stream = try vectors["initiatorHeaderFrame"]["frame"].data()
        for message in recorded["messages"].array { stream += try message["frame"].data() }
        var receiver = EncryptedStream(try handshake(.responder))
        var messages: [[UInt8]] = []
        for start in stride(from: 0, to: stream.count, by: size) {
            messages += try receiver.receive(Array(stream[start..<min(start + size, stream.count)]))
        }
        try receiver.finish()
        let expected = try vectors["verifiedByRealResponder"]["deliveredPlaintexts"].array.map { try $0.data() }
        #expect(messages == expected)
    }

    @Test func responderHeaderIsAccepted() throws {
        var initiator = EncryptedStream(try handshake(.initiator))
        let frame = vectors["responderHeaderFrameExample"].object.values.compactMap(\.bytes).first { $0.count == 59 }
        #expect(try initiator.receive(try #require(frame)).isEmpty)
        #expect(initiator.hasReceivedHeader)
        #expect(vectors["streamId"]["responder"].bytes == Array(try #require(frame)[3..<35]))
    }

    @Test func unorderedMessagesMatchTheReference() throws {
        for (role, name) in [(NoiseHandshake.Role.initiator, "initiatorMessages"), (.responder, "responderMessages")] {
            let receiver = UnorderedMessages(try handshake(role == .initiator ? .responder : .initiator))
            #expect(!vectors["unordered"][name].array.isEmpty)
            for vector in vectors["unordered"][name].array {
                let counter = try vector["counter"].data().reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                var sender = UnorderedMessages(try handshake(role), counter: counter &- 1)
                let message = sender.encrypt(try vector["plaintext"].data())
                #expect(message == vector["message"].bytes)
                #expect(receiver.decrypt(message) == vector["plaintext"].bytes)
                #expect(UnorderedMessages(try handshake(role)).decrypt(message) == nil)
            }
        }
    }
}
