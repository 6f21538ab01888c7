import SwiftUI
import TalkCoClient
import ViewKit

/// The sentences that the learner may read aloud or tap. In landscape on a phone they form one row.
struct ChoiceList: View {
    let conversation: ConversationViewModel
    let canSpeak: Bool
    @Environment(\.palette) private var palette
    @Environment(\.verticalSizeClass) private var height

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            hint.font(.footnote).foregroundStyle(palette.secondary)
            if height == .compact {
                ScrollView(.horizontal, showsIndicators: false) {
                    HStack(spacing: 6) { buttons(width: nil) }
                }
            } else {
                buttons(width: .infinity)
            }
        }
        .accessibilityGroup("choices")
    }

    private func buttons(width: CGFloat?) -> some View {
        ForEach(conversation.choices, id: \.self) { choice in
            Button {
                conversation.sendText(choice)
            } label: {
                Text(verbatim: choice)
                    .font(.subheadline)
                    .multilineTextAlignment(.leading)
                    .padding(.horizontal, 12)
                    .padding(.vertical, 8)
                    .frame(maxWidth: width, minHeight: Metrics.control, alignment: .leading)
                    .background(palette.card, in: RoundedRectangle(cornerRadius: 12))
                    .contentShape(Rectangle())
            }
            .buttonStyle(.plain)
            .foregroundStyle(palette.text)
            // Enabled, and so legible, while the learner reads a choice aloud.
            .disabled(!conversation.canTalk && conversation.recordingState == .idle)
        }
    }

    private var hint: Text {
        canSpeak
            ? Text("Read one aloud, tap one, or write your own:", bundle: .module)
            : Text("Tap one, or write your own:", bundle: .module)
    }
}
