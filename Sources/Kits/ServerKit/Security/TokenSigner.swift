package import Foundation
import JWTKit
import WireKit

/// The claims of a token. All of them are required when a token is read.
package protocol TokenClaims: Codable, Sendable {
    /// The time of issue in seconds since 1970.
    var iat: Int { get }
    /// The expiry time in seconds since 1970.
    var exp: Int { get }
}

/// The reason why a token was refused.
package enum TokenError: Error, Equatable {
    /// A wrong shape, algorithm, signature or claim. The text names the problem, without quoting the token.
    case invalid(String)
    case expired
}

/// A signer and verifier of JSON Web Tokens with HMAC-SHA-256 (RFC 7519; RFC 7518, section 3.2).
///
/// A token of any other algorithm, `none` included, is refused before its signature is verified.
package struct TokenSigner<Claims: TokenClaims>: Sendable {
    private let keys = JWTKeyCollection()
    private let key: HMACKey

    package init(secret: SigningSecret) async {
        key = HMACKey(from: secret.bytes)
        await keys.add(hmac: key, digestAlgorithm: .sha256)
    }

    package func sign(_ claims: Claims) async throws -> String {
        try await keys.sign(Payload(claims: claims))
    }

    /// - Parameter now: The time to compare `exp` with.
    package func verify(_ token: String, now: Date = Date()) async throws(TokenError) -> Claims {
        try checkHeader(token)
        let claims: Claims
        do {
            claims = try await keys.verify(token, as: Payload.self).claims
        } catch let error as JWTError where error.errorType == .signatureVerificationFailed {
            throw .invalid("Signature verification failed")
        } catch is DecodingError {
            throw .invalid("Claims are missing or malformed")
        } catch {
            throw .invalid("Not a valid token")
        }
        if Double(claims.exp) <= now.timeIntervalSince1970 { throw .expired }
        return claims
    }

    private func checkHeader(_ token: String) throws(TokenError) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= 8192 else { throw .invalid("Not enough segments") }
        guard let header = Data(base64URL: parts[0]),
            let fields = try? JSONDecoder().decode(Header.self, from: header)
        else { throw .invalid("Header is malformed") }
        guard fields.alg == "HS256" else { throw .invalid("The algorithm is not allowed") }
    }

    private struct Header: Decodable { var alg: String }

    /// The claims as a JWT payload, without a wrapper of their own.
    private struct Payload: JWTPayload {
        var claims: Claims

        init(claims: Claims) { self.claims = claims }
        init(from decoder: any Decoder) throws { claims = try Claims(from: decoder) }
        func encode(to encoder: any Encoder) throws { try claims.encode(to: encoder) }
        // The caller checks the expiry with its own clock.
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}
