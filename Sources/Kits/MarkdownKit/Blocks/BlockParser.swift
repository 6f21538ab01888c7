/// A parser of lines into blocks. It is a value, so that a copy can finish the open blocks to show them.
///
///     for each line:  open quotes and items that the line continues
///                     ─▶ quotes and items that it begins ─▶ the leaf: a paragraph, code, a table, a heading, a break
struct BlockParser: Equatable, Sendable {
    /// The closed top-level blocks that the owner has not taken yet.
    var closed: [MarkdownBlock] = []
    /// The bytes and tokens visited since the owner set this to zero.
    var workCount = 0

    /// Count of top-level blocks that were closed so far.
    private var closedCount = 0
    /// The open quotes, lists and items, the outermost first. A list is followed by its open item, if there is one.
    private var containers: [Container] = []
    private var leaf: Leaf?
    // The content of the leaf. Not in `Leaf`, so that it grows in place.
    /// The lines of a paragraph without indentation, separated by line feeds.
    private var text: [UInt8] = []
    /// True if a line of the paragraph begins a formula, `\[`, without an end so far. Markers in a formula begin no blocks.
    private var isInFormula = false
    private var code = ""
    /// The blank lines after indented code, each with a line feed before it. They belong to the code if more of it follows.
    private var blankLines = ""
    private var rows: [MarkdownTable.Row] = []
    /// The length of the open top-level block in bytes.
    private var openLength = 0

    // MARK: Lines

    /// Parses a line without its line ending.
    ///
    /// - Parameter isPartial: True for the last line of an unfinished text, which is not shown until its kind is known.
    mutating func parseLine(_ line: [UInt8], isPartial: Bool = false) {
        if openLength > maximumLength { divideBlock() }
        var cursor = LineCursor(line)
        workCount += line.count
        let matched = matchContainers(&cursor)
        if case .fence(let fence, _) = leaf, matched == containers.count {
            parseCode(&cursor, fence, isPartial: isPartial)
        } else if isInFormula, leaf == .paragraph, !cursor.isBlank {
            parseText(&cursor, matched: matched, continuesLeaf: true)
            end()
        } else {
            parseStarts(&cursor, matched: matched, isPartial: isPartial)
        }
        openLength = containers.isEmpty && leaf == nil ? 0 : openLength + line.count + 1
    }

    /// Parses the next part of a line that was too long to be parsed at once.
    mutating func continueLine(_ part: [UInt8]) {
        workCount += part.count
        openLength += part.count
        switch leaf {
        case .fence(let fence, _):
            code += String(decoding: part, as: UTF8.self)
            leaf = .fence(fence, hasLines: true)
        case .indented: code += String(decoding: part, as: UTF8.self)
        default:
            if !part[...].leadingTrimmed.isEmpty { openParagraph(part[...].leadingTrimmed, in: containers.count) }
        }
    }

    /// Closes all blocks.
    ///
    /// - Parameter isOpen: True if the text is not finished.
    mutating func closeAll(isOpen: Bool) {
        closeLeaf(isOpen: isOpen)
        closeContainers(to: 0)
    }

    private var maximumLength: Int {
        if case .fence = leaf { Limits.codeLength } else { Limits.blockLength }
    }

    /// Divides a long top-level block. Code and tables continue in a block of the same kind.
    private mutating func divideBlock() {
        let last = leaf
        closeAll(isOpen: false)
        switch last {
        case .fence(let fence, _): leaf = .fence(fence, hasLines: false)
        case .table: leaf = last
        default: break
        }
    }

    // MARK: Containers

    /// Returns the count of open containers that the line continues, and passes their indentation.
    private mutating func matchContainers(_ cursor: inout LineCursor) -> Int {
        for (index, container) in containers.enumerated() {
            switch container.kind {
            case .list: break
            case .quote:
                guard cursor.indent < 4, cursor.trimmed.first == .ascii(">") else { return index }
                cursor.skipMarker(1)
                cursor.skip(columns: 1)
            case .item(let indent):
                if cursor.isBlank {
                    let isEmpty = index + 1 == containers.count && container.blocks.isEmpty && leaf == nil
                    guard !isEmpty else { return index }
                } else {
                    guard indent.continues(cursor) else { return index }
                }
                cursor.skip(columns: indent.content)
            }
        }
        return containers.count
    }

