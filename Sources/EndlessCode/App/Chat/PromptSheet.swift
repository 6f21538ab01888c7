import EndlessCodeClient
import EndlessCodeWire
import HighlightKit
import SwiftUI
import ViewKit

/// A presenter of the sheet of a question, when the question arrives and when the user asks for it.
///
/// The sheet never covers text that the user is writing, and appears by itself only once for each question.
struct PromptPresenter: View {
    let client: AgentClient
    let conversation: Conversation
    let screen: ChatScreen
    let navigation: AppNavigation
    let folder: String?
    @State private var showsSheet = false
    /// The question on the sheet, also while the sheet disappears after the question is closed.
    @State private var shown: OpenPrompt?
    /// The last question whose sheet appeared by itself.
    @State private var announced: PromptRequest.ID?

    private var prompts: [OpenPrompt] { client.prompts(of: conversation.id) }
    private var isInFront: Bool { navigation.tab == .chat && navigation.chat.last == conversation.id }

    var body: some View {
        Color.clear
            .accessibilityHidden(true)
            .onChange(of: prompts.map(\.id), initial: true) { announce() }
            .onChange(of: isInFront) { announce() }
            .onChange(of: screen.isComposing) { announce() }
            .onChange(of: prompts.first { $0.id == screen.shownPrompt }, initial: true) { _, prompt in
                if let prompt { shown = prompt }
            }
            .onChange(of: screen.shownPrompt) { showsSheet = prompts.contains { $0.id == screen.shownPrompt } }
            .sheet(isPresented: $showsSheet, onDismiss: dismissed) {
                if let shown { PromptSheet(prompt: shown, client: client, screen: screen, folder: folder).id(shown.request) }
            }
    }

    private func announce() {
        let ids = prompts.map(\.id)
        // The question was answered. The next one has a sheet of its own: a second tap must not allow what the user has not read.
        if let shown = screen.shownPrompt, !ids.contains(shown) { return screen.shownPrompt = nil }
        guard isInFront, !screen.isComposing, screen.shownPrompt == nil, let first = ids.first, first != announced else { return }
        announced = first
        screen.shownPrompt = first
    }

    private func dismissed() {
        // The next question may have arrived while the sheet disappeared.
        if !showsSheet, screen.shownPrompt == shown?.id { screen.shownPrompt = nil }
        announce()
    }
}

/// The sheet of a question: options, free text, or Allow and Deny.
struct PromptSheet: View {
    let prompt: OpenPrompt
    let client: AgentClient
    let screen: ChatScreen
    let folder: String?
    @State private var draft: OpenPrompt.Draft
    @State private var problem: CodeProblem?
    @State private var review: Review?
    @State private var progress = ReviewProgress()
    @Environment(\.palette) private var palette
    @Environment(\.verticalSizeClass) private var height

    init(prompt: OpenPrompt, client: AgentClient, screen: ChatScreen, folder: String?) {
        (self.prompt, self.client, self.screen, self.folder) = (prompt, client, screen, folder)
        _draft = State(initialValue: prompt.draft)
    }

    private var question: Question { prompt.request.question }
    private var isSending: Bool { prompt.answer != nil }

    var body: some View {
        ScrollViewReader { scroller in
            VStack(spacing: 0) {
                header
                Divider()
                ScrollView { content.padding(Metrics.padding).column() }
                    .accessibilityIdentifier("review")
                Divider()
                VStack(spacing: 8) {
                    UnreadNote(review: review, progress: progress) {
                        withAnimation { scroller.scrollTo(progress.next(), anchor: .top) }
                    }
                    buttons
                }
                .padding(Metrics.padding)
                .column()
            }
        }
        .page()
        .presentationDetents([.large])
        .accessibilityGroup("prompt-sheet")
        .onChange(of: draft) { client.keep(draft, of: prompt.id) }
        // A small review is made with the first frame, a larger one in a task.
        .onAppear {
            guard review == nil, prompt.request.isSmaller(than: Review.immediateSize) else { return }
            review = Review(prompt.request, folder: folder)
        }
        .task {
            if review == nil { review = await Review.make(prompt.request, folder: folder) }
        }
    }

