import CompactEncoding
import CryptoPrimitives

/// Issuer of tokens that prove that a requester receives at its IP address.
///
/// A token is the BLAKE2b-256 of the dotted host, keyed with a secret. Two secrets rotate every 7.5 s, so that a token
/// lives between 7.5 and 15 s. Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 3.6.
struct TokenIssuer: Sendable {
    static let rotationInterval = Duration.milliseconds(7500)

    private var current: [UInt8]
    private var previous: [UInt8]
    private var lastRotation: Duration

    init(now: Duration, random: inout some RandomNumberGenerator) {
        current = RandomBytes.make(32, using: &random)
        previous = RandomBytes.make(32, using: &random)
        lastRotation = now
    }

    /// Replaces expired secrets.
    mutating func advance(to now: Duration, random: inout some RandomNumberGenerator) {
        while now - lastRotation >= Self.rotationInterval {
            previous = current
            current = RandomBytes.make(32, using: &random)
            // After a long sleep, two rotations replace both secrets; more would change nothing.
            lastRotation =
                now - lastRotation >= Self.rotationInterval * 3 ? now - Self.rotationInterval : lastRotation + Self.rotationInterval
        }
    }

    func token(for address: PeerAddress) -> [UInt8] {
        Self.token(host: address.host, secret: current)
    }

    func isValid(_ token: [UInt8], for address: PeerAddress) -> Bool {
        ConstantTime.areEqual(token, Self.token(host: address.host, secret: current))
            || ConstantTime.areEqual(token, Self.token(host: address.host, secret: previous))
    }

    static func token(host: String, secret: [UInt8]) -> [UInt8] {
        BLAKE2b.hash(Array(host.utf8), key: secret)
    }
}
