import SwiftUI
import TalkCoClient
import ViewKit

/// The reason why the service does not answer, and the way to ask again. Nothing while it answers.
struct ProblemBanner: View {
    let talk: TalkCo
    @Environment(\.palette) private var palette

    var body: some View {
        if let problem = talk.problem {
            ProblemText(problem: problem) {
                Button(Text("Try Again", bundle: .module)) { talk.refresh() }
                    .buttonStyle(TextButtonStyle(alignment: .leading))
            }
            .card(padding: 12)
        }
        if talk.isStorageFailing { ProblemText(problem: .storage).card(padding: 12) }
    }
}
