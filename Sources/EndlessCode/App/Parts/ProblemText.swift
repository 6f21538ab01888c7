import EndlessCodeClient
import SwiftUI
import ViewKit

/// A failure in words.
struct ProblemText: View {
    let problem: CodeProblem
    @Environment(\.palette) private var palette
    @Environment(\.isPageSecure) private var isPageSecure

    var body: some View {
        HStack(alignment: .top, spacing: 8) {
            Image(systemName: "exclamationmark.circle.fill").accessibilityHidden(true)
            Text(verbatim: words).font(.subheadline)
        }
        .foregroundStyle(palette.error)
        .frame(maxWidth: .infinity, alignment: .leading)
        .accessibilityGroup("problem")
        .announces(words)
    }

    private var words: String {
        guard problem == .camera, !isPageSecure else { return problem.words }
        return .insecurePage(String(localized: "Paste the text of the QR code instead.", bundle: .module))
    }
}
