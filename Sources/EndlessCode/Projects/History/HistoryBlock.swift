import WireKit

/// A part of a record that becomes one message, as a range of the record's bytes.
enum HistoryBlock {
    case text(HistoryMessage.Role, Range<Int>)
    case toolUse(Range<Int>)
    case toolResult(Range<Int>)
    case question(tool: Range<Int>, Range<Int>)
    case unknown(Range<Int>)

    /// Maximum messages of one record.
    private static let maximumCount = 10_000
    /// The tool with which the model asks the user.
    private static let questionTool: StaticString = "AskUserQuestion"

    /// - Parameter content: A string or an array of blocks.
    static func all(in content: Range<Int>, by role: HistoryMessage.Role, _ json: JSONBytes) -> [HistoryBlock] {
        if json.isString(content) { return isBlank(content, json) ? [] : [.text(role, content)] }
        var blocks: [HistoryBlock] = []
        json.elements(of: content) { element in
            guard json.isObject(element), let type = json.member("type", of: element) else { return true }
            if json.isString(type, "text") {
                if let text = json.member("text", of: element), json.isString(text), !isBlank(text, json) {
                    blocks.append(.text(role, text))
                }
            } else if json.isString(type, "tool_use") {
                let questions = questions(in: element, json)
                blocks += questions.isEmpty ? [.toolUse(element)] : questions
            } else if json.isString(type, "tool_result") {
                blocks.append(.toolResult(element))
            } else if !hidden.contains(where: { json.isString(type, $0) }) {
                blocks.append(.unknown(element))
            }
            return blocks.count < maximumCount
        }
        return blocks
    }

    /// The types of blocks that are not shown: thoughts of the model, and tools that run on the model's server.
    private static let hidden: [StaticString] = [
        "thinking", "redacted_thinking", "server_tool_use", "web_search_tool_result", "web_fetch_tool_result",
    ]

    private static func isBlank(_ text: Range<Int>, _ json: JSONBytes) -> Bool {
        // A text of only white space is not expected to be longer.
        json.string(text, limit: 1000)?.allSatisfy(\.isWhitespace) ?? true
    }

    private static func questions(in tool: Range<Int>, _ json: JSONBytes) -> [HistoryBlock] {
        guard json.isString(json.member("name", of: tool), questionTool), tool.count <= HistoryMessage.maximumSize,
            let questions = json.member("input", of: tool).flatMap({ json.member("questions", of: $0) })
        else { return [] }
        var blocks: [HistoryBlock] = []
        json.elements(of: questions) { question in
            guard let text = json.member("question", of: question), json.isString(text) else { return true }
            blocks.append(.question(tool: tool, question))
            return blocks.count < 100
        }
        return blocks
    }

    // MARK: Messages

    /// Returns the content of the message. `isCut` is true if a part of it is missing.
    func content(_ json: JSONBytes) -> (HistoryMessage.Content, isCut: Bool) {
        let content = whole(json)
        switch (self, content) {
        case (.text(_, let range), _), (.toolResult(let range), _): return (content, range.count > HistoryMessage.maximumSize)
        case (.toolUse(let range), .unknown), (.unknown(let range), _): return (content, range.count > HistoryMessage.previewSize)
        default: return (content, false)
        }
    }

    private func whole(_ json: JSONBytes) -> HistoryMessage.Content {
        switch self {
        case .text(let role, let text): return .text(role, Self.string(text, json) ?? "")
        case .toolUse(let block):
            guard block.count <= HistoryMessage.maximumSize, let name = Self.member("name", of: block, json),
                let input = json.member("input", of: block).map({ json.value($0) }) ?? .null
            else { return Self.unknown(block, json) }
            return .toolUse(id: Self.member("id", of: block, json) ?? "", name: name, input: input)
        case .toolResult(let block):
            return .toolResult(
                toolUseID: Self.member("tool_use_id", of: block, json) ?? "",
                output: json.member("content", of: block).map { Self.output($0, json) } ?? "",
                isError: json.isTrue(json.member("is_error", of: block)))
        case .question(let tool, let question):
            var options: [HistoryMessage.Option] = []
            if let list = json.member("options", of: question) {
                json.elements(of: list) { option in
                    if let label = Self.member("label", of: option, json) {
                        options.append(.init(label: label, description: Self.member("description", of: option, json)))
                    }
                    return options.count < 100
                }
            }
            return .question(
                toolUseID: Self.member("id", of: tool, json) ?? "", text: Self.member("question", of: question, json) ?? "",
                options: options, allowsSeveral: json.isTrue(json.member("multiSelect", of: question)))
        case .unknown(let block): return Self.unknown(block, json)
        }
    }

    /// Returns the text of a tool's result: a string, or the texts of its blocks. Other blocks appear as `[image]`.
    private static func output(_ content: Range<Int>, _ json: JSONBytes) -> String {
        if let text = string(content, json) { return text }
        var output = ""
        json.elements(of: content) { block in
            let text: String?
            if let own = json.member("text", of: block) {
                text = string(own, json)
            } else {
                text = member("type", of: block, json).map { "[\($0)]" }
            }
            if let text { output += (output.isEmpty ? "" : "\n") + text }
            return output.utf8.count < HistoryMessage.maximumSize
        }
        return output
    }

    /// Returns a string value, cut if it is longer than ``HistoryMessage/maximumSize``; nil for another value.
    private static func string(_ range: Range<Int>, _ json: JSONBytes) -> String? {
        json.string(range, limit: range.count > HistoryMessage.maximumSize ? HistoryMessage.previewSize : .max)
    }

    private static func member(_ key: StaticString, of range: Range<Int>, _ json: JSONBytes) -> String? {
        json.string(json.member(key, of: range), limit: HistoryMessage.previewSize)
    }

    private static func unknown(_ block: Range<Int>, _ json: JSONBytes) -> HistoryMessage.Content {
        .unknown(json: json.text(block, limit: HistoryMessage.previewSize))
    }
}
