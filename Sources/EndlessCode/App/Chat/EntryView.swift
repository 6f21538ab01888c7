import EndlessCodeClient
import EndlessCodeWire
import HighlightKit
import MarkdownKit
import SwiftUI
import ViewKit

/// An entry of a transcript, below the header of a day it begins. One view, so that the transcript only creates visible entries.
struct EntryView: View {
    let row: TranscriptRow
    let client: AgentClient
    let conversation: Conversation
    let screen: ChatScreen
    let folder: String?

    private var entry: ChatEntry { row.entry }

    var body: some View {
        VStack(alignment: .leading, spacing: 0) {
            if row.beginsDay { DateSeparator(date: entry.date, now: screen.now) }
            content
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }

    @ViewBuilder private var content: some View {
        switch entry.content {
        case .user(let text): UserBubble(text: text) { RelativeTime(date: entry.date, now: screen.now, showsDay: false) }
        case .queued(let text): QueuedBubble(text: text, isActive: client.sessions[conversation.id]?.state == .active)
        case .undelivered(let text):
            UndeliveredBubble(text: text) { client.sendAgain(entry, of: conversation) }
        case .outgoing(let prompt): OutgoingBubble(prompt: prompt, client: client, conversation: conversation)
        case .agent(let text, let isWriting):
            AgentText(id: entry.id, text: text, isWriting: isWriting, isNested: isNested)
            if entry.isCut { WholeButton(entry: entry, client: client, conversation: conversation, screen: screen) }
        case .tool(let call):
            // Questions of the tool are entries of their own.
            if !call.isQuestion || call.isError {
                ToolCard(call: call, isNested: isNested, folder: folder)
            }
            if entry.isCut { WholeButton(entry: entry, client: client, conversation: conversation, screen: screen) }
        case .question(let question): QuestionCard(question: question, client: client, screen: screen)
        case .result(let result):
            ResultRow(
                result: result, id: entry.id, conversation: conversation, client: client, screen: screen, answer: row.answer
            ) {
                RelativeTime(date: entry.date, now: screen.now, showsDay: false)
            }
        case .notice(let notice): NoticeRow(notice: notice, isLatest: row.isLatest, screen: screen)
        case .unknown(let json): UnknownRow(json: json)
        }
    }

    private var isNested: Bool { entry.parentToolUseId != nil }
}

// MARK: Text

/// A prompt.
private struct UserBubble<Note: View>: View {
    let text: String
    var isSent = true
    @ViewBuilder let note: Note
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .trailing, spacing: 4) {
            Text(verbatim: text)
                .textSelection(.enabled)
                .lineSpacing(3)
                .padding(.horizontal, 14)
                .padding(.vertical, 10)
                .background(palette.prompt, in: RoundedRectangle(cornerRadius: 16))
                .opacity(isSent ? 1 : 0.75)
                .accessibilityLabel(Text("You: \(text)", bundle: .module))
            note.font(.caption).foregroundStyle(palette.secondary)
        }
        .padding(.leading, 40)
        .frame(maxWidth: .infinity, alignment: .trailing)
        .padding(.vertical, 8)
    }
}

/// A prompt that the agent has not taken up.
private struct QueuedBubble: View {
    let text: String
    /// True if the session is active.
    let isActive: Bool

    var body: some View {
        UserBubble(text: text, isSent: false) {
            HStack(spacing: 5) {
                Image(systemName: "clock").accessibilityHidden(true)
                isActive
                    ? Text("Queued", bundle: .module) : Text("Waits until the session is resumed", bundle: .module)
            }
        }
        .accessibilityGroup("queued")
    }
}

/// A prompt that was not delivered to the agent.
private struct UndeliveredBubble: View {
    let text: String
    let sendAgain: () -> Void
    @Environment(\.palette) private var palette

    var body: some View {
        UserBubble(text: text, isSent: false) {
            VStack(alignment: .trailing, spacing: 0) {
                HStack(spacing: 5) {
                    Image(systemName: "exclamationmark.circle.fill").accessibilityHidden(true)
                    Text("Not delivered to the agent", bundle: .module)
                }
                .foregroundStyle(palette.error)
                Button(Text("Send Again", bundle: .module)) { sendAgain() }.buttonStyle(TextButtonStyle(alignment: .trailing))
            }
        }
        .accessibilityGroup("undelivered")
    }
}

