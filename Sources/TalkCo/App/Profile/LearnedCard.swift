import SwiftUI
import TalkCoWire
import ViewKit

/// Sentences that were right three times in practice.
struct LearnedCard: View {
    let sentences: [WeakPoint.Example]
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 10) {
            CardTitle(title: Text("Sentences you have learned", bundle: .module))
            ForEach(Array(sentences.enumerated()), id: \.offset) { _, sentence in
                HStack(alignment: .top, spacing: 10) {
                    Image(systemName: "checkmark.circle.fill").foregroundStyle(palette.success).accessibilityHidden(true)
                    VStack(alignment: .leading, spacing: 0) {
                        Text(verbatim: sentence.correct)
                        Text(verbatim: sentence.wrong).font(.subheadline).strikethrough().foregroundStyle(palette.secondary)
                    }
                    .frame(maxWidth: .infinity, alignment: .leading)
                }
            }
        }
        .card()
        .accessibilityGroup("learned")
    }
}
