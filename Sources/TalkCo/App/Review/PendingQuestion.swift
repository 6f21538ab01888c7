import SwiftUI
import TalkCoClient
import ViewKit

/// A question that has no answer yet.
struct PendingQuestion: View {
    let question: ReviewViewModel.Question
    @Environment(\.wordBundle) private var wordBundle

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            QuestionBubble(text: question.text)
            if let failure = question.failure {
                ProblemText(problem: failure)
            } else {
                BusyRow(words: String(localized: "The tutor is thinking…", bundle: wordBundle))
            }
        }
        .accessibilityGroup("question")
    }
}
