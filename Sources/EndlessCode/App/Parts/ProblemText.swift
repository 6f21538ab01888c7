import EndlessCodeClient
import SwiftUI
import ViewKit

/// A failure in words.
struct ProblemText: View {
    let problem: CodeProblem
    @Environment(\.isPageSecure) private var isPageSecure

    var body: some View { ProblemLabel(words) }

    private var words: String {
        guard problem == .camera, !isPageSecure else { return problem.words }
        return .insecurePage(String(localized: "Paste the text of the QR code instead.", bundle: .module))
    }
}
