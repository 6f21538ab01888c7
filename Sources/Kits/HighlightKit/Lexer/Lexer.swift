/// The lexer of one line. Every step advances in the line or changes the frames, and visits each byte a bounded number of times.
struct Lexer {
    /// The kind of text before the position, as far as it decides how the next byte is read.
    enum Previous { case start, operand, dot, symbol, declaresFunction, declaresType }

    let language: CodeLanguage
    let bytes: [UInt8]
    var offset = 0
    /// The end of the readable code: the end of the line, or of the embedded code.
    var end: Int
    var frames: [Frame]
    var output = TokenOutput()
    var previous = Previous.start
    /// Count of bytes visited in loops, for tests of the cost.
    var visitedCount = 0
    /// Heredocs that begin with the next line, in order.
    var heredocs: [Heredoc] = []
    /// True if the line ends with a backslash that joins it with the next one.
    var isContinued = false
    /// True if no regular expression ends after the position.
    var hasNoMoreRegularExpressions = false
    /// The first byte of the line that is not white space.
    private(set) var firstOffset: Int

    init(_ language: CodeLanguage, _ bytes: [UInt8], _ state: Highlighter.State) {
        self.language = language
        self.bytes = bytes
        end = bytes.count
        frames = state.frames
        firstOffset = bytes.firstIndex { !$0.isBlank } ?? bytes.count
        if state.isContinued { previous = .operand }
        wasContinued = state.isContinued
        isFirstLine = !state.hasStarted
        hasStarted = state.hasStarted || firstOffset < bytes.count
        if frames.isEmpty || !state.hasStarted { frames = startFrames() }
    }

    /// True if a backslash joins the previous line with this one.
    let wasContinued: Bool
    /// True if no earlier line has text.
    let isFirstLine: Bool
    private let hasStarted: Bool

    var nextState: Highlighter.State {
        var state = Highlighter.State()
        state.frames = frames
        state.hasStarted = hasStarted
        state.isContinued = isContinued
        return state
    }

    // MARK: Line

    mutating func run() {
        beginLine()
        while offset < bytes.count {
            if offset >= end {
                endEmbedded()
                continue
            }
            let before = (offset, frames.count)
            step()
            visitedCount += offset - before.0 + 1
            // Cannot happen; keeps a mistake in a lexer from becoming an endless loop.
            if (offset, frames.count) == before { take(.plain, 1) }
        }
        endLine()
    }

    private mutating func beginLine() {
        if case .fence = frames.first(where: { if case .fence = $0 { true } else { false } }) { endFenceIfClosed() }
        limitEmbedded()
        if case .heredoc(let heredoc) = frames.last { heredocLine(heredoc) }
    }

    private mutating func step() {
        switch frames.last {
        case .code(let frame): stepCode(frame)
        case .comment(let comment): stepComment(comment)
        case .string(let string): stepString(string)
        case .markup(let isXML): stepMarkup(isXML: isXML)
        case .tag(let tag): stepTag(tag)
        case .element(let depth): stepElement(depth)
        case .css(let frame): stepCSS(frame)
        case .yaml: yamlLine()
        case .blockScalar(let indent): blockScalarLine(indent)
        case .markdown: markdownLine()
        case .diff(let old, let new): diffLine(old, new)
        case .makefile: makefileLine()
        case .dockerfile: dockerfileLine()
        case .heredoc, .embedded, .fence, nil: take(.plain, to: end)
        }
    }

    private mutating func endLine() {
        // A string that cannot span lines ends here, with everything inside it.
        if !isContinued,
            let index = frames.firstIndex(where: { if case .string(let string) = $0 { !string.isMultiline } else { false } })
        {
            frames.removeSubrange(index...)
        }
        if case .code(let frame) = frames.last, frame.language == .shell { endShellLine() }
        for heredoc in heredocs.reversed() { push(.heredoc(heredoc)) }
    }

    // MARK: Frames

    /// Returns the frames of the first line.
    private func startFrames() -> [Frame] {
        guard language == .php, firstOffset < bytes.count else { return [Self.frame(of: language)] }
        // A file begins with HTML; a fragment of code does not have to begin with a tag.
        let isHTML = bytes[firstOffset] == .less && !(firstOffset + 1 < bytes.count && bytes[firstOffset + 1] == .questionMark)
        return isHTML ? [.markup(isXML: false)] : [.markup(isXML: false), .code(CodeFrame(language: .php, closer: .php))]
    }

    /// Returns the outermost frame of a language.
    static func frame(of language: CodeLanguage) -> Frame {
        switch language {
        case .html: .markup(isXML: false)
        case .xml: .markup(isXML: true)
        case .css: .css(CSSFrame())
        case .yaml: .yaml
        case .markdown: .markdown
        case .diff: .diff(old: 0, new: 0)
        case .makefile: .makefile
        case .dockerfile: .dockerfile
        default: .code(CodeFrame(language: language))
        }
    }

    /// Opens a construct. Returns false if there are too many.
    @discardableResult mutating func push(_ frame: Frame) -> Bool {
        guard frames.count < Frame.maximumCount else { return false }
        frames.append(frame)
        return true
    }

    mutating func replaceLast(_ frame: Frame) { frames[frames.count - 1] = frame }

    // MARK: Bytes

    /// Returns the byte at a distance from the position; zero beyond the end.
    func byte(_ distance: Int = 0) -> UInt8 { offset + distance < end ? bytes[offset + distance] : 0 }

    /// The byte before the position; a space at the start of the line.
    var byteBefore: UInt8 { offset > 0 ? bytes[offset - 1] : .space }

    /// True if `text` stands at `start`.
    func has(_ text: [UInt8], at start: Int) -> Bool {
        guard text.count <= end - start else { return false }
        for index in text.indices where bytes[start + index] != text[index] { return false }
        return true
    }

    func has(_ text: [UInt8]) -> Bool { has(text, at: offset) }

    /// True if an ASCII text stands at `start`; nil for the position.
    func has(_ text: StaticString, at start: Int? = nil) -> Bool {
        let start = start ?? offset
        guard text.utf8CodeUnitCount <= end - start else { return false }
        return text.withUTF8Buffer { text in text.indices.allSatisfy { bytes[start + $0] == text[$0] } }
    }

    /// Returns the first offset from `start` whose byte does not fit; the end if there is none.
    mutating func skip(from start: Int, while fits: (UInt8) -> Bool) -> Int {
        var index = start
        while index < end, fits(bytes[index]) { index += 1 }
        visitedCount += max(index - start, 0)
        return index
    }

    mutating func skipBlanks(from start: Int) -> Int { skip(from: start) { $0.isBlank } }

    mutating func take(_ kind: Token.Kind, to newOffset: Int) {
        offset = max(offset, min(newOffset, end))
        output.take(kind, to: offset)
    }

    /// Takes `count` bytes, and the rest of a scalar that they would divide.
    mutating func take(_ kind: Token.Kind, _ count: Int) {
        var newOffset = min(offset + count, end)
        while newOffset < end, bytes[newOffset].continuesScalar { newOffset += 1 }
        take(kind, to: newOffset)
    }

    mutating func takeBlanks() { take(.plain, to: skipBlanks(from: offset)) }
}
