import CompactEncoding
import CryptoPrimitives
import Noise

/// The client's side of one handshake: one Noise message that may go through several relays.
struct HandshakeInitiator: Sendable {
    private let handshake: NoiseHandshake
    /// The Noise message, equal for every relay.
    let message: [UInt8]

    init(keyPair: KeyPair, remotePublicKey: PublicKey, payload: NoisePayload, ephemeralKey: KeyPair) throws(NoiseError) {
        var handshake = NoiseHandshake(
            .ik, role: .initiator, prologue: Namespace.peerHandshake, staticKey: keyPair, remoteStaticKey: remotePublicKey,
            ephemeralKey: ephemeralKey)
        message = try handshake.writeMessage(payload.encoded)
        self.handshake = handshake
    }

    /// Decrypts an answer; nil if it is invalid. The handshake is unchanged, so that a genuine answer can follow a forged one.
    func open(_ answer: [UInt8]) -> (result: NoiseHandshake.Result, payload: NoisePayload)? {
        var handshake = handshake
        guard let plaintext = try? handshake.readMessage(answer), let result = handshake.result,
            let payload = try? NoisePayload(decoding: plaintext)
        else { return nil }
        return (result, payload)
    }
}
