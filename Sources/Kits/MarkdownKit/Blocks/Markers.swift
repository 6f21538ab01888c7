/// The marker of a list item.
struct ListMarker: Equatable, Sendable {
    /// The bullet, or the character after the number. Items of one list share it.
    let kind: UInt8
    /// The number of the item; nil for a bullet.
    let number: Int?
    let width: Int

    /// Reads a marker that white space or the end of the line follows.
    init?(_ text: ArraySlice<UInt8>) {
        guard let first = text.first else { return nil }
        if first.isDigit {
            let digits = text.prefix(10).prefix { $0.isDigit }
            guard digits.count < 10, digits.endIndex < text.endIndex else { return nil }
            kind = text[digits.endIndex]
            guard kind == .ascii(".") || kind == .ascii(")") else { return nil }
            number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            width = digits.count + 1
        } else {
            guard first == .ascii("-") || first == .ascii("+") || first == .ascii("*") else { return nil }
            (kind, number, width) = (first, nil, 1)
        }
        let end = text.startIndex + width
        guard end == text.endIndex || text[end].isBlank else { return nil }
    }

    /// True if an item with this marker can follow the text of a paragraph directly: it has content, and begins with 1.
    func canInterrupt(_ text: ArraySlice<UInt8>) -> Bool {
        (number ?? 1) == 1 && !text.dropFirst(width).allSatisfy(\.isBlank)
    }
}

/// The opening line of a fenced code block.
struct Fence: Equatable, Sendable {
    /// The columns before the fence, which are removed from the lines of code as well.
    let indent: Int
    let character: UInt8
    let count: Int
    private(set) var language: String?

    init?(_ text: ArraySlice<UInt8>, indent: Int) {
        guard let first = text.first, first == .backtick || first == .tilde else { return nil }
        count = text.prefix { $0 == first }.count
        let info = text.dropFirst(count)
        guard count >= 3, first == .tilde || !info.contains(.backtick) else { return nil }
        character = first
        self.indent = indent
        let word = info.leadingTrimmed.prefix { !$0.isBlank }
        language = word.isEmpty || word.count > Limits.languageLength ? nil : String(decoding: word, as: UTF8.self)
    }

    /// The fence without its language, for an unfinished line.
    var withoutLanguage: Fence {
        var fence = self
        fence.language = nil
        return fence
    }

    func isClosed(by text: ArraySlice<UInt8>) -> Bool {
        let text = text.trailingTrimmed
        return text.count >= count && text.allSatisfy { $0 == character }
    }
}

/// Recognition of lines by their bytes after the indentation.
enum Line {
    /// Returns the level and the content of a heading; nil for any other line.
    static func heading(_ text: ArraySlice<UInt8>) -> (level: Int, content: ArraySlice<UInt8>)? {
        let level = text.prefix(7).prefix { $0 == .ascii("#") }.count
        let content = text.dropFirst(level)
        guard (1...6).contains(level), content.first?.isBlank ?? true else { return nil }
        let trimmed = content.leadingTrimmed.trailingTrimmed
        // Closing number signs follow a space.
        var end = trimmed.endIndex
        while end > trimmed.startIndex, trimmed[end - 1] == .ascii("#") { end -= 1 }
        guard end == trimmed.startIndex || trimmed[end - 1].isBlank else { return (level, trimmed) }
        return (level, trimmed[..<end].trailingTrimmed)
    }

    static func isThematicBreak(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, first == .ascii("-") || first == .ascii("*") || first == .ascii("_") else { return false }
        var count = 0
        for byte in text {
            if byte == first { count += 1 } else if !byte.isBlank { return false }
        }
        return count >= 3
    }

    /// True if the start of an unfinished line may still become a marker, or has become one without content.
    ///
    /// - Parameter followsTableRow: True if the line above may be the header of a table.
    static func isUndecided(_ text: ArraySlice<UInt8>, followsTableRow: Bool) -> Bool {
        let text = text.trailingTrimmed
        guard let first = text.first else { return false }
        if first.isDigit {
            let rest = text.prefix(9).drop { $0.isDigit }
            return text.count <= 10 && (rest.isEmpty || rest.count == 1 && (rest.first == .ascii(".") || rest.first == .ascii(")")))
        }
        if followsTableRow, text.allSatisfy({ TableRow.isDelimiter($0) }) { return true }
        switch first {
        case .ascii("#"), .ascii("+"), .ascii(">"), .backtick, .tilde, .pipe: return text.allSatisfy { $0 == first }
        case .ascii("-"), .ascii("*"), .ascii("_"): return text.allSatisfy { $0 == first || $0.isBlank }
        default: return false
        }
    }

    /// Returns the state of the checkbox and its length in bytes if the text of an item begins as a task; otherwise nil.
    static func task(_ text: [UInt8]) -> (isChecked: Bool, length: Int)? {
        guard text.count > 3, text[0] == .ascii("["), text[2] == .ascii("]"), text[3].isBlank || text[3] == .lineFeed else {
            return nil
        }
        switch text[1] {
        case .space: return (false, 4)
        case .ascii("x"), .ascii("X"): return (true, 4)
        default: return nil
        }
    }

    /// True for an unfinished checkbox at the start of an item.
    static func isPartialTask(_ text: [UInt8]) -> Bool {
        ["[", "[x", "[X", "[ ]", "[x]", "[X]"].contains { text.trailingTrimmed.elementsEqual($0.utf8) }
    }
}
