import EndlessCodeClient
import EndlessCodeWire
import HighlightKit
import ViewKit

/// The complete content of a question or permission, as rows in the order of reading.
nonisolated struct Review: Sendable {
    struct Row: Identifiable, Hashable, Sendable {
        enum Content: Hashable, Sendable {
            /// The text of the question.
            case question(ReviewChunk)
            /// The name of the tool.
            case tool(ToolAction.Kind, String)
            /// The agent's own description.
            case note(ReviewChunk)
            /// The head of a part, with the text that its button copies.
            case head(Part, copies: String)
            case code(Part, ReviewChunk)
            case task(ToolAction.TaskItem)
        }

        /// The index among the rows.
        let id: Int
        let content: Content
        /// Count of lines that the row shows or stands for; at least 1.
        let lineCount: Int
    }

    enum Part: Hashable, Sendable {
        case command
        /// The change of a file.
        case edit(path: String, isEverywhere: Bool)
        case file(path: String)
        case plan
        /// The object of the tool, if nothing else shows it.
        case subject
        /// Texts that the agent shows with the use.
        case text
        case input
    }

    /// Maximum size in bytes of a request whose review is made at once. Larger ones take a while.
    static let immediateSize = 8_192
    /// Maximum size in bytes of an input that is always shown. A larger one is folded if the other parts show all of it.
    private static let inputSize = 2_000

    private(set) var rows: [Row] = []
    /// The complete input if it is not in the rows, because the rows show all of it; nil otherwise.
    private(set) var hiddenInput: String?

    init(_ request: PromptRequest, folder: String?) {
        for chunk in ReviewText.chunks(of: request.question.question.visible) { add(.question(chunk), chunk.lineCount) }
        guard request.kind == .permission else { return }
        let action = ToolAction(request, folder: folder)
        add(.tool(action.kind, action.name))
        for chunk in ReviewText.chunks(of: action.note) where !action.note.isEmpty { add(.note(chunk), chunk.lineCount) }
        add(action)
        if !action.text.isEmpty { add(.text, action.text, nil) }
        if action.showsWholeInput, action.input.utf8.count > Self.inputSize {
            hiddenInput = action.input
        } else {
            add(.input, action.input, .json)
        }
    }

    /// Makes the review of a large request off the main actor.
    @concurrent static func make(_ request: PromptRequest, folder: String?) async -> Review { Review(request, folder: folder) }

    /// Returns the count of lines below a row.
    func lineCount(below row: Int) -> Int { rows.dropFirst(row + 1).reduce(0) { $0 + $1.lineCount } }

    private mutating func add(_ action: ToolAction) {
        let language = action.path.flatMap { CodeLanguage(fileName: $0) }
        switch action.detail {
        case .command(let command): add(.command, command, .shell)
        case .edits(let edits):
            for edit in edits {
                let part = Part.edit(path: edit.path ?? action.subject, isEverywhere: edit.replacesAll)
                add(.head(part, copies: edit.new))
                let rows = DiffRows.rows(replacing: edit.old, with: edit.new, language)
                for chunk in ReviewText.chunks(of: rows) { add(.code(part, chunk), chunk.lineCount) }
            }
        case .content(let content): add(.file(path: action.subject), content, language)
        case .plan(let plan):
            if !action.subject.isEmpty { add(.subject, action.subject, nil) }
            // Shown as source text, because rendered Markdown leaves out parts of it.
            add(.plan, plan, .markdown)
        case .tasks(let tasks): for task in tasks { add(.task(task)) }
        case .none: if !action.subject.isEmpty { add(.subject, action.subject, nil) }
        }
    }

    private mutating func add(_ part: Part, _ text: String, _ language: CodeLanguage?) {
        add(.head(part, copies: text))
        for chunk in ReviewText.chunks(of: text, language) { add(.code(part, chunk), chunk.lineCount) }
    }

    private mutating func add(_ content: Row.Content, _ lineCount: Int = 1) {
        rows.append(Row(id: rows.count, content: content, lineCount: max(1, lineCount)))
    }
}
