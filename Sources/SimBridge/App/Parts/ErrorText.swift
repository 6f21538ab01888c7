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
                problem == .cannotRecognise && !isPageSecure ? .insecurePage : problem.words
            }
            .font(.subheadline)
            .foregroundStyle(palette.errorText)
            .frame(maxWidth: .infinity, alignment: .leading)
            .accessibilityElement(children: .combine)
            .accessibilityAddTraits(.updatesFrequently)
            .accessibilityIdentifier("error")
        }
    }
}
