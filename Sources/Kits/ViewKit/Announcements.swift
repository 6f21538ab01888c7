package import SwiftUI

extension View {
    /// Reads `words` aloud, once, to users of VoiceOver when they appear and when they change.
    ///
    /// For what changes without a tap, or what a tap leads to elsewhere on the screen. Not for text that grows.
    ///
    /// - Parameters:
    ///   - words: The words; nil says nothing.
    ///   - atFirst: False where the first words are no news.
    package func announces(_ words: String?, atFirst: Bool = true) -> some View {
        onChange(of: words, initial: atFirst) {
            if let words, !words.isEmpty { AccessibilityNotification.Announcement(words).post() }
        }
    }
}
