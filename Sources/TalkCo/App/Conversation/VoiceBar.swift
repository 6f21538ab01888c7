import PlatformKit
import SwiftUI
import TalkCoClient
import ViewKit

/// The talk button, with the ways to write and to discard a recording.
struct VoiceBar: View {
    let conversation: ConversationViewModel
    let phone: Phone
    let write: () -> Void
    @Environment(\.palette) private var palette
    @Environment(\.verticalSizeClass) private var height

    var body: some View {
        VStack(spacing: 8) {
            HStack(spacing: 0) {
                side("keyboard", Text("Write", bundle: .module), action: write).opacity(isRecording ? 0 : 1).disabled(isRecording)
                Spacer()
                HoldToTalkButton(conversation: conversation, phone: phone, size: height == .compact ? 56 : 76)
                Spacer()
                side("xmark", Text("Discard Recording", bundle: .module)) { conversation.cancelRecording() }
                    .opacity(isRecording ? 1 : 0)
                    .disabled(!isRecording)
                    .accessibilityHidden(!isRecording)
            }
            RecordingHint(conversation: conversation)
        }
    }

    private var isRecording: Bool { conversation.recordingState != .idle }

    private func side(_ symbol: String, _ words: Text, action: @escaping () -> Void) -> some View {
        Button {
            action()
        } label: {
            Image(systemName: symbol).font(.title3).frame(width: 52, height: 52).contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .foregroundStyle(palette.accent)
        .accessibilityLabel(words)
    }
}
