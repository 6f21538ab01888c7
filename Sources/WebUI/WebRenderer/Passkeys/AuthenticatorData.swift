import Foundation

/// What an authenticator says about itself and about the person, below its signature.
///
/// ```
///  0        32     33        37                 53        55
///  rpIdHash  flags  counter   aaguid (AT only)   length    credential id, key
/// ```
/// Source: Web Authentication, level 2, section 6.1. Numbers are big-endian.
struct AuthenticatorData {
    /// SHA-256 of the relying party's id.
    let relyingPartyHash: Data
    /// Somebody touched it.
    let isUserPresent: Bool
    /// It has recognised somebody: by a face, a finger, a code.
    let isUserVerified: Bool
    /// How often it signed; 0 where it does not count.
    let counter: UInt32
    /// Of the credential that was made; only in the answer to a registration.
    let credentialID: Data?

    private static let headLength = 37
    private static let guidLength = 16

    /// - Returns: nil for bytes that are too few.
    init?(_ data: Data) {
        let bytes = Array(data)
        guard bytes.count >= Self.headLength else { return nil }
        relyingPartyHash = Data(bytes[..<32])
        let flags = bytes[32]
        isUserPresent = flags & 0x01 != 0
        isUserVerified = flags & 0x04 != 0
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        guard flags & 0x40 != 0 else {
            credentialID = nil
            return
        }
        let start = Self.headLength + Self.guidLength + 2
        guard bytes.count >= start else { return nil }
        let length = Int(bytes[start - 2]) << 8 | Int(bytes[start - 1])
        guard bytes.count >= start + length else { return nil }
        credentialID = Data(bytes[start..<start + length])
    }
}
