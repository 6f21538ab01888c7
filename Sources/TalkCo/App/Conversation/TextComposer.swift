import SwiftUI
import TalkCoClient
import ViewKit

/// The text field with Send. The text survives a restart.
struct TextComposer: View {
    @Bindable var conversation: ConversationViewModel
    /// Returns to the microphone; nil if there is none.
    let showsVoice: (() -> Void)?
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            if conversation.isDraftTooLong { ProblemText(problem: .textTooLong) }
            HStack(alignment: .bottom, spacing: 4) {
                if let showsVoice { voiceButton(showsVoice) }
                HStack(alignment: .bottom, spacing: 0) {
                    field
                    sendButton
                }
                .background(palette.card, in: RoundedRectangle(cornerRadius: Metrics.field / 2))
                .overlay { RoundedRectangle(cornerRadius: Metrics.field / 2).stroke(palette.outline).allowsHitTesting(false) }
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

    private var field: some View {
        TextField("", text: $conversation.draft, prompt: Text("Your answer in English", bundle: .module), axis: .vertical)
            .textFieldStyle(.plain)
            .lineLimit(1...4)
            .sendsWithReturn { conversation.sendDraft() }
            .padding(.leading, Metrics.padding)
            .padding(.vertical, 12)
            .frame(minHeight: Metrics.field)
            .fieldTouchArea()
            .accessibilityLabel(Text("Your answer in English", bundle: .module))
            .accessibilityIdentifier("draft")
    }

    private var sendButton: some View {
        Button {
            conversation.sendDraft()
        } label: {
            Image(systemName: "arrow.up")
                .font(.body.weight(.semibold))
                .foregroundStyle(conversation.canSend ? palette.onAccent : palette.secondary)
                .frame(width: 36, height: 36)
                .background(conversation.canSend ? palette.accent : palette.outline.opacity(0.5), in: Circle())
                .frame(width: Metrics.field, height: Metrics.field)
                .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .disabled(!conversation.canSend)
        .keyboardShortcut(.return, modifiers: .command)
        .accessibilityLabel(Text("Send", bundle: .module))
    }
}
