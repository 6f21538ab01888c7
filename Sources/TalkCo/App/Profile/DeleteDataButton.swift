import SwiftUI
import TalkCoClient
import ViewKit

/// The button that deletes all data of the learner, after a confirmation.
struct DeleteDataButton: View {
    let talk: TalkCo
    @State private var asks = false
    @State private var command = UserCommand<TalkCoProblem>()
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(spacing: 8) {
            Button(role: .destructive) {
                asks = true
            } label: {
                HStack(spacing: 10) {
                    if command.isRunning { ProgressView() }
                    Text("Delete My Data…", bundle: .module).foregroundStyle(palette.error)
                }
            }
            .buttonStyle(TextButtonStyle())
            .disabled(command.isRunning || talk.learner == nil)
            .accessibilityIdentifier("delete-data")
            .confirmationDialog(Text("Delete all your data?", bundle: .module), isPresented: $asks, titleVisibility: .visible) {
                Button(Text("Delete Everything", bundle: .module), role: .destructive) {
                    command.run { try await talk.deleteLearner() }
                }
            } message: {
                Text(
                    "Your talks, their reviews and your profile are deleted on the server, and drafts and recordings on this phone. You cannot undo this.",
                    bundle: .module)
            }
            if let problem = command.problem { ProblemText(problem: problem).card(padding: 12) }
        }
    }
}
