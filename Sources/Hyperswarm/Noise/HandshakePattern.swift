/// The handshake patterns in use (Noise revision 34, section 7.5), over Ed25519 points, ChaCha20-Poly1305 and BLAKE2b-512.
public enum HandshakePattern: Hashable, Sendable {
    /// The initiator knows the responder's key. Connections of the distributed hash table use this pattern.
    ///
    ///     <- s
    ///     -> e, es, s, ss
    ///     <- e, ee, se
    case ik
    /// Both keys travel in the handshake. Encrypted streams outside the distributed hash table use this pattern.
    ///
    ///     -> e
    ///     <- e, ee, s, es
    ///     -> s, se
    case xx

    enum Token { case e, s, ee, es, se, ss }

    /// The tokens of each message. The initiator sends the first message; then the sides alternate.
    var messages: [[Token]] {
        switch self {
        case .ik: [[.e, .es, .s, .ss], [.e, .ee, .se]]
        case .xx: [[.e], [.e, .ee, .s, .es], [.s, .se]]
        }
    }

    var initiatorKnowsResponder: Bool { self == .ik }

    var protocolName: String {
        switch self {
        case .ik: "Noise_IK_Ed25519_ChaChaPoly_BLAKE2b"
        case .xx: "Noise_XX_Ed25519_ChaChaPoly_BLAKE2b"
        }
    }
}
