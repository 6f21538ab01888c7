extension PhoneError {
    /// Creates the error of a failed call to the keychain.
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

/// The lock states in which the secrets of an app can be read.
public enum KeychainAccess: Hashable, Sendable {
    /// While the phone is unlocked.
    case whileUnlocked
    /// After the first unlock since the phone's start, also while it is locked: for an app that the system wakes in the background.
    case afterFirstUnlock
}
