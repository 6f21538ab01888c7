public import CryptoPrimitives

/// The state of one side of a Noise handshake: payload in, message out, and the reverse.
///
///     initiator                     responder
///        | -- message 1 ---------------> |
///        | <--------------- message 2 -- |
///     result                          result     (pattern IK)
///
/// Keys are Ed25519 points, multiplied without a second clamping. A handshake that has failed stays failed.
/// Source: Noise revision 34; the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section "Noise".
public struct NoiseHandshake: Sendable {
    /// The side of the connection. The initiator sends the first message.
    public enum Role: Hashable, Sendable { case initiator, responder }

    /// The outcome of a complete handshake.
    public struct Result: Hashable, Sendable {
        public var role: Role
        /// The authenticated public key of the peer.
        public var remotePublicKey: PublicKey
        /// The hash of the whole handshake, 64 bytes. Equal on both sides and unique for this connection.
        public var hash: [UInt8]
        /// The key of messages that this side sends, 32 bytes.
        public var transmitKey: [UInt8]
        /// The key of messages that this side receives, 32 bytes.
        public var receiveKey: [UInt8]

        public init(role: Role, remotePublicKey: PublicKey, hash: [UInt8], transmitKey: [UInt8], receiveKey: [UInt8]) {
            self.role = role
            self.remotePublicKey = remotePublicKey
            self.hash = hash
            self.transmitKey = transmitKey
            self.receiveKey = receiveKey
        }
    }

    /// Maximum size of a message of the Noise framework, in bytes.
    public static let maximumMessageSize = 65_535

    private let pattern: HandshakePattern
    public let role: Role
    private let staticKey: KeyPair
    private let ephemeralKey: KeyPair
    /// The peer's static key: known from the start, or learned from a message.
    public private(set) var remoteStaticKey: PublicKey?
    private var remoteEphemeralKey: PublicKey?
    private var symmetric: SymmetricState
    private var messageIndex = 0
    private var hasFailed = false
    /// The outcome; `nil` until the last message was written or read.
    public private(set) var result: Result?

    /// - Parameters:
    ///   - prologue: Bytes on which both sides must agree beforehand.
    ///   - remoteStaticKey: The responder's key, for the initiator of IK; `nil` in all other cases.
    ///   - ephemeralKey: A key pair for this handshake only. Tests pass a recorded one.
    public init(
        _ pattern: HandshakePattern, role: Role, prologue: [UInt8], staticKey: KeyPair, remoteStaticKey: PublicKey? = nil,
        ephemeralKey: KeyPair = .generate()
    ) {
        precondition(
            (remoteStaticKey != nil) == (pattern.initiatorKnowsResponder && role == .initiator),
            "the pattern says who knows the other's key beforehand")
        self.pattern = pattern
        self.role = role
        self.staticKey = staticKey
        self.remoteStaticKey = remoteStaticKey
        self.ephemeralKey = ephemeralKey
        symmetric = SymmetricState(protocolName: pattern.protocolName)
        symmetric.mixHash(prologue)
        if pattern.initiatorKnowsResponder { symmetric.mixHash((remoteStaticKey ?? staticKey.publicKey).bytes) }
    }

    private var isMyTurn: Bool { messageIndex.isMultiple(of: 2) == (role == .initiator) }

    /// Writes this side's next message with `payload` inside. The payload is encrypted as soon as the pattern has mixed a key.
    public mutating func writeMessage(_ payload: [UInt8]) throws(NoiseError) -> [UInt8] {
        guard !hasFailed, messageIndex < pattern.messages.count, isMyTurn else { throw NoiseError(.outOfOrder) }
        var message: [UInt8] = []
        for token in pattern.messages[messageIndex] {
            switch token {
            case .e:
                message += ephemeralKey.publicKey.bytes
                symmetric.mixHash(ephemeralKey.publicKey.bytes)
            case .s:
                message += symmetric.encryptAndHash(staticKey.publicKey.bytes)
            case .ee, .es, .se, .ss:
                try mixSharedPoint(token)
            }
        }
        message += symmetric.encryptAndHash(payload)
        guard message.count <= NoiseHandshake.maximumMessageSize else { throw fail(.malformedMessage, "payload too long") }
        advance()
        return message
    }

    /// Reads the peer's next message and returns its payload.
    public mutating func readMessage(_ message: [UInt8]) throws(NoiseError) -> [UInt8] {
        guard !hasFailed, messageIndex < pattern.messages.count, !isMyTurn else { throw NoiseError(.outOfOrder) }
        guard message.count <= NoiseHandshake.maximumMessageSize else { throw fail(.malformedMessage, "message too long") }
        var rest = message[...]
        for token in pattern.messages[messageIndex] {
            switch token {
            case .e:
                let bytes = try take(PublicKey.size, from: &rest)
                remoteEphemeralKey = PublicKey(bytes)
                symmetric.mixHash(bytes)
            case .s:
                let size = PublicKey.size + (symmetric.key == nil ? 0 : ChaCha20Poly1305.overhead)
                guard let bytes = symmetric.decryptAndHash(try take(size, from: &rest)) else {
                    throw fail(.authenticationFailed, "static key")
                }
                remoteStaticKey = PublicKey(bytes)
            case .ee, .es, .se, .ss:
                try mixSharedPoint(token)
            }
        }
        guard let payload = symmetric.decryptAndHash(Array(rest)) else { throw fail(.authenticationFailed, "payload") }
        advance()
        return payload
    }

    private mutating func take(_ count: Int, from rest: inout ArraySlice<UInt8>) throws(NoiseError) -> [UInt8] {
        guard rest.count >= count else { throw fail(.malformedMessage, "message too short") }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Mixes the product of two keys. The first letter of a token is the initiator's key, the second the responder's.
    private mutating func mixSharedPoint(_ token: HandshakePattern.Token) throws(NoiseError) {
        let (initiatorIsEphemeral, responderIsEphemeral) =
            switch token {
            case .ee: (true, true)
            case .es: (true, false)
            case .se: (false, true)
            case .ss, .e, .s: (false, false)
            }
        let (localIsEphemeral, remoteIsEphemeral) =
            role == .initiator ? (initiatorIsEphemeral, responderIsEphemeral) : (responderIsEphemeral, initiatorIsEphemeral)
        guard let remote = remoteIsEphemeral ? remoteEphemeralKey : remoteStaticKey,
            let point = (localIsEphemeral ? ephemeralKey : staticKey).sharedPoint(with: remote)
        else { throw fail(.invalidKey, "\(token)") }
        symmetric.mixKey(point)
    }

    private mutating func advance() {
        messageIndex += 1
        guard messageIndex == pattern.messages.count, let remoteStaticKey else { return }
        let keys = symmetric.split()
        let isInitiator = role == .initiator
        result = Result(
            role: role, remotePublicKey: remoteStaticKey, hash: symmetric.hash,
            transmitKey: isInitiator ? keys.initiator : keys.responder, receiveKey: isInitiator ? keys.responder : keys.initiator)
    }

    private mutating func fail(_ code: NoiseError.Code, _ detail: String) -> NoiseError {
        hasFailed = true
        return NoiseError(code, detail)
    }
}
