/// The notifications for assistive technology. On Apple's systems this type is part of Accessibility, which SwiftUI exports.
public enum AccessibilityNotification {
    /// A text that screen readers read aloud once, from a live region of the page.
    public struct Announcement {
        private let text: String

        public init(_ announcement: String) { text = announcement }
        // Disfavoured, so that a literal is a `String`.
        @_disfavoredOverload
        public init(_ announcement: AttributedString) { text = String(announcement.characters) }

        /// Announces the text in the scene whose views or actions run now.
        public func post() { SceneModel.current?.announce(text) }
    }
}