    /// Returns the count of quotes and items among the first `count` containers.
    private func depth(_ count: Int) -> Int {
        containers.prefix(count).reduce(0) { depth, container in
            if case .list = container.kind { depth } else { depth + 1 }
        }
    }

    private mutating func closeContainers(to count: Int) {
        while containers.count > count {
            let container = containers.removeLast()
            switch container.kind {
            case .quote: add(.quote(container.blocks))
            case .list(let marker):
                add(.list(MarkdownList(start: marker.number, isTight: !container.isLoose, items: container.items)))
            case .item:
                let list = containers.count - 1
                containers[list].items.append(
                    MarkdownListItem(id: containers[list].items.count, isChecked: container.isChecked, blocks: container.blocks))
            }
            workCount += container.blocks.count + container.items.count
        }
    }

    private mutating func add(_ content: MarkdownBlock.Content) {
        if containers.isEmpty {
            closed.append(MarkdownBlock(id: closedCount, content: content))
            closedCount += 1
            openLength = 0
        } else {
            let index = containers.count - 1
            containers[index].blocks.append(MarkdownBlock(id: containers[index].blocks.count, content: content))
        }
    }

    /// Closes the leaf and all but the first `count` containers, to begin a block in the last of these.
    private mutating func prepare(in count: Int) {
        closeLeaf(isOpen: false)
        closeContainers(to: count)
        // The block is not an item, so it ends the list.
        if case .list = containers.last?.kind { closeContainers(to: count - 1) }
        noteBlock()
    }

    /// Makes a list loose if a blank line is before a further block of its item.
    private mutating func noteBlock() {
        guard let container = containers.last, case .item = container.kind, container.followsBlank, !container.blocks.isEmpty else {
            return
        }
        containers[containers.count - 2].isLoose = true
    }

    private mutating func open(_ leaf: Leaf, in count: Int) {
        prepare(in: count)
        self.leaf = leaf
    }

    private mutating func openParagraph(_ line: ArraySlice<UInt8>, in count: Int) {
        open(.paragraph, in: count)
        text = Array(line)
        isInFormula = false
        followFormula(line)
    }

    private mutating func followFormula(_ line: ArraySlice<UInt8>) {
        guard isInFormula || line.starts(with: [.backslash, .ascii("[")]) else { return }
        var index = line.startIndex
        while index + 1 < line.endIndex {
            guard line[index] == .backslash else {
                index += 1
                continue
            }
            if line[index + 1] == .ascii("[") { isInFormula = true }
            if line[index + 1] == .ascii("]") { isInFormula = false }
            index += 2
        }
    }

    private mutating func openItem(_ marker: ListMarker, _ cursor: inout LineCursor, in count: Int) {
        closeLeaf(isOpen: false)
        closeContainers(to: count)
        if case .list(let list) = containers.last?.kind, list.kind != marker.kind || (list.number == nil) != (marker.number == nil)
        {
            closeContainers(to: count - 1)
        }
        if case .list = containers.last?.kind {
            if containers[containers.count - 1].followsBlank { containers[containers.count - 1].isLoose = true }
        } else {
            noteBlock()
            containers.append(Container(kind: .list(marker)))
        }
        let before = cursor.indent
        cursor.skipMarker(marker.width)
        let after = cursor.isBlank || cursor.indent > 4 ? 1 : cursor.indent
        cursor.skip(columns: after)
        containers.append(
            Container(kind: .item(Container.Indent(marker, at: before, content: before + marker.width + after))))
    }

    // MARK: Starts of blocks

