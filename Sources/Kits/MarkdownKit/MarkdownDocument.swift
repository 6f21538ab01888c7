/// A text in Markdown as a tree of values, which grows while the text arrives.
///
///     text ─▶ lines ─▶ BlockParser ─▶ blocks          InlineParser ─▶ runs
///                      the open block and the last line are parsed again by each `append`
///
/// The dialect is CommonMark as language models write it, with tables, task items, strikethrough and bare web addresses. It differs where
/// the end of a text would change its beginning: there are no link references, and no headings that are made by underlining. HTML is text.
/// `Docs/Decisions/0036-markdown-is-parsed-by-hand.md` lists every difference.
///
/// The blocks depend on the text alone, not on the pieces in which it was appended.
package struct MarkdownDocument: Equatable, Sendable {
    /// The blocks of the text so far. Their ids are their indices.
    package private(set) var blocks: [MarkdownBlock] = []
    /// Count of leading ``blocks`` that never change again.
    package private(set) var closedBlockCount = 0
    /// All ``blocks`` in sections, at most 32 in each. A section that is followed by another one never changes again.
    package var sections: [MarkdownSection] {
        let rest = blocks[(closedSections.count * Limits.sectionLength)...]
        return rest.isEmpty ? closedSections : closedSections + [MarkdownSection(id: closedSections.count, blocks: Array(rest))]
    }
    /// The full sections of closed blocks. They are kept, so that their arrays stay the same objects.
    private var closedSections: [MarkdownSection] = []
    /// True after ``finish()``.
    package private(set) var isFinished = false

    private var parser = BlockParser()
    /// The bytes of the last line, which has no line ending yet.
    private var lastLine: [UInt8] = []
    /// True if ``lastLine`` continues a line that was too long to be kept.
    private var continuesLine = false
    /// Count of bytes and tokens visited so far, for tests of the cost.
    private(set) var workCount = 0

    /// Creates an empty document.
    package init() {}

    /// Parses a complete text.
    package init(_ text: String) {
        append(text)
        finish()
    }

    /// Adds text at the end. The cost grows with the length of `text` and of the last top-level block only, apart from a copy of the array
    /// ``blocks`` if another value shares it.
    ///
    /// The last line is left out of ``blocks`` while it contains nothing but the beginning of a marker, for example `#` or `**`. The address of
    /// an unfinished link is left out as well. Text after ``finish()`` is ignored.
    package mutating func append(_ text: String) {
        guard !isFinished, !text.isEmpty else { return }
        var text = text
        text.makeContiguousUTF8()
        var rest = text.utf8[...]
        while let end = rest.firstIndex(of: .lineFeed) {
            addToLastLine(rest[..<end])
            endLine()
            rest = rest[rest.index(after: end)...]
        }
        addToLastLine(rest)
        workCount += text.utf8.count
        takeClosedBlocks()
        show()
    }

    /// Ends the text. An unfinished marker or link appears as it is written.
    package mutating func finish() {
        guard !isFinished else { return }
        isFinished = true
        if !lastLine.isEmpty { endLine() }
        parser.closeAll(isOpen: false)
        takeClosedBlocks()
    }

    private mutating func addToLastLine(_ bytes: Substring.UTF8View) {
        var rest = bytes
        while !rest.isEmpty {
            let part = rest.prefix(Limits.textLength + 1 - lastLine.count)
            lastLine.append(contentsOf: part)
            rest = rest[part.endIndex...]
            guard lastLine.count > Limits.textLength else { continue }
            var end = Limits.textLength
            // Do not divide a character.
            while lastLine[end] & 0xC0 == 0x80 { end -= 1 }
            parse(Array(lastLine[..<end]))
            lastLine.removeFirst(end)
            continuesLine = true
        }
    }

    private mutating func endLine() {
        if lastLine.last == .carriageReturn { lastLine.removeLast() }
        parse(lastLine)
        lastLine.removeAll(keepingCapacity: true)
        continuesLine = false
    }

    private mutating func parse(_ line: [UInt8]) {
        if continuesLine { parser.continueLine(line) } else { parser.parseLine(line) }
    }

    /// Moves the parser's closed blocks to the front of ``blocks``.
    private mutating func takeClosedBlocks() {
        blocks.removeSubrange(closedBlockCount...)
        blocks += parser.closed
        closedBlockCount = blocks.count
        while closedBlockCount - closedSections.count * Limits.sectionLength >= Limits.sectionLength {
            let start = closedSections.count * Limits.sectionLength
            closedSections.append(
                MarkdownSection(id: closedSections.count, blocks: Array(blocks[start..<(start + Limits.sectionLength)])))
        }
        workCount += parser.workCount
        parser.closed = []
        parser.workCount = 0
    }

    /// Adds the open block, with the last line, to ``blocks``.
    private mutating func show() {
        var copy = parser
        if !lastLine.isEmpty {
            if continuesLine { copy.continueLine(lastLine) } else { copy.parseLine(lastLine, isPartial: true) }
        }
        copy.closeAll(isOpen: true)
        blocks += copy.closed
        workCount += copy.workCount
    }
}
