public import Foundation

/// Secrets that only the phone's owner gets back: after a face, a finger, or the phone's code.
///
/// Apple's phones keep them in the keychain below an access control; in a browser the box keeps them, and gives one back for a verified
/// assertion of a platform authenticator (Web Authentication, level 2).
public protocol Biometrics: Sendable {
    /// Whether this phone can recognise its owner now.
    func isAvailable() async -> Bool
    /// Keeps `secret` under `key`, in place of what is there. To be called from what a tap started.
    ///
    /// - Parameters:
    ///   - account: Whom the secret is of, for the system's own screens.
    /// - Throws: ``PhoneError``; `denied` when the person did not want to, or is not the owner. Nothing has changed then.
    func protect(_ secret: Data, for key: String, account: String) async throws
    /// Asks the person and gives back what is kept. To be called from what a tap started.
    ///
    /// - Parameter reason: Why, in a sentence for the person.
    /// - Returns: nil when nothing is kept under `key`.
    /// - Throws: ``PhoneError``; `denied` when the person did not want to, or is not the owner.
    func secret(for key: String, reason: String) async throws -> Data?
    /// Whether something is kept. Asks nobody.
    func hasSecret(for key: String) async -> Bool
    /// - Throws: ``PhoneError``.
    func removeSecret(for key: String) async throws
}
