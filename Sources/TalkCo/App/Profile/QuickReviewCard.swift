import SwiftUI
import TalkCoWire
import ViewKit

/// The card with sentences to say in English.
struct QuickReviewCard: View {
    let sentences: [QuickReview]

    var body: some View {
        VStack(alignment: .leading, spacing: 10) {
            CardTitle(title: Text("Quick review", bundle: .module))
            Text("Say it in English, then tap to compare.", bundle: .module).font(.footnote)
            ForEach(Array(sentences.enumerated()), id: \.offset) { index, sentence in
                QuickReviewRow(sentence: sentence).accessibilityIdentifier("quick-review-\(index)")
            }
        }
        .card()
        .accessibilityGroup("quick-review")
    }
}
