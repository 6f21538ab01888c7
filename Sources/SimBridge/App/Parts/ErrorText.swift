import SimBridgeClient
import SwiftUI
import ViewKit

/// An error message.
struct ErrorText: View {
    let problem: BridgeProblem?
    @Environment(\.palette) private var palette
    @Environment(\.isPageSecure) private var isPageSecure

    var body: some View {
        if let problem {
            HStack(alignment: .top, spacing: 8) {
                Image(systemName: "exclamationmark.circle.fill").accessibilityHidden(true)
                Text(verbatim: words(problem))
            }
            .font(.subheadline)
            .foregroundStyle(palette.errorText)
            .frame(maxWidth: .infinity, alignment: .leading)
            .accessibilityElement(children: .combine)
            .accessibilityIdentifier("error")
            .announces(words(problem))
        }
    }

    private func words(_ problem: BridgeProblem) -> String {
        problem == .cannotRecognise && !isPageSecure ? .insecurePage : problem.words
    }
}
