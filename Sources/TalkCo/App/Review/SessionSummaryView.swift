import SwiftUI
import TalkCoWire
import ViewKit

/// The summary of a session.
struct SessionSummaryView: View {
    /// The summary; nil if nothing was said or the summary could not be written.
    let summary: SessionSummary?
    /// True if nothing was said in the session.
    let isEmpty: Bool
    let onDismiss: () -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        ScrollView {
            VStack(spacing: 14) {
                if let summary {
                    SummaryCards(summary: summary)
                } else if isEmpty {
                    Placeholder(
                        symbol: "text.bubble", color: palette.accent, title: Text("Nothing was said.", bundle: .module),
                        words: Text("There are no sentences to review this time.", bundle: .module))
                } else {
                    Placeholder(
                        symbol: "exclamationmark.triangle", color: palette.accent,
                        title: Text("There is no summary this time.", bundle: .module),
                        words: Text("It could not be written. Your sentences and their marks are kept.", bundle: .module))
                }
                Button(Text("Done", bundle: .module)) { onDismiss() }
                    .buttonStyle(WideButtonStyle())
                    .accessibilityIdentifier("done")
            }
            .padding(Metrics.padding)
            .column()
        }
        .page()
        .navigationTitle(Text("Summary", bundle: .module))
        .navigationBarTitleDisplayMode(.inline)
        .navigationBarBackButtonHidden(true)
        .toolbar(.hidden, for: .tabBar)
    }
}
