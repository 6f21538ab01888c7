import EndlessCodeClient
import EndlessCodeWire
import HighlightKit
import MarkdownKit
import SwiftUI
import ViewKit

/// A use of a tool: one line, which unfolds to its input and output. Edits show their diff from the start.
struct ToolCard: View {
    let call: ToolCall
    let isNested: Bool
    let folder: String?
    @State private var isExpanded: Bool?
    @Environment(\.palette) private var palette

    private var action: ToolAction? { call.name.map { ToolAction(call, name: $0, folder: folder) } }

    var body: some View {
        let action = action
        VStack(alignment: .leading, spacing: 0) {
            header(action)
            if let permission = call.permission {
                AnswerNote(closed: permission, isPermission: true).padding(.horizontal, 12).padding(.bottom, 10)
            }
            if isExpanded ?? (action?.isShownAtOnce ?? false) {
                VStack(alignment: .leading, spacing: 10) {
                    if let action { ToolDetail(action: action) }
                    output(action)
                }
                .padding([.horizontal, .bottom], 10)
            }
        }
        .background { RoundedRectangle(cornerRadius: Metrics.corner).stroke(palette.outline) }
        .nested(isNested)
        .padding(.vertical, 4)
        .accessibilityGroup("tool")
    }

    private func header(_ action: ToolAction?) -> some View {
        let isExpanded = isExpanded ?? (action?.isShownAtOnce ?? false)
        let name = action?.name ?? ""
        return Button {
            withAnimation { self.isExpanded = !isExpanded }
        } label: {
            HStack(spacing: 8) {
                Image(systemName: action?.kind.symbol ?? "terminal").foregroundStyle(palette.accent).accessibilityHidden(true)
                // Names of other servers' tools may be longer than the screen is wide.
                Text(verbatim: name).fontWeight(.semibold).lineLimit(1).fixedSize(horizontal: name.count <= 24, vertical: true)
                Text(verbatim: action?.subject.firstLine ?? "")
                    .monospaced()
                    .foregroundStyle(palette.secondary)
                    .lineLimit(1)
                    .truncationMode(.middle)
                Spacer()
                state
                Image(systemName: isExpanded ? "chevron.up" : "chevron.down")
                    .foregroundStyle(palette.secondary)
                    .accessibilityHidden(true)
            }
            .font(.footnote)
            .padding(.horizontal, 12)
            .frame(minHeight: Metrics.control)
            .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .accessibilityValue(isExpanded ? Text("Unfolded", bundle: .module) : Text("Folded", bundle: .module))
    }

    @ViewBuilder private var state: some View {
        if call.isRunning {
            ProgressView().accessibilityLabel(Text("Running", bundle: .module))
        } else if call.output == nil {
            Image(systemName: "stop.fill")
                .foregroundStyle(palette.warning)
                .accessibilityLabel(Text("Stopped", bundle: .module))
        } else {
            Image(systemName: call.isError ? "xmark.circle.fill" : "checkmark")
                .foregroundStyle(call.isError ? palette.error : palette.success)
                .accessibilityLabel(call.isError ? Text("Failed", bundle: .module) : Text("Succeeded", bundle: .module))
        }
    }

    @ViewBuilder private func output(_ action: ToolAction?) -> some View {
        if let output = call.output, !output.isEmpty, call.isError || !(action?.tellsAll ?? false) {
            let title = call.isError ? Text("Error", bundle: .module) : Text("Output", bundle: .module)
            if action?.outputLanguage == nil, TerminalOutput.isNeeded(for: output) {
                TerminalBlock(output: output, title: title)
            } else {
                CodeBlock(text: output, language: action?.outputLanguage, title: title)
            }
        }
    }
}

/// The input of a tool.
private struct ToolDetail: View {
    let action: ToolAction

    var body: some View {
        switch action.detail {
        case .command(let command):
            CodeBlock(text: command, language: .shell, title: Text(verbatim: CodeLanguage.shell.name))
        case .edits(let edits): Stepped(edits, by: 20) { EditBlock(edit: $0, path: $0.path ?? action.subject) }
        case .content(let content):
            CodeBlock(text: content, language: language, title: Text(verbatim: action.subject))
        case .plan(let plan): PlanBlock(text: plan)
        case .tasks(let tasks): TaskList(tasks: tasks)
        case .none: EmptyView()
        }
        if !action.text.isEmpty {
            CodeBlock(text: action.text, language: nil, title: Text("From the agent", bundle: .module))
        }
        if action.detail == .none, !action.showsWholeInput { InputBlock(input: action.input) }
    }

    private var language: CodeLanguage? { action.path.flatMap { CodeLanguage(fileName: $0) } }
}

/// The exact input of a tool as JSON.
struct InputBlock: View {
    let input: String

    var body: some View {
        CodeBlock(
            text: input, language: .json, title: Text("Complete input", bundle: .module), identifier: "input"
        )
    }
}

/// A change of a file as a diff.
private struct EditBlock: View {
    let edit: ToolAction.Edit
    let path: String
    @State private var zoom = CodeZoom()
    @State private var cache = DiffCache()
    /// Count of lines that are shown.
    @State private var limit = Self.page
    @Environment(\.palette) private var palette

    /// Count of lines that are shown at first, and added by each tap.
    private static let page = 400

