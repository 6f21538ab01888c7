import PlatformKit
import SwiftUI
import TalkCoClient
import ViewKit

/// Records while it is held. A tap, also one of a keyboard or of VoiceOver, starts a recording, and the next one ends it.
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
            .foregroundStyle(isEnabled ? palette.onAccent : palette.secondary)
            .frame(width: size, height: size)
            .background(isEnabled ? palette.accent : palette.card, in: Circle())
            .background { LevelRing(level: isRecording ? conversation.level : 0) }
            .padding(10)
            .contentShape(Circle())
    }

    private func perform(_ action: HoldOrTap.Action?) {
        switch action {
        case .start: conversation.startRecording()
        case .stop: conversation.stopRecording()
        case nil: break
        }
    }
}
