public import Foundation
public import Observation
public import PlatformKit
import SimBridgeWire

/// One page that shows the bridge: a tab of a browser, or the app on an iPhone.
///
/// The lock is the page's own. A page starts locked, opens for the owner who is recognised on it, and locks again a minute after it left the
/// front. So nothing that another page of the same phone does, a copied cookie included, opens it.
@MainActor
@Observable
public final class BridgePage {
    /// The owner was recognised, or gave the password, on this page.
    public internal(set) var isOpen = false
    /// The user wants to log in by password on this page, in place of unlocking it.
    public var wantsPassword = false
    public internal(set) var isInFront = false
    /// The pairing code of a link that opened this page, until it is used.
    public private(set) var offeredCode: String?
    @ObservationIgnored var locking: Task<Void, Never>?
    /// The authenticator of this page; nil: the phone has one for all its pages.
    let biometrics: (any Biometrics)?

    /// - Parameter biometrics: Asks the owner on this page.
    public init(biometrics: (any Biometrics)? = nil) { self.biometrics = biometrics }

    /// Takes the code of a link of the host's QR code: `…#pair=123456`.
    public func take(_ link: URL) {
        guard let fragment = link.fragment(), fragment.hasPrefix("pair=") else { return }
        let code = String(fragment.dropFirst("pair=".count))
        if PairingCode.isWellFormed(code) { offeredCode = code }
    }

    public func takeOfferedCode() -> String? {
        defer { offeredCode = nil }
        return offeredCode
    }

    /// Opens the page: its owner was recognised, or gave the password.
    func unlock() {
        isOpen = true
        wantsPassword = false
    }
}

extension Bridge {
    /// How long a page may be away from the front before its owner has to be recognised again.
    static let lockDelay: Duration = .seconds(60)

    /// Whether `page` hides everything.
    public func isLocked(_ page: BridgePage) -> Bool { phase == .locked || (isBiometricEnabled && !page.isOpen) }

    /// Whether the user looks at what the app shows: a locked page in front shows nothing.
    public var isInFront: Bool { pages.values.contains { $0.isInFront && !isLocked($0) } }

    /// Notifications reach every page of the phone: none may say anything while one of them is locked.
    var hidesNotices: Bool { isBiometricEnabled && (pages.isEmpty || pages.values.contains { !$0.isOpen }) }

    /// Notes that a page has come to the front, or left it.
    public func setInFront(_ isInFront: Bool, page: BridgePage) {
        let wasInFront = pages.values.contains { $0.isInFront }
        pages[ObjectIdentifier(page)] = page
        guard page.isInFront != isInFront else { return }
        page.isInFront = isInFront
        page.locking?.cancel()
        if isInFront {
            guard !wasInFront else { return }
            wake()
            Task { await refreshDevices() }
        } else {
            lockLater(page)
        }
    }

    private func lockLater(_ page: BridgePage) {
        let clock = phone.clock
        page.locking = Task { [weak page] in
            if (try? await clock.sleep(for: Self.lockDelay)) != nil { page?.isOpen = false }
        }
    }

    /// Notes that a page is gone.
    public func remove(_ page: BridgePage) {
        pages[ObjectIdentifier(page)] = nil
        page.locking?.cancel()
        (page.isInFront, page.isOpen) = (false, false)
    }
}
