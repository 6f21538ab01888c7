import HighlightKit
import ViewKit

/// The lines of a file in chunks, whose colours are found when they come into sight.
///
/// An actor: the state before a line depends on all lines above it, which may be ten thousand.
actor FileLines {
    /// Some rows of a file. A row is a line, or a part of a long one.
    nonisolated struct Chunk: Identifiable, Hashable, Sendable {
        /// The index among the chunks.
        let id: Int
        let firstLine: Int
        /// The indices of rows that are a part of their line.
        let dividedRows: Set<Int>
        /// The numbers of the lines, with line feeds between them; empty for a further part of a line.
        let numbers: String
        /// The rows without colours, with line feeds between them.
        let text: String
    }

    /// The number of rows in a chunk.
    static let chunkLength = 50
    /// The length of a row in UTF-8 bytes, beyond which a line is divided. Its parts have no colours.
    static let rowLimit = 2_000
    /// The size of a chunk in UTF-8 bytes beyond which the next row begins another one.
    private static let chunkSize = 16_000

    private var text: HighlightedText
    /// False for a text without colours.
    private let hasColors: Bool
    nonisolated let chunks: [Chunk]
    nonisolated let lineCount: Int

    /// Divides a text. Takes a while for many megabytes, so call it off the main actor: ``make(_:language:)``.
    private init(_ content: String, language: CodeLanguage?) {
        let text = HighlightedText(content, language: language ?? .markdown)
        hasColors = language != nil
        lineCount = text.lineCount
        var chunks: [Chunk] = []
        var size = 0
        var (firstLine, dividedRows, rows, numbers) = (0, Set<Int>(), [String](), [String]())
        func close() {
            guard !rows.isEmpty else { return }
            chunks.append(
                Chunk(
                    id: chunks.count, firstLine: firstLine, dividedRows: dividedRows, numbers: numbers.joined(separator: "\n"),
                    text: Self.joined(rows)))
            (rows, numbers, dividedRows, size) = ([], [], [], 0)
        }
        for line in 0..<text.lineCount {
            let parts = Self.parts(of: text.line(line).visible)
            for (part, row) in parts.enumerated() {
                if rows.count == Self.chunkLength || size + row.utf8.count > Self.chunkSize { close() }
                if rows.isEmpty { firstLine = line }
                if parts.count > 1 { dividedRows.insert(rows.count) }
                rows.append(row)
                size += row.utf8.count
                numbers.append(part == 0 ? String(line + 1) : "")
            }
        }
        close()
        self.chunks = chunks
        self.text = text
    }

    @concurrent nonisolated static func make(_ content: String, language: CodeLanguage?) async -> FileLines {
        FileLines(content, language: language)
    }

    /// The rows of a chunk with their colours; nil for a text without colours.
    func runs(of chunk: Chunk) -> [CodeRun]? {
        guard hasColors else { return nil }
        var runs: [CodeRun] = []
        var line = chunk.firstLine - 1
        let rows = chunk.text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let numbers = chunk.numbers.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, row) in rows.enumerated() {
            if index > 0 { runs.add(.plain, "\n") }
            if index == 0 || !numbers[index].isEmpty { line += 1 }
            guard !chunk.dividedRows.contains(index) else {
                runs.add(.plain, String(decoding: row, as: UTF8.self))
                continue
            }
            let content = text.line(line)
            for token in text.tokens(ofLine: line) { runs.add(token.kind, token.text(in: content).visible) }
        }
        // A line feed at the end shows no further line.
        if runs.last?.text.last == "\n" || runs.isEmpty { runs.add(.plain, " ") }
        return runs
    }

    /// Divides a long line between characters.
    private static func parts(of line: String) -> [String] {
        guard line.utf8.count > rowLimit else { return [line] }
        var parts: [String] = []
        var start = line.startIndex
        while let limit = line.utf8.index(start, offsetBy: rowLimit, limitedBy: line.endIndex), limit < line.endIndex {
            // Back to the beginning of a character, or of a scalar where that is longer than a row.
            let end = Self.boundary(in: line, before: limit, after: start)
            parts.append(String(line[start..<end]))
            start = end
        }
        parts.append(String(line[start...]))
        return parts
    }

    private static func joined(_ rows: [String]) -> String {
        let text = rows.joined(separator: "\n")
        return rows.last?.isEmpty == true ? text + " " : text
    }

    /// The beginning of the character at `limit`, or of its scalar where the character begins before `start`.
    private static func boundary(in line: String, before limit: String.Index, after start: String.Index) -> String.Index {
        var scalar = limit
        while scalar.samePosition(in: line.unicodeScalars) == nil { line.utf8.formIndex(before: &scalar) }
        var character = scalar
        while character > start, character.samePosition(in: line) == nil { line.unicodeScalars.formIndex(before: &character) }
        return character > start ? character : scalar
    }
}
