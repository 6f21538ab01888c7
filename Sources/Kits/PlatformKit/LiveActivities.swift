/// Live Activities: views of an app on the lock screen, which a push can start.
public protocol LiveActivities: Sendable {
    /// Yields the token with which a push starts an activity, in lowercase hexadecimal digits, and each new one; nil while Live
    /// Activities are switched off; nothing on a phone without them. ``Notifications/taps()`` reports taps on an activity.
    @MainActor func startTokens() -> AsyncStream<String?>
    /// Removes activities from the screen at once.
    ///
    /// - Parameter id: The id that a tap on the activities delivers; nil for all activities of the app.
    func end(id: String?) async
}

/// The Live Activities of a phone that has none.
package struct NoLiveActivities: LiveActivities {
    package init() {}
    package func startTokens() -> AsyncStream<String?> { AsyncStream { $0.finish() } }
    package func end(id: String?) async {}
}
