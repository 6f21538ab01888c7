import SwiftUI
import ViewKit

/// The button that starts a practice of the learner's weak points.
struct PracticeCard: View {
    let action: () -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        Button {
            action()
        } label: {
            HStack(spacing: 12) {
                Image(systemName: "star").font(.title3).foregroundStyle(palette.accent).accessibilityHidden(true)
                VStack(alignment: .leading, spacing: 2) {
                    Text("Practice of weak points", bundle: .module).font(.headline)
                    Text("Some mistakes come back. Practise them with the tutor.", bundle: .module)
                        .font(.subheadline)
                        .foregroundStyle(palette.secondary)
                        .multilineTextAlignment(.leading)
                }
                .frame(maxWidth: .infinity, alignment: .leading)
            }
            .frame(minHeight: Metrics.control)
        }
        .buttonStyle(CardButtonStyle())
        .accessibilityIdentifier("practice")
    }
}
