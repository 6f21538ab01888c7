import ClientKit
import Foundation
import PlatformKit

extension Bridge {
    /// Guards the token by biometrics. Must be called from a tap.
    ///
    /// - Parameter page: The owner's page. Every other page locks.
    /// - Throws: ``BridgeProblem``.
    package func enableBiometrics(on page: BridgePage) async throws {
        let token = try current().token
        do {
            try await tokens(on: page).guardToken(token, account: saved.username ?? "", reason: noticeWords.identity)
        } catch {
            throw BridgeProblem(error)
        }
        for other in pages.values { other.isOpen = false }
        page.unlock()
        setBiometricEnabled(true)
        reportPresence()
    }

    /// - Throws: ``BridgeProblem``.
    package func disableBiometrics() async throws {
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
        saved.biometricEnabled = isEnabled
        // A locked app shows no content.
        registration.update()
    }

    /// Recognises the owner and opens the page. Must be called from a tap on it.
    ///
    /// - Throws: ``BridgeProblem``.
    package func unlock(_ page: BridgePage) async throws {
        let token: String?
        do {
            token = try await tokens(on: page).guardedToken(reason: noticeWords.identity)
        } catch {
            throw BridgeProblem(error)
        }
        guard isLocked(page) else { return }
        guard let token else { return usePassword(on: page) }
        page.unlock()
        reportPresence()
        if phase == .locked { resume(token) }
    }

    /// Shows the login on a locked page, which the password unlocks, too.
    package func usePassword(on page: BridgePage) {
        guard isLocked(page) else { return }
        page.wantsPassword = true
    }
}
