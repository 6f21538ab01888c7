import Crypto
import Foundation

/// The encryption of a message for a browser: RFC 8291 (keys) over RFC 8188 (`aes128gcm`), in one record.
enum WebPushEncryption {
    /// The record size in the header. The record itself is shorter.
    private static let recordSize: UInt32 = 4096

    /// - Parameters:
    ///   - key: A new key for each message.
    ///   - salt: 16 new random bytes for each message.
    static func body(
        _ plaintext: Data, for subscription: WebPushSubscription, key: P256.KeyAgreement.PrivateKey = .init(),
        salt: Data = randomSalt()
    ) throws -> Data {
        let publicKey = try P256.KeyAgreement.PublicKey(x963Representation: subscription.publicKey)
        let shared = try key.sharedSecretFromKeyAgreement(with: publicKey)
        let ownKey = key.publicKey.x963Representation
        let keyMaterial = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: subscription.secret,
            sharedInfo: Data("WebPush: info\0".utf8) + subscription.publicKey + ownKey, outputByteCount: 32)
        let contentKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: keyMaterial, salt: salt, info: Data("Content-Encoding: aes128gcm\0".utf8), outputByteCount: 16)
        let nonce = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: keyMaterial, salt: salt, info: Data("Content-Encoding: nonce\0".utf8), outputByteCount: 12)
        // 2 marks the end of the last record.
        let sealed = try AES.GCM.seal(
            plaintext + [2], using: contentKey, nonce: AES.GCM.Nonce(data: nonce.withUnsafeBytes { Data($0) }))
        let size = withUnsafeBytes(of: recordSize.bigEndian) { Data($0) }
        return salt + size + [UInt8(ownKey.count)] + ownKey + sealed.ciphertext + sealed.tag
    }

    static func randomSalt() -> Data { SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) } }
}
