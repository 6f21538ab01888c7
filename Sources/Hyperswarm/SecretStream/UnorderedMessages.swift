import CryptoPrimitives
public import Noise

/// The encryption of messages that travel beside the ordered stream, each in a datagram of its own.
///
/// A message is `counter (8 bytes) | secretbox`, with the counter and 16 zero bytes as nonce. Messages can be lost, repeated and reordered.
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section "Secret stream".
public struct UnorderedMessages: Sendable {
    /// The bytes that encryption adds to each message.
    public static let overhead = counterSize + SecretBox.overhead
    private static let counterSize = 8

    private let sendKey: [UInt8]
    private let receiveKey: [UInt8]
    private var counter: UInt64

    /// - Parameter counter: The start of the counter, a random number. Never use one number twice for one handshake: messages that are
    ///   encrypted with the same counter reveal each other.
    public init(_ handshake: NoiseHandshake.Result, counter: UInt64 = .random(in: .min ... .max)) {
        let initiator = BLAKE2b.hash(Namespace.streamInitiator, Namespace.streamSend, key: handshake.hash)
        let responder = BLAKE2b.hash(Namespace.streamResponder, Namespace.streamSend, key: handshake.hash)
        (sendKey, receiveKey) = handshake.role == .initiator ? (initiator, responder) : (responder, initiator)
        self.counter = counter
    }

    public mutating func encrypt(_ plaintext: [UInt8]) -> [UInt8] {
        counter &+= 1
        let prefix = withUnsafeBytes(of: counter.littleEndian) { Array($0) }
        return prefix + SecretBox.seal(plaintext, key: sendKey, nonce: UnorderedMessages.nonce(prefix))
    }

    /// Returns `nil` for a message that is too short or was not encrypted by this connection's peer: such messages are dropped.
    public func decrypt(_ message: [UInt8]) -> [UInt8]? {
        guard message.count >= UnorderedMessages.overhead else { return nil }
        let nonce = UnorderedMessages.nonce(Array(message.prefix(UnorderedMessages.counterSize)))
        return SecretBox.open(Array(message.dropFirst(UnorderedMessages.counterSize)), key: receiveKey, nonce: nonce)
    }

    private static func nonce(_ counter: [UInt8]) -> [UInt8] {
        counter + [UInt8](repeating: 0, count: SecretBox.nonceSize - counterSize)
    }
}
