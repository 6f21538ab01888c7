// The part of Accessibility that ViewKit uses; UIKit and SwiftUI bring it. Pages: https://developer.apple.com/documentation/accessibility/<type>/<member>
public import Foundation

/// accessibilitynotification
@available(iOS 17.0, *)
public enum AccessibilityNotification {
    /// accessibilitynotification/announcement
    public struct Announcement {
        public init(_ announcement: String) {}
        public init(_ announcement: AttributedString) {}
        public func post() {}
    }
}
