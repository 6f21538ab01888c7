import PlatformKit
import SwiftUI
import TalkCoClient
import ViewKit

/// The talk button, with the buttons to write instead and to discard a recording.
struct VoiceBar: View {
    let conversation: ConversationViewModel
    let phone: Phone
    let write: () -> Void
    @Environment(\.palette) private var palette
    @Environment(\.verticalSizeClass) private var height

    var body: some View {
        VStack(spacing: 8) {
            HStack(spacing: 0) {
                side("keyboard", Text("Write", bundle: .module), isShown: !isRecording, action: write)
                Spacer()
                HoldToTalkButton(conversation: conversation, phone: phone, size: height == .compact ? 56 : 76)
                Spacer()
                side("xmark", Text("Discard Recording", bundle: .module), isShown: isRecording) { conversation.cancelRecording() }
            }
            RecordingHint(conversation: conversation)
        }
    }

    private var isRecording: Bool { conversation.recordingState != .idle }

    private func side(_ symbol: String, _ words: Text, isShown: Bool, action: @escaping () -> Void) -> some View {
        Button {
            action()
        } label: {
            Image(systemName: symbol).font(.title3).frame(width: 52, height: 52).contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .foregroundStyle(palette.accent)
        .accessibilityLabel(words)
        .opacity(isShown ? 1 : 0)
        .disabled(!isShown)
        .accessibilityHidden(!isShown)
    }
}
