/// The notifications for assistive technology. On Apple's systems a type of Accessibility, which SwiftUI exports.
public enum AccessibilityNotification {
    /// A text that is read aloud once. The page has a live region for it.
    public struct Announcement {
        private let text: String

        public init(_ announcement: String) { text = announcement }
        // A literal is a string.
        @_disfavoredOverload
        public init(_ announcement: AttributedString) { text = String(announcement.characters) }

        /// Announces the text to the user whose views, or whose actions, run now.
        public func post() { SceneModel.current?.announce(text) }
    }
}
