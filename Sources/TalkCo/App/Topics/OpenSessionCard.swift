import SwiftUI
import TalkCoClient
import ViewKit

/// The button that returns to the open session.
struct OpenSessionCard: View {
    let session: OpenSession
    let action: () -> Void
    @Environment(\.palette) private var palette
    @Environment(\.locale) private var locale

    var body: some View {
        Button {
            action()
        } label: {
            HStack(spacing: 12) {
                VStack(alignment: .leading, spacing: 2) {
                    title.font(.headline)
                    subject.font(.subheadline).foregroundStyle(palette.secondary)
                }
                .frame(maxWidth: .infinity, alignment: .leading)
                Image(systemName: "chevron.forward").foregroundStyle(palette.accent).accessibilityHidden(true)
            }
            .frame(minHeight: Metrics.control)
        }
        .buttonStyle(CardButtonStyle())
        .accessibilityIdentifier("open-session")
    }

    private var title: Text {
        switch session.phase {
        case .conversation: Text("Continue the conversation", bundle: .module)
        case .review: Text("Continue the review", bundle: .module)
        case .summary: Text("See the summary", bundle: .module)
        }
    }

    private var subject: Text { session.topic?.words(locale) ?? Text("Practice of weak points", bundle: .module) }
}
