import Foundation
import HummingbirdCore
import ServerKit
import SimBridgeWire
import WireKit

/// The claims of a relay's token. Names and lifetime are the contract's.
struct RelayClaims: TokenClaims {
    var userId: Account.ID
    var iat: Int
    var exp: Int
    /// Count of the account's password changes when the token was issued; absent for zero.
    var generation: Int?

    private enum CodingKeys: String, CodingKey {
        case iat, exp, generation
        case userId = "user_id"
    }
}

/// The signer and verifier of the relay's bearer tokens.
struct RelayTokens: Sendable {
    private static let lifetime = 86_400

    let signer: TokenSigner<RelayClaims>
    let accounts: Accounts
    let now: @Sendable () -> Timestamp

    func token(for owner: Authenticated) async throws -> String {
        let time = Int(now().milliseconds / 1000)
        return try await signer.sign(
            RelayClaims(
                userId: owner.account, iat: time, exp: time + Self.lifetime,
                generation: owner.generation == 0 ? nil : owner.generation))
    }

    /// Returns the account of the bearer token in the request's `Authorization` header.
    ///
    /// - Throws: ``RelayError`` `unauthorized`.
    func account(of request: Request) async throws -> Account.ID {
        guard let token = request.bearerToken else { throw RelayError(.unauthorized, "Not authenticated") }
        return try await account(of: token)
    }

    /// - Throws: ``RelayError`` `unauthorized`.
    func account(of token: String) async throws -> Account.ID { try await claims(of: token).userId }

    /// - Throws: ``RelayError`` `unauthorized`.
    func claims(of token: String) async throws -> RelayClaims {
        let claims: RelayClaims
        do {
            claims = try await signer.verify(token, now: .distantPast)
        } catch {
            throw RelayError(.unauthorized, "Invalid token: \(error.sentence)")
        }
        let state = try await accounts.state(of: claims.userId)
        // Checked before the expiry, so that a device with an expired token learns of the deletion, too.
        if state == .deleted { throw RelayError(.unauthorized, Account.deletedDetail) }
        if Double(claims.exp) <= now().date.timeIntervalSince1970 { throw RelayError(.unauthorized, "Token expired") }
        switch state {
        case .open(let generation) where generation == claims.generation ?? 0: return claims
        case .open: throw RelayError(.unauthorized, "Invalid token: The password has been changed")
        case .deleted, .unknown: throw RelayError(.unauthorized, "Invalid token: No such account")
        }
    }
}
