import SimBridgeClient
import SwiftUI

/// An error message.
struct ErrorText: View {
    let problem: BridgeProblem?
    @Environment(\.palette) private var palette

    var body: some View {
        if let problem {
            HStack(alignment: .top, spacing: 8) {
                Image(systemName: "exclamationmark.circle.fill").accessibilityHidden(true)
                problem.words
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
