/// Markdown and diffs.
extension Lexer {
    // MARK: Markdown

    mutating func markdownLine() {
        if offset == 0, frames.count == 1, isFirstLine, has("---"), skipBlanks(from: 3) == end {
            take(.operator, to: end)
            push(.fence(byte: .minus, count: 3))
            push(.yaml)
            return
        }
        takeBlanks()
        var isStart = true
        // Marks of quotes and items come before everything else.
        while offset < end, isStart {
            switch byte() {
            case .greater: take(.comment, 1)
            case .minus where byte(1).isBlank, .plus where byte(1).isBlank, .asterisk where byte(1).isBlank: take(.operator, 1)
            case let byte where byte.isDigit:
                let digits = skip(from: offset) { $0.isDigit }
                guard digits + 1 < end, bytes[digits] == .dot || bytes[digits] == .closeParenthesis, bytes[digits + 1].isBlank
                else {
                    isStart = false
                    continue
                }
                take(.operator, to: digits + 1)
            default: isStart = false
            }
            if isStart { takeBlanks() }
        }
        switch byte() {
        case .hash:
            let marks = skip(from: offset) { $0 == .hash }
            if marks - offset <= 6, marks == end || bytes[marks].isBlank { return take(.heading, to: end) }
        case .backtick, .tilde:
            if openFence() { return }
        default: break
        }
        markdownText()
    }

    /// Takes an opening fence. Returns false if it is a span of code.
    private mutating func openFence() -> Bool {
        let mark = byte()
        let marks = skip(from: offset) { $0 == mark }
        let count = marks - offset
        guard count >= 3, mark == .tilde || !bytes[marks..<end].contains(.backtick) else { return false }
        let word = String(decoding: bytes[marks..<min(end, marks + 64)], as: UTF8.self)
        take(.operator, to: marks)
        take(.attribute, to: end)
        guard frames.count + 2 <= Frame.maximumCount else { return true }
        push(.fence(byte: mark, count: min(count, 1000)))
        if let language = CodeLanguage(fence: word), language != .markdown { push(Self.frame(of: language)) }
        return true
    }

    /// Takes the line if it is a closing fence.
    mutating func endFenceIfClosed() {
        guard let index = frames.firstIndex(where: { if case .fence = $0 { true } else { false } }),
            case .fence(let mark, let count) = frames[index]
        else { return }
        let marks = skip(from: firstOffset) { $0 == mark }
        let isFence = mark == .minus ? marks == 3 && firstOffset == 0 : marks - firstOffset >= count
        guard isFence, skipBlanks(from: marks) == bytes.count else { return }
        frames.removeSubrange(index...)
        take(.operator, to: end)
    }

    private mutating func markdownText() {
        // The lengths of backtick runs that no further run on this line closes.
        var unclosed: Set<Int> = []
        while offset < end {
            switch byte() {
            case .backslash: take(.plain, 2)
            case .backtick:
                let marks = skip(from: offset) { $0 == .backtick }
                let count = marks - offset
                if count <= 3, !unclosed.contains(count), let close = endOfCode(from: marks, count) {
                    take(.string, to: close)
                } else {
                    unclosed.insert(min(count, 4))
                    take(.plain, to: marks)
                }
            case .asterisk, .underscore, .tilde: take(.operator, 1)
            case .openBracket, .exclamationMark: take(.operator, 1)
            case .closeBracket where byte(1) == .openParenthesis:
                let close = skip(from: offset) { $0 != .closeParenthesis && $0 != .space }
                take(.operator, 2)
                take(.attribute, to: close)
            case .less where has("<!--"):
                take(.comment, 4)
                push(.comment(OpenComment(open: [], close: Array("-->"))))
                return
            case .less where byte(1).isLetter || byte(1) == .slash:
                take(.tag, to: skip(from: offset) { $0 != .greater } + 1)
            case .pipe, .closeBracket: take(.operator, 1)
            default:
                take(
                    .plain,
                    to: skip(from: offset + 1) { byte in
                        switch byte {
                        case .backslash, .backtick, .asterisk, .underscore, .tilde, .openBracket, .closeBracket, .exclamationMark,
                            .less, .pipe:
                            false
                        default: true
                        }
                    })
            }
        }
    }

    private mutating func endOfCode(from start: Int, _ count: Int) -> Int? {
        var index = start
        while index < end {
            guard bytes[index] == .backtick else {
                index = skip(from: index) { $0 != .backtick }
                continue
            }
            let marks = skip(from: index) { $0 == .backtick }
            if marks - index == count { return marks }
            index = marks
        }
        return nil
    }

    // MARK: Diffs

    mutating func diffLine(_ old: Int, _ new: Int) {
        if old > 0 || new > 0 {
            switch byte() {
            case .plus:
                replaceLast(.diff(old: old, new: max(new - 1, 0)))
                return take(.inserted, to: end)
            case .minus:
                replaceLast(.diff(old: max(old - 1, 0), new: new))
                return take(.deleted, to: end)
            case .space:
                replaceLast(.diff(old: max(old - 1, 0), new: max(new - 1, 0)))
                return take(.plain, to: end)
            case .backslash: return take(.comment, to: end)
            default: replaceLast(.diff(old: 0, new: 0))
            }
        }
        if let counts = DiffParser.hunkCounts(bytes) {
            replaceLast(.diff(old: counts.old.count, new: counts.new.count))
            return take(.heading, to: end)
        }
        let isHeader = has("diff ") || has("--- ") || has("+++ ") || has("@@") || has("Index: ")
        switch byte() {
        case _ where isHeader: take(.heading, to: end)
        // A fragment of a diff may lack the hunk header.
        case .plus, .greater: take(.inserted, to: end)
        case .minus, .less: take(.deleted, to: end)
        case .space: take(.plain, to: end)
        default: take(.comment, to: end)
        }
    }
}
