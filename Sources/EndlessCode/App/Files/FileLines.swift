import HighlightKit
import ViewKit

/// The lines of a file in chunks, whose colours are found when they come into sight.
///
/// An actor: the state before a line depends on all lines above it, which may be ten thousand.
actor FileLines {
    /// Some lines of a file.
    nonisolated struct Chunk: Identifiable, Hashable, Sendable {
        /// The index among the chunks.
        let id: Int
        let firstLine: Int
        let lineCount: Int
        /// The lines without colours, with line feeds between them.
        let text: String
    }

    /// The number of lines in a chunk.
    static let chunkLength = 50
    /// The length in UTF-8 bytes beyond which the end of a line is not shown.
    static let lineLimit = 20_000

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
        chunks = stride(from: 0, to: text.lineCount, by: Self.chunkLength).enumerated().map { index, first in
            let lines = (first..<min(first + Self.chunkLength, text.lineCount)).map { Self.shown(text.line($0)) }
            return Chunk(id: index, firstLine: first, lineCount: lines.count, text: Self.joined(lines))
        }
        self.text = text
    }

    @concurrent nonisolated static func make(_ content: String, language: CodeLanguage?) async -> FileLines {
        FileLines(content, language: language)
    }

    /// The lines of a chunk with their colours; nil for a text without colours.
    func runs(of chunk: Chunk) -> [CodeRun]? {
        guard hasColors else { return nil }
        var runs: [CodeRun] = []
        for index in chunk.firstLine..<(chunk.firstLine + chunk.lineCount) {
            if index > chunk.firstLine { runs.add(.plain, "\n") }
            let line = text.line(index)
            guard line.utf8.count <= Self.lineLimit else {
                runs.add(.plain, Self.shown(line))
                continue
            }
            for token in text.tokens(ofLine: index) { runs.add(token.kind, token.text(in: line)) }
        }
        // A line feed at the end shows no further line.
        if runs.last?.text.last == "\n" || runs.isEmpty { runs.add(.plain, " ") }
        return runs
    }

    private static func shown(_ line: String) -> String {
        line.utf8.count <= lineLimit ? line : String(decoding: line.utf8.prefix(lineLimit), as: UTF8.self) + " …"
    }

    private static func joined(_ lines: [String]) -> String {
        let text = lines.joined(separator: "\n")
        return lines.last?.isEmpty == true ? text + " " : text
    }
}
