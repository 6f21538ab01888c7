import SwiftUI
import TalkCoClient
import ViewKit

/// The reason why the service or the storage fails, with a button to try again; empty while both work.
struct ProblemBanner: View {
    let talk: TalkCo

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
