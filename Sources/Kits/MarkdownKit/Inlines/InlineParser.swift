/// A parser of the text of a paragraph, a heading or a cell into runs, in time proportional to its length.
///
///     bytes ─▶ nodes: text, code, runs of * _ ~  ─▶ pairs of these open and close styles  ─▶ runs
struct InlineParser {
    /// The bytes and tokens visited.
    private(set) var workCount = 0

    private let bytes: [UInt8]
    /// True if the text is not finished.
    private let isOpen: Bool
    private let code: CodeSpans
    private var index = 0
    /// The start of the text that is not in a node yet.
    private var textStart = 0
    private var nodes: [InlineNode] = []
    private var delimiters = DelimiterStack()
    private var brackets: [Bracket] = []
    /// The nodes that show links, in order, without overlap.
    private var links: [(nodes: Range<Int>, url: String)] = []
    private var bracketLinkCount = 0
    /// The closing bytes of formulas that do not occur in the rest of the text.
    private var missingFormulaEnds: Set<UInt8> = []

    /// A `[` that may begin a link or an image.
    private struct Bracket {
        let node: Int
        let isImage: Bool
        /// Count of delimiters before the bracket.
        let delimiterCount: Int
        /// Count of links with brackets before the bracket.
        let linkCount: Int
    }

    /// - Parameter bytes: The text in UTF-8. Lines are separated by line feeds and have no indentation.
    init(_ bytes: [UInt8], isOpen: Bool) {
        self.bytes = Array(isOpen ? bytes.withoutUndecidedStars : bytes[...].trailingTrimmed)
        self.isOpen = isOpen
        code = CodeSpans(self.bytes[...])
    }

    mutating func parse() -> MarkdownText {
        while index < bytes.count {
            passText()
            if index < bytes.count { parseNext() }
        }
        endText()
        delimiters.match(above: 0, in: &nodes, isOpen: isOpen)
        workCount += bytes.count + delimiters.workCount + nodes.count
        var writer = RunWriter()
        writer.write(nodes, links: links)
        return MarkdownText(runs: writer.runs)
    }

    /// True for each byte that may be more than text, and that ``parseNext()`` handles.
    private static let isMarker: [Bool] = {
        var isMarker = Array(repeating: false, count: 256)
        for byte in "\\`*_~![]<&\nh".utf8 { isMarker[Int(byte)] = true }
        return isMarker
    }()

    private mutating func passText() {
        let isMarker = Self.isMarker
        var next = index
        while next < bytes.count, !isMarker[Int(bytes[next])] { next += 1 }
        index = next
    }

    private mutating func parseNext() {
        switch bytes[index] {
        case .backslash: parseEscape()
        case .backtick: parseCode()
        case .ascii("*"), .ascii("_"), .tilde: parseDelimiters()
        case .ascii("!") where byte(at: index + 1) == .ascii("["): openBracket(length: 2)
        case .ascii("["): openBracket(length: 1)
        case .ascii("]"): closeBracket()
        case .ascii("<"): parseAngle()
        case .ascii("&"): parseEntity()
        case .lineFeed: parseLineEnd()
        case .ascii("h"): parseAddress()
        default: index += 1
        }
    }

    private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    // MARK: Nodes

    /// Makes a node of the text before the index, and passes `length` bytes.
    private mutating func endText(passing length: Int = 0) {
        if textStart < index { nodes.append(InlineNode(.text, Array(bytes[textStart..<index]))) }
        index += length
        textStart = index
    }

    private mutating func add(_ text: [UInt8], as kind: InlineNode.Kind = .text, passing length: Int) {
        endText(passing: length)
        nodes.append(InlineNode(kind, text))
    }

    // MARK: Text

    private mutating func parseEscape() {
        switch byte(at: index + 1) {
        case .lineFeed: add([.lineFeed], passing: 2)
        case .ascii("("): parseFormula(closedBy: .ascii(")"))
        case .ascii("["): parseFormula(closedBy: .ascii("]"))
        case .ascii("]") where isAloneOnLine: add(Array(bytes[index..<(index + 2)]), passing: 2)
        case let next? where next.isPunctuation:
            endText(passing: 1)
            // The escaped byte begins the next text.
            index += 1
        default: index += 1
        }
    }

    /// Parses a formula in TeX: `\( … \)` in a line, `\[ … \]` on lines of its own. A formula is text with all its characters.
    private mutating func parseFormula(closedBy close: UInt8) {
        let open = bytes[index + 1]
        var end = missingFormulaEnds.contains(close) ? bytes.count : index + 2
        while end + 1 < bytes.count {
            if bytes[end] == .backslash {
                // Another formula begins, so this one has no end.
                if bytes[end + 1] == open { break }
                if bytes[end + 1] == close { return addFormula(upTo: end + 2, isDisplayed: close == .ascii("]")) }
                end += 1
            }
            end += 1
        }
        workCount += end - index
        if end + 1 >= bytes.count {
            // While the text grows, the end may still come.
            if isOpen { return addFormula(upTo: bytes.count, isDisplayed: close == .ascii("]")) }
            missingFormulaEnds.insert(close)
        }
        if close == .ascii("]"), isAloneOnLine { return add(Array(bytes[index..<(index + 2)]), passing: 2) }
        endText(passing: 1)
        index += 1
    }

    private mutating func addFormula(upTo end: Int, isDisplayed: Bool) {
        workCount += end - index
        let text = bytes[index..<end].map { $0 == .lineFeed && !isDisplayed ? .space : $0 }
        add(text, passing: end - index)
    }

