import ClientKit
package import Foundation
import Observation
package import PlatformKit
import SimBridgeWire

/// One page that shows the app: a tab of a browser, or the app on an iPhone.
///
/// Each page has its own lock. A page starts locked, opens when the owner is recognised on the page, and locks again 60 s after the
/// page has left the foreground. No action on another page of the same phone opens the page, so a copied cookie does not open it.
@MainActor
@Observable
package final class BridgePage {
    /// True if the owner was recognised on this page, or has entered the password.
    package internal(set) var isOpen = false
    /// True if the user chose the password instead of biometrics on this page.
    package var wantsPassword = false
    package internal(set) var isInFront = false
    /// The pairing code of the link that opened this page; nil without such a link, and after the code was used.
    package private(set) var offeredCode: String?
    @ObservationIgnored var locking: Task<Void, Never>?
    /// The authenticator of this page; nil if all pages of the phone share one.
    let biometrics: (any Biometrics)?

    /// - Parameter biometrics: The authenticator of this page; nil if all pages of the phone share one.
    package init(biometrics: (any Biometrics)? = nil) { self.biometrics = biometrics }

    /// Reads the pairing code of a link from the host's QR code: `…#pair=123456`.
    package func take(_ link: URL) {
        guard let fragment = link.fragment(), fragment.hasPrefix("pair=") else { return }
        let code = String(fragment.dropFirst("pair=".count))
        if PairingCode.isWellFormed(code) { offeredCode = code }
    }

    package func takeOfferedCode() -> String? {
        defer { offeredCode = nil }
        return offeredCode
    }

    /// Opens the page for its owner.
    func unlock() {
        isOpen = true
        wantsPassword = false
    }
}

extension Bridge {
    /// The time that a page may be away from the front before it locks.
    static let lockDelay: Duration = .seconds(60)

    /// True if `page` is locked.
    package func isLocked(_ page: BridgePage) -> Bool { phase == .locked || (isBiometricEnabled && !page.isOpen) }

    /// True if an open page is in front. A locked page shows nothing.
    package var isInFront: Bool { pages.values.contains { $0.isInFront && !isLocked($0) } }

    /// The maximum content of local notifications now. A notification reaches every page of the phone, including locked pages.
    var noticeContent: PushContent {
        if isBiometricEnabled, pages.isEmpty || pages.values.contains(where: { !$0.isOpen }) { return .nothing }
        return wantedPush ?? .full
    }

    /// Notes that a page has come to the front or left it.
    package func setInFront(_ isInFront: Bool, page: BridgePage) {
        pages[ObjectIdentifier(page)] = page
        guard page.isInFront != isInFront else { return }
        page.isInFront = isInFront
        page.locking?.cancel()
        if !isInFront { lockLater(page) }
        engine.setAttention(isInFront ? .full : .away, of: page)
        reportPresence()
    }

    package func foregroundDidChange() {
        guard engine.isInFront else { return }
        registration.retry()
        engine.tasks.start { await self.refreshDevices() }
    }

    private func lockLater(_ page: BridgePage) {
        let clock = phone.clock
        page.locking = Task { [weak page] in
            if (try? await clock.sleep(for: Self.lockDelay)) != nil { page?.isOpen = false }
        }
    }

    /// Notes that a page is closed.
    package func remove(_ page: BridgePage) {
        pages[ObjectIdentifier(page)] = nil
        page.locking?.cancel()
        (page.isInFront, page.isOpen) = (false, false)
        engine.setAttention(.away, of: page)
        reportPresence()
    }
}
