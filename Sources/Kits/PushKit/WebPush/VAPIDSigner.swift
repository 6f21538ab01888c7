import Crypto
import JWTKit
import WireKit

/// A signer of the `Authorization` headers of Web Push (RFC 8292), one for each push service.
actor VAPIDSigner {
    /// The lifetime of a token, at most 24 hours. Apple's service requires a token to be used for at least an hour.
    static let lifetime = Duration.seconds(12 * 3600)
    /// The age at which a token is renewed.
    static let renewal = Duration.seconds(6 * 3600)
    /// Maximum push services whose token is kept. Subscriptions come from strangers.
    private static let capacity = 100

    private struct Claims: JWTPayload {
        var aud: String
        var exp: Int64
        var sub: String

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private let configuration: WebPushConfiguration
    private let key: ES256PrivateKey
    private let now: @Sendable () -> Timestamp
    private let keys = JWTKeyCollection()
    private var headers: [String: (text: String, issuedAt: Timestamp)] = [:]

    init(_ configuration: WebPushConfiguration, now: @escaping @Sendable () -> Timestamp) throws {
        self.configuration = configuration
        self.now = now
        key = try ES256PrivateKey(backing: configuration.key)
    }

    /// - Parameter origin: The push service, as `https://host[:port]`.
    func header(for origin: String) async throws -> String {
        let time = now()
        if let known = headers[origin], known.issuedAt <= time, time < known.issuedAt + Self.renewal { return known.text }
        return try await makeHeader(for: origin, at: time)
    }

    /// Returns a header in place of one that the push service has refused.
    func header(for origin: String, insteadOf refused: String) async throws -> String {
        // Another request has renewed the header since.
        if let known = headers[origin]?.text, known != refused { return known }
        return try await makeHeader(for: origin, at: now())
    }

    private func makeHeader(for origin: String, at time: Timestamp) async throws -> String {
        await keys.add(ecdsa: key)
        let claims = Claims(aud: origin, exp: (time + Self.lifetime).seconds, sub: configuration.contact)
        let text = "vapid t=\(try await keys.sign(claims)), k=\(configuration.publicKey)"
        if headers.count >= Self.capacity, let oldest = headers.min(by: { $0.value.issuedAt < $1.value.issuedAt })?.key {
            headers[oldest] = nil
        }
        headers[origin] = (text, time)
        return text
    }
}
