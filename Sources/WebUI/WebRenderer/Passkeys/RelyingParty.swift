import Crypto
import Foundation
import WireKit

/// The WebAuthn relying party: a box under one origin.
struct RelyingParty: Hashable, Sendable {
    /// The origin as browsers write it: `http://localhost:8077`.
    let origin: String
    /// The host of the origin.
    let id: String

    /// - Returns: nil for text that is not the origin of a page.
    init?(origin: String) {
        guard let host = URL(string: origin)?.host(), !host.isEmpty else { return nil }
        self.origin = origin
        id = host.lowercased()
    }

    /// A reason to reject a response.
    enum Failure: Error, Hashable {
        /// The response is malformed.
        case malformed
        /// The response belongs to another ceremony, challenge or origin.
        case otherQuestion
        /// The user was not present or not verified.
        case notVerified
        case signature
        /// The signature counter decreased: the authenticator may be cloned.
        case counter
    }

    /// Verifies the common part of registrations and assertions (Web Authentication, level 2, sections 7.1 and 7.2).
    ///
    /// - Parameter type: `webauthn.create` or `webauthn.get`.
    func check(_ answer: some AuthenticatorAnswer, type: String, challenge: Data) throws(Failure) -> AuthenticatorData {
        guard let client = try? JSONDecoder().decode(ClientData.self, from: answer.clientData.data),
            let data = AuthenticatorData(answer.authenticatorData.data)
        else { throw .malformed }
        guard client.type == type, client.challenge == Base64URL(challenge), client.origin == origin, client.crossOrigin != true,
            data.relyingPartyHash == Data(SHA256.hash(data: Data(id.utf8)))
        else { throw .otherQuestion }
        guard data.isUserPresent, data.isUserVerified else { throw .notVerified }
        return data
    }

    /// The client data (section 5.8.1).
    private struct ClientData: Decodable {
        var type: String
        var challenge: Base64URL
        var origin: String
        var crossOrigin: Bool?
    }
}

/// The common fields of both responses.
protocol AuthenticatorAnswer {
    var clientData: Base64URL { get }
    var authenticatorData: Base64URL { get }
}

/// Bytes in base64url (RFC 4648, section 5) without padding.
struct Base64URL: Codable, Hashable, Sendable {
    var data: Data

    init(_ data: Data) { self.data = data }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let data = Data(base64URL: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64url")
        }
        self.data = data
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    var text: String {
        data.base64URL
    }
}
