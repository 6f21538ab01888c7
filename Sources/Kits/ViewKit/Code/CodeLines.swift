package import HighlightKit
package import SwiftUI

/// Some lines of code with their colours.
struct CodeChunk: Identifiable, Hashable, Sendable {
    /// The index among the chunks of a text.
    let id: Int
    /// Parts of one colour, with the line feeds between the lines.
    let runs: [CodeRun]
}

/// A part of code with one colour.
package struct CodeRun: Hashable, Sendable {
    package let kind: Token.Kind
    package var text: String

    package init(kind: Token.Kind, text: String) { (self.kind, self.text) = (kind, text) }
}

/// The highlighted lines of a text that may grow at its end, as that of an agent does while it writes.
@MainActor
final class CodeLines {
    /// The number of lines in a chunk.
    nonisolated static let chunkLength = 40
    /// The size in bytes up to which a text has colours.
    nonisolated static let highlightLimit = 131_072
    /// The number of runs after which the rest of a text has no colours. Each run is an element of the page.
    nonisolated static let runLimit = 3000

    private var text = ""
    private var language: CodeLanguage?
    private var chunks: [CodeChunk] = []
    /// The state before the last chunk, and the offset of its first byte.
    private var lastState = Highlighter.State()
    private var lastStart = 0
    /// The number of lines that were highlighted, for tests of the effort.
    private(set) var workCount = 0

    nonisolated init() {}

    /// Returns the lines of a text. A text that continues the one before costs only its last lines.
    func chunks(of text: String, _ language: CodeLanguage?) -> [CodeChunk] {
        if text == self.text, language == self.language { return chunks }
        if language != self.language || !text.continues(self.text) {
            (chunks, lastStart, lastState) = ([], 0, Highlighter.State())
        } else if !chunks.isEmpty {
            chunks.removeLast()
        }
        (self.text, self.language) = (text, language)
        read()
        return chunks
    }

    private func read() {
        var runCount = chunks.reduce(0) { $0 + $1.runs.count }
        let highlighter = text.utf8.count <= Self.highlightLimit ? language.map(Highlighter.init) : nil
        let bytes = text.utf8
        var state = lastState
        var position = bytes.index(bytes.startIndex, offsetBy: lastStart)
        while true {
            (lastStart, lastState) = (bytes.distance(from: bytes.startIndex, to: position), state)
            var (runs, count): ([CodeRun], Int) = ([], 0)
            var isAtEnd = false
            while count < Self.chunkLength, !isAtEnd {
                let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n"))
                var line = text[position..<(end ?? bytes.endIndex)]
                if line.utf8.last == UInt8(ascii: "\r") { line = line[..<line.utf8.index(before: line.endIndex)] }
                if count > 0 { runs.add(.plain, "\n") }
                Self.add(String(line), runCount + runs.count < Self.runLimit ? highlighter : nil, &state, to: &runs)
                (count, workCount) = (count + 1, workCount + 1)
                if let end { position = bytes.index(after: end) }
                // A line feed at the end of a text begins no other line.
                isAtEnd = end == nil || position == bytes.endIndex
            }
            chunks.append(CodeChunk(id: chunks.count, runs: runs))
            runCount += runs.count
            if isAtEnd { return }
        }
    }

    private static func add(
        _ line: String, _ highlighter: Highlighter?, _ state: inout Highlighter.State, to runs: inout [CodeRun]
    ) {
        guard let highlighter else { return runs.add(.plain, line) }
        let result = highlighter.tokens(of: line, state)
        state = result.state
        for token in result.tokens { runs.add(token.kind, token.text(in: line)) }
    }
}

extension String {
    /// True if the text begins with `text`, byte by byte.
    package func continues(_ text: String) -> Bool { Substring(utf8.prefix(text.utf8.count)) == text }
}

extension [CodeRun] {
    /// The number of runs after which the rest of a text has no colours. Each run is an element of the page.
    private static var maximumCount: Int { 1000 }

    /// Adds text at the end, to the last run if it has the same colour.
    package mutating func add(_ kind: Token.Kind, _ text: String) {
        let kind = count < Self.maximumCount ? kind : .plain
        if let last = indices.last, self[last].kind == kind {
            self[last].text += text
        } else if !text.isEmpty {
            append(CodeRun(kind: kind, text: text))
        }
    }

    /// The runs as one text with their colours.
    @MainActor package func text(in palette: Palette) -> Text { Self.joined(self[...], palette) }

    /// Joins in halves, which copies each of a thousand runs ten times.
    @MainActor private static func joined(_ runs: ArraySlice<CodeRun>, _ palette: Palette) -> Text {
        guard let first = runs.first else { return Text(verbatim: "") }
        guard runs.count > 1 else {
            let text = Text(verbatim: first.text)
            return palette.code.color(of: first.kind).map { text.foregroundStyle($0) } ?? text
        }
        let middle = runs.startIndex + runs.count / 2
        return joined(runs[..<middle], palette) + joined(runs[middle...], palette)
    }
}
