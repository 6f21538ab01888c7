/// The runs of `*`, `_` and `~` that have no partner yet, and their matching (CommonMark, appendix "A parsing strategy").
struct DelimiterStack {
    private struct Delimiter {
        let node: Int
        let character: UInt8
        /// The length before matching.
        let length: Int
        var count: Int
        let canOpen: Bool
        let canClose: Bool
        /// The neighbours in the list of unmatched runs.
        var previous: Int?
        var next: Int?
    }

    /// All runs, in order. Those that are matched or passed over are no longer linked.
    private var delimiters: [Delimiter] = []
    private var last: Int?
    private(set) var workCount = 0

    var count: Int { delimiters.count }

    mutating func add(node: Int, _ character: UInt8, count: Int, _ flanks: Flanks) {
        let index = delimiters.count
        if let last { delimiters[last].next = index }
        delimiters.append(
            Delimiter(
                node: node, character: character, length: count, count: count, canOpen: flanks.canOpen, canClose: flanks.canClose,
                previous: last))
        last = index
    }

    /// Matches the runs from index `bottom` on and removes them from the list.
    ///
    /// - Parameter isOpen: True at the end of an unfinished text.
    mutating func match(above bottom: Int, in nodes: inout [InlineNode], isOpen: Bool = false) {
        // The index below which no opener is left, for each kind of closer.
        var floors: [Int: Int] = [:]
        var current = first(from: bottom)
        while let closer = current {
            workCount += 1
            guard delimiters[closer].canClose else {
                current = delimiters[closer].next
                continue
            }
            let kind = delimiters[closer]
            let key = Int(kind.character) * 6 + kind.length % 3 * 2 + (kind.canOpen ? 1 : 0)
            if let opener = opener(for: closer, from: floors[key] ?? bottom) {
                apply(opener, closer, in: &nodes)
                if delimiters[closer].count == 0 {
                    current = delimiters[closer].next
                    unlink(closer)
                }
            } else {
                floors[key] = closer
                current = kind.next
                if !kind.canOpen { unlink(closer) }
            }
        }
        if isOpen { openStrong(in: &nodes) }
        while let top = last, top >= bottom { unlink(top) }
    }

    /// Styles the text after the last `**` that can only open: its end has not arrived yet.
    private mutating func openStrong(in nodes: inout [InlineNode]) {
        var index = last
        while let current = index {
            workCount += 1
            let run = delimiters[current]
            if run.character == .ascii("*"), run.length == 2, run.count == 2, run.canOpen, !run.canClose {
                nodes[run.node].text = []
                nodes[run.node].opens.strong += 1
                return
            }
            index = run.previous
        }
    }

    /// Returns the first linked run from an index on; nil if there is none.
    private mutating func first(from bottom: Int) -> Int? {
        var result: Int?
        var index = last
        while let current = index, current >= bottom {
            workCount += 1
            result = current
            index = delimiters[current].previous
        }
        return result
    }

    private mutating func opener(for closer: Int, from floor: Int) -> Int? {
        let end = delimiters[closer]
        var index = end.previous
        while let current = index, current >= floor {
            workCount += 1
            let start = delimiters[current]
            if start.canOpen, start.character == end.character, end.character != .tilde || start.count == end.count {
                // Runs that can both open and close do not match if their lengths add up to a multiple of 3, unless both are.
                let isAmbiguous = (end.canOpen || start.canClose) && end.length % 3 != 0 && (start.length + end.length) % 3 == 0
                if !isAmbiguous { return current }
            }
            index = start.previous
        }
        return nil
    }

