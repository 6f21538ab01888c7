import SwiftUI
import TalkCoWire
import ViewKit

/// A topic to talk about.
struct TopicCard: View {
    let topic: Topic
    let action: () -> Void
    @Environment(\.palette) private var palette
    @Environment(\.locale) private var locale

    var body: some View {
        Button {
            action()
        } label: {
            VStack(alignment: .leading, spacing: 14) {
                Image(systemName: topic.symbol ?? "text.bubble")
                    .font(.title2)
                    .foregroundStyle(palette.accent)
                    .frame(width: 46, height: 46)
                    .background(palette.prompt, in: Circle())
                    .accessibilityHidden(true)
                topic.words(locale).font(.headline).multilineTextAlignment(.leading)
            }
            .frame(maxWidth: .infinity, minHeight: 96, alignment: .leading)
        }
        .buttonStyle(CardButtonStyle())
        .accessibilityIdentifier("topic-\(topic.id)")
    }
}