/// A prompt of this phone that the server has not accepted.
private struct OutgoingBubble: View {
    let prompt: OutgoingPrompt
    let client: AgentClient
    let conversation: Conversation
    @Environment(\.palette) private var palette

    var body: some View {
        UserBubble(text: prompt.text, isSent: false) {
            VStack(alignment: .trailing, spacing: 0) {
                HStack(spacing: 5) {
                    Image(systemName: symbol).accessibilityHidden(true)
                    words
                }
                .foregroundStyle(isRefused ? palette.error : palette.secondary)
                buttons
            }
        }
        .accessibilityGroup("outgoing")
    }

    private var isRefused: Bool { if case .refused = prompt.state { true } else { false } }

    private var symbol: String {
        switch prompt.state {
        case .waiting: "clock"
        case .sending: "arrow.up.circle"
        case .needsResume: "exclamationmark.circle"
        case .refused: "exclamationmark.circle.fill"
        }
    }

    private var words: Text {
        switch prompt.state {
        case .waiting: Text("Waits for the connection", bundle: .module)
        case .sending: Text("Sending", bundle: .module)
        case .needsResume: Text("Waits until the session is resumed", bundle: .module)
        case .refused(let problem): Text(verbatim: problem.words)
        }
    }

    @ViewBuilder private var buttons: some View {
        if prompt.state != .sending {
            HStack(spacing: 20) {
                if isRefused {
                    button(Text("Send Again", bundle: .module)) { await client.retry(prompt.id) }
                }
                button(Text("Take Back", bundle: .module)) { await takeBack() }
            }
        }
    }

    private func takeBack() async {
        guard let text = await client.discard(prompt.id) else { return }
        conversation.draft = conversation.draft.isEmpty ? text : text + "\n" + conversation.draft
    }

    private func button(_ words: Text, _ action: @escaping @MainActor () async -> Void) -> some View {
        CommandButton(words) { await action() }.buttonStyle(TextButtonStyle(alignment: .trailing))
    }
}

/// Text of the agent, with a row for each block.
private struct AgentText: View {
    let id: String
    let text: String
    let isWriting: Bool
    let isNested: Bool
    @State private var markdown = GrowingMarkdown()
    @State private var limit = MarkdownView.step

    var body: some View {
        let excerpt = markdown.document(of: text, isWriting: isWriting).excerpt(partLimit: limit)
        LazyVStack(alignment: .leading, spacing: 0) {
            ForEach(rows(excerpt)) { row in
                MarkdownBlockView(block: row.block)
                    .nested(isNested)
                    .padding(.vertical, 6)
            }
            if excerpt.isCut { MoreButton { limit += MarkdownView.step }.nested(isNested) }
        }
        // The blocks are scroll targets of the transcript, too.
        .scrollTargetLayout()
    }

    private func rows(_ excerpt: MarkdownExcerpt) -> [BlockRow] {
        excerpt.sections.flatMap(\.blocks).map { BlockRow(id: RowID(entry: id, part: $0.id), block: $0) }
    }
}

private struct BlockRow: Identifiable {
    let id: RowID
    let block: MarkdownBlock
}

extension View {
    /// Indents an entry of a sub-agent.
    func nested(_ isNested: Bool) -> some View { modifier(Nesting(isNested: isNested)) }
}

private struct Nesting: ViewModifier {
    let isNested: Bool
    @Environment(\.palette) private var palette

    func body(content: Content) -> some View {
        content
            .padding(.leading, isNested ? 14 : 0)
            .overlay(alignment: .leading) {
                if isNested { Rectangle().fill(palette.outline).frame(width: 2) }
            }
    }
}

/// A button that fetches the whole of a cut message.
private struct WholeButton: View {
    let entry: ChatEntry
    let client: AgentClient
    let conversation: Conversation
    let screen: ChatScreen

    var body: some View {
        Button(Text("Load the Whole Message", bundle: .module)) {
            screen.run { () async throws(CodeProblem) in try await client.loadWhole(entry, of: conversation) }
        }
        .buttonStyle(TextButtonStyle(alignment: .leading))
    }
}