    /// True if the escape at the index is the only content of its line: the mark of a formula with blank lines.
    private var isAloneOnLine: Bool {
        let before = bytes[..<index].last { !$0.isBlank }
        let after = bytes[(index + 2)...].first { !$0.isBlank }
        return (before == nil || before == .lineFeed) && (after == nil || after == .lineFeed)
    }

    private mutating func parseLineEnd() {
        let text = bytes[textStart..<index]
        let trimmed = text.trailingTrimmed
        let isHard = text.count - trimmed.count >= 2
        let end = index
        index = trimmed.endIndex
        endText(passing: end + 1 - trimmed.endIndex)
        nodes.append(InlineNode(.text, [isHard ? .lineFeed : .space]))
    }

    private mutating func parseEntity() {
        if let (text, length) = Entity.read(bytes[index...]) { add(Array(text.utf8), passing: length) } else { index += 1 }
    }

    private mutating func parseCode() {
        let length = code.length(at: index)
        guard let end = code.end(openedAt: index) else {
            if isOpen, code.isLast(index) { parseOpenCode(behind: length) } else { index += length }
            return
        }
        var content = bytes[(index + length)..<(end - length)].map { $0 == .lineFeed ? .space : $0 }
        if content.count > 2, content.first == .space, content.last == .space, content.contains(where: { $0 != .space }) {
            content = Array(content.dropFirst().dropLast())
        }
        add(content, as: .code, passing: end - index)
    }

    /// Parses code whose end has not arrived yet.
    private mutating func parseOpenCode(behind length: Int) {
        let content = bytes[(index + length)...]
        if content.first?.isBlank ?? false || content.contains(.lineFeed) {
            index += length
        } else {
            add(Array(content), as: .code, passing: bytes.count - index)
        }
    }

    private mutating func parseDelimiters() {
        let character = bytes[index]
        var end = index + 1
        while end < bytes.count, bytes[end] == character { end += 1 }
        let count = end - index
        guard character != .tilde || count == 2 else {
            index += count
            return
        }
        let flanks = Flanks(character, index..<(index + count), in: bytes)
        guard flanks.canOpen || flanks.canClose else {
            index += count
            return
        }
        add(Array(repeating: character, count: count), as: .delimiter, passing: count)
        delimiters.add(node: nodes.count - 1, character, count: count, flanks)
    }

    // MARK: Links

    private mutating func openBracket(length: Int) {
        add(length == 2 ? Array("![".utf8) : [.ascii("[")], passing: length)
        brackets.append(
            Bracket(
                node: nodes.count - 1, isImage: length == 2, delimiterCount: delimiters.count, linkCount: bracketLinkCount))
    }

    private mutating func closeBracket() {
        guard let bracket = brackets.popLast(), byte(at: index + 1) == .ascii("(") else {
            index += 1
            return
        }
        let (target, visited) = LinkTarget.read(bytes[(index + 2)...], isOpen: isOpen)
        workCount += visited
        // A link does not contain a link; the inner one counts.
        guard let target, bracket.isImage || bracketLinkCount == bracket.linkCount else {
            index += 1
            return
        }
        endText(passing: 2 + target.length)
        nodes[bracket.node].text = []
        delimiters.match(above: bracket.delimiterCount, in: &nodes)
        guard !bracket.isImage else { return }
        bracketLinkCount += 1
        // Addresses in the text of the link are not links of their own.
        while let inner = links.last, inner.nodes.lowerBound >= bracket.node { links.removeLast() }
        if let url = target.url { links.append((bracket.node..<nodes.count, url)) }
    }

    /// Parses `<address>` and `<br>`. Other tags are text.
    private mutating func parseAngle() {
        let content = bytes[(index + 1)...].prefix {
            $0 != .ascii(">") && $0 != .ascii("<") && $0 != .lineFeed && $0 != .space
        }
        workCount += content.count
        for lineBreak in ["<br>", "<br/>", "<br />"] where bytes[index...].starts(with: lineBreak.utf8) {
            return add([.lineFeed], passing: lineBreak.utf8.count)
        }
        guard byte(at: content.endIndex) == .ascii(">") else {
            index += 1
            return
        }
        let address = SafeURL.read(content) ?? SafeURL.mail(content)
        guard let address else {
            index += 1
            return
        }
        add(Array(content), passing: content.count + 2)
        addLink(address)
    }

    /// Parses a web address without brackets.
    private mutating func parseAddress() {
        let isStart = index == 0 || !(bytes[index - 1].isLetter || bytes[index - 1].isDigit)
        guard isStart, let length = SafeURL.bareLength(bytes[index...]) else {
            index += 1
            return
        }
        workCount += length
        let address = Array(bytes[index..<(index + length)])
        add(address, passing: length)
        if let url = SafeURL.read(address[...]) { addLink(url) }
    }

    /// Makes the last node a link.
    private mutating func addLink(_ url: String) { links.append((nodes.count - 1..<nodes.count, url)) }
}

extension Collection<UInt8> where Self: BidirectionalCollection, SubSequence: BidirectionalCollection<UInt8> {
    /// The bytes without trailing blanks and undecided stars: stars that can only open a style, and a star that may become two.
    fileprivate var withoutUndecidedStars: SubSequence.SubSequence {
        let text = self[...].trailingTrimmed
        guard text.endIndex == endIndex else { return text }
        var start = text.endIndex
        var count = 0
        while start > text.startIndex, text[text.index(before: start)] == .ascii("*") {
            start = text.index(before: start)
            count += 1
        }
        let before = text[..<start].last ?? .space
        let isUndecided = count == 1 || before.isBlank || before == .lineFeed
        return count == 0 || before == .backslash || !isUndecided ? text : text[..<start].trailingTrimmed
    }
}
