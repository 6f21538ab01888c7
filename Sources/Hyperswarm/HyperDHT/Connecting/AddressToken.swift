import CompactEncoding
import CryptoPrimitives

/// Issuer of tokens that prove that a peer receives at the host it claims: each token is sent only to that host.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.11.1.
struct AddressToken: Sendable {
    private let secret: [UInt8]

    /// - Parameter secret: 32 random bytes, for one hole punch.
    init(secret: [UInt8]) {
        self.secret = secret
    }

    func token(for address: PeerAddress) -> [UInt8] {
        BLAKE2b.hash(Array(address.host.utf8), key: secret)
    }

    func isValid(_ token: [UInt8]?, for address: PeerAddress) -> Bool {
        token.map { ConstantTime.areEqual($0, self.token(for: address)) } ?? false
    }
}
