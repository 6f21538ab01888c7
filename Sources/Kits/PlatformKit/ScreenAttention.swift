/// The attention that one screen, window or page of an app has from the user.
package enum ScreenAttention: Hashable, Sendable {
    /// The screen is in front.
    case full
    /// The screen is visible, and something else is in front.
    case partial
    case away
}
