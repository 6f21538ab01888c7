import HighlightKit
import ViewKit

/// The rows of a file. Colours are computed when rows come into sight.
///
/// An actor, because the highlighter's state before a line depends on all lines above it, which may be ten thousand.
actor FileLines {
    /// A line of a file, or a part of a long one.
    nonisolated struct Row: Identifiable, Hashable, Sendable {
        /// The index among the rows.
        let id: Int
        let line: Int
        /// True if the row is a part of its line. It has no colours.
        let isDivided: Bool
        /// The number of the line; empty for a further part of a line.
        let number: String
        let text: String
    }

    /// Maximum length of a row in UTF-8 bytes. Longer lines are divided, and their parts have no colours.
    static let rowLimit = 2_000

    private var text: HighlightedText
    /// True if the text has colours.
    private let hasColors: Bool
    nonisolated let rows: [Row]
    nonisolated let lineCount: Int
    /// The width of the widest row in characters. Characters of Korean, Chinese and Japanese, and emoji, count twice.
    nonisolated let columnCount: Int

    /// Divides a text. Takes a while for many megabytes, so call it off the main actor: ``make(_:language:)``.
    private init(_ content: String, language: CodeLanguage?) {
        let text = HighlightedText(content, language: language ?? .markdown)
        hasColors = language != nil
        lineCount = text.lineCount
        var rows: [Row] = []
        var columnCount = 0
        for line in 0..<text.lineCount {
            let parts = Self.parts(of: text.line(line).visible)
            for (part, row) in parts.enumerated() {
                rows.append(
                    Row(
                        id: rows.count, line: line, isDivided: parts.count > 1, number: part == 0 ? String(line + 1) : "", text: row
                    ))
                columnCount = max(columnCount, Self.columns(of: row))
            }
        }
        self.rows = rows
        self.columnCount = columnCount
        self.text = text
    }

    @concurrent nonisolated static func make(_ content: String, language: CodeLanguage?) async -> FileLines {
        FileLines(content, language: language)
    }

    /// Returns a row with its colours; nil for a row without.
    func runs(of row: Row) -> [CodeRun]? {
        guard hasColors, !row.isDivided, !row.text.isEmpty else { return nil }
        let content = text.line(row.line)
        var runs: [CodeRun] = []
        for token in text.tokens(ofLine: row.line) { runs.add(token.kind, token.text(in: content).visible) }
        return runs.isEmpty ? nil : runs
    }

    private static func columns(of row: String) -> Int {
        // Wide characters begin with Hangul Jamo, at U+1100.
        row.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) }
    }

    /// Divides a long line between characters.
    private static func parts(of line: String) -> [String] {
        guard line.utf8.count > rowLimit else { return [line] }
        var parts: [String] = []
        var start = line.startIndex
        while let limit = line.utf8.index(start, offsetBy: rowLimit, limitedBy: line.endIndex), limit < line.endIndex {
            // Back to the beginning of a character, or of a scalar if the character is longer than a row.
            let end = Self.boundary(in: line, before: limit, after: start)
            parts.append(String(line[start..<end]))
            start = end
        }
        parts.append(String(line[start...]))
        return parts
    }

    /// Returns the beginning of the character at `limit`, or of its scalar if the character begins before `start`.
    private static func boundary(in line: String, before limit: String.Index, after start: String.Index) -> String.Index {
        var scalar = limit
        while scalar.samePosition(in: line.unicodeScalars) == nil { line.utf8.formIndex(before: &scalar) }
        var character = scalar
        while character > start, character.samePosition(in: line) == nil { line.unicodeScalars.formIndex(before: &character) }
        return character > start ? character : scalar
    }
}