// MARK: Other entries

/// A question and its answer. An open question is answered on the sheet.
private struct QuestionCard: View {
    let question: AskedQuestion
    let client: AgentClient
    let screen: ChatScreen
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 6) {
            HStack(alignment: .top, spacing: 8) {
                Image(systemName: "questionmark.circle").foregroundStyle(palette.accent).accessibilityHidden(true)
                Text(verbatim: question.question.question).fontWeight(.semibold).textSelection(.enabled)
            }
            if let closed = question.closed {
                AnswerNote(closed: closed, isPermission: false).padding(.leading, 28)
            } else if client.prompts.contains(where: { $0.id == question.id }) {
                Button(Text("Answer", bundle: .module)) { screen.shownPrompt = question.id }
                    .buttonStyle(TextButtonStyle(alignment: .leading))
                    .padding(.leading, 28)
            }
        }
        .font(.subheadline)
        .card(padding: 12)
        .padding(.vertical, 5)
        .accessibilityGroup("question")
    }
}

/// The answer to a question or permission, and the phone that gave it.
struct AnswerNote: View {
    let closed: ClosedPrompt
    let isPermission: Bool
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 2) {
            answer
            if let by = closed.by, !closed.isOwn, closed.outcome == .answered {
                Text("Answered on \(by)", bundle: .module).foregroundStyle(palette.secondary)
            }
        }
        .font(.footnote)
        .accessibilityGroup("answered")
    }

    @ViewBuilder private var answer: some View {
        switch closed.outcome {
        case .expired: note("clock", Text("Nobody answered in time: refused", bundle: .module), palette.warning)
        case .withdrawn: note("minus.circle", Text("Withdrawn by the agent", bundle: .module), palette.secondary)
        case .answered where isPermission:
            closed.allows
                ? note("checkmark.circle", allowed, palette.success)
                : note("xmark.circle", denied, palette.error)
            if !closed.allows, let reason = closed.customInput { Text(verbatim: reason).foregroundStyle(palette.text) }
        case .answered:
            let text = (closed.selectedOptions + [closed.customInput].compactMap(\.self)).joined(separator: ", ")
            note("checkmark.circle", Text(verbatim: text), palette.success)
        }
    }

    private var allowed: Text {
        switch closed.selectedOptions.first {
        case QuestionOption.allowForThisSession.label: Text("Allowed for this session", bundle: .module)
        case let label? where label != QuestionOption.allow.label: Text(verbatim: String(label.visible.prefix(100)))
        default: Text("Allowed", bundle: .module)
        }
    }

    private var denied: Text {
        guard let label = closed.selectedOptions.first, label != QuestionOption.deny.label else {
            return Text("Denied", bundle: .module)
        }
        return Text(verbatim: String(label.visible.prefix(100)))
    }

    private func note(_ symbol: String, _ words: Text, _ color: Color) -> some View {
        HStack(alignment: .top, spacing: 5) {
            Image(systemName: symbol).accessibilityHidden(true)
            words.fontWeight(.semibold)
        }
        .foregroundStyle(color)
    }
}

/// The end of a turn, with its duration, cost and tokens.
private struct ResultRow<Time: View>: View {
    let result: TurnResult
    let id: ChatEntry.ID
    let conversation: Conversation
    let client: AgentClient
    let screen: ChatScreen
    /// The text that the button copies.
    let answer: String?
    @ViewBuilder let time: Time
    @Environment(\.palette) private var palette

