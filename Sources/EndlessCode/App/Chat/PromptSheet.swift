import EndlessCodeClient
import EndlessCodeWire
import HighlightKit
import SwiftUI
import ViewKit

/// Shows the sheet of a question when it arrives, and when the user asks for it.
///
/// It never comes over the text that the user is writing, nor twice by itself.
struct PromptPresenter: View {
    let client: AgentClient
    let conversation: Conversation
    let screen: ChatScreen
    let navigation: AppNavigation
    let folder: String?
    @State private var showsSheet = false
    /// The last question that came by itself.
    @State private var announced: PromptRequest.ID?

    private var prompts: [OpenPrompt] { client.prompts(of: conversation.id) }
    private var isInFront: Bool { navigation.tab == .chat && navigation.chat.last == conversation.id }

    var body: some View {
        Color.clear
            .accessibilityHidden(true)
            .onChange(of: prompts.map(\.id), initial: true) { announce() }
            .onChange(of: isInFront) { announce() }
            .onChange(of: screen.isComposing) { announce() }
            .onChange(of: screen.shownPrompt) { showsSheet = prompts.contains { $0.id == screen.shownPrompt } }
            .onChange(of: showsSheet) { if !showsSheet { screen.shownPrompt = nil } }
            .sheet(isPresented: $showsSheet, onDismiss: announce) {
                if let prompt = prompts.first(where: { $0.id == screen.shownPrompt }) {
                    PromptSheet(prompt: prompt, client: client, screen: screen, folder: folder).id(prompt.id)
                }
            }
    }

    private func announce() {
        let ids = prompts.map(\.id)
        // Answered, here or on another phone. The next one comes on a sheet of its own: a second tap must not allow what nobody has read.
        if let shown = screen.shownPrompt, !ids.contains(shown) { return screen.shownPrompt = nil }
        guard isInFront, !screen.isComposing, screen.shownPrompt == nil, let first = ids.first, first != announced else { return }
        announced = first
        screen.shownPrompt = first
    }
}

/// A question of the agent: options, free text, or Allow and Deny.
private struct PromptSheet: View {
    let prompt: OpenPrompt
    let client: AgentClient
    let screen: ChatScreen
    let folder: String?
    @State private var selected: [String] = []
    @State private var text = ""
    @State private var problem: CodeProblem?
    @Environment(\.palette) private var palette
    @Environment(\.verticalSizeClass) private var height

    private var question: Question { prompt.request.question }
    private var isSending: Bool { prompt.answer != nil }

    var body: some View {
        VStack(spacing: 0) {
            header
            Divider()
            ScrollView {
                VStack(alignment: .leading, spacing: 14) {
                    Text(verbatim: question.question)
                        .font(.title3.weight(.semibold))
                        .textSelection(.enabled)
                        .accessibilityAddTraits(.isHeader)
                    if prompt.isPermission { permission } else { options }
                    field
                }
                .frame(maxWidth: .infinity, alignment: .leading)
                .padding(Metrics.padding)
                .column()
            }
            Divider()
            buttons
        }
        .page()
        .presentationDetents([.large])
        .accessibilityGroup("prompt-sheet")
    }

    private var header: some View {
        HStack(spacing: 8) {
            Image(systemName: prompt.isPermission ? "hand.raised" : "questionmark.circle")
                .foregroundStyle(palette.warning)
                .accessibilityHidden(true)
            (prompt.isPermission ? Text("Permission", bundle: .module) : Text("Question", bundle: .module)).font(.headline)
            if let end = prompt.expiresAt { TimeLeft(end: end, now: screen.now) }
            Spacer()
            Button(Text("Later", bundle: .module)) { screen.shownPrompt = nil }
                .buttonStyle(TextButtonStyle())
        }
        .padding(.leading, Metrics.padding)
        .padding(.trailing, 8)
        .padding(.vertical, 4)
    }

    // MARK: Questions

    private var options: some View {
        VStack(spacing: 8) {
            ForEach(question.options, id: \.label) { option in
                OptionButton(
                    option: option, isSelected: selected.contains(option.label), isMultiple: question.multiSelect
                ) { choose(option.label) }
            }
        }
        .disabled(isSending)
    }

    private func choose(_ label: String) {
        if let index = selected.firstIndex(of: label) {
            selected.remove(at: index)
        } else if question.multiSelect {
            selected.append(label)
        } else {
            selected = [label]
        }
    }

    @ViewBuilder private var permission: some View {
        let action = ToolAction(name: prompt.request.toolName ?? "", input: prompt.request.toolInput, folder: folder)
        HStack(spacing: 8) {
            Image(systemName: action.kind.symbol).foregroundStyle(palette.accent).accessibilityHidden(true)
            Text(verbatim: action.name).fontWeight(.semibold)
        }
        .accessibilityElement(children: .contain)
        if !action.subject.isEmpty, action.detail == .none {
            Text(verbatim: action.subject).font(.callout).monospaced().textSelection(.enabled)
        }
        ToolDetail(action: action, showsInput: true)
    }

