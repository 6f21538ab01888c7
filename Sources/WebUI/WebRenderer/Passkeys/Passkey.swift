import Crypto
import CryptoExtras
import Foundation

/// A registered credential: the public part of a key pair.
struct Passkey: Codable, Hashable, Sendable {
    /// A signature algorithm by its COSE number (RFC 9053, RFC 8812).
    enum Algorithm: Int, Codable, CaseIterable, Sendable {
        /// ECDSA on P-256 with SHA-256.
        case es256 = -7
        /// RSASSA-PKCS1-v1_5 with SHA-256: the only algorithm of some Windows authenticators.
        case rs256 = -257
    }

    var id: Base64URL
    var algorithm: Algorithm
    /// The public key as SubjectPublicKeyInfo, DER.
    var publicKey: Base64URL
    /// The signature counter of the last assertion.
    var counter: UInt32
    var relyingParty: String

    /// A browser's response to a registration.
    struct Registration: Decodable, AuthenticatorAnswer {
        var id: Base64URL
        var clientData: Base64URL
        var authenticatorData: Base64URL
        var publicKey: Base64URL
        var algorithm: Int
    }

    /// A browser's response to an authentication.
    struct Assertion: Decodable, AuthenticatorAnswer {
        var id: Base64URL
        var clientData: Base64URL
        var authenticatorData: Base64URL
        var signature: Base64URL
    }

    /// Verifies a registration. Attestation is not checked: a user could deceive only themself.
    init(_ registration: Registration, for party: RelyingParty, challenge: Data) throws(RelyingParty.Failure) {
        let data = try party.check(registration, type: "webauthn.create", challenge: challenge)
        guard let algorithm = Algorithm(rawValue: registration.algorithm), data.credentialID == registration.id.data else {
            throw .malformed
        }
        id = registration.id
        publicKey = registration.publicKey
        self.algorithm = algorithm
        counter = data.counter
        relyingParty = party.id
        guard isReadable else { throw .malformed }
    }

    private var isReadable: Bool {
        switch algorithm {
        case .es256: (try? P256.Signing.PublicKey(derRepresentation: publicKey.data)) != nil
        case .rs256: (try? _RSA.Signing.PublicKey(derRepresentation: publicKey.data)) != nil
        }
    }

    /// Verifies an assertion, and stores its counter.
    mutating func verify(_ assertion: Assertion, for party: RelyingParty, challenge: Data) throws(RelyingParty.Failure) {
        let data = try party.check(assertion, type: "webauthn.get", challenge: challenge)
        guard party.id == relyingParty, assertion.id == id else { throw .otherQuestion }
        let signed = assertion.authenticatorData.data + Data(SHA256.hash(data: assertion.clientData.data))
        guard isSigned(signed, by: assertion.signature.data) else { throw .signature }
        // Authenticators without a counter always send 0 (section 7.2, step 21).
        guard data.counter > counter || (data.counter == 0 && counter == 0) else { throw .counter }
        counter = data.counter
    }

    private func isSigned(_ bytes: Data, by signature: Data) -> Bool {
        switch algorithm {
        case .es256:
            guard let key = try? P256.Signing.PublicKey(derRepresentation: publicKey.data),
                let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: bytes)
        case .rs256:
            guard let key = try? _RSA.Signing.PublicKey(derRepresentation: publicKey.data) else { return false }
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: bytes, padding: .insecurePKCS1v1_5)
        }
    }
}
