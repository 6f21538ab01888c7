import SwiftUI
import TalkCoClient
import ViewKit

/// The sentences that the learner may read aloud or tap.
struct ChoiceList: View {
    let conversation: ConversationViewModel
    let canSpeak: Bool
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            hint.font(.footnote).foregroundStyle(palette.secondary)
            ForEach(conversation.choices, id: \.self) { choice in
                Button {
                    conversation.sendText(choice)
                } label: {
                    Text(verbatim: choice)
                        .font(.subheadline)
                        .multilineTextAlignment(.leading)
                        .padding(.horizontal, 12)
                        .padding(.vertical, 8)
                        .frame(maxWidth: .infinity, minHeight: Metrics.control, alignment: .leading)
                        .background(palette.card, in: RoundedRectangle(cornerRadius: 12))
                        .contentShape(Rectangle())
                }
                .buttonStyle(.plain)
                .foregroundStyle(palette.text)
                .disabled(!conversation.canTalk)
            }
        }
        .accessibilityGroup("choices")
    }

    private var hint: Text {
        canSpeak
            ? Text("Read one aloud, tap one, or write your own:", bundle: .module)
            : Text("Tap one, or write your own:", bundle: .module)
    }
}
