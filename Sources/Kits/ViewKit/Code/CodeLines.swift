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
struct HighlightedLines: Sendable {
    /// The number of lines in a chunk, and the number of runs after which its line is the last one. A chunk is one text of the page.
    static let chunkLimit = (lines: 40, runs: 150)
    /// The size in bytes up to which a text has colours.
    static let highlightLimit = 131_072
    /// The number of runs after which the rest of a text has no colours. Each run is an element of the page.
    static let runLimit = 3000

    private(set) var text = ""
    private var language: CodeLanguage?
    private(set) var chunks: [CodeChunk] = []
    /// The state before the last chunk, and the offset of its first byte.
    private var lastState = Highlighter.State()
    private var lastStart = 0
    /// The number of lines that were highlighted, for tests of the effort.
    private(set) var workCount = 0

    /// True if the chunks are those of this text.
    func isOf(_ text: String, _ language: CodeLanguage?) -> Bool { text == self.text && language == self.language }

    /// The number of bytes to highlight for this text.
    func newLength(of text: String, _ language: CodeLanguage?) -> Int {
        guard let language, text.utf8.count <= Self.highlightLimit else { return 0 }
        return language == self.language && text.continues(self.text) ? text.utf8.count - self.text.utf8.count : text.utf8.count
    }

    /// Takes another text. One that continues the text before costs only its last lines.
    ///
    /// - Parameter hasColors: False for lines whose colours follow; then only the chunks are of use.
    mutating func read(_ text: String, _ language: CodeLanguage?, hasColors: Bool = true) {
        guard !isOf(text, language) else { return }
        if language != self.language || !text.continues(self.text) {
            (chunks, lastStart, lastState) = ([], 0, Highlighter.State())
        } else if !chunks.isEmpty {
            chunks.removeLast()
        }
        (self.text, self.language) = (text, language)
        readLines(hasColors && text.utf8.count <= Self.highlightLimit ? language.map(Highlighter.init) : nil)
    }

    private mutating func readLines(_ highlighter: Highlighter?) {
        var runCount = chunks.reduce(0) { $0 + $1.runs.count }
        let bytes = text.utf8
        var state = lastState
        var position = bytes.index(bytes.startIndex, offsetBy: lastStart)
        while true {
            (lastStart, lastState) = (bytes.distance(from: bytes.startIndex, to: position), state)
            var (runs, count): ([CodeRun], Int) = ([], 0)
            var isAtEnd = false
            while count < Self.chunkLimit.lines, runs.count < Self.chunkLimit.runs, !isAtEnd {
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
        // No character may turn the line around or hide a part of it.
        guard let highlighter else { return runs.add(.plain, line.visible) }
        let result = highlighter.tokens(of: line, state)
        state = result.state
        for token in result.tokens { runs.add(token.kind, token.text(in: line).visible) }
    }
}

/// The lines of the code that a view shows. Short additions have their colours at once, long ones are highlighted off the main actor, and appear
/// without colours until then.
@MainActor @Observable
final class CodeLines {
    /// The number of bytes up to which an addition is highlighted at once.
    nonisolated static let immediateLength = 4096

    @ObservationIgnored private var lines = HighlightedLines()
    @ObservationIgnored private var highlighting: (text: String, task: Task<Void, Never>)?
    /// The number of texts that were highlighted off the main actor. Read by the view, which is evaluated again for the colours.
    private(set) var laterCount = 0

    nonisolated init() {}

    deinit { highlighting?.task.cancel() }

    /// Returns the lines of a text.
    func chunks(of text: String, _ language: CodeLanguage?) -> [CodeChunk] {
        _ = laterCount
        if let (text: other, task: task) = highlighting, !text.continues(other) {
            task.cancel()
            highlighting = nil
        }
        if highlighting == nil {
            if lines.newLength(of: text, language) <= Self.immediateLength {
                lines.read(text, language)
                return lines.chunks
            }
            highlight(text, language)
        }
        var plain = lines
        plain.read(text, language, hasColors: false)
        return plain.chunks
    }

    private func highlight(_ text: String, _ language: CodeLanguage?) {
        let task = Task { [weak self, lines] in
            let longer = await Self.lines(lines, of: text, language)
            guard let self, !Task.isCancelled else { return }
            (self.lines, highlighting) = (longer, nil)
            laterCount += 1
        }
        highlighting = (text, task)
    }

    @concurrent private nonisolated static func lines(
        _ lines: HighlightedLines, of text: String, _ language: CodeLanguage?
    ) async -> HighlightedLines {
        var lines = lines
        lines.read(text, language)
        return lines
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
