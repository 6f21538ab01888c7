import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// The text below the talk button: a hint, or the length of the recording.
struct RecordingHint: View {
    let conversation: ConversationViewModel
    @Environment(\.palette) private var palette

    var body: some View {
        words
            .font(.footnote)
            .monospacedDigit()
            .foregroundStyle(palette.secondary)
            .multilineTextAlignment(.center)
            .frame(minHeight: 18)
            .accessibilityIdentifier("recording-hint")
    }

    private var words: Text {
        switch conversation.recordingState {
        case .starting: Text("Opening the microphone…", bundle: .module)
        case .recording: Text("Listening \(clock)", bundle: .module)
        case .finishing: Text("One moment…", bundle: .module)
        case .idle: idleWords
        }
    }

    private var idleWords: Text {
        if conversation.isWaiting, !conversation.canRecord { return Text("Wait for the tutor’s answer.", bundle: .module) }
        return conversation.hearing == .choices
            ? Text("Hold to read a sentence aloud", bundle: .module)
            : Text("Hold to talk, or tap to start and to stop", bundle: .module)
    }

    private var clock: String {
        let seconds = conversation.recordedSeconds
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }
}
