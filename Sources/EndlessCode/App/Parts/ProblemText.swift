import EndlessCodeClient
import SwiftUI
import ViewKit

/// A failure in words.
struct ProblemText: View {
    let problem: CodeProblem
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(alignment: .top, spacing: 8) {
            Image(systemName: "exclamationmark.circle.fill").accessibilityHidden(true)
            problem.words.font(.subheadline)
        }
        .foregroundStyle(palette.error)
        .frame(maxWidth: .infinity, alignment: .leading)
        .accessibilityGroup("problem", isLive: true)
    }
}
