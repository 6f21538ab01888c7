import Observation

/// The on-screen keyboard of one page or window.
@MainActor @Observable
package final class OnScreenKeyboard {
    /// True while the keyboard covers part of the screen. Set by the owner of the page or window; apps read it.
    package var isShown = false

    package nonisolated init() {}
}
