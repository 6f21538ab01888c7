package import HighlightKit
package import SwiftUI

/// Some lines of code with their colours.
struct CodeChunk: Identifiable, Hashable, Sendable {
    /// The index among the chunks of a text.
    let id: Int
    /// The chunk's parts, each of one colour, with the line feeds between the lines.
    let runs: [CodeRun]
}

/// A part of code with one colour.
package struct CodeRun: Hashable, Sendable {
    package let kind: Token.Kind
    package var text: String

    package init(kind: Token.Kind, text: String) { (self.kind, self.text) = (kind, text) }
}

/// The highlighted lines of a text that may grow at its end, as the text of a writing agent does.
struct HighlightedLines: Sendable {
    /// Maximum lines of a chunk, and the count of runs after which its current line ends it. A chunk is one text of the page.
    static let chunkLimit = (lines: 40, runs: 150)
    /// Maximum size of a text with colours, in bytes.
    static let highlightLimit = 131_072
    /// Count of runs after which the rest of a text has no colours. Each run is an element of the page.
    static let runLimit = 3000

    private(set) var text = ""
    private var language: CodeLanguage?
    private(set) var chunks: [CodeChunk] = []
    /// The state before the last chunk, and the offset of its first byte.
    private var lastState = Highlighter.State()
    private var lastStart = 0
    /// Count of highlighted lines, for tests of the effort.
    private(set) var workCount = 0

    /// True if the chunks are those of this text.
    func isOf(_ text: String, _ language: CodeLanguage?) -> Bool { text == self.text && language == self.language }

    /// Returns the count of bytes to highlight for this text.
    func newLength(of text: String, _ language: CodeLanguage?) -> Int {
        guard let language, text.utf8.count <= Self.highlightLimit else { return 0 }
        return language == self.language && text.continues(self.text) ? text.utf8.count - self.text.utf8.count : text.utf8.count
    }

    /// Reads another text. If it continues the text before, only its last lines are read again.
    ///
    /// - Parameter hasColors: False for chunks without colours, which highlighted ones will replace.
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
        // Visible forms, so that no character turns the line around or hides a part of it.
        guard let highlighter else { return runs.add(.plain, line.visible) }
        let result = highlighter.tokens(of: line, state)
        state = result.state
        for token in result.tokens { runs.add(token.kind, token.text(in: line).visible) }
    }
}

/// The lines of the code that a view shows. Short additions have their colours at once; long ones are highlighted off the main
/// actor, and appear without colours until then.
@MainActor @Observable
final class CodeLines {
    /// Maximum size of an addition that is highlighted at once, in bytes.
    nonisolated static let immediateLength = 4096

    @ObservationIgnored private var lines = HighlightedLines()
    @ObservationIgnored private var highlighting: (text: String, task: Task<Void, Never>)?
    /// Count of texts highlighted off the main actor. The view reads it, and is thereby evaluated again for the colours.
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
    /// Count of runs after which the rest of a text has no colours. Each run is an element of the page.
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

    /// Returns the runs as one text with their colours.
    @MainActor package func text(in palette: Palette) -> Text { Self.joined(self[...], palette) }

    /// Joins the runs in halves, so that each of a thousand runs is copied only ten times.
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
