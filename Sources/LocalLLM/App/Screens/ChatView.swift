import LocalLLMClient
import LocalLLMWire
import PlatformKit
import SwiftUI
import ViewKit

/// The Chat screen: header, transcript and prompt field.
struct ChatView: View {
    let client: ChatClient
    let conversation: Conversation
    let phone: Phone
    let window: AppWindow

    var body: some View {
        VStack(spacing: 0) {
            ChatHeader(client: client, phone: phone, window: window)
            Divider()
            if client.link == .open, client.info?.waiting.isEmpty == false { WaitingPhones(client: client) }
            transcript
            Composer(client: client)
        }
        .page()
    }

    private var transcript: some View {
        let last = conversation.exchanges.last?.id
        return ScrollViewReader { scroll in
            ScrollView {
                LazyVStack(spacing: 28) {
                    ForEach(conversation.exchanges) { ExchangeView(exchange: $0, client: client) }
                }
                .padding(Metrics.padding)
                .column()
            }
            .defaultScrollAnchor(.bottom)
            .scrollDismissesKeyboard(.interactively)
            // Shows a new prompt, from any scroll position.
            .scrolls(scroll, to: last, anchor: .bottom, onChangeOf: last)
        }
        // An overlay, so that the placeholder needs no space of its own.
        .overlay { if conversation.exchanges.isEmpty { EmptyTranscript() } }
        .clipped()
    }
}

/// The placeholder of an empty transcript.
private struct EmptyTranscript: View {
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(spacing: 8) {
            Image(systemName: "text.bubble").font(.system(size: 40)).foregroundStyle(palette.accent).accessibilityHidden(true)
            Text("Ask a question", bundle: .module)
                .font(.title3.weight(.semibold))
                .accessibilityAddTraits(.isHeader)
                .accessibilityHeading(.h2)
            Text("Write a message, and the host answers.", bundle: .module)
                .font(.subheadline)
                .foregroundStyle(palette.secondary)
                .multilineTextAlignment(.center)
        }
        .padding(32)
        .allowsHitTesting(false)
    }
}

/// The host's name, its model and the verified mark, with the Disconnect and Clear buttons.
private struct ChatHeader: View {
    let client: ChatClient
    let phone: Phone
    let window: AppWindow
    @State private var choosesModel = false
    @State private var confirmsClear = false
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 4) {
            SymbolButton(symbol: "chevron.backward", Text("Disconnect", bundle: .module)) { client.disconnect() }
            title
            if let models = client.info?.models, models.count > 1 { modelButton(models) }
            clearButton
        }
        .padding(.horizontal, 8)
        .padding(.vertical, 4)
        .column()
    }

    private var title: some View {
        VStack(alignment: .leading, spacing: 2) {
            TitleText(title: client.info?.hostName ?? "", window: window, phone: phone).font(.headline)
            HStack(spacing: 8) {
                TrustMark(isVerified: client.isVerified)
                Text(verbatim: client.model ?? "").lineLimit(1).foregroundStyle(palette.secondary)
                activity
            }
            .font(.caption)
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }

    /// The state of the connection or of the host, if the host cannot answer at once.
    @ViewBuilder private var activity: some View {
        if client.link != .open {
            Text("Connecting", bundle: .module).foregroundStyle(palette.error).fixedSize()
        } else if client.info?.status == .busy, !client.isGenerating {
            Text("Busy", bundle: .module).fontWeight(.semibold).foregroundStyle(palette.error).fixedSize()
        }
    }

    private func modelButton(_ models: [String]) -> some View {
        SymbolButton(symbol: "chevron.up.chevron.down", Text("Choose a model", bundle: .module)) { choosesModel = true }
            .accessibilityValue(Text(verbatim: client.model ?? ""))
            .accessibilityIdentifier("model")
            .confirmationDialog(Text("Choose a model", bundle: .module), isPresented: $choosesModel, titleVisibility: .visible) {
                ForEach(models, id: \.self) { model in
                    Button {
                        client.choose(model: model)
                    } label: {
                        Text(verbatim: model)
                    }
                }
            }
    }

    private var clearButton: some View {
        SymbolButton(symbol: "trash", Text("Clear", bundle: .module)) { confirmsClear = true }
            .disabled(!client.canClear)
            .confirmationDialog(
                Text("Clear the transcript?", bundle: .module), isPresented: $confirmsClear, titleVisibility: .visible
            ) {
                Button(Text("Clear Transcript", bundle: .module), role: .destructive) { client.clear() }
            } message: {
                Text("The model will not remember it either.", bundle: .module)
            }
    }
}

/// The prompt field with Send, or Stop while an answer is generated.
private struct Composer: View {
    @Bindable var client: ChatClient
    @FocusState private var isFocused: Bool
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            if client.isDraftTooLong {
                Text("The prompt is too long. Shorten it to 8,192 bytes.", bundle: .module)
                    .font(.footnote)
                    .foregroundStyle(palette.error)
            }
            HStack(alignment: .bottom, spacing: 0) {
                ComposerField(
                    text: $client.draft, prompt: Text("Message", bundle: .module), identifier: "prompt", isFocused: $isFocused
                ) { client.send() }
                if client.isGenerating {
                    ComposerButton(.stop) { client.stop() }
                } else {
                    ComposerButton(.send, isEnabled: client.canSend) { client.send() }
                }
            }
            .composerOutline()
        }
        .padding(.horizontal, Metrics.padding)
        .padding(.vertical, 8)
        .column()
        .background { palette.background }
    }
}