    var body: some View {
        let language = CodeLanguage(fileName: path)
        let diff = cache.diff(of: edit, language)
        VStack(alignment: .leading, spacing: 0) {
            HStack(spacing: 8) {
                Text(verbatim: path).font(.footnote).foregroundStyle(palette.secondary).lineLimit(1)
                if let diff { DiffCounts(inserted: diff.insertedCount, deleted: diff.deletedCount) }
                if edit.replacesAll {
                    Text("Everywhere", bundle: .module).font(.caption).foregroundStyle(palette.warning).fixedSize()
                }
                Spacer()
                ZoomButton(zoom: zoom)
                CopyButton(text: edit.new)
            }
            .padding(.leading, 12)
            .frame(minHeight: Metrics.control)
            Divider()
            if let diff {
                DiffView(rows: Array(diff.rows.prefix(limit)), zoom: zoom).padding(.vertical, 6)
                if diff.rows.count > limit { MoreButton { limit += Self.page }.padding(.horizontal, 12) }
            } else {
                ProgressView().frame(maxWidth: .infinity, minHeight: Metrics.control)
            }
        }
        .cardBackground()
        .clipShape(RoundedRectangle(cornerRadius: Metrics.corner))
        .task(id: edit) { await cache.make(edit, language) }
    }
}

/// A cache of the diff of an edit, made at once for a short edit, and off the main actor for a long one.
@MainActor @Observable
private final class DiffCache {
    /// Changes when a diff is made, so that the view that shows it is evaluated again.
    private var madeCount = 0
    @ObservationIgnored private var edit: ToolAction.Edit?
    @ObservationIgnored private var diff: EditDiff?

    /// Maximum length of a short edit in bytes of UTF-8.
    private static let shortLength = 4096

    nonisolated init() {}
    nonisolated deinit {}

    /// - Returns: Nil until the diff is made.
    func diff(of edit: ToolAction.Edit, _ language: CodeLanguage?) -> EditDiff? {
        _ = madeCount
        guard edit != self.edit else { return diff }
        (self.edit, diff) = (edit, nil)
        if edit.old.utf8.count + edit.new.utf8.count <= Self.shortLength {
            diff = EditDiff(edit, language)
        }
        return diff
    }

    /// Makes the diff of a long edit.
    func make(_ edit: ToolAction.Edit, _ language: CodeLanguage?) async {
        guard edit == self.edit, diff == nil else { return }
        let made = await EditDiff.make(edit, language)
        guard edit == self.edit else { return }
        diff = made
        madeCount += 1
    }
}

/// The lines of an edit.
nonisolated private struct EditDiff: Sendable {
    let rows: [DiffRow]
    let insertedCount: Int
    let deletedCount: Int

    init(_ edit: ToolAction.Edit, _ language: CodeLanguage?) {
        rows = DiffRows.rows(replacing: edit.old, with: edit.new, language)
        insertedCount = rows.count { $0.kind == .inserted }
        deletedCount = rows.count { $0.kind == .deleted }
    }

    @concurrent static func make(_ edit: ToolAction.Edit, _ language: CodeLanguage?) async -> EditDiff {
        EditDiff(edit, language)
    }
}

private struct PlanBlock: View {
    let text: String
    @State private var markdown = GrowingMarkdown()

    var body: some View {
        MarkdownView(markdown.document(of: text, isWriting: false))
            .padding(12)
            .cardBackground()
    }
}

private struct TaskList: View {
    let tasks: [ToolAction.TaskItem]

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            Stepped(tasks, by: 100) { TaskRow(task: $0) }
        }
        .card(padding: 12)
    }
}

/// An entry of the agent's list of tasks.
struct TaskRow: View {
    let task: ToolAction.TaskItem
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(alignment: .top, spacing: 8) {
            Image(systemName: task.state.symbol).foregroundStyle(color(task.state)).accessibilityLabel(task.state.words)
            Text(verbatim: task.text)
                .strikethrough(task.state == .completed)
                .foregroundStyle(task.state == .completed ? palette.secondary : palette.text)
        }
        .font(.subheadline)
    }

    private func color(_ state: ToolAction.TaskItem.State) -> Color {
        switch state {
        case .pending: palette.secondary
        case .inProgress: palette.accent
        case .completed: palette.success
        }
    }
}

@MainActor
extension ToolAction.TaskItem.State {
    fileprivate var symbol: String {
        switch self {
        case .pending: "circle"
        case .inProgress: "play.fill"
        case .completed: "checkmark.circle.fill"
        }
    }

    fileprivate var words: Text {
        switch self {
        case .pending: Text("Pending", bundle: .module)
        case .inProgress: Text("In progress", bundle: .module)
        case .completed: Text("Completed", bundle: .module)
        }
    }
}

@MainActor
extension ToolAction {
    /// True if the card is unfolded from the start.
    fileprivate var isShownAtOnce: Bool {
        switch kind {
        case .edit, .write, .tasks, .plan: detail != .none
        default: false
        }
    }

    /// True if the input shows what the tool has done, and the output only confirms it.
    fileprivate var tellsAll: Bool { isShownAtOnce }

    /// The language of the output: that of the file that was read, or nil.
    fileprivate var outputLanguage: CodeLanguage? { kind == .read ? path.flatMap { CodeLanguage(fileName: $0) } : nil }
}

extension ToolAction.Kind {
    @MainActor var symbol: String {
        switch self {
        case .command: "terminal"
        case .read: "doc.text"
        case .edit, .write: "pencil"
        case .list: "folder"
        case .search: "magnifyingglass"
        case .web: "globe"
        case .agent: "person.2"
        case .tasks: "list.bullet"
        case .plan: "flag"
        case .question: "questionmark.circle"
        case .other: "slider.horizontal.3"
        }
    }
}

extension String {
    /// The first line, up to 300 characters, for a place with one line.
    fileprivate var firstLine: String { String(prefix { !$0.isNewline }.prefix(300)) }
}
