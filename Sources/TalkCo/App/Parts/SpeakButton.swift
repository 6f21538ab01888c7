import SwiftUI
import ViewKit

/// A button that speaks a sentence, or stops the voice.
struct SpeakButton: View {
    let isSpeaking: Bool
    /// The button's accessibility label while nothing is spoken.
    let words: Text
    let action: () -> Void

    var body: some View {
        SymbolButton(symbol: isSpeaking ? "stop.fill" : "speaker.wave.2", isSpeaking ? Text("Stop", bundle: .module) : words) {
            action()
        }
    }
}
