import SwiftUI
import TalkCoClient
import ViewKit

/// A message: the learner's at the right, the tutor's at the left.
struct MessageRow: View {
    let message: ChatMessage
    let conversation: ConversationViewModel
    @Environment(\.palette) private var palette

    var body: some View {
        if message.role == .user {
            VStack(alignment: .trailing, spacing: 4) {
                HStack(spacing: 0) {
                    Spacer(minLength: 48)
                    MessageBubble(message: message, isPlaying: isPlaying)
                }
                TurnStateView(message: message, conversation: conversation)
            }
            .frame(maxWidth: .infinity, alignment: .trailing)
        } else {
            VStack(alignment: .leading, spacing: 0) {
                HStack(alignment: .bottom, spacing: 0) {
                    MessageBubble(message: message, isPlaying: isPlaying)
                    if conversation.canPlay(message) {
                        playButton
                        slowButton
                    }
                    Spacer(minLength: conversation.canPlay(message) ? 4 : 48)
                }
                HelpRow(message: message, conversation: conversation)
            }
            .frame(maxWidth: .infinity, alignment: .leading)
        }
    }

    private var isPlaying: Bool { conversation.playing == message.id }

    private var slowButton: some View {
        Button {
            conversation.playAgain(message, slowly: true)
        } label: {
            Text(verbatim: "¾×").font(.subheadline).control()
        }
        .buttonStyle(.plain)
        .foregroundStyle(palette.accent)
        .accessibilityLabel(Text("Play slowly", bundle: .module))
        .accessibilityIdentifier("play-slowly")
    }

    private var playButton: some View {
        SpeakButton(isSpeaking: isPlaying, words: Text("Play again", bundle: .module)) {
            if isPlaying { conversation.stopPlaying() } else { conversation.playAgain(message) }
        }
    }
}
