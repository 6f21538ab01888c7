import Foundation
import PlatformKit

extension Bridge {
    /// Gives the token only to the recognised owner from now on. To be called from what a tap started.
    ///
    /// - Parameter page: The owner's. Every other page locks.
    /// - Throws: ``BridgeProblem``.
    public func enableBiometrics(on page: BridgePage) async throws {
        let token = try current().token
        do {
            try await tokens(on: page).guardToken(token, account: preferences.username ?? "")
        } catch {
            throw BridgeProblem(error)
        }
        for other in pages.values { other.isOpen = false }
        page.unlock()
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

    /// Has the owner recognised, and opens the page. To be called from what a tap on it started.
    ///
    /// - Parameter reason: A sentence for the person.
    /// - Throws: ``BridgeProblem``.
    public func unlock(_ page: BridgePage, reason: String) async throws {
        let token: String?
        do {
            token = try await tokens(on: page).guardedToken(reason: reason)
        } catch {
            throw BridgeProblem(error)
        }
        guard isLocked(page) else { return }
        guard let token else { return usePassword(on: page) }
        page.unlock()
        if phase == .locked { resume(token) }
    }

    /// Shows the login on a locked page: the password opens what a face does not.
    public func usePassword(on page: BridgePage) {
        guard isLocked(page) else { return }
        page.wantsPassword = true
    }
}
