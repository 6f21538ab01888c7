import PlatformKit
import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// The learner's sentences with their marks, and questions about them. Instead of a back button it has End Review.
struct ReviewView: View {
    let review: ReviewViewModel
    let phone: Phone
    let onComplete: () -> Void
    /// The segment with the open card, the subject of new questions; nil if no card is open.
    @State private var selected: Segment.ID?
    @State private var showSummary = false
    @Environment(\.verticalSizeClass) private var height

    var body: some View {
        ReviewList(review: review, selected: $selected)
            .safeAreaInset(edge: .bottom, spacing: 0) {
                if let selected, !review.isCompleted { QuestionBar(review: review, segment: selected) }
            }
            .page()
            .navigationTitle(Text("Review", bundle: .module))
            .navigationBarTitleDisplayMode(.inline)
            .navigationBarBackButtonHidden(true)
            .toolbar {
                ToolbarItem(placement: .topBarTrailing) {
                    Button(Text("End Review", bundle: .module)) {
                        if review.isCompleted { showSummary = true } else { review.endReview() }
                    }
                    .disabled(!review.canEnd && !review.isCompleted)
                    .accessibilityIdentifier("end-review")
                }
            }
            .toolbar(.hidden, for: .tabBar)
            .toolbar(phone.keyboard.isShown && height == .compact ? .hidden : .automatic, for: .navigationBar)
            .onAppear { review.loadReview() }
            .onDisappear { review.stopSpeaking() }
            .onChange(of: review.isCompleted, initial: true) { if review.isCompleted { showSummary = true } }
            .navigationDestination(isPresented: $showSummary) {
                SessionSummaryView(summary: review.summary, isEmpty: review.segments.isEmpty, onDismiss: onComplete)
            }
    }
}
