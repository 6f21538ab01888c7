import JWTKit
import WireKit

/// The token that shows Apple's push service who sends.
///
/// Apple refuses a token that is older than an hour, and a sender that renews it more than once in 20 minutes.
actor APNSProviderToken {
    /// The age at which a token is renewed.
    static let lifetime = Duration.seconds(45 * 60)
    /// The age before which a token must not be renewed.
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

    /// A token of the right age.
    func text() async throws -> String {
        // A clock that was set back makes a token look as if it came from the future.
        if let current, current.issuedAt <= now(), now() < current.issuedAt + Self.lifetime { return current.text }
        return try await renew()
    }

    /// Renews a token that the service refuses.
    ///
    /// - Returns: Nil when the token is too young to be renewed: the service does not know the key then.
    func renewed(insteadOf refused: String) async throws -> String? {
        guard let current else { return try await renew() }
        // Another request has renewed it since.
        if current.text != refused { return current.text }
        guard now() >= current.issuedAt + Self.minimumAge else { return nil }
        return try await renew()
    }

    private func renew() async throws -> String {
        let time = now()
        let replaced = current?.text
        await keys.add(ecdsa: key, kid: JWKIdentifier(string: keyID))
        let text = try await keys.sign(Claims(iss: teamID, iat: time.seconds), kid: JWKIdentifier(string: keyID))
        // Another request has renewed it meanwhile.
        if let current, current.text != replaced { return current.text }
        current = (text, time)
        return text
    }
}
