import SwiftUI
import TalkCoClient
import ViewKit

/// The text field with Send. The text survives a restart.
struct TextComposer: View {
    @Bindable var conversation: ConversationViewModel
    /// Returns to the microphone; nil if there is none.
    let showsVoice: (() -> Void)?
    @FocusState private var isFocused: Bool
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            if conversation.isDraftTooLong { ProblemText(problem: .textTooLong) }
            HStack(alignment: .bottom, spacing: 4) {
                if let showsVoice { voiceButton(showsVoice) }
                HStack(alignment: .bottom, spacing: 0) {
                    ComposerField(
                        text: $conversation.draft, prompt: Text("Your answer in English", bundle: .module), identifier: "draft",
                        lines: 4, isFocused: $isFocused
                    ) { conversation.sendDraft() }
                    ComposerButton(.send, isEnabled: conversation.canSend) { conversation.sendDraft() }
                }
                .composerOutline()
            }
        }
    }

    private func voiceButton(_ action: @escaping () -> Void) -> some View {
        Button {
            action()
        } label: {
            Image(systemName: "mic").font(.title3).frame(width: Metrics.field, height: Metrics.field).contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .foregroundStyle(palette.accent)
        .accessibilityLabel(Text("Speak", bundle: .module))
    }
}
