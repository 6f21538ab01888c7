import JWTKit
import WireKit

/// The token that authenticates this server to Apple's push service.
///
/// Apple refuses a token that is older than an hour, and a sender that renews it more than once in 20 minutes.
actor APNSProviderToken {
    /// The age at which a token is renewed.
    static let lifetime = Duration.seconds(45 * 60)
    /// Minimum age at which a token may be renewed.
    static let minimumAge = Duration.seconds(20 * 60)

    private struct Claims: JWTPayload {
        var iss: String
        var iat: Int64

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private let keyID: String
    private let teamID: String
    private let key: ES256PrivateKey
    private let keys = JWTKeyCollection()
    private let now: @Sendable () -> Timestamp
    private var current: (text: String, issuedAt: Timestamp)?

    init(_ configuration: APNSConfiguration, now: @escaping @Sendable () -> Timestamp) throws {
        keyID = configuration.keyID
        teamID = configuration.teamID
        key = try ES256PrivateKey(backing: configuration.key)
        self.now = now
    }

    /// Returns the current token, renewed if it is too old.
    func text() async throws -> String {
        // A token from the future, after the clock was set back, is renewed as well.
        if let current, current.issuedAt <= now(), now() < current.issuedAt + Self.lifetime { return current.text }
        return try await renew()
    }

    /// Renews a token that the service refuses.
    ///
    /// - Returns: The new token; nil if the refused token is too young to be renewed, so that the service does not know the key.
    func renewed(insteadOf refused: String) async throws -> String? {
        guard let current else { return try await renew() }
        // Another request has renewed the token since.
        if current.text != refused { return current.text }
        guard now() >= current.issuedAt + Self.minimumAge else { return nil }
        return try await renew()
    }

    private func renew() async throws -> String {
        let time = now()
        let replaced = current?.text
        await keys.add(ecdsa: key, kid: JWKIdentifier(string: keyID))
        let text = try await keys.sign(Claims(iss: teamID, iat: time.seconds), kid: JWKIdentifier(string: keyID))
        // Another request has renewed the token meanwhile.
        if let current, current.text != replaced { return current.text }
        current = (text, time)
        return text
    }
}
