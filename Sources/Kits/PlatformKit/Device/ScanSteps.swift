/// The steps from a request for a scan to the camera on the screen.
///
/// ```
///   begin ─▶ asking for the camera ─▶ waiting for the screen ─▶ showing ─▶ ended
///                 (unless decided)      (unless in front)
/// ```
///
/// The system's prompt for the camera takes the app's screen from the front; the answer comes before the screen is back in front.
package struct ScanSteps: Sendable {
    /// The user's decision about the camera.
    package enum Permission: Hashable, Sendable {
        case undecided, granted, denied
        /// The phone's owner has forbidden the camera, and its user cannot allow it.
        case restricted
    }

    /// The activation state of the app's screen.
    package enum Screen: Hashable, Sendable {
        case front
        /// The screen is visible, under a prompt of the system or while another app opens.
        case inactive
        case background
    }

    package enum Event: Hashable, Sendable {
        case answered(isGranted: Bool, Screen)
        /// The screen has changed, or ``ScanSteps/patience`` is over.
        case screen(Screen, isLate: Bool)
        /// The scan has ended: by a code, by the user, or because its task was cancelled.
        case ended
    }

    package enum Action: Hashable, Sendable {
        case ask
        /// Report the screen whenever it changes, and after ``ScanSteps/patience``.
        case waitForScreen
        case show
        case fail(PhoneError)
    }

    private enum State { case asking, waiting, showing, ended }

    /// Maximum time to wait for the screen.
    package static let patience = Duration.seconds(3)
    private var state = State.ended

    package init() {}

    /// True if the app offers a scan: the phone supports scans, and the camera is not restricted.
    package static func isAvailable(isSupported: Bool, _ permission: Permission) -> Bool {
        isSupported && permission != .restricted
    }

    package mutating func begin(isSupported: Bool, _ permission: Permission, _ screen: Screen) -> Action {
        guard Self.isAvailable(isSupported: isSupported, permission) else { return fail(.unsupported) }
        switch permission {
        case .undecided:
            state = .asking
            return .ask
        case .granted: return wait(screen, isLate: false)
        case .denied, .restricted: return fail(.denied)
        }
    }

    /// - Returns: The next action; nil for an event that changes nothing.
    package mutating func handle(_ event: Event) -> Action? {
        switch (event, state) {
        case (.answered(true, let screen), .asking): return wait(screen, isLate: false)
        case (.answered(false, _), .asking): return fail(.denied)
        case (.screen(let screen, let isLate), .waiting): return wait(screen, isLate: isLate)
        case (.ended, _):
            state = .ended
            return nil
        default: return nil
        }
    }

    private mutating func wait(_ screen: Screen, isLate: Bool) -> Action {
        switch (screen, isLate) {
        // After the wait, a screen that stays under something else still shows the camera.
        case (.front, _), (.inactive, true):
            state = .showing
            return .show
        case (.background, true): return fail(.absent)
        default:
            state = .waiting
            return .waitForScreen
        }
    }

    private mutating func fail(_ error: PhoneError) -> Action {
        state = .ended
        return .fail(error)
    }
}
