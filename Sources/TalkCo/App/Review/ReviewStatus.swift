import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

/// The work of the service on the review, or its failure.
struct ReviewStatus: View {
    let review: ReviewViewModel
    @Environment(\.palette) private var palette
    @Environment(\.wordBundle) private var wordBundle

    var body: some View {
        if let problem = review.endProblem {
            card(problem) { review.endReview() }
        } else if let problem = review.problem {
            card(problem) { review.loadReview() }
        } else if review.isCompleting {
            BusyRow(words: String(localized: "Writing your summary…", bundle: wordBundle))
        } else if review.isWaitingForMarks {
            BusyRow(words: String(localized: "Looking at your sentences…", bundle: wordBundle))
        } else if !review.segments.isEmpty, review.segments.allSatisfy({ $0.isEnglish == false && $0.aiMarks.isEmpty }) {
            note(Text("There was no English to look at. Ask how to say it.", bundle: .module))
        } else if !review.segments.isEmpty, !review.segments.contains(where: { !$0.aiMarks.isEmpty }) {
            note(Text("Nothing was marked. Ask about any sentence that you are not sure of.", bundle: .module))
        } else if !review.segments.isEmpty {
            note(Text("Tap a sentence to see what could be better, and to ask about it.", bundle: .module))
        }
        if let problem = review.speechProblem { ProblemText(problem: problem).card(padding: 12) }
    }

    private func note(_ words: Text) -> some View {
        words
            .font(.subheadline)
            .foregroundStyle(palette.secondary)
            .frame(maxWidth: .infinity, alignment: .leading)
    }

    private func card(_ problem: TalkCoProblem, _ retry: @escaping () -> Void) -> some View {
        ProblemText(problem: problem) {
            Button(Text("Try Again", bundle: .module)) { retry() }.buttonStyle(TextButtonStyle(alignment: .leading))
        }
        .card(padding: 12)
    }
}
