#if os(iOS)
    import PlatformKit
    import UIKit

    /// The system's keyboard.
    @MainActor
    enum DeviceKeyboard {
        /// Returns a keyboard whose state follows the system's.
        static func followed() -> OnScreenKeyboard {
            let keyboard = OnScreenKeyboard()
            observers = [
                MainObserver(UIResponder.keyboardWillShowNotification) { _ in keyboard.isShown = true },
                MainObserver(UIResponder.keyboardWillHideNotification) { _ in keyboard.isShown = false },
            ]
            return keyboard
        }

        /// The observers of the only keyboard: there is one phone per process.
        private static var observers: [MainObserver] = []
    }
#endif
