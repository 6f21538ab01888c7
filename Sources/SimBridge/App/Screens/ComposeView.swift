import SimBridgeClient
import SimBridgeWire
import SwiftUI
import ViewKit

/// A conversation with one number and the composer.
struct ComposeView: View {
    let bridge: Bridge
    /// The number of the conversation; nil if the user enters it before the first text.
    let number: String?
    let open: (Route) -> Void
    @State private var to = ""
    @State private var sentTo: String?
    @State private var chosenSIM: Int?
    @State private var numberProblem: BridgeProblem?
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(spacing: 0) {
            if fixedNumber == nil { recipient }
            transcript
            footer
        }
        .page()
        .navigationTitle(fixedNumber.map { contact($0) } ?? Text("New message", bundle: .module))
        .navigationBarTitleDisplayMode(.inline)
        .toolbar { toolbar }
        .onAppear { if fixedNumber == nil { to = bridge.draft.to } }
        .onChange(of: to) {
            numberProblem = nil
            if fixedNumber == nil { bridge.draft.to = to }
        }
    }

    private var transcript: some View {
        ScrollViewReader { scroll in
            ScrollView {
                LazyVStack(spacing: 12) {
                    if let number = recipientNumber {
                        OlderRow(bridge: bridge, list: bridge.history) { bridge.conversation(with: number)?.entries.count ?? 0 }
                    }
                    ForEach(entries) { row($0) }
                    Color.clear.frame(height: 1).id(ListEnd.end)
                }
                .padding(Metrics.padding)
                .column()
            }
            .defaultScrollAnchor(.bottom)
            // The user's own text scrolls into view even if the user has scrolled up.
            .scrolls(scroll, to: ListEnd.end, anchor: .bottom, onChangeOf: entries.last(where: \.isOwnText)?.id)
        }
    }

    @ViewBuilder private func row(_ entry: Conversation.Entry) -> some View {
        switch entry {
        case .text(let text): MessageBubble(message: text, bridge: bridge, open: open)
        case .call(let call): CallRow(call: call, showsSIM: bridge.sims.count > 1, open: open)
        }
    }

    private var recipient: some View {
        VStack(alignment: .leading, spacing: 6) {
            InputField(title: "To", identifier: "to", example: Text("For example +1 555 0100", bundle: .module), text: $to)
                .keyboardType(.phonePad)
                .textContentType(.telephoneNumber)
            ErrorText(problem: numberProblem)
        }
        .padding(.horizontal, Metrics.padding)
        .padding(.top, 12)
        .column()
    }

    @ViewBuilder private var footer: some View {
        if let number, (try? PhoneNumber.checked(number)) == nil {
            // The sender is a name, such as a bank's, or unknown.
            Text("You can’t reply to this sender.", bundle: .module)
                .font(.subheadline)
                .foregroundStyle(palette.onSurfaceVariant)
                .padding(Metrics.padding)
        } else {
            Composer(
                bridge: bridge, to: fixedNumber ?? to, isNew: fixedNumber == nil, sim: sim, chosenSIM: $chosenSIM,
                numberProblem: $numberProblem
            ) {
                if number == nil { sentTo = $0 }
            }
        }
    }

    @ToolbarContentBuilder private var toolbar: some ToolbarContent {
        ToolbarItem(placement: .topBarTrailing) {
            if let number = fixedNumber, (try? PhoneNumber.checked(number)) != nil {
                Button {
                    open(.dialer(number))
                } label: {
                    Image(systemName: "phone.fill").foregroundStyle(palette.link)
                }
                .accessibilityLabel(Text("Make Call", bundle: .module))
            }
        }
    }

    private var entries: [Conversation.Entry] { recipientNumber.flatMap { bridge.conversation(with: $0)?.entries } ?? [] }

    /// The slot of the SIM card that the user has chosen, else of the conversation's card; nil if unknown.
    private var sim: Int? { bridge.sim(for: recipientNumber, isOpen: fixedNumber != nil, chosen: chosenSIM) }
    private var fixedNumber: String? { number ?? sentTo }
    private var recipientNumber: String? { fixedNumber ?? (try? PhoneNumber.checked(to)) }
}

