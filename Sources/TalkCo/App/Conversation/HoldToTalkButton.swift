import PlatformKit
import SwiftUI
import TalkCoClient
import ViewKit

/// The talk button, which records while held. A tap, also by keyboard or VoiceOver, starts a recording, and the next tap ends it.
struct HoldToTalkButton: View {
    let conversation: ConversationViewModel
    let phone: Phone
    let size: CGFloat
    @State private var gesture = HoldOrTap()
    @Environment(\.palette) private var palette

    var body: some View {
        Button {
            perform(gesture.tapped(at: phone.inputTime, isRecording: isRecording))
        } label: {
            face
        }
        .buttonStyle(
            HoldButtonStyle { isPressed in
                perform(
                    isPressed
                        ? gesture.pressed(at: phone.inputTime, isRecording: isRecording) : gesture.released(at: phone.inputTime))
            }
        )
        .disabled(!isEnabled)
        .keyboardShortcut(.space, modifiers: .control)
        .accessibilityLabel(isRecording ? Text("Stop and Send", bundle: .module) : Text("Talk", bundle: .module))
        .accessibilityHint(Text("Hold to talk, or tap to start and to stop", bundle: .module))
        .accessibilityIdentifier("talk")
    }

    private var isRecording: Bool { conversation.recordingState != .idle }
    private var isEnabled: Bool { conversation.canRecord || isRecording }

    private var face: some View {
        Image(systemName: isRecording ? "waveform" : "mic.fill")
            .font(.title)
            .foregroundStyle(isOn ? RecordingColors.symbol : isEnabled ? palette.onAccent : palette.secondary)
            .frame(width: size, height: size)
            .background(isOn ? RecordingColors.button : isEnabled ? palette.accent : palette.card, in: Circle())
            .scaleEffect(isOn ? 1.1 : 1)
            .background { LevelRing(level: isOn ? conversation.level : 0, isOn: isOn) }
            .padding(10)
            .contentShape(Circle())
            .animation(.easeOut(duration: 0.12), value: isOn)
    }

    /// True while the microphone records: words before and after are lost.
    private var isOn: Bool { conversation.recordingState == .recording }

    private func perform(_ action: HoldOrTap.Action?) {
        switch action {
        case .start: conversation.startRecording()
        case .stop: conversation.stopRecording()
        case nil: break
        }
    }
}
