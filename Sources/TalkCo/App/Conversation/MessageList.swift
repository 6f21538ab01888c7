import PlatformKit
import SwiftUI
import TalkCoClient
import ViewKit

/// The messages, the newest at the bottom. An answer does not scroll the list if the reader has scrolled up.
struct MessageList: View {
    let conversation: ConversationViewModel
    let keyboard: OnScreenKeyboard

    var body: some View {
        ScrollViewReader { scroll in
            ScrollView {
                LazyVStack(spacing: 12) {
                    ForEach(conversation.messages) { MessageRow(message: $0, conversation: conversation) }
                    WaitingRow(conversation: conversation)
                    Color.clear.frame(height: 1).id(ListEnd.end)
                }
                .padding(Metrics.padding)
                .column()
            }
            .defaultScrollAnchor(.bottom)
            .scrollDismissesKeyboard(.interactively)
            .accessibilityIdentifier("messages")
            // The learner's own message scrolls into view even if the learner has scrolled up.
            .scrolls(scroll, to: ListEnd.end, anchor: .bottom, onChangeOf: conversation.messages.last { $0.role == .user }?.id)
            .scrolls(scroll, to: keyboard.isShown ? ListEnd.end : nil, anchor: .bottom, onChangeOf: keyboard.isShown)
        }
    }
}

/// The scroll position behind the last message.
private enum ListEnd { case end }

/// The state of the conversation while no message shows it.
private struct WaitingRow: View {
    let conversation: ConversationViewModel
    @Environment(\.wordBundle) private var wordBundle

    var body: some View {
        switch conversation.phase {
        case .connecting where conversation.messages.isEmpty:
            BusyRow(words: String(localized: "Calling the tutor…", bundle: wordBundle))
        case .ending: BusyRow(words: String(localized: "Ending the conversation…", bundle: wordBundle))
        default:
            if conversation.isSlow { BusyRow(words: String(localized: "The answer takes longer than usual…", bundle: wordBundle)) }
        }
    }
}
