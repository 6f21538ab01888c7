import SwiftUI
import ViewKit

/// Speaks a sentence, or stops the voice.
struct SpeakButton: View {
    let isSpeaking: Bool
    /// The name of the button while it is silent.
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
