import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// The segments, below the progress of the review.
struct ReviewList: View {
    let review: ReviewViewModel
    @Binding var selected: Segment.ID?
    @Environment(\.palette) private var palette

    var body: some View {
        ScrollView {
            VStack(spacing: 12) {
                ReviewStatus(review: review)
                ForEach(review.segments) { segment in
                    SegmentCard(segment: segment, review: review, isExpanded: segment.id == selected) {
                        selected = selected == segment.id ? nil : segment.id
                    }
                }
                if review.segments.isEmpty, review.status != nil, !review.isPolling {
                    Placeholder(
                        symbol: "text.bubble", color: palette.accent, title: Text("Nothing was said.", bundle: .module),
                        words: Text("There are no sentences to review this time.", bundle: .module))
                }
            }
            .padding(Metrics.padding)
            .column()
        }
        .scrollDismissesKeyboard(.interactively)
        .accessibilityIdentifier("segments")
    }
}