    private mutating func parseStarts(_ cursor: inout LineCursor, matched: Int, isPartial: Bool) {
        // A partial line of white space shows nothing, because any block may follow.
        if isPartial, cursor.isBlank { return }
        var matched = matched
        // True until the line begins a container.
        var continuesLeaf = true
        while !cursor.isBlank {
            let text = cursor.trimmed
            let isLine = continuesLeaf && matched == containers.count
            workCount += 1
            if isPartial, Line.isUndecided(text, followsTableRow: isLine && mayBeTableHeader) { return }
            if isLine, beginTable(text) { return end() }
            if cursor.indent >= 4 {
                // Indentation cannot interrupt a paragraph.
                if continuesLeaf, case .paragraph = leaf { break }
                parseIndentedCode(&cursor, matched: matched, continuesLeaf: isLine)
                return end()
            }
            if text.first == .ascii(">"), depth(matched) < Limits.depth {
                prepare(in: matched)
                containers.append(Container(kind: .quote))
                cursor.skipMarker(1)
                cursor.skip(columns: 1)
            } else if let (level, content) = Line.heading(text) {
                prepare(in: matched)
                add(.heading(level: level, inlines(Array(content), isOpen: isPartial)))
                return end()
            } else if let fence = Fence(text, indent: cursor.indent) {
                open(.fence(isPartial ? fence.withoutLanguage : fence, hasLines: false), in: matched)
                return end()
            } else if Line.isThematicBreak(text) {
                prepare(in: matched)
                add(.thematicBreak)
                return end()
            } else if let marker = ListMarker(text), depth(matched) < Limits.depth,
                !(isLine && leaf == .paragraph) || marker.canInterrupt(text)
            {
                openItem(marker, &cursor, in: matched)
            } else {
                break
            }
            matched = containers.count
            continuesLeaf = false
        }
        if cursor.isBlank {
            parseBlank(&cursor, matched: matched, beginsContainer: !continuesLeaf)
        } else {
            parseText(&cursor, matched: matched, continuesLeaf: continuesLeaf)
            end()
        }
    }

    /// Ends a line that is not blank.
    private mutating func end() {
        for index in containers.indices { containers[index].followsBlank = false }
    }

    private mutating func parseBlank(_ cursor: inout LineCursor, matched: Int, beginsContainer: Bool) {
        if beginsContainer { return end() }
        if leaf == .indented, matched == containers.count {
            cursor.skip(columns: 4)
            blankLines += "\n" + String(decoding: cursor.rest, as: UTF8.self)
        } else {
            closeLeaf(isOpen: false)
            // A list whose item ends here stays open.
            closeContainers(to: matched)
        }
        // A blank line in a quote is not between the items around the quote.
        var index = containers.count - 1
        while index >= 0 {
            if case .quote = containers[index].kind { break }
            containers[index].followsBlank = true
            index -= 1
        }
    }

    private mutating func parseText(_ cursor: inout LineCursor, matched: Int, continuesLeaf: Bool) {
        let line = cursor.trimmed
        if continuesLeaf, leaf == .paragraph, text.count + line.count < Limits.textLength {
            // A line that does not continue all containers also continues the paragraph.
            text.append(.lineFeed)
            text.append(contentsOf: line)
            followFormula(line)
        } else if continuesLeaf, case .table(let alignments, _) = leaf, matched == containers.count, line.contains(.pipe) {
            let cells = TableRow.cells(line, maximum: alignments.count)
            rows.append(row(cells, id: rows.count, columnCount: alignments.count))
        } else {
            openParagraph(line, in: matched)
        }
    }

    // MARK: Leaves

    private mutating func parseCode(_ cursor: inout LineCursor, _ fence: Fence, isPartial: Bool) {
        let text = cursor.trimmed
        if cursor.indent < 4, isPartial, !text.isEmpty, text.trailingTrimmed.allSatisfy({ $0 == fence.character }) { return }
        if cursor.indent < 4, fence.isClosed(by: text) {
            closeLeaf(isOpen: false)
            return end()
        }
        cursor.skip(columns: fence.indent)
        if leaf == .fence(fence, hasLines: true) { code += "\n" }
        code += String(decoding: cursor.rest, as: UTF8.self)
        leaf = .fence(fence, hasLines: true)
        end()
    }

