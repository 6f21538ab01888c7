import Foundation
import PlatformKit

/// The store of the token: the keychain, readable while the device is unlocked and never moved to another device; or, if the user
/// chooses, a secret guarded by biometrics.
struct SecureTokenStore: Sendable {
    private static let key = "token"
    let keychain: any Keychain
    let biometrics: any Biometrics

    // MARK: Keychain

    /// - Throws: `PhoneError`.
    func token() async throws -> String? { try await keychain.data(for: Self.key).map { String(decoding: $0, as: UTF8.self) } }
    /// Stores `token` in the keychain, in place of an earlier token.
    func save(_ token: String) async throws { try await keychain.set(Data(token.utf8), for: Self.key) }

    // MARK: Biometrics

    var isGuarded: Bool { get async { await biometrics.hasSecret(for: Self.key) } }

    /// Moves the token from the keychain to the biometric guard.
    func guardToken(_ token: String, account: String, reason: String) async throws {
        try await biometrics.protect(Data(token.utf8), for: Self.key, account: account, reason: reason)
        try await forgetUnguarded()
    }

    func guardedToken(reason: String) async throws -> String? {
        try await biometrics.secret(for: Self.key, reason: reason).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Moves the token from the biometric guard back to the keychain.
    func unguard(_ token: String) async throws {
        try await save(token)
        try await biometrics.removeSecret(for: Self.key)
    }

    /// Removes the token from the keychain.
    func forgetUnguarded() async throws { try await keychain.set(nil, for: Self.key) }

    /// Removes the token everywhere.
    func clear() async throws {
        try await forgetUnguarded()
        try await biometrics.removeSecret(for: Self.key)
    }
}
