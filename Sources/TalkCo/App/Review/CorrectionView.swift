import SwiftUI
import TalkCoWire
import ViewKit

/// A question of the learner, with its answer.
struct CorrectionView: View {
    let correction: Correction

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            QuestionBubble(text: correction.userMessage)
            Text(verbatim: correction.correction).font(.subheadline.weight(.semibold))
            Text(verbatim: correction.explanation).font(.subheadline).lineSpacing(3)
        }
        .frame(maxWidth: .infinity, alignment: .leading)
        .textSelection(.enabled)
        .accessibilityGroup("correction")
    }
}
