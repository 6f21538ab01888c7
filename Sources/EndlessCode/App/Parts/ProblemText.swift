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
            words.font(.subheadline)
        }
        .foregroundStyle(palette.error)
        .frame(maxWidth: .infinity, alignment: .leading)
        .accessibilityGroup("problem", isLive: true)
    }

    private var words: Text {
        guard problem == .camera, !isPageSecure else { return problem.words }
        return .insecurePage(Text("Paste the text of the QR code instead.", bundle: .module))
    }
}
