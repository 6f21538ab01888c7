package import SwiftUI

extension View {
    /// Reads `words` aloud, once, to users of VoiceOver when they appear and when they change.
    ///
    /// For changes without a tap, and for effects of a tap elsewhere on the screen. Not for text that grows.
    ///
    /// - Parameters:
    ///   - words: The words; nil announces nothing.
    ///   - atFirst: False to announce changes only, not the first words.
    package func announces(_ words: String?, atFirst: Bool = true) -> some View {
        onChange(of: words, initial: atFirst) {
            if let words, !words.isEmpty { AccessibilityNotification.Announcement(words).post() }
        }
    }
}