    private mutating func parseIndentedCode(_ cursor: inout LineCursor, matched: Int, continuesLeaf: Bool) {
        cursor.skip(columns: 4)
        let line = String(decoding: cursor.rest, as: UTF8.self)
        if continuesLeaf, leaf == .indented {
            code += blankLines + "\n" + line
        } else {
            open(.indented, in: matched)
            code = line
        }
        blankLines = ""
    }

    /// True if the last line of the open leaf may be the header of a table.
    private var mayBeTableHeader: Bool {
        leaf == .paragraph && text[((text.lastIndex(of: .lineFeed) ?? -1) + 1)...].contains(.pipe)
    }

    /// Turns the last line of the open paragraph into the header of a table; false if `line` is not a delimiter row for it.
    private mutating func beginTable(_ line: ArraySlice<UInt8>) -> Bool {
        guard leaf == .paragraph, let alignments = TableRow.alignments(line) else { return false }
        let start = text.lastIndex(of: .lineFeed).map { $0 + 1 } ?? 0
        workCount += text.count - start
        let cells = TableRow.cells(text[start...], maximum: Limits.columnCount + 1)
        guard cells.count == alignments.count else { return false }
        text.removeSubrange(max(0, start - 1)...)
        if text.isEmpty { leaf = nil } else { closeLeaf(isOpen: false) }
        leaf = .table(alignments, header: row(cells, id: -1, columnCount: cells.count))
        return true
    }

    private mutating func row(_ cells: [[UInt8]], id: Int, columnCount: Int) -> MarkdownTable.Row {
        let cells = cells + Array(repeating: [], count: columnCount - cells.count)
        return MarkdownTable.Row(
            id: id,
            cells: cells.enumerated().map { column, cell in
                MarkdownTable.Cell(id: column, text: inlines(cell, isOpen: false))
            })
    }

    private mutating func closeLeaf(isOpen: Bool) {
        guard let last = leaf else { return }
        leaf = nil
        switch last {
        case .paragraph: addParagraph(isOpen: isOpen)
        case .fence(let fence, _): addCode(fence.language, isClosed: !isOpen)
        case .indented: addCode(nil, isClosed: !isOpen)
        case .table(let alignments, let header):
            workCount += rows.count
            add(.table(MarkdownTable(alignments: alignments, header: header, rows: rows)))
            rows = []
        }
    }

    private mutating func addCode(_ language: String?, isClosed: Bool) {
        workCount += code.utf8.count
        add(.code(MarkdownCode(language: language, text: code, isClosed: isClosed)))
        code = ""
    }

    private mutating func addParagraph(isOpen: Bool) {
        defer { text = [] }
        if let container = containers.last, case .item = container.kind, container.blocks.isEmpty {
            if let (isChecked, length) = Line.task(text) {
                containers[containers.count - 1].isChecked = isChecked
                text = Array(text[length...].leadingTrimmed)
            } else if isOpen, Line.isPartialTask(text) {
                return
            }
        }
        // A single line that begins with a pipe is probably the header of a table.
        if isOpen, text.first == .pipe, !text.contains(.lineFeed) {
            let cells = TableRow.cells(text[...], maximum: Limits.columnCount)
            let header = row(cells, id: -1, columnCount: cells.count)
            add(.table(MarkdownTable(alignments: cells.map { _ in nil }, header: header, rows: [])))
        } else {
            add(.paragraph(inlines(text, isOpen: isOpen)))
        }
    }

    private mutating func inlines(_ text: [UInt8], isOpen: Bool) -> MarkdownText {
        var parser = InlineParser(text, isOpen: isOpen)
        let text = parser.parse()
        workCount += parser.workCount
        return text
    }
}
