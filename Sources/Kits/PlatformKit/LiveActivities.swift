/// Live Activities: views of an app on the lock screen, which a push can start.
public protocol LiveActivities: Sendable {
    /// The token by which a push starts an activity, in lower-case hexadecimal digits: the present one, then each new one. Nil while the user
    /// has switched Live Activities off. Silent on a phone without them. The tap on an activity is one of ``Notifications/taps()``.
    @MainActor func startTokens() -> AsyncStream<String?>
    /// Removes activities from the screen at once.
    ///
    /// - Parameter id: The id that the tap on them has; nil: all of the app.
    func end(id: String?) async
}

/// The Live Activities of a phone that has none.
package struct NoLiveActivities: LiveActivities {
    package init() {}
    package func startTokens() -> AsyncStream<String?> { AsyncStream { $0.finish() } }
    package func end(id: String?) async {}
}