    private var field: some View {
        VStack(alignment: .leading, spacing: 6) {
            (prompt.isPermission
                ? Text("Reason for a refusal", bundle: .module)
                : question.options.isEmpty ? Text("Your answer", bundle: .module) : Text("Or your own answer", bundle: .module))
                .font(.footnote)
                .foregroundStyle(palette.secondary)
                .accessibilityHidden(true)
            TextField("", text: $text, axis: .vertical)
                .textFieldStyle(.plain)
                .lineLimit(1...5)
                .padding(12)
                .frame(minHeight: 48)
                .cardBackground()
                .overlay { RoundedRectangle(cornerRadius: Metrics.corner).stroke(palette.outline).allowsHitTesting(false) }
                .disabled(isSending)
                .accessibilityLabel(
                    prompt.isPermission ? Text("Reason for a refusal", bundle: .module) : Text("Your answer", bundle: .module)
                )
                .accessibilityIdentifier("answer-text")
        }
    }

    // MARK: Buttons

    private var buttons: some View {
        VStack(spacing: 8) {
            if let problem = problem ?? prompt.problem { ProblemText(problem: problem) }
            if isSending {
                HStack(spacing: 8) {
                    ProgressView()
                    Text("Sending the answer", bundle: .module).foregroundStyle(palette.secondary)
                }
                .frame(minHeight: 48)
            } else if prompt.isPermission {
                permissionButtons
            } else {
                answerButton
            }
        }
        .padding(Metrics.padding)
        .column()
    }

    @ViewBuilder private var permissionButtons: some View {
        // A phone on its side has room for three beside each other, and hardly any below.
        let isBeside = prompt.offersSession && height == .compact
        HStack(spacing: 10) {
            Button(Text("Deny", bundle: .module)) {
                attempt { () throws(CodeProblem) in try client.deny(prompt.id, reason: writtenText) }
            }
            .buttonStyle(WideButtonStyle(role: .destructive))
            if isBeside { sessionButton }
            Button(Text("Allow", bundle: .module)) { attempt { () throws(CodeProblem) in try client.allow(prompt.id) } }
                .buttonStyle(WideButtonStyle())
                // The text is the reason for a refusal.
                .disabled(writtenText != nil)
        }
        if prompt.offersSession, !isBeside { sessionButton }
    }

    private var sessionButton: some View {
        Button(Text("Allow for This Session", bundle: .module)) {
            attempt { () throws(CodeProblem) in try client.allowForThisSession(prompt.id) }
        }
        .buttonStyle(WideButtonStyle(role: .other))
        .disabled(writtenText != nil)
    }

    private var answerButton: some View {
        Button(Text("Send Answer", bundle: .module)) {
            attempt { () throws(CodeProblem) in try client.answer(prompt.id, options: orderedSelection, text: writtenText) }
        }
        .buttonStyle(WideButtonStyle())
        .disabled(selected.isEmpty && writtenText == nil)
    }

    /// The chosen labels in the order of the options.
    private var orderedSelection: [String] { question.options.map(\.label).filter(selected.contains) }

    private var writtenText: String? { text.allSatisfy(\.isWhitespace) ? nil : text }

    private func attempt(_ action: () throws(CodeProblem) -> Void) {
        do throws(CodeProblem) {
            problem = nil
            try action()
        } catch {
            problem = error
        }
    }
}

/// The time until the agent is told: refused.
private struct TimeLeft: View {
    let end: Date
    let now: Date
    @Environment(\.palette) private var palette

    var body: some View {
        let minutes = Int((end.timeIntervalSince(now) / 60).rounded(.down))
        (minutes > 0 ? Text("\(minutes) min left", bundle: .module) : Text("Expires now", bundle: .module))
            .font(.footnote)
            .monospacedDigit()
            .foregroundStyle(minutes > 5 ? palette.secondary : palette.warning)
    }
}

private struct OptionButton: View {
    let option: QuestionOption
    let isSelected: Bool
    let isMultiple: Bool
    let choose: () -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        Button {
            choose()
        } label: {
            HStack(alignment: .top, spacing: 12) {
                Image(systemName: symbol)
                    .foregroundStyle(isSelected ? palette.accent : palette.secondary)
                    .accessibilityHidden(true)
                VStack(alignment: .leading, spacing: 3) {
                    Text(verbatim: option.label).fontWeight(.semibold)
                    if let description = option.description, !description.isEmpty {
                        Text(verbatim: description).font(.subheadline).foregroundStyle(palette.secondary)
                    }
                }
                .multilineTextAlignment(.leading)
                .frame(maxWidth: .infinity, alignment: .leading)
            }
            .padding(12)
            .frame(minHeight: 48)
            .background(isSelected ? palette.prompt : palette.card, in: RoundedRectangle(cornerRadius: Metrics.corner))
            .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .accessibilityAddTraits(isSelected ? .isSelected : [])
    }

    private var symbol: String {
        isMultiple ? (isSelected ? "checkmark.square" : "square") : (isSelected ? "checkmark.circle.fill" : "circle")
    }
}
