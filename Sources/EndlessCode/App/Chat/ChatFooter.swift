import EndlessCodeClient
import EndlessCodeWire
import PlatformKit
import SwiftUI
import ViewKit

/// The part below the transcript: the session's state, an open question, and the input while it is shown.
struct ChatFooter: View {
    let client: AgentClient
    let conversation: Conversation
    let phone: Phone
    let screen: ChatScreen
    @Environment(\.palette) private var palette

    private var session: Session? { client.sessions[conversation.id] }

    /// The last failure of the agent that the server reported, apart from the reason of a crash.
    private var failure: Text? {
        guard let error = conversation.error, error.code != .agentCrashed else { return nil }
        return Text(verbatim: error.code.words ?? error.message)
    }

    var body: some View {
        VStack(spacing: 0) {
            if let prompt = client.prompts(of: conversation.id).first { PromptBar(prompt: prompt, screen: screen) }
            if let session, session.state != .active {
                InactiveBar(session: session, client: client, conversation: conversation, screen: screen)
            }
            if let failure { failure.font(.subheadline).padding(.horizontal, Metrics.padding).padding(.vertical, 8).column() }
            if let problem = screen.problem {
                ProblemText(problem: problem).padding(.horizontal, Metrics.padding).padding(.vertical, 8).column()
            }
            if let mode = session?.permissionMode, mode != "default" { ModeNote(mode: mode) }
            if screen.composer.isShown {
                Composer(client: client, conversation: conversation, phone: phone, screen: screen)
                    .transition(.move(edge: .bottom).combined(with: .opacity))
            }
        }
        .background { palette.background.ignoresSafeArea() }
        .overlay(alignment: .top) { Rectangle().fill(palette.outline).frame(height: 1).allowsHitTesting(false) }
    }
}

/// A bar for an open question whose sheet is closed.
private struct PromptBar: View {
    let prompt: OpenPrompt
    let screen: ChatScreen
    @Environment(\.palette) private var palette

    var body: some View {
        Button {
            screen.shownPrompt = prompt.id
        } label: {
            HStack(spacing: 10) {
                Image(systemName: prompt.isPermission ? "hand.raised" : "questionmark.circle")
                    .foregroundStyle(palette.warning)
                    .accessibilityHidden(true)
                Text(verbatim: prompt.request.question.question)
                    .font(.subheadline.weight(.semibold))
                    .lineLimit(2)
                    .frame(maxWidth: .infinity, alignment: .leading)
                Text("Answer", bundle: .module).font(.subheadline.weight(.semibold)).foregroundStyle(palette.accent).fixedSize()
            }
            .padding(.horizontal, Metrics.padding)
            .frame(minHeight: 52)
            .column()
            .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .accessibilityIdentifier("prompt-bar")
    }
}

/// A bar for a session that takes no prompts, with the reason and a Resume button.
private struct InactiveBar: View {
    let session: Session
    let client: AgentClient
    let conversation: Conversation
    let screen: ChatScreen
    @State private var showsReason = false

    var body: some View {
        VStack(alignment: .leading, spacing: 0) {
            HStack(spacing: 8) {
                words.font(.subheadline).frame(maxWidth: .infinity, alignment: .leading)
                if reason != nil { reasonButton }
                resumeButton
            }
            .frame(minHeight: 52)
            if showsReason, let reason {
                ScrollView {
                    CodeBlock(text: reason, language: nil, title: Text(verbatim: "stderr")).padding(.bottom, 10)
                }
                .frame(maxHeight: 220)
            }
        }
        .padding(.horizontal, Metrics.padding)
        .column()
        .accessibilityGroup("inactive")
    }

    /// The last lines of a crashed agent's standard error; nil without any.
    private var reason: String? {
        guard session.state == .crashed, let error = conversation.error, error.code == .agentCrashed, !error.message.isEmpty else {
            return nil
        }
        return error.message
    }

    private var words: Text {
        switch session.state {
        case .crashed: Text("The agent ended unexpectedly.", bundle: .module)
        case .paused: Text("The session is paused.", bundle: .module)
        default: Text("The session has ended.", bundle: .module)
        }
    }

    private var reasonButton: some View {
        Button(showsReason ? Text("Hide Reason", bundle: .module) : Text("Show Reason", bundle: .module)) {
            withAnimation { showsReason.toggle() }
        }
        .buttonStyle(TextButtonStyle())
    }

    private var resumeButton: some View {
        Button(Text("Resume", bundle: .module)) {
            screen.run { () async throws(CodeProblem) in try await client.resume(session.id) }
        }
        .buttonStyle(TextButtonStyle())
        .disabled(screen.isRunning || client.status != .connected)
    }
}

/// A note of the agent's permission mode, if the mode is not the default.
private struct ModeNote: View {
    let mode: String
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 6) {
            Image(systemName: "hand.raised").accessibilityHidden(true)
            words
        }
        .font(.footnote)
        .foregroundStyle(palette.warning)
        .padding(.horizontal, Metrics.padding)
        .padding(.top, 8)
        .frame(maxWidth: .infinity, alignment: .leading)
        .column()
    }

    private var words: Text {
        switch mode {
        case "acceptEdits": Text("Changes files without asking.", bundle: .module)
        case "plan": Text("Plans only, and changes nothing.", bundle: .module)
        case "bypassPermissions": Text("Does everything without asking.", bundle: .module)
        case "dontAsk": Text("Asks nothing: what is not allowed already is refused.", bundle: .module)
        default: Text("Permission mode: \(mode)", bundle: .module)
        }
    }
}

/// The input field with Send, and with Stop while the agent works.
private struct Composer: View {
    let client: AgentClient
    @Bindable var conversation: Conversation
    let phone: Phone
    let screen: ChatScreen
    @State private var sending = UserCommand()
    @FocusState private var isFocused: Bool

    private static let height: CGFloat = 46

    private var isWorking: Bool {
        guard let session = client.sessions[conversation.id] else { return false }
        return session.state == .active && session.activity != .idle
    }

    private var canSend: Bool { !conversation.draft.allSatisfy(\.isWhitespace) }

    var body: some View {
        HStack(alignment: .bottom, spacing: 0) {
            ComposerField(
                text: $conversation.draft, prompt: Text("Message to the agent", bundle: .module), identifier: "message",
                height: Self.height, isFocused: $isFocused
            ) { send() }
            if isWorking {
                ComposerButton(.quietStop, isEnabled: client.status == .connected, height: Self.height) {
                    client.stop(conversation.id)
                }
            }
            if !isWorking || canSend { ComposerButton(.send, isEnabled: canSend, height: Self.height) { send() } }
        }
        .composerOutline(height: Self.height)
        .padding(.horizontal, 12)
        .padding(.vertical, 7)
        .column()
        .onChange(of: isFocused) {
            noteComposing()
            screen.composer.layoutChanged(at: phone.inputTime)
            // The newest message stays in sight above the keyboard.
            if isFocused { screen.scrollToEnd() }
        }
        .onChange(of: conversation.draft.isEmpty) { noteComposing() }
        .onDisappear { screen.isComposing = false }
    }

    private func noteComposing() { screen.isComposing = isFocused && !conversation.draft.isEmpty }

    /// Sends the draft, which stays in the field until the phone has stored the prompt.
    private func send() {
        guard canSend, !sending.isRunning else { return }
        let text = conversation.draft
        screen.report(nil)
        sending.run {
            try await client.send(text, in: conversation)
            screen.scrollToEnd()
        } onFailure: { problem in
            screen.report(problem)
            screen.scrollToEnd()
        }
    }
}
