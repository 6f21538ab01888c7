import Foundation
import HTTPTypes
import HummingbirdCore
import Pager2077Wire
import ServerKit
import WireKit

/// The claims of a pager's token. Names and lifetime are the contract's.
struct PagerClaims: TokenClaims {
    var userId: User.ID
    var hexCode: HexCode
    var iat: Int
    var exp: Int
}

/// A signer and verifier of the pager's bearer tokens.
struct PagerTokens: Sendable {
    private static let lifetime = 7 * 86_400

    let signer: TokenSigner<PagerClaims>
    let now: @Sendable () -> Timestamp

    func token(for user: UserRecord) async throws -> String {
        let time = Int(now().milliseconds / 1000)
        return try await signer.sign(PagerClaims(userId: user.id, hexCode: user.hexCode, iat: time, exp: time + Self.lifetime))
    }

    /// Reads `Authorization: Bearer`.
    ///
    /// - Throws: ``PagerError`` `UNAUTHORIZED` or `INVALID_TOKEN`.
    func claims(of request: Request) async throws(PagerError) -> PagerClaims {
        try await claims(in: request.bearerToken)
    }

    /// Reads the header, or the subprotocol `bearer.<token>`: a browser cannot set headers of a WebSocket. Throws like
    /// ``claims(of:)``.
    func claims(ofUpgrade request: Request) async throws(PagerError) -> PagerClaims {
        try await claims(in: request.bearerToken ?? Self.offeredToken(request))
    }

    private func claims(in token: String?) async throws(PagerError) -> PagerClaims {
        guard let token else { throw PagerError(.unauthorized, "No token provided") }
        do {
            return try await signer.verify(token, now: now().date)
        } catch {
            throw PagerError(.invalidToken, "Invalid or expired token")
        }
    }

    private static func offeredToken(_ request: Request) -> String? {
        request.offeredSubprotocols.first { $0.hasPrefix("bearer.") }.map { String($0.dropFirst("bearer.".count)) }
    }
}

extension Request {
    /// The subprotocols that a WebSocket client offers (RFC 6455, section 4.1).
    var offeredSubprotocols: [String] {
        (headers[.webSocketProtocol] ?? "").split(separator: ",").map { $0.trimmingWhitespace() }
    }
}
