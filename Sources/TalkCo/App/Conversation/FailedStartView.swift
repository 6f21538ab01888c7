import SwiftUI
import TalkCoClient
import ViewKit

/// The reason why a conversation could not begin.
struct FailedStartView: View {
    let problem: TalkCoProblem
    let retry: () -> Void
    let leave: () -> Void
    @Environment(\.palette) private var palette
    @Environment(\.wordBundle) private var wordBundle

    var body: some View {
        ScrollView {
            VStack(spacing: 16) {
                Placeholder(
                    symbol: problem == .network ? "wifi.slash" : "exclamationmark.triangle", color: palette.accent,
                    title: Text("The conversation could not begin.", bundle: .module),
                    words: Text(verbatim: problem.words(in: wordBundle)))
                Button(Text("Try Again", bundle: .module)) { retry() }.buttonStyle(WideButtonStyle())
                Button(Text("Back to the Topics", bundle: .module)) { leave() }.buttonStyle(WideButtonStyle(role: .other))
            }
            .padding(Metrics.padding)
            .column()
        }
        .accessibilityIdentifier("failed-start")
    }
}
