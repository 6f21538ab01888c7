import SwiftUI
import TalkCoClient
import ViewKit

/// A button with words that speaks a sentence.
struct HearRow: View {
    let words: Text
    let sentence: String
    let review: ReviewViewModel

    var body: some View {
        Button {
            if isSpeaking { review.stopSpeaking() } else { review.speak(sentence) }
        } label: {
            HStack(spacing: 8) {
                Image(systemName: isSpeaking ? "stop.fill" : "speaker.wave.2").accessibilityHidden(true)
                isSpeaking ? Text("Stop", bundle: .module) : words
            }
        }
        .buttonStyle(TextButtonStyle(alignment: .leading))
    }

    private var isSpeaking: Bool { review.speaking == sentence.trimmingCharacters(in: .whitespacesAndNewlines) }
}
