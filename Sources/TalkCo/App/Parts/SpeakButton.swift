import SwiftUI
import ViewKit

/// A button that speaks a sentence, or stops the voice.
struct SpeakButton: View {
    let isSpeaking: Bool
    /// The button's accessibility label while nothing is spoken.
    let words: Text
    let action: () -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        Button {
            action()
        } label: {
            Image(systemName: isSpeaking ? "stop.fill" : "speaker.wave.2").font(.body).control()
        }
        .buttonStyle(.plain)
        .foregroundStyle(palette.accent)
        .accessibilityLabel(isSpeaking ? Text("Stop", bundle: .module) : words)
    }
}