/// The scroll position behind the last entry.
private enum ListEnd { case end }

extension Conversation.Entry {
    fileprivate var isOwnText: Bool { if case .text(let text) = self { text.isOutgoing } else { false } }
}

/// The composer: SIM card, text and Send.
private struct Composer: View {
    let bridge: Bridge
    let to: String
    /// True for a new text, false for a reply in a conversation. Unsent drafts of both kinds are saved.
    let isNew: Bool
    /// The slot of the SIM card that sends the text; nil while it is unknown.
    let sim: Int?
    @Binding var chosenSIM: Int?
    /// The error about the number, shown next to its field; nil if there is none.
    @Binding var numberProblem: BridgeProblem?
    let didSend: (String) -> Void
    @State private var text = ""
    @State private var command = UserCommand()
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(spacing: 10) {
            SIMSelector(bridge: bridge, sim: sim, chosen: $chosenSIM)
            ErrorText(problem: command.problem)
            HStack(alignment: .bottom, spacing: 10) {
                field
                Button {
                    send()
                } label: {
                    Image(systemName: "paperplane.fill")
                        .font(.title3)
                        .foregroundStyle(canSend ? palette.onPrimary : palette.onSurfaceVariant)
                        .frame(width: 48, height: 48)
                        .background(canSend ? palette.primary : palette.card, in: Circle())
                }
                .buttonStyle(.plain)
                .disabled(!canSend)
                .keyboardShortcut(.return, modifiers: .command)
                .accessibilityLabel(Text("Send", bundle: .module))
            }
            HStack {
                SegmentCounter(text: text)
                Spacer()
            }
        }
        .padding(.horizontal, Metrics.padding)
        .padding(.vertical, 10)
        .column()
        .background { palette.surface }
        .overlay(alignment: .top) { Divider() }
        .onAppear { text = isNew ? bridge.draft.body : bridge.reply(to: to) }
        .onChange(of: text) {
            command.problem = nil
            guard isNew else { return bridge.keepReply(text, to: to) }
            bridge.draft.body = text
            if !text.isEmpty { bridge.draft.to = to }
        }
        .onChange(of: to) { command.problem = nil }
    }

    private var field: some View {
        TextField("", text: $text, prompt: prompt, axis: .vertical)
            .textFieldStyle(.plain)
            .lineLimit(1...5)
            .sendsWithReturn { if canSend { send() } }
            .foregroundStyle(palette.onSurface)
            .padding(.horizontal, 14)
            .padding(.vertical, 12)
            .frame(minHeight: 48)
            .fieldTouchArea()
            .background(palette.card, in: RoundedRectangle(cornerRadius: 24))
            .overlay { RoundedRectangle(cornerRadius: 24).stroke(palette.outline).allowsHitTesting(false) }
            .accessibilityLabel(Text("Message", bundle: .module))
            .accessibilityIdentifier("message")
    }

    private var prompt: Text { Text("Message", bundle: .module).foregroundStyle(palette.placeholder) }

    private var canSend: Bool { !to.isEmpty && sim != nil && !text.allSatisfy(\.isWhitespace) }

    private func send() {
        guard let sim else { return }
        let body = text
        command.run {
            let number = try await bridge.sendText(to: to, body: body, sim: sim)
            // Keep text typed while sending.
            if text == body { text = "" }
            // The next new message starts without a recipient, so that it does not go to the last recipient by mistake.
            if isNew { bridge.draft = Draft() }
            didSend(number)
        } onFailure: { problem in
            // An error about the number is shown next to its field.
            guard case .number? = problem else { return }
            numberProblem = problem
            command.problem = nil
        }
    }
}
