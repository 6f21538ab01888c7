/// A part of a text before its styles are known.
struct InlineNode {
    enum Kind { case text, code, delimiter }

    let kind: Kind
    /// The bytes to show. Matching removes those of a delimiter.
    var text: [UInt8]
    /// The styles that end before the text.
    var closes = StyleCounts()
    /// The styles that begin after the text.
    var opens = StyleCounts()

    init(_ kind: Kind, _ text: [UInt8]) {
        self.kind = kind
        self.text = text
    }
}

/// The nesting of each style.
struct StyleCounts {
    var emphasis = 0
    var strong = 0
    var strikethrough = 0

    var styles: MarkdownStyles {
        var bits: UInt8 = 0
        if emphasis > 0 { bits |= MarkdownStyles.emphasis.rawValue }
        if strong > 0 { bits |= MarkdownStyles.strong.rawValue }
        if strikethrough > 0 { bits |= MarkdownStyles.strikethrough.rawValue }
        return MarkdownStyles(rawValue: bits)
    }

    static func + (first: Self, second: Self) -> Self {
        Self(
            emphasis: first.emphasis + second.emphasis, strong: first.strong + second.strong,
            strikethrough: first.strikethrough + second.strikethrough)
    }

    static func - (first: Self, second: Self) -> Self {
        Self(
            emphasis: first.emphasis - second.emphasis, strong: first.strong - second.strong,
            strikethrough: first.strikethrough - second.strikethrough)
    }
}

/// A writer that joins nodes of equal appearance to runs.
struct RunWriter {
    private(set) var runs: [MarkdownRun] = []
    private var bytes: [UInt8] = []
    private var styles: MarkdownStyles = []
    private var link: String?

    /// - Parameter links: The links, in order, without overlap.
    mutating func write(_ nodes: [InlineNode], links: [(nodes: Range<Int>, url: String)]) {
        var counts = StyleCounts()
        var links = links[...]
        for (index, node) in nodes.enumerated() {
            while let first = links.first, first.nodes.upperBound <= index { links.removeFirst() }
            counts = counts - node.closes
            if !node.text.isEmpty {
                let link = links.first.flatMap { $0.nodes.contains(index) ? $0.url : nil }
                write(node.text, node.kind == .code ? counts.styles.union(.code) : counts.styles, link)
            }
            counts = counts + node.opens
        }
        endRun()
    }

    private mutating func write(_ text: [UInt8], _ styles: MarkdownStyles, _ link: String?) {
        if runs.count < Limits.runCount - 1, styles != self.styles || link != self.link {
            endRun()
            let isLast = runs.count == Limits.runCount - 1
            self.styles = isLast ? [] : styles
            self.link = isLast ? nil : link
        }
        bytes += text
    }

    private mutating func endRun() {
        guard !bytes.isEmpty else { return }
        runs.append(MarkdownRun(text: String(decoding: bytes, as: UTF8.self), styles: styles, link: link))
        bytes = []
    }
}
