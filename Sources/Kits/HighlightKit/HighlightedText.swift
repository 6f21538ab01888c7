/// A text whose lines are highlighted on demand.
///
/// Finding the lines takes one pass over the bytes. ``tokens(ofLine:)`` needs the state before the line and so highlights the lines above it
/// once; it keeps the state of every 64th line, so that a later request costs at most 64 lines more.
package struct HighlightedText: Sendable {
    /// The distance between two lines whose states are kept.
    static let stride = 64

    package let language: CodeLanguage
    private let bytes: [UInt8]
    /// The offset of each line, and the end of the text after the last.
    private let starts: [Int]
    /// The states before the lines 0, 64, 128, …, as far as they are known.
    private var states = [Highlighter.State()]
    /// The line before which ``lastState`` applies, so that reading successive lines costs each line once.
    private var lastLine = 0
    private var lastState = Highlighter.State()
    /// Count of lines highlighted so far, for tests of the cost.
    private(set) var workCount = 0

    /// Lines end with LF, CR LF, or the end of the text. A final line ending does not begin another line. Bytes that are not UTF-8 are repaired.
    package init(_ text: String, language: CodeLanguage) {
        self.language = language
        let bytes = Array(text.utf8)
        var starts = [0]
        for (offset, byte) in bytes.enumerated() where byte == .lineFeed { starts.append(offset + 1) }
        if starts.last != bytes.count { starts.append(bytes.count) }
        self.bytes = bytes
        self.starts = starts
    }

    package var lineCount: Int { starts.count - 1 }

    /// Returns a line without its line ending; empty for an index out of range.
    package func line(_ index: Int) -> String {
        guard index >= 0, index < lineCount else { return "" }
        var end = starts[index + 1]
        if end > starts[index], bytes[end - 1] == .lineFeed { end -= 1 }
        if end > starts[index], bytes[end - 1] == .carriageReturn { end -= 1 }
        return String(decoding: bytes[starts[index]..<end], as: UTF8.self)
    }

    /// Returns the tokens of a line; none for an index out of range.
    package mutating func tokens(ofLine index: Int) -> [Token] {
        guard index >= 0, index < lineCount else { return [] }
        let highlighter = Highlighter(language)
        let kept = min(index / Self.stride, states.count - 1)
        var (next, state) = (kept * Self.stride, states[kept])
        if lastLine <= index, lastLine > next { (next, state) = (lastLine, lastState) }
        while true {
            let (tokens, after) = highlighter.tokens(of: line(next), state)
            workCount += 1
            let isWanted = next == index
            (next, state) = (next + 1, after)
            if next == states.count * Self.stride { states.append(state) }
            if isWanted {
                (lastLine, lastState) = (next, state)
                return tokens
            }
        }
    }
}
