extension PhoneError {
    /// The failure of a call to the keychain.
    ///
    /// - Parameter status: The status of the call, other than success and *not found* (`SecBase.h`).
    package init(keychainStatus status: Int32) {
        self =
            switch status {
            // errSecInteractionNotAllowed, errSecInteractionRequired, errSecNotAvailable, errSecDataNotAvailable: the phone is locked, or was
            // not unlocked yet since its start.
            case -25_308, -25_315, -25_291, -25_316: .locked
            // errSecUserCanceled, errSecAuthFailed: the user has not confirmed.
            case -128, -25_293: .denied
            // errSecDiskFull
            case -34: .full
            default: .failed("the keychain answers \(status)")
            }
    }
}

/// The time from which on the secrets of an app can be read.
public enum KeychainAccess: Hashable, Sendable {
    /// While the phone is unlocked.
    case whileUnlocked
    /// Also while the phone is locked, once it was unlocked after its start: for an app that the system wakes in the background.
    case afterFirstUnlock
}
