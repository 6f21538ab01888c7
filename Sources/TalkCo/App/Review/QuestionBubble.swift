import SwiftUI
import ViewKit

/// A question of the learner.
struct QuestionBubble: View {
    let text: String
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 0) {
            Spacer(minLength: 40)
            Text(verbatim: text)
                .font(.subheadline)
                .padding(.horizontal, 12)
                .padding(.vertical, 8)
                .background(palette.prompt, in: RoundedRectangle(cornerRadius: 14))
        }
        .frame(maxWidth: .infinity, alignment: .trailing)
    }
}
