import Crypto
import Foundation

/// A box as browsers know it: whom a passkey is for.
struct RelyingParty: Hashable, Sendable {
    /// As browsers write it: `http://localhost:8077`.
    let origin: String
    /// The host alone.
    let id: String

    /// - Returns: nil for what is no origin of a page.
    init?(origin: String) {
        guard let host = URL(string: origin)?.host(), !host.isEmpty else { return nil }
        self.origin = origin
        id = host.lowercased()
    }

    /// Why an answer of an authenticator does not count.
    enum Failure: Error, Hashable {
        /// Not the shape it should have.
        case malformed
        /// The answer to another question: another ceremony, challenge, page.
        case otherQuestion
        /// Nobody was there, or nobody was recognised.
        case notVerified
        case signature
        /// It counts less than it did: there may be a copy of it.
        case counter
    }

    /// Checks what holds for registrations and assertions alike (Web Authentication, level 2, sections 7.1 and 7.2).
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

    /// What the browser saw (section 5.8.1).
    private struct ClientData: Decodable {
        var type: String
        var challenge: Base64URL
        var origin: String
        var crossOrigin: Bool?
    }
}

/// What both kinds of answer have.
protocol AuthenticatorAnswer {
    var clientData: Base64URL { get }
    var authenticatorData: Base64URL { get }
}

/// Bytes as text of letters, digits, `-` and `_` (RFC 4648, section 5), without padding.
struct Base64URL: Codable, Hashable, Sendable {
    var data: Data

    init(_ data: Data) { self.data = data }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        guard !text.contains("="), let data = Data(base64Encoded: plain + padding) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64url")
        }
        self.data = data
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    var text: String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
