package import EndlessCodeWire
import Foundation
import HighlightKit
package import WireKit

/// A use of a tool, in a form for people.
///
/// The names and inputs are those of the `claude` program; the demo agent has the same. Agents over the Agent Client Protocol
/// report the kind, and content for people. An unknown tool is shown by its input.
package struct ToolAction: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case command, read, edit, write, list, search, web, agent, tasks, plan, question, other
    }

    package enum Detail: Hashable, Sendable {
        case command(String)
        case edits([Edit])
        /// The content of a new file.
        case content(String)
        /// Markdown.
        case plan(String)
        case tasks([TaskItem])
        /// No detail beyond ``ToolAction/subject`` or the input.
        case none
    }

    /// A text that replaces another one in a file.
    package struct Edit: Hashable, Sendable, Identifiable {
        /// The index among the edits.
        package let id: Int
        package let old: String
        package let new: String
        /// True if every occurrence is replaced, not only the first.
        package let replacesAll: Bool
        /// The file; nil if it is the ``ToolAction/subject``.
        package var path: String?
    }

    /// An entry of the agent's own list of tasks.
    package struct TaskItem: Hashable, Sendable, Identifiable {
        package enum State: Hashable, Sendable { case pending, inProgress, completed }

        /// The index in the list.
        package let id: Int
        package let text: String
        package let state: State
    }

    package let kind: Kind
    /// The tool's own name. Characters that cannot be seen are escaped.
    package let name: String
    /// The object that the tool works on: a file's path, a command, a pattern. Empty if the input has none.
    package let subject: String
    package let detail: Detail
    /// The agent's own description of a command. Empty without one.
    package let note: String
    /// Texts that the agent shows with the use, as they are. Empty without any.
    package let text: String
    /// The complete input as JSON, with sorted keys and one value per line. Characters that cannot be seen are escaped.
    package var input: String { json.printed }
    private let json: JSONValue
    /// True if ``subject``, ``detail`` and ``note`` together show every value of the input.
    package let showsWholeInput: Bool

    /// - Parameters:
    ///   - kind: See ``ToolUse/kind``.
    ///   - content: See ``ToolUse/content``.
    ///   - folder: The project's folder. Paths below it are shown relative to it.
    package init(
        name: String, input: JSONValue?, kind: String? = nil, content: [ToolContent] = [], folder: String? = nil
    ) {
        let input = input ?? .null
        var reader = InputReader(input, folder: folder)
        self.name = name.visible
        var note = ""
        let edits = Self.edits(in: content, folder: folder)
        var (action, subject, detail) =
            kind.map { Self.read(kind: $0, &reader, &note) } ?? Self.read(name, &reader, &note)
        if !edits.isEmpty {
            if detail == .none { detail = .edits(edits) }
            if kind == nil, action == .other { action = .edit }
            if subject.isEmpty, action == .edit { subject = edits[0].path ?? "" }
        }
        (self.kind, self.subject, self.detail, self.note) = (action, subject, detail, note)
        // Changes that the detail does not show become part of the text.
        let others = detail == .edits(edits) ? [] : edits.map { "\($0.path ?? "")\n- \($0.old)\n+ \($0.new)" }
        let texts = content.compactMap { if case .text(let text) = $0 { text.visible } else { nil } }
        text = (texts + others).joined(separator: "\n")
        showsWholeInput = reader.isEverythingRead
        json = input
    }

    package init(_ call: ToolCall, name: String, folder: String?) {
        self.init(name: name, input: call.input, kind: call.kind, content: call.content, folder: folder)
    }

    package init(_ request: PromptRequest, folder: String?) {
        self.init(
            name: request.toolName ?? "", input: request.toolInput, kind: request.toolKind, content: request.toolContent ?? [],
            folder: folder)
    }

    /// The name of the tool that asks questions, which arrive as prompts.
    static let questionTool = "AskUserQuestion"

    /// The file that the tool reads or changes; nil for other tools.
    package var path: String? {
        switch kind {
        case .read, .edit, .write: subject.isEmpty ? nil : subject
        default: nil
        }
    }

    /// Returns the changes of files in a content.
    private static func edits(in content: [ToolContent], folder: String?) -> [Edit] {
        var edits: [Edit] = []
        for case .diff(let path, let old, let new) in content {
            let shown = InputReader.shown(path, in: folder)
            edits.append(Edit(id: edits.count, old: (old ?? "").visible, new: new.visible, replacesAll: false, path: shown))
        }
        return edits
    }

    /// Reads a use whose agent reports its kind as a word of the protocol. Agents choose the members of their inputs.
    private static func read(kind: String, _ input: inout InputReader, _ note: inout String) -> (Kind, String, Detail) {
        switch kind {
        case "execute":
            let command = (input.string("command") ?? input.string("cmd") ?? "").visible
            note = (input.string("description") ?? "").visible
            return (.command, command, command.isEmpty ? .none : .command(command))
        case "read": return (.read, input.path("file_path", "path", "abs_path"), .none)
        case "edit", "delete", "move": return (.edit, input.path("file_path", "path", "abs_path"), .none)
        case "search": return (.search, (input.string("pattern") ?? input.string("query") ?? "").visible, .none)
        case "fetch": return (.web, (input.string("url") ?? "").visible, .none)
        case "plan": return (.tasks, "", .tasks(input.tasks()))
        default: return (.other, input.anyText, .none)
        }
    }

    private static func read(_ name: String, _ input: inout InputReader, _ note: inout String) -> (Kind, String, Detail) {
        switch name {
        case "Bash":
            let command = (input.string("command") ?? "").visible
            note = (input.string("description") ?? "").visible
            return (.command, command, .command(command))
        case "Read", "NotebookRead": return (.read, input.path("file_path", "notebook_path"), .none)
        case "Edit":
            let path = input.path("file_path")
            return (.edit, path, .edits([input.edit(0)].compactMap(\.self)))
        case "MultiEdit":
            let path = input.path("file_path")
            return (.edit, path, .edits(input.edits()))
        case "Write": return (.write, input.path("file_path"), .content((input.string("content") ?? "").visible))
        case "LS": return (.list, input.path("path"), .none)
        case "Glob", "Grep": return (.search, (input.string("pattern") ?? "").visible, .none)
        case "WebFetch": return (.web, (input.string("url") ?? "").visible, .none)
        case "WebSearch": return (.web, (input.string("query") ?? "").visible, .none)
        case "Task", "Agent":
            return (.agent, (input.string("description") ?? "").visible, .plan((input.string("prompt") ?? "").visible))
        case "TodoWrite": return (.tasks, "", .tasks(input.tasks()))
        case "ExitPlanMode": return (.plan, "", .plan((input.string("plan") ?? "").visible))
        case questionTool: return (.question, input.firstQuestion, .none)
        default: return (.other, input.anyText, .none)
        }
    }
}