    var body: some View {
        VStack(alignment: .leading, spacing: 0) {
            if result.isError, let text = result.text, !text.isEmpty {
                Text(verbatim: text).foregroundStyle(palette.error).textSelection(.enabled).padding(.top, 6)
            }
            HStack(spacing: 8) {
                VStack(alignment: .leading, spacing: 2) {
                    HStack(spacing: 6) {
                        Image(systemName: symbol).accessibilityHidden(true)
                        words.fontWeight(.semibold)
                    }
                    .foregroundStyle(color)
                    HStack(spacing: 0) {
                        Text(verbatim: figures + " · ").monospacedDigit().accessibilityLabel(spokenFigures)
                        time
                    }
                }
                .frame(maxWidth: .infinity, alignment: .leading)
                if let answer, !answer.isEmpty { CopyButton(text: answer) }
            }
            .frame(minHeight: 52)
            if result.reason == "crashed", let prompt = conversation.lostPrompt(of: id) { againButton(prompt) }
        }
        .font(.footnote)
        .foregroundStyle(palette.secondary)
        .overlay(alignment: .bottom) { Rectangle().fill(palette.outline).frame(height: 1) }
        .padding(.bottom, 8)
        .accessibilityGroup("result")
    }

    private func againButton(_ prompt: String) -> some View {
        Button(Text("Send Again", bundle: .module)) {
            screen.run { () async throws(CodeProblem) in try await client.send(prompt, in: conversation) }
            screen.scrollToEnd()
        }
        .buttonStyle(TextButtonStyle(alignment: .leading))
    }

    private var symbol: String {
        switch result.reason {
        case "interrupted": "stop.fill"
        case _ where result.isError: "exclamationmark.circle.fill"
        default: "checkmark"
        }
    }

    private var color: Color {
        result.reason == "interrupted" ? palette.warning : result.isError ? palette.error : palette.success
    }

    private var words: Text {
        switch result.reason {
        case "interrupted": Text("Stopped", bundle: .module)
        case "crashed": Text("Crashed", bundle: .module)
        case _ where result.isError: Text("Failed", bundle: .module)
        default: Text("Done", bundle: .module)
        }
    }

    /// The duration, cost and tokens, as in `12 s · $0.0123 · ↑1.2k ↓300`.
    private var figures: String {
        var parts = [Figures.duration(result.durationMs)]
        if let cost = result.costUSD, cost > 0 { parts.append(Figures.cost(cost)) }
        if let tokens = Figures.tokens(result.inputTokens, result.outputTokens) { parts.append(tokens) }
        return parts.joined(separator: " · ")
    }

    private var spokenFigures: Text {
        Text(
            "\(Figures.duration(result.durationMs)), \(result.inputTokens ?? 0) tokens read, \(result.outputTokens ?? 0) tokens written",
            bundle: .module)
    }
}

/// Short forms of numbers, the same in every language.
enum Figures {
    static func duration(_ milliseconds: Int) -> String {
        let seconds = max(milliseconds, 0) / 1000
        if seconds < 10 { return "\(seconds).\(max(milliseconds, 0) % 1000 / 100) s" }
        return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
    }

    static func cost(_ dollars: Double) -> String {
        guard (0..<1e6).contains(dollars) else { return "$?" }
        // In ten-thousandths of a dollar; in cents from one dollar on.
        let units = Int((dollars * 10_000).rounded())
        if units >= 10_000 { return "$\(units / 10_000).\(padded(units % 10_000 / 100, 2))" }
        return "$0.\(padded(units, 4))"
    }

    static func tokens(_ input: Int?, _ output: Int?) -> String? {
        // Agents that do not count tokens report zero.
        guard let input, let output, input > 0 || output > 0 else { return nil }
        return "↑\(short(input)) ↓\(short(output))"
    }

    static func short(_ count: Int) -> String {
        switch count {
        case ..<1000: "\(count)"
        case ..<100_000: "\(count / 1000).\(count % 1000 / 100)k"
        case ..<1_000_000: "\(count / 1000)k"
        default: "\(count / 1_000_000).\(count % 1_000_000 / 100_000)M"
        }
    }

    private static func padded(_ number: Int, _ length: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, length - text.count)) + text
    }
}

/// A message of a kind that this version does not know.
private struct UnknownRow: View {
    let json: String?
    @Environment(\.palette) private var palette

    var body: some View {
        DisclosureGroup {
            if let json {
                CodeBlock(text: json, language: .json, title: Text(verbatim: "JSON")).padding(.vertical, 6)
            }
        } label: {
            Text("Unknown message", bundle: .module)
                .font(.footnote)
                .foregroundStyle(palette.secondary)
                .frame(maxWidth: .infinity, minHeight: Metrics.control, alignment: .leading)
        }
    }
}
