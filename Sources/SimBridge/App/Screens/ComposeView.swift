import SimBridgeClient
import SwiftUI

/// Texts with one number: those that were, and the next one.
struct ComposeView: View {
    let bridge: Bridge
    /// Nil: it is typed.
    let number: String?
    @State private var to = ""
    @State private var sim = 1
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(spacing: 0) {
            if number == nil { recipient }
            ScrollView {
                LazyVStack(spacing: 12) {
                    if let number = recipientNumber {
                        OlderRow(bridge: bridge, list: bridge.history) {
                            bridge.conversation(with: number)?.messages.count ?? 0
                        }
                    }
                    ForEach(messages) { MessageBubble(message: $0, bridge: bridge) }
                }
                .padding(Metrics.padding)
                .column()
            }
            .defaultScrollAnchor(.bottom)
            Composer(bridge: bridge, to: number ?? to, keepsDraft: number == nil, sim: $sim)
        }
        .page()
        .navigationTitle(number.map { Text(verbatim: $0) } ?? Text("New message", bundle: .module))
        .navigationBarTitleDisplayMode(.inline)
        .onAppear {
            if number == nil { to = bridge.draft.to }
            if let last = messages.last?.sim { sim = last }
        }
        .onChange(of: to) { if number == nil { bridge.draft.to = to } }
    }

    private var recipient: some View {
        InputField(title: "To", identifier: "to", example: "+1 555 0100", text: $to)
            .keyboardType(.phonePad)
            .textContentType(.telephoneNumber)
            .padding(.horizontal, Metrics.padding)
            .padding(.top, 12)
            .column()
    }

    private var messages: [TextMessage] {
        recipientNumber.flatMap { bridge.conversation(with: $0)?.messages } ?? []
    }

    private var recipientNumber: String? { number ?? (try? PhoneNumber.checked(to)) }
}

/// Which card, what to say, and Send.
private struct Composer: View {
    let bridge: Bridge
    let to: String
    /// What is typed is there again at the next start.
    let keepsDraft: Bool
    @Binding var sim: Int
    @State private var text = ""
    @State private var problem: BridgeProblem?
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(spacing: 10) {
            SIMSelector(sims: bridge.sims, sim: $sim)
            ErrorText(problem: problem)
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
        .onAppear { if keepsDraft { text = bridge.draft.body } }
        .onChange(of: text) {
            problem = nil
            guard keepsDraft else { return }
            bridge.draft.body = text
            if !text.isEmpty { bridge.draft.to = to }
        }
        .onChange(of: to) { problem = nil }
    }

    private var field: some View {
        TextField("", text: $text, prompt: prompt, axis: .vertical)
            .textFieldStyle(.plain)
            .lineLimit(1...5)
            .foregroundStyle(palette.onSurface)
            .padding(.horizontal, 14)
            .padding(.vertical, 12)
            .frame(minHeight: 48)
            .background(palette.card, in: RoundedRectangle(cornerRadius: 24))
            .overlay { RoundedRectangle(cornerRadius: 24).stroke(palette.outline).allowsHitTesting(false) }
            .accessibilityLabel(Text("Message", bundle: .module))
            .accessibilityIdentifier("message")
    }

    private var prompt: Text { Text("Message", bundle: .module).foregroundStyle(palette.onSurfaceVariant) }

    private var canSend: Bool { !to.isEmpty && !text.allSatisfy(\.isWhitespace) }

    private func send() {
        let body = text
        problem = nil
        Task {
            do {
                try await bridge.sendText(to: to, body: body, sim: sim)
                // What was typed meanwhile stays.
                if text == body {
                    text = ""
                    // The next one begins with nobody, so that it does not go to the last one by mistake.
                    if keepsDraft { bridge.draft.to = "" }
                }
            } catch {
                problem = error as? BridgeProblem
            }
        }
    }
}
