package import Foundation
import JWTKit
import WireKit

/// A user as verified by an identity provider.
package struct Identity: Hashable, Sendable {
    /// The provider's identifier of the user. It never changes and is never reassigned.
    package var subject: String
    /// Nil when the user has no address or the provider has not verified it.
    package var verifiedEmail: String?

    package init(subject: String, verifiedEmail: String?) {
        self.subject = subject
        self.verifiedEmail = verifiedEmail
    }
}

/// A verifier of a provider's ID tokens (OpenID Connect Core 1.0, section 3.1.3.7): RS256, with the provider's published keys.
///
/// The keys are fetched when first needed, by `/.well-known/openid-configuration` (OpenID Connect Discovery 1.0, section 4), and kept for
/// an hour. A token with an unknown key causes another fetch, at most once a minute.
package actor IdentityTokens {
    private static let keyLifetime: Duration = .seconds(3600)
    private static let retryInterval: Duration = .seconds(60)
    /// Minimum time between a failed fetch and the next one. Limits the fetches that an attacker can cause by sending tokens.
    private static let failurePause: Duration = .seconds(5)

    private let issuer: URL
    private let audience: String
    private let fetch: @Sendable (URL) async throws -> Data

    private struct Keys: Sendable {
        var collection: JWTKeyCollection
        var ids: Set<String>
    }

    private var keys: Keys?
    private var fetchedAt: ContinuousClock.Instant?
    /// The current fetch, shared by all callers. Cancelling one caller does not cancel it for the others.
    private var fetching: Task<Keys, any Error>?
    private var failure: (error: any Error, at: ContinuousClock.Instant)?

    /// - Parameters:
    ///   - issuer: The address of the provider, such as `https://accounts.google.com`.
    ///   - audience: This service's client id, the required audience of tokens.
    ///   - fetch: Returns a JSON document; throws on failure or when the status is not 200.
    package init(issuer: URL, audience: String, fetch: @escaping @Sendable (URL) async throws -> Data) {
        self.issuer = issuer
        self.audience = audience
        self.fetch = fetch
    }

    /// - Throws: ``TokenError``; the errors of `fetch` when the keys are unavailable.
    package func verify(_ token: String, now: Date = Date()) async throws -> Identity {
        let header = try Self.header(of: token)
        guard header.alg == "RS256" else { throw TokenError.invalid("The algorithm is not allowed") }
        guard let id = header.kid else { throw TokenError.invalid("The key is not named") }
        let keys = try await keys(with: id)
        guard keys.ids.contains(id) else { throw TokenError.invalid("The key is not the issuer's") }
        let claims: Claims
        do {
            claims = try await keys.collection.verify(token, as: Claims.self)
        } catch let error as JWTError where error.errorType == .signatureVerificationFailed {
            throw TokenError.invalid("Signature verification failed")
        } catch {
            throw TokenError.invalid("Claims are missing or malformed")
        }
        // Google's tokens name the issuer with or without the scheme.
        let names = [issuer.absoluteString, issuer.host() ?? ""].map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        guard names.contains(claims.iss) else { throw TokenError.invalid("Wrong issuer") }
        guard claims.aud.contains(audience) else { throw TokenError.invalid("Wrong audience") }
        if Double(claims.exp) <= now.timeIntervalSince1970 { throw TokenError.expired }
        return Identity(subject: claims.sub, verifiedEmail: claims.isEmailVerified ? claims.email : nil)
    }

    private func keys(with id: String) async throws -> Keys {
        let age = fetchedAt.map { ContinuousClock.now - $0 }
        if let keys, let age, age < (keys.ids.contains(id) ? Self.keyLifetime : Self.retryInterval) { return keys }
        if let fetching { return try await fetching.value }
        if let failure, ContinuousClock.now - failure.at < Self.failurePause { throw failure.error }
        let task = Task { [issuer, fetch] in try await Self.published(by: issuer, fetch) }
        fetching = task
        defer { fetching = nil }
        do {
            let published = try await task.value
            (keys, fetchedAt, failure) = (published, .now, nil)
            return published
        } catch {
            failure = (error, .now)
            throw error
        }
    }

    private static func published(by issuer: URL, _ fetch: @Sendable (URL) async throws -> Data) async throws -> Keys {
        let configuration = try JSONDecoder().decode(
            Configuration.self, from: await fetch(issuer.appending(path: ".well-known/openid-configuration")))
        // A provider may publish keys of other kinds; only those for RS256 are decoded fully.
        let published = try JSONDecoder().decode(Published.self, from: await fetch(configuration.keys))
        let usable = published.keys.filter(\.isForRS256)
        let collection = JWTKeyCollection()
        for key in usable { try await collection.add(jwk: key.asJWK) }
        return Keys(collection: collection, ids: Set(usable.compactMap(\.kid)))
    }

    private static func header(of token: String) throws(TokenError) -> Header {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= 16_384 else { throw .invalid("Not enough segments") }
        guard let data = Data(base64URL: parts[0]), let header = try? JSONDecoder().decode(Header.self, from: data) else {
            throw .invalid("Header is malformed")
        }
        return header
    }

    private struct Header: Decodable {
        var alg: String
        var kid: String?
    }

    private struct Configuration: Decodable {
        var keys: URL
        private enum CodingKeys: String, CodingKey { case keys = "jwks_uri" }
    }
    private struct Published: Decodable { var keys: [Key] }

    /// A published JSON Web Key (RFC 7517; RFC 7518, section 6.3).
    private struct Key: Decodable {
        var kty: String
        var kid: String?
        var use: String?
        var alg: String?
        var n: String?
        var e: String?

        var isForRS256: Bool { kty == "RSA" && kid != nil && (use ?? "sig") == "sig" && (alg ?? "RS256") == "RS256" }
        var asJWK: JWK { .rsa(.rs256, identifier: JWKIdentifier(string: kid ?? ""), modulus: n, exponent: e, privateExponent: nil) }
    }

    private struct Claims: JWTPayload {
        var iss: String
        var sub: String
        var aud: [String]
        var exp: Int
        var email: String?
        var isEmailVerified: Bool

        enum CodingKeys: String, CodingKey {
            case iss, sub, aud, exp, email
            case isEmailVerified = "email_verified"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            iss = try container.decode(String.self, forKey: .iss)
            sub = try container.decode(String.self, forKey: .sub)
            // A string or an array of strings (RFC 7519, section 4.1.3).
            aud = try (try? [container.decode(String.self, forKey: .aud)]) ?? container.decode([String].self, forKey: .aud)
            exp = try container.decode(Int.self, forKey: .exp)
            email = try container.decodeIfPresent(String.self, forKey: .email)
            // Some providers send a string.
            isEmailVerified =
                (try? container.decode(Bool.self, forKey: .isEmailVerified))
                ?? ((try? container.decode(String.self, forKey: .isEmailVerified)) == "true")
        }

        // The caller checks issuer, audience and expiry.
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}