/// A reader of a tool's input that records the members that were read.
private struct InputReader {
    private let members: [String: JSONValue]
    private let folder: String?
    private var read: Set<String> = []
    private var isOpaque = false

    init(_ input: JSONValue, folder: String?) {
        if case .object(let members) = input { self.members = members } else { (members, isOpaque) = ([:], true) }
        self.folder = folder
    }

    var isEverythingRead: Bool { !isOpaque && members.keys.allSatisfy(read.contains) }

    mutating func string(_ key: String) -> String? {
        guard case .string(let text)? = members[key] else { return nil }
        read.insert(key)
        return text
    }

    mutating func path(_ keys: String...) -> String {
        for key in keys { if let path = string(key) { return Self.shown(path, in: folder) } }
        return ""
    }

    /// Returns a path without the project's folder.
    static func shown(_ path: String, in folder: String?) -> String {
        if path == folder { return "." }
        guard let folder, path.hasPrefix(folder + "/") else { return path.visible }
        // A path with `..` may leave the folder.
        guard !path.split(separator: "/").contains("..") else { return path.visible }
        return String(path.dropFirst(folder.count + 1)).visible
    }

    mutating func edit(_ id: Int) -> ToolAction.Edit? {
        guard let old = string("old_string"), let new = string("new_string") else { return nil }
        var replacesAll = false
        if case .bool(let value)? = members["replace_all"] {
            replacesAll = value
            read.insert("replace_all")
        }
        return ToolAction.Edit(id: id, old: old.visible, new: new.visible, replacesAll: replacesAll)
    }

    mutating func edits() -> [ToolAction.Edit] {
        guard case .array(let values)? = members["edits"] else { return [] }
        var edits: [ToolAction.Edit] = []
        var isWhole = true
        for value in values {
            var reader = InputReader(value, folder: nil)
            if let edit = reader.edit(edits.count) { edits.append(edit) } else { isWhole = false }
            isWhole = isWhole && reader.isEverythingRead
        }
        if isWhole { read.insert("edits") }
        return edits
    }

    mutating func tasks() -> [ToolAction.TaskItem] {
        guard case .array(let values)? = members["todos"] else { return [] }
        return values.enumerated().compactMap { index, value in
            var reader = InputReader(value, folder: nil)
            guard let text = reader.string("content") else { return nil }
            let state: ToolAction.TaskItem.State =
                switch reader.string("status") {
                case "completed": .completed
                case "in_progress": .inProgress
                default: .pending
                }
            return ToolAction.TaskItem(id: index, text: text.visible, state: state)
        }
    }

    /// The text of the first question; empty without one.
    var firstQuestion: String {
        guard case .array(let questions)? = members["questions"], case .object(let first)? = questions.first,
            case .string(let text)? = first["question"]
        else { return "" }
        return text.visible
    }

    /// The first text of an unknown tool's input, by name; empty without one.
    var anyText: String {
        for key in members.keys.sorted() { if case .string(let text)? = members[key] { return text.visible } }
        return ""
    }
}

extension JSONValue {
    /// The value for people: sorted keys, one value per line, and no character that cannot be seen.
    fileprivate var printed: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding fails only for numbers that JSON cannot express, and the value comes from JSON.
        let data = (try? encoder.encode(self)) ?? Data()
        return String(decoding: data, as: UTF8.self).visible
    }
}

extension ToolCall {
    /// True if the tool only asks questions, which are entries of their own: ``ChatEntry/Content/question(_:)``.
    package var isQuestion: Bool { name == ToolAction.questionTool }
}
