import SwiftUI
import TalkCoClient
import ViewKit

/// A failure in words, with buttons that may help.
struct ProblemText<Actions: View>: View {
    let problem: TalkCoProblem
    @ViewBuilder let actions: Actions
    @Environment(\.palette) private var palette
    @Environment(\.wordBundle) private var wordBundle

    var body: some View {
        VStack(alignment: .leading, spacing: 0) {
            HStack(alignment: .top, spacing: 8) {
                Image(systemName: "exclamationmark.circle.fill").accessibilityHidden(true)
                Text(verbatim: problem.words(in: wordBundle)).font(.subheadline).frame(maxWidth: .infinity, alignment: .leading)
            }
            .foregroundStyle(palette.error)
            if let reason = problem.reason { Text(verbatim: reason).font(.footnote).foregroundStyle(palette.secondary) }
            HStack(spacing: 20) { actions }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
        .accessibilityGroup("problem")
        .announces(problem.words(in: wordBundle))
    }
}

extension ProblemText where Actions == EmptyView {
    init(problem: TalkCoProblem) { self.init(problem: problem) {} }
}
