import Foundation
import PlatformKit

/// Keeps the token: in the keychain, readable while the device is unlocked and never moved to another; or, when the person wants it so, only
/// for who is recognised.
struct SecureTokenStore: Sendable {
    private static let key = "token"
    let keychain: any Keychain
    let biometrics: any Biometrics

    // MARK: In the keychain

    /// - Throws: `PhoneError`.
    func token() async throws -> String? { try await keychain.data(for: Self.key).map { String(decoding: $0, as: UTF8.self) } }
    /// Keeps `token` in place of another one.
    func save(_ token: String) async throws { try await keychain.set(Data(token.utf8), for: Self.key) }

    // MARK: For who is recognised

    var isGuarded: Bool { get async { await biometrics.hasSecret(for: Self.key) } }

    /// From now on the token is given only to who is recognised.
    func guardToken(_ token: String, account: String) async throws {
        try await biometrics.protect(Data(token.utf8), for: Self.key, account: account)
        try await forgetUnguarded()
    }

    func guardedToken(reason: String) async throws -> String? {
        try await biometrics.secret(for: Self.key, reason: reason).map { String(decoding: $0, as: UTF8.self) }
    }

    /// From now on the token is given without asking.
    func unguard(_ token: String) async throws {
        try await save(token)
        try await biometrics.removeSecret(for: Self.key)
    }

    /// Forgets the token in the keychain.
    func forgetUnguarded() async throws { try await keychain.set(nil, for: Self.key) }

    /// Forgets the token, wherever it is.
    func clear() async throws {
        try await forgetUnguarded()
        try await biometrics.removeSecret(for: Self.key)
    }
}
