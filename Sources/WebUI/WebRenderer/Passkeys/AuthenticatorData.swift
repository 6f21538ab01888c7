import Foundation

/// The authenticator data of WebAuthn, which the signature covers.
///
/// ```
///  0        32     33        37                 53        55
///  rpIdHash  flags  counter   aaguid (AT only)   length    credential id, key
/// ```
/// Source: Web Authentication, level 2, section 6.1. Numbers are big-endian.
struct AuthenticatorData {
    /// The SHA-256 hash of the relying party's id.
    let relyingPartyHash: Data
    /// True if the user was present.
    let isUserPresent: Bool
    /// True if the user was verified: by face, finger or code.
    let isUserVerified: Bool
    /// The signature counter; 0 for authenticators without one.
    let counter: UInt32
    /// The id of the new credential; nil outside of a registration.
    let credentialID: Data?

    private static let headLength = 37
    private static let guidLength = 16

    /// - Returns: nil for too few bytes.
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
