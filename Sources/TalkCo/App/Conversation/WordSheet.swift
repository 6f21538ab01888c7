import SwiftUI
import TalkCoClient
import ViewKit

/// The words of a message. A tap shows the meaning.
struct WordSheet: View {
    let message: ChatMessage
    let conversation: ConversationViewModel
    @Environment(\.dismiss) private var dismiss
    @Environment(\.palette) private var palette

    var body: some View {
        NavigationStack {
            ScrollView {
                VStack(alignment: .leading, spacing: 14) {
                    Text(verbatim: message.text).lineSpacing(3).frame(maxWidth: .infinity, alignment: .leading)
                    LazyVGrid(columns: [GridItem(.adaptive(minimum: 96), spacing: 8)], spacing: 8) {
                        ForEach(ConversationViewModel.words(of: message.text), id: \.self) { button($0) }
                    }
                }
                .padding(Metrics.padding)
                .column()
            }
            .safeAreaInset(edge: .bottom, spacing: 0) { meaning }
            .page()
            .navigationTitle(Text("Tap a word", bundle: .module))
            .navigationBarTitleDisplayMode(.inline)
            .toolbar {
                ToolbarItem(placement: .confirmationAction) { Button(Text("Done", bundle: .module)) { dismiss() } }
            }
        }
        .presentationDetents([.large])
        .onDisappear { conversation.ask(nil, in: message) }
    }

    @ViewBuilder private var meaning: some View {
        if let asked = conversation.asked {
            VStack(alignment: .leading, spacing: 4) {
                Text(verbatim: asked.word).font(.headline)
                HelpText(help: asked.meaning).font(.title3)
            }
            .padding(Metrics.padding)
            .column()
            .background { palette.card.ignoresSafeArea() }
            .accessibilityGroup("meaning")
        }
    }

    private func button(_ word: String) -> some View {
        Button {
            conversation.ask(word, in: message)
        } label: {
            Text(verbatim: word)
                .frame(maxWidth: .infinity, minHeight: Metrics.control)
                .background(
                    word == conversation.asked?.word ? palette.prompt : palette.card, in: RoundedRectangle(cornerRadius: 12)
                )
                .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .foregroundStyle(palette.text)
    }
}