    /// Styles the nodes between two runs, and removes the characters that mark the style.
    private mutating func apply(_ opener: Int, _ closer: Int, in nodes: inout [InlineNode]) {
        let width = min(delimiters[opener].count, delimiters[closer].count, 2)
        var style = StyleCounts()
        switch (delimiters[opener].character, width) {
        case (.tilde, _): style.strikethrough = 1
        case (_, 1): style.emphasis = 1
        default: style.strong = 1
        }
        let (start, end) = (delimiters[opener].node, delimiters[closer].node)
        nodes[start].opens = nodes[start].opens + style
        nodes[end].closes = nodes[end].closes + style
        nodes[start].text.removeLast(width)
        nodes[end].text.removeLast(width)
        delimiters[opener].count -= width
        delimiters[closer].count -= width
        // Runs between them have no partner and stay text.
        delimiters[opener].next = closer
        delimiters[closer].previous = opener
        if delimiters[opener].count == 0 { unlink(opener) }
    }

    private mutating func unlink(_ index: Int) {
        let (previous, next) = (delimiters[index].previous, delimiters[index].next)
        if let previous { delimiters[previous].next = next }
        if let next { delimiters[next].previous = previous } else { last = previous }
    }
}

/// The abilities of a run of `*`, `_` or `~`, which follow from the characters on both sides.
struct Flanks {
    let canOpen: Bool
    let canClose: Bool

    init(_ character: UInt8, _ run: Range<Int>, in bytes: [UInt8]) {
        let before = Neighbor(before: run.lowerBound, in: bytes)
        let after = Neighbor(after: run.upperBound, in: bytes)
        let isLeft = !after.isSpace && (!after.isPunctuation || before.isSpace || before.isPunctuation)
        let isRight = !before.isSpace && (!before.isPunctuation || after.isSpace || after.isPunctuation)
        guard character != .ascii("_") else {
            canOpen = isLeft && (!isRight || before.isPunctuation)
            canClose = isRight && (!isLeft || after.isPunctuation)
            return
        }
        // Scripts without spaces, and particles after a word, put letters next to punctuation that is inside: **"a"**는, **a:**b.
        let isDouble = run.count >= 2
        canOpen = isLeft || (!after.isSpace && after.isPunctuation && !after.isClosing && before.isWithoutSpaces)
        canClose =
            isRight
            || (!before.isSpace && before.isPunctuation && !before.isOpening
                && (after.isWithoutSpaces || isDouble && after.isWord && before.endsPhrase))
    }
}

/// The character next to a run of delimiters.
private struct Neighbor {
    private let scalar: Unicode.Scalar

    /// The ends of the text count as spaces.
    init(before index: Int, in bytes: [UInt8]) {
        var start = index - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        scalar = start < 0 ? " " : Self.scalar(of: bytes[start..<index])
    }

    init(after index: Int, in bytes: [UInt8]) {
        var end = index + 1
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        scalar = index >= bytes.count ? " " : Self.scalar(of: bytes[index..<end])
    }

    private static func scalar(of bytes: ArraySlice<UInt8>) -> Unicode.Scalar {
        if let byte = bytes.first, byte < 0x80 { return Unicode.Scalar(byte) }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.first ?? " "
    }

    var isSpace: Bool { scalar.isASCII ? scalar.value <= 0x20 : scalar.properties.isWhitespace }
    var isWord: Bool { !isSpace && !isPunctuation }

    var isPunctuation: Bool {
        if scalar.isASCII { return UInt8(scalar.value).isPunctuation }
        switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
            .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
            return true
        default: return false
        }
    }

    var isOpening: Bool {
        let category = scalar.properties.generalCategory
        return category == .openPunctuation || category == .initialPunctuation
    }

    var isClosing: Bool {
        let category = scalar.properties.generalCategory
        return category == .closePunctuation || category == .finalPunctuation
    }

    /// True for punctuation that ends a phrase, for which a bold phrase is often followed by a letter directly.
    var endsPhrase: Bool { isClosing || ":.!?\"'%".unicodeScalars.contains(scalar) }

    /// True for letters of Chinese, Japanese and Korean.
    var isWithoutSpaces: Bool {
        guard isWord else { return false }
        switch scalar.value {
        case 0x1100...0x11FF, 0x2E80...0x312F, 0x3130...0x33FF, 0x3400...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF,
            0xFF66...0xFFDC, 0x20000...0x3FFFF:
            return true
        default: return false
        }
    }
}
