import CryptoPrimitives
import Foundation
import LocalLLMWire

/// The invitations of a running host, kept in memory only. Each admits one new phone, once, within an hour.
///
/// A secret has 14 characters of 58, or 82 bits, and a connection gets one guess: `ModelHost+Admission`.
struct Invitations {
    static let lifetime = Duration.seconds(3_600)
    /// Maximum open invitations; a new one ends the oldest.
    static let maximumCount = 8
    private static let length = 14
    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")

    private var open: [(secret: [UInt8], end: Duration)] = []

    /// - Parameter now: The time since the start of the host.
    mutating func make(now: Duration) -> Invitation {
        var generator = SystemRandomNumberGenerator()
        let secret = String((0..<Self.length).map { _ in Self.alphabet[Int.random(in: Self.alphabet.indices, using: &generator)] })
        guard let invitation = Invitation(secret) else { preconditionFailure("letters and digits") }
        open.append((Array(secret.utf8), now + Self.lifetime))
        if open.count > Self.maximumCount { open.removeFirst() }
        return invitation
    }

    /// Consumes an invitation.
    ///
    /// - Returns: False for an invitation that was never made, was used or has expired.
    mutating func use(_ invitation: Invitation, now: Duration) -> Bool {
        open.removeAll { $0.end <= now }
        let secret = Array(invitation.secret.utf8)
        guard let index = open.firstIndex(where: { ConstantTime.areEqual($0.secret, secret) }) else { return false }
        open.remove(at: index)
        return true
    }
}
