import HighlightKit
import ViewKit

/// A part of a text that a user reads before a decision.
nonisolated enum ReviewRun: Hashable, Sendable {
    case code(CodeRun)
    /// Blanks in one line that are not drawn, with their number.
    case blanks(Int)
    /// Empty lines that are not drawn, with their number.
    case emptyLines(Int)
}

/// Some lines of a reviewed text, or a part of a long line: at most a screen of a phone.
nonisolated struct ReviewChunk: Hashable, Sendable {
    var runs: [ReviewRun] = []
    /// Added or removed; nil for lines that are no part of a diff.
    var side: DiffLine.Kind?
    /// Count of lines, including those that are not drawn.
    var lineCount = 0
}

/// The division of texts for review. Lines wrap, and white space cannot push a part of a text out of sight.
///
/// More than ``maximumEmptyLines`` empty lines, and more than ``maximumBlanks`` blanks in a line, are replaced by their number.
nonisolated enum ReviewText {
    static let maximumEmptyLines = 2
    static let maximumBlanks = 40
    /// Maximum lines, and maximum scalars, before a chunk ends.
    static let chunkLines = 12
    static let chunkLength = 600
    /// Scalars per line of a narrow phone, to count the lines of a long one.
    private static let lineLength = 60
    /// Maximum size in bytes of a text with colours.
    private static let highlightLimit = 262_144

    /// Returns the chunks of a text without invisible characters: `String.visible`.
    static func chunks(of text: String, _ language: CodeLanguage? = nil) -> [ReviewChunk] {
        let highlighter = text.utf8.count <= highlightLimit ? language.map(Highlighter.init) : nil
        var state = Highlighter.State()
        var builder = ChunkBuilder(isJSON: language == .json)
        for line in lines(of: text) {
            guard let highlighter else {
                builder.add([CodeRun(kind: .plain, text: line)], side: nil)
                continue
            }
            let result = highlighter.tokens(of: line, state)
            state = result.state
            builder.add(result.tokens.map { CodeRun(kind: $0.kind, text: $0.text(in: line)) }, side: nil)
        }
        return builder.end()
    }

    /// Returns the chunks of lines of a diff.
    static func chunks(of rows: [DiffRow]) -> [ReviewChunk] {
        var builder = ChunkBuilder()
        for row in rows { builder.add(row.runs, side: row.kind) }
        return builder.end()
    }

    /// Returns the runs of a short text, which is not divided.
    static func runs(of text: String) -> [ReviewRun] {
        var runs: [ReviewRun] = []
        for chunk in chunks(of: text) {
            if !runs.isEmpty { runs.append(.code(CodeRun(kind: .plain, text: "\n"))) }
            runs += chunk.runs
        }
        return runs
    }

    private static func lines(of text: String) -> [String] {
        // Split by bytes, because a carriage return with its line feed is one character.
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        // A line feed at the end of a text does not begin another line.
        if lines.count > 1, lines.last == "" { lines.removeLast() }
        return lines
    }

    /// A builder of chunks from lines.
    private struct ChunkBuilder {
        private var chunks: [ReviewChunk] = []
        private var chunk = ReviewChunk()
        private var length = 0
        private var emptyLines = 0
        /// True for the text of a JSON value.
        private let isJSON: Bool

        init(isJSON: Bool = false) { self.isJSON = isJSON }

        mutating func add(_ runs: [CodeRun], side: DiffLine.Kind?) {
            if side != chunk.side {
                close()
                chunk.side = side
            }
            if runs.allSatisfy({ $0.text.unicodeScalars.allSatisfy(\.isBlank) }) { return emptyLines += 1 }
            endEmptyLines()
            begin()
            for run in Self.folded(runs, isJSON: isJSON) { append(run) }
        }

        mutating func end() -> [ReviewChunk] {
            close()
            return chunks
        }

        /// Begins a line.
        private mutating func begin() {
            if chunk.lineCount >= chunkLines || length >= chunkLength { closeChunk() }
            if chunk.lineCount > 0 { chunk.runs.append(.code(CodeRun(kind: .plain, text: "\n"))) }
            chunk.lineCount += 1
        }

        private mutating func endEmptyLines() {
            guard emptyLines > 0 else { return }
            if emptyLines > maximumEmptyLines {
                begin()
                chunk.runs.append(.emptyLines(emptyLines))
                chunk.lineCount += emptyLines - 1
                // Ends the chunk, which counts more lines than it draws.
                closeChunk()
            } else {
                for _ in 0..<emptyLines {
                    begin()
                    // An empty text has no height.
                    chunk.runs.append(.code(CodeRun(kind: .plain, text: " ")))
                }
            }
            emptyLines = 0
        }

        private mutating func close() {
            endEmptyLines()
            closeChunk()
        }

        private mutating func closeChunk() {
            if !chunk.runs.isEmpty { chunks.append(chunk) }
            (chunk, length) = (ReviewChunk(side: chunk.side), 0)
        }

        /// Appends a part of a line. A long part continues in the next chunk.
        private mutating func append(_ run: ReviewRun) {
            guard case .code(let code) = run else { return chunk.runs.append(run) }
            var rest = code.text[...]
            while !rest.isEmpty {
                if length >= chunkLength {
                    closeChunk()
                    chunk.lineCount = 1
                }
                let scalars = rest.unicodeScalars
                let end = scalars.index(scalars.startIndex, offsetBy: chunkLength - length, limitedBy: scalars.endIndex)
                let part = rest[..<(end ?? scalars.endIndex)]
                let count = part.unicodeScalars.count
                chunk.runs.append(.code(CodeRun(kind: code.kind, text: String(part))))
                length += count
                if count > lineLength { chunk.lineCount += count / lineLength }
                rest = rest[part.endIndex...]
            }
        }

        /// Returns the runs of a line. Numbers replace long sequences of blanks and, in JSON, of escaped line breaks.
        private static func folded(_ runs: [CodeRun], isJSON: Bool) -> [ReviewRun] {
            var result: [ReviewRun] = []
            /// The current sequence of blanks, with the counts of blanks and of escaped line breaks.
            var blanks: [CodeRun] = []
            var (count, breakCount) = (0, 0)
            func endBlanks() {
                if breakCount > maximumEmptyLines {
                    result.append(.emptyLines(breakCount))
                } else if count > maximumBlanks {
                    result.append(.blanks(count))
                } else {
                    result += blanks.map { .code($0) }
                }
                (blanks, count, breakCount) = ([], 0, 0)
            }
            for run in runs {
                let scalars = run.text.unicodeScalars
                /// The start of text that is neither a blank nor in the result.
                var start = scalars.startIndex
                var index = start
                func endText() {
                    if start < index { result.append(.code(CodeRun(kind: run.kind, text: String(scalars[start..<index])))) }
                }
                while index < scalars.endIndex {
                    var end = scalars.index(after: index)
                    var (isBlank, isBreak) = (scalars[index].isBlank, false)
                    if isJSON, scalars[index] == "\\", end < scalars.endIndex {
                        isBreak = scalars[end] == "n" || scalars[end] == "r"
                        isBlank = isBreak || scalars[end] == "t"
                        scalars.formIndex(after: &end)
                    }
                    if isBlank {
                        endText()
                        if count < maximumBlanks { blanks.append(CodeRun(kind: run.kind, text: String(scalars[index..<end]))) }
                        (count, breakCount) = (count + 1, breakCount + (isBreak ? 1 : 0))
                        start = end
                    } else if count > 0 {
                        endBlanks()
                    }
                    index = end
                }
                endText()
            }
            endBlanks()
            return joined(result)
        }

        /// Joins adjacent runs of one colour.
        private static func joined(_ runs: [ReviewRun]) -> [ReviewRun] {
            var result: [ReviewRun] = []
            for run in runs {
                if case .code(let next) = run, case .code(let last)? = result.last, last.kind == next.kind {
                    result[result.count - 1] = .code(CodeRun(kind: last.kind, text: last.text + next.text))
                } else {
                    result.append(run)
                }
            }
            return result
        }
    }
}

nonisolated extension Unicode.Scalar {
    /// True for a space of any width, and for a tab.
    fileprivate var isBlank: Bool { isASCII ? value == 0x20 || value == 0x09 : properties.generalCategory == .spaceSeparator }
}
