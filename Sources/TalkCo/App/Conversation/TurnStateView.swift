import SwiftUI
import TalkCoClient
import ViewKit

/// The state of a learner's turn that has no answer yet or was not understood; empty for other turns.
struct TurnStateView: View {
    let message: ChatMessage
    let conversation: ConversationViewModel
    @Environment(\.palette) private var palette
    @Environment(\.wordBundle) private var wordBundle

    var body: some View {
        switch message.state {
        case .complete: EmptyView()
        case .underWay:
            if !conversation.isBeingAnswered(message) {
                Text("Sending…", bundle: .module).font(.caption).foregroundStyle(palette.secondary)
            }
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
        case .notUnderstood: notUnderstood
        }
    }

    private var notUnderstood: some View {
        VStack(alignment: .trailing, spacing: 0) {
            Text("This was not understood. Say it again.", bundle: .module).foregroundStyle(palette.warning)
            HStack(spacing: 20) {
                if conversation.canPlay(message) {
                    let isPlaying = conversation.playing == message.id
                    button(isPlaying ? Text("Stop", bundle: .module) : Text("Hear It", bundle: .module)) {
                        if isPlaying { conversation.stopPlaying() } else { conversation.playAgain(message) }
                    }
                }
                if conversation.canSendAgain(message) {
                    button(Text("Send Again", bundle: .module)) { conversation.sendAgain(message) }
                }
                discardButton
            }
        }
        .font(.footnote)
        .multilineTextAlignment(.trailing)
        .accessibilityGroup("not-understood")
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