    /// The rows of the review. Lazy, so that rows and the end report when they come into sight.
    private var content: some View {
        LazyVStack(alignment: .leading, spacing: 0) {
            if let review {
                ForEach(review.rows) { row in
                    ReviewRowView(row: row).onAppear { progress.didSee(row: row.id) }
                }
                if let input = review.hiddenInput { HiddenInput(input: input).padding(.top, 14) }
                if !prompt.isPermission, !question.options.isEmpty { options.padding(.top, 14) }
                field
                    .padding(.top, 14)
                    .frame(minHeight: ReviewProgress.endDistance, alignment: .top)
                Color.clear.frame(height: 1).onAppear { progress.didSeeEnd() }
            } else {
                ProgressView()
                    .accessibilityLabel(Text("Loading", bundle: .module))
                    .frame(maxWidth: .infinity, minHeight: 160)
            }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
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
                    option: option, isSelected: draft.selected.contains(option.label), isMultiple: question.multiSelect
                ) { choose(option.label) }
            }
        }
        .disabled(isSending)
    }

    private func choose(_ label: String) {
        if let index = draft.selected.firstIndex(of: label) {
            draft.selected.remove(at: index)
        } else if question.multiSelect {
            draft.selected.append(label)
        } else {
            draft.selected = [label]
        }
    }

    private var field: some View {
        VStack(alignment: .leading, spacing: 6) {
            (prompt.isPermission
                ? Text("Reason for a refusal", bundle: .module)
                : question.options.isEmpty ? Text("Your answer", bundle: .module) : Text("Or your own answer", bundle: .module))
                .font(.footnote)
                .foregroundStyle(palette.secondary)
                .accessibilityHidden(true)
            TextField("", text: $draft.text, axis: .vertical)
                .textFieldStyle(.plain)
                .lineLimit(1...5)
                .sendsWithReturn { send() }
                .padding(12)
                .frame(minHeight: 48)
                .fieldTouchArea()
                .fieldBackground()
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
    }

    @ViewBuilder private var permissionButtons: some View {
        let options = question.options
        let further = options.filter { $0.label != QuestionOption.allow.label && $0.label != QuestionOption.deny.label }
        // A phone in landscape has room for three buttons beside each other, and hardly any below.
        let isBeside = further.count == 1 && height == .compact
        HStack(spacing: 10) {
            Button(words(of: .deny)) { deny() }
                .buttonStyle(WideButtonStyle(role: .destructive))
            if isBeside { furtherButton(further[0]) }
            // Some agents do not offer to allow one use alone.
            if options.contains(where: { $0.label == QuestionOption.allow.label }) {
                Button(words(of: .allow)) { attempt { () throws(CodeProblem) in try client.allow(prompt.id) } }
                    .buttonStyle(WideButtonStyle())
                    .disabled(!canAllow)
            }
        }
        if !isBeside {
            if further.count > 3 || height == .compact && further.count > 1 {
                ScrollView { furtherButtons(further) }.frame(maxHeight: height == .compact ? 60 : 180)
            } else {
                furtherButtons(further)
            }
        }
    }

    private func furtherButtons(_ options: [QuestionOption]) -> some View {
        VStack(spacing: 8) { ForEach(options, id: \.label) { furtherButton($0) } }
    }

    /// Returns the button of an option that also decides on further uses, in the agent's words.
    private func furtherButton(_ option: QuestionOption) -> some View {
        Button {
            attempt { () throws(CodeProblem) in try client.answer(prompt.id, options: [option.label]) }
        } label: {
            VStack(spacing: 2) {
                words(of: option).lineLimit(2)
                if option.kind == "allow_always" {
                    Text("Also allows later uses", bundle: .module).font(.caption).fontWeight(.regular)
                } else if option.kind == "reject_always" {
                    Text("Also refuses later uses", bundle: .module).font(.caption).fontWeight(.regular)
                }
            }
            .multilineTextAlignment(.center)
        }
        .buttonStyle(WideButtonStyle(role: .other))
        .disabled(option.allows ? !canAllow : writtenText != nil)
    }

    /// Returns the agent's own words for an option, or else the app's.
    private func words(of option: QuestionOption) -> Text {
        let offered = question.options.first { $0.label == option.label }
        if let name = offered?.name { return Text(verbatim: String(name.visible.prefix(100))) }
        switch option.label {
        case QuestionOption.allow.label: return Text("Allow", bundle: .module)
        case QuestionOption.deny.label: return Text("Deny", bundle: .module)
        case QuestionOption.allowForThisSession.label: return Text("Allow for This Session", bundle: .module)
        default: return Text(verbatim: String(option.label.visible.prefix(100)))
        }
    }

    /// True once the whole review was in sight, unless the user has written a text, which is the reason for a refusal.
    private var canAllow: Bool { progress.hasSeenEnd && writtenText == nil }

    private var answerButton: some View {
        Button(Text("Send Answer", bundle: .module)) { answer() }
            .buttonStyle(WideButtonStyle())
            .disabled(!canAnswer)
    }

    private var canAnswer: Bool { progress.hasSeenEnd && !(draft.selected.isEmpty && writtenText == nil) }

    /// The chosen labels in the order of the options.
    private var orderedSelection: [String] { question.options.map(\.label).filter(draft.selected.contains) }

    private var writtenText: String? { draft.text.allSatisfy(\.isWhitespace) ? nil : draft.text }

    /// Sends the written text: the answer, or the refusal with its reason.
    private func send() {
        if prompt.isPermission {
            if writtenText != nil { deny() }
        } else if canAnswer {
            answer()
        }
    }

    private func answer() {
        attempt { () throws(CodeProblem) in try client.answer(prompt.id, options: orderedSelection, text: writtenText) }
    }

    private func deny() { attempt { () throws(CodeProblem) in try client.deny(prompt.id, reason: writtenText) } }

    private func attempt(_ action: () throws(CodeProblem) -> Void) {
        do throws(CodeProblem) {
            problem = nil
            try action()
        } catch {
            problem = error
        }
    }
}

/// The complete input of a tool, folded because the rows above show all of it.
private struct HiddenInput: View {
    let input: String

    var body: some View {
        DisclosureGroup {
            InputBlock(input: input).padding(.vertical, 6)
        } label: {
            Text("Complete input", bundle: .module)
                .font(.footnote)
                .frame(maxWidth: .infinity, minHeight: Metrics.control, alignment: .leading)
        }
    }
}

/// The time until the question expires, and the agent's request is refused.
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
                    ReviewText.runs(of: option.label.visible).text(in: palette).fontWeight(.semibold)
                    if let description = option.description, !description.isEmpty {
                        ReviewText.runs(of: description.visible).text(in: palette).font(.subheadline).foregroundStyle(
                            palette.secondary)
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
