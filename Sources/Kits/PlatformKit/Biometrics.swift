public import Foundation

/// Secrets that only the phone's owner can read, after recognition by face, finger or the phone's code.
///
/// Apple's phones store them in the keychain behind an access control. For a browser the box stores them, and returns a secret
/// for a verified assertion of a platform authenticator (Web Authentication, level 2).
public protocol Biometrics: Sendable {
    /// True if this phone can recognise its owner now.
    func isAvailable() async -> Bool
    /// Stores `secret` under `key`, in place of an earlier one. Call it from the handler of a tap.
    ///
    /// - Parameters:
    ///   - account: The name of the secret's owner, for the system's own screens.
    ///   - reason: The reason for recognising the owner, in a sentence for the user.
    /// - Throws: ``PhoneError``; `denied` if the user cancels, or is not the owner. Nothing has changed then.
    func protect(_ secret: Data, for key: String, account: String, reason: String) async throws
    /// Recognises the owner and returns the stored secret. Call it from the handler of a tap.
    ///
    /// - Parameter reason: The reason, in a sentence for the user.
    /// - Returns: nil if nothing is stored under `key`.
    /// - Throws: ``PhoneError``; `denied` if the user cancels, or is not the owner.
    func secret(for key: String, reason: String) async throws -> Data?
    /// True if a secret is stored under `key`. Does not prompt the user.
    func hasSecret(for key: String) async -> Bool
    /// - Throws: ``PhoneError``.
    func removeSecret(for key: String) async throws
}

/// The biometrics of a phone without them.
package struct NoBiometrics: Biometrics {
    package init() {}
    package func isAvailable() async -> Bool { false }
    package func protect(_ secret: Data, for key: String, account: String, reason: String) async throws {
        throw PhoneError.unsupported
    }
    package func secret(for key: String, reason: String) async throws -> Data? { nil }
    package func hasSecret(for key: String) async -> Bool { false }
    package func removeSecret(for key: String) async throws {}
}
