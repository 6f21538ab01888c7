import SwiftUI
import TalkCoClient
import ViewKit

/// The state of a turn of the learner that has no answer yet. Nothing for a turn with one.
struct TurnStateView: View {
    let message: ChatMessage
    let conversation: ConversationViewModel
    @Environment(\.palette) private var palette
    @Environment(\.wordBundle) private var wordBundle

    var body: some View {
        switch message.state {
        case .complete: EmptyView()
        case .underWay:
            Text("Sending…", bundle: .module).font(.caption).foregroundStyle(palette.secondary)
        case .sendingAgain(let problem):
            row(problem, Text("It is sent again by itself.", bundle: .module), palette.secondary) {
                button(Text("Send Now", bundle: .module)) { conversation.retryNow() }
                discardButton
            }
        case .failed(let problem):
            row(problem, nil, palette.error) {
                button(Text("Try Again", bundle: .module)) { conversation.retry(message) }
                discardButton
            }
        }
    }

    private func row(
        _ problem: TalkCoProblem, _ words: Text?, _ color: Color, @ViewBuilder _ buttons: () -> some View
    ) -> some View {
        VStack(alignment: .trailing, spacing: 0) {
            Text(verbatim: problem.words(in: wordBundle)).foregroundStyle(color)
            if let reason = problem.reason { Text(verbatim: reason).foregroundStyle(palette.secondary) }
            if let words { words.foregroundStyle(palette.secondary) }
            HStack(spacing: 20) { buttons() }
        }
        .font(.footnote)
        .multilineTextAlignment(.trailing)
        .accessibilityGroup("turn-problem")
        .announces(problem.words(in: wordBundle))
    }

    private var discardButton: some View {
        button(Text("Discard", bundle: .module)) { conversation.discard(message) }
    }

    private func button(_ words: Text, _ action: @escaping () -> Void) -> some View {
        Button(words) { action() }.buttonStyle(TextButtonStyle(alignment: .trailing))
    }
}
