import Foundation
import PlatformKit

extension Bridge {
    /// From now on the token is given only to who is recognised. To be called from what a tap started.
    ///
    /// - Throws: ``BridgeProblem``.
    public func enableBiometrics() async throws {
        let token = try current().token
        do {
            try await tokens.guardToken(token, account: preferences.username ?? "")
        } catch {
            throw BridgeProblem(error)
        }
        setBiometricEnabled(true)
    }

    /// - Throws: ``BridgeProblem``.
    public func disableBiometrics() async throws {
        let token = try current().token
        do {
            try await tokens.unguard(token)
        } catch {
            throw BridgeProblem(error)
        }
        setBiometricEnabled(false)
    }

    func setBiometricEnabled(_ isEnabled: Bool) {
        isBiometricEnabled = isEnabled
        preferences.biometricEnabled = isEnabled
    }

    /// Has the person recognised, and goes on. To be called from what a tap started.
    ///
    /// - Parameter reason: Why, in a sentence for the person.
    /// - Throws: ``BridgeProblem``.
    public func unlock(reason: String) async throws {
        let token: String?
        do {
            token = try await tokens.guardedToken(reason: reason)
        } catch {
            throw BridgeProblem(error)
        }
        guard phase == .locked else { return }
        guard let token else { return usePassword() }
        if session == nil { resume(token) } else { phase = phaseBehindLock }
    }

    /// Leaves the lock for the login screen: the password opens what a face does not.
    public func usePassword() {
        guard phase == .locked else { return }
        session = nil
        sessionChanges?.yield()
        phase = .login
    }

    /// The owner has to be recognised before anything is shown.
    func lock() {
        guard isBiometricEnabled, session != nil, phase != .locked, phase != .login else { return }
        phaseBehindLock = phase
        phase = .locked
    }
}
