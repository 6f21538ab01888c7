import SwiftUI
import TalkCoClient
import ViewKit

/// The buttons that explain the words of a tutor's message and translate it; empty if the service can do neither.
struct HelpRow: View {
    let message: ChatMessage
    let conversation: ConversationViewModel
    @State private var showsWords = false
    @Environment(\.palette) private var palette

    var body: some View {
        if conversation.canExplain(message) || conversation.canTranslate(message) {
            HStack(spacing: 20) {
                if conversation.canExplain(message) {
                    Button(Text("Words", bundle: .module)) { showsWords = true }
                        .buttonStyle(TextButtonStyle(alignment: .leading))
                        .sheet(isPresented: $showsWords) { WordSheet(message: message, conversation: conversation) }
                }
                if conversation.canTranslate(message) {
                    Button(isTranslated ? Text("Hide Translation", bundle: .module) : Text("Translate", bundle: .module)) {
                        conversation.toggleTranslation(of: message)
                    }
                    .buttonStyle(TextButtonStyle(alignment: .leading))
                }
            }
            .font(.footnote)
            if let translation = conversation.translations[message.id] {
                HelpText(help: translation).font(.subheadline).foregroundStyle(palette.secondary).accessibilityGroup("translation")
            }
        }
    }

    private var isTranslated: Bool { conversation.translations[message.id] != nil }
}

/// A meaning or translation that the learner has requested, or the state of the request.
struct HelpText: View {
    let help: ConversationViewModel.Help
    @Environment(\.wordBundle) private var wordBundle

    var body: some View {
        switch help {
        case .loading: BusyRow(words: String(localized: "One moment…", bundle: wordBundle))
        case .text(let text): Text(verbatim: text).textSelection(.enabled).frame(maxWidth: .infinity, alignment: .leading)
        case .unknown: Text("It is not in the dictionary.", bundle: .module).frame(maxWidth: .infinity, alignment: .leading)
        case .failed(let problem): ProblemText(problem: problem)
        }
    }
}
