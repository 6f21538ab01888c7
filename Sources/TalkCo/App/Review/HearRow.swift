import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// A button with words that plays a sentence: the learner's recording, or the tutor's voice.
struct HearRow: View {
    enum Sound {
        case recording(Segment.ID)
        case voice(String)
    }

    let words: Text
    let sound: Sound
    let review: ReviewViewModel

    var body: some View {
        Button {
            if isPlaying { review.stopSpeaking() } else { play() }
        } label: {
            HStack(spacing: 8) {
                Image(systemName: isPlaying ? "stop.fill" : symbol).accessibilityHidden(true)
                isPlaying ? Text("Stop", bundle: .module) : words
            }
        }
        .buttonStyle(TextButtonStyle(alignment: .leading))
    }

    private var symbol: String {
        switch sound {
        case .recording: "waveform"
        case .voice: "speaker.wave.2"
        }
    }

    private var isPlaying: Bool {
        switch sound {
        case .recording(let segment): review.isPlayingRecording(of: segment)
        case .voice(let sentence): review.speaking == sentence.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    private func play() {
        switch sound {
        case .recording(let segment): review.playRecording(of: segment)
        case .voice(let sentence): review.speak(sentence)
        }
    }
}
