extension Lexer {
    mutating func stepComment(_ comment: OpenComment) {
        var comment = comment
        var index = offset
        while index < end {
            if has(comment.close, at: index) {
                index += comment.close.count
                comment.depth -= 1
                if comment.depth == 0 {
                    take(.comment, to: index)
                    frames.removeLast()
                    return
                }
            } else if !comment.open.isEmpty, has(comment.open, at: index) {
                index += comment.open.count
                // Deeper comments end early.
                comment.depth = min(comment.depth + 1, 1000)
            } else {
                index += 1
            }
        }
        take(.comment, to: end)
        replaceLast(.comment(comment))
    }

    /// Takes the opening mark of a string; the next steps take the rest.
    mutating func openString(_ string: OpenString, length: Int) {
        take(string.kind, length)
        previous = .operand
        push(.string(string))
    }

    mutating func stepString(_ string: OpenString) {
        var index = offset
        let isPHP = language == .php && string.kind == .string && frames.contains { if case .tag = $0 { true } else { false } }
        while index < end {
            let byte = bytes[index]
            if !string.escape.isEmpty, byte == string.escape[0], has(string.escape, at: index) {
                // An interpolation may begin like an escape.
                if let interpolation = string.interpolations.first(where: { has($0.open, at: index) }) {
                    return interpolate(interpolation, at: index, string.kind)
                }
                index += string.escape.count
                if index == end, end == bytes.count { isContinued = true }
                index = min(index + 1, end)
                continue
            }
            if byte == string.close.first, has(string.close, at: index) {
                index += string.close.count
                if string.isDoubled, has(string.close, at: index) {
                    index += string.close.count
                    continue
                }
                // Additional quotes belong to the string.
                if string.close.count >= 3, string.close[0] == string.close[string.close.count - 1] {
                    while index < end, bytes[index] == string.close[0] { index += 1 }
                }
                return closeString(string, at: index)
            }
            if let interpolation = string.interpolations.first(where: { $0.open[0] == byte && has($0.open, at: index) }) {
                // A doubled brace is a brace.
                if interpolation.open.count == 1, index + 1 < end, bytes[index + 1] == byte {
                    index += 2
                    continue
                }
                return interpolate(interpolation, at: index, string.kind)
            }
            if isPHP, byte == .less, index + 1 < end, bytes[index + 1] == .questionMark {
                take(string.kind, to: index)
                openPHP()
                return
            }
            index += 1
        }
        take(string.kind, to: end)
    }

    private mutating func interpolate(_ interpolation: Interpolation, at index: Int, _ kind: Token.Kind) {
        take(kind, to: index + interpolation.length)
        guard let language = codeLanguage else { return }
        previous = language == .shell && interpolation.bracket == .openBrace ? .operand : .start
        push(
            .code(
                CodeFrame(language: language, closer: .bracket(open: interpolation.bracket, close: interpolation.close, depth: 0))))
    }

    /// The language of the innermost code.
    private var codeLanguage: CodeLanguage? {
        for frame in frames.reversed() {
            if case .code(let code) = frame { return code.language }
        }
        switch language {
        case .makefile, .dockerfile: return .shell
        default: return nil
        }
    }

    private mutating func closeString(_ string: OpenString, at index: Int) {
        let start = offset
        take(string.kind, to: index)
        frames.removeLast()
        previous = .operand
        guard string.mayBeKey, start >= string.close.count else { return }
        let next = skipBlanks(from: offset)
        // The opening quote is directly before the bytes that this step took.
        if next < end, bytes[next] == .colon { output.recolour(from: start - string.close.count, .attribute) }
    }

    // MARK: Heredocs

    mutating func heredocLine(_ heredoc: Heredoc) {
        let start = heredoc.allowsIndent ? firstOffset : 0
        guard !heredoc.terminator.isEmpty, has(heredoc.terminator, at: start) else { return take(heredoc.kind, to: end) }
        let after = start + heredoc.terminator.count
        if heredoc.allowsSuffix {
            guard after == end || !bytes[after].continuesName else { return take(heredoc.kind, to: end) }
        } else {
            guard skipBlanks(from: after) == end else { return take(heredoc.kind, to: end) }
        }
        frames.removeLast()
        take(heredoc.kind, to: heredoc.kind == .comment ? end : after)
        previous = .operand
        // The next of several heredocs of one line begins on the following line.
    }

    /// Takes `<<EOF`, `<<-EOF`, `<<~EOF`, `<<<EOF` and their quoted forms at the position. Returns false if there is none.
    mutating func openHeredoc(marker: [UInt8], indentMarks: [UInt8], allowsIndent: Bool, allowsSuffix: Bool) -> Bool {
        guard has(marker), heredocs.count < 8 else { return false }
        var index = offset + marker.count
        var isIndented = allowsIndent
        if index < end, indentMarks.contains(bytes[index]) {
            isIndented = true
            index += 1
        }
        index = min(skip(from: index) { $0 == .space }, end)
        var quote: UInt8?
        if index < end, [.quote, .apostrophe, .backslash, .backtick].contains(bytes[index]) {
            quote = bytes[index]
            index += 1
        }
        let start = index
        while index < end, bytes[index].continuesName, index - start <= Heredoc.maximumLength { index += 1 }
        let terminator = Array(bytes[start..<index])
        guard let first = terminator.first, !first.isDigit, terminator.count <= Heredoc.maximumLength else { return false }
        if let quote, quote != .backslash {
            guard index < end, bytes[index] == quote else { return false }
            index += 1
        }
        heredocs.append(Heredoc(terminator: terminator, allowsIndent: isIndented, allowsSuffix: allowsSuffix))
        take(.string, to: index)
        previous = .operand
        return true
    }
}
