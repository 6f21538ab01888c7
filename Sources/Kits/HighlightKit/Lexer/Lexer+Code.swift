extension Lexer {
    /// Takes the next token of code.
    mutating func stepCode(_ frame: CodeFrame) {
        guard let grammar = Grammar.of(frame.language) else { return take(.plain, to: end) }
        let byte = byte()
        if byte.isBlank { return takeBlanks() }
        if close(frame) { return }
        if takeComment(frame.language, grammar) || takeSpecial(frame.language, grammar) || takeString(frame.language, grammar) {
            return
        }
        if byte.isDigit || (byte == .dot && self.byte(1).isDigit && previous != .operand) { return takeNumber() }
        if byte.startsName || grammar.nameBytes.contains(byte) { return takeName(frame.language, grammar) }
        takeSymbol()
    }

    /// Takes a bracket that opens or closes the frame, and `?>`. Returns true if the frame has ended.
    private mutating func close(_ frame: CodeFrame) -> Bool {
        switch frame.closer {
        case .none: return false
        case .php:
            guard byte() == .questionMark, byte(1) == .greater else { return false }
            take(.tag, 2)
            frames.removeLast()
            return true
        case .bracket(let open, let close, let depth):
            var frame = frame
            if byte() == open {
                frame.closer = .bracket(open: open, close: close, depth: min(depth + 1, 10_000))
            } else if byte() == close {
                if depth == 0 {
                    frames.removeLast()
                    // The bracket belongs to the string, or to the element around it.
                    if case .string(let string) = frames.last { take(string.kind, 1) } else { take(.operator, 1) }
                    previous = .operand
                    return true
                }
                frame.closer = .bracket(open: open, close: close, depth: depth - 1)
            } else {
                return false
            }
            replaceLast(.code(frame))
            return false
        }
    }

    private mutating func takeSymbol() {
        let byte = byte()
        switch byte {
        case .closeParenthesis, .closeBracket, .closeBrace: previous = .operand
        case .dot: previous = .dot
        default: previous = .symbol
        }
        take(.operator, 1)
    }

    // MARK: Comments and strings

    private mutating func takeComment(_ language: CodeLanguage, _ grammar: Grammar) -> Bool {
        let byte = byte()
        if let block = grammar.blockComment, byte == block.open[0], has(block.open) {
            let comment = OpenComment(open: grammar.nestsComments ? block.open : [], close: block.close)
            take(.comment, block.open.count)
            push(.comment(comment))
            return true
        }
        for marker in grammar.lineComments where byte == marker[0] && has(marker) {
            switch language {
            case .shell where !(byteBefore.isBlank || [.semicolon, .openParenthesis, .pipe, 0x26, .backtick].contains(byteBefore)):
                continue
            case .php where byte == .hash && self.byte(1) == .openBracket: continue
            default: break
            }
            takeLineComment()
            return true
        }
        return false
    }

    /// Takes the rest of the line. A comment of PHP ends before `?>`.
    private mutating func takeLineComment() {
        guard case .code(let frame) = frames.last, frame.closer == .php else { return take(.comment, to: end) }
        var index = offset
        while index < end, !(bytes[index] == .questionMark && index + 1 < end && bytes[index + 1] == .greater) { index += 1 }
        take(.comment, to: index)
    }

    private mutating func takeString(_ language: CodeLanguage, _ grammar: Grammar) -> Bool {
        let byte = byte()
        for rule in grammar.strings where byte == rule.open[0] && has(rule.open) {
            var string = rule.string
            string.mayBeKey = grammar.features.contains(.stringKeys)
            openString(string, length: rule.open.count)
            return true
        }
        return false
    }

    // MARK: Numbers and names

    mutating func takeNumber() {
        let isHexadecimal = byte() == 0x30 && byte(1) | 0x20 == 0x78
        var index = offset + 1
        while index < end {
            let byte = bytes[index]
            if byte.isDigit || byte.isLetter || byte == .underscore {
                index += 1
                // The sign of an exponent.
                let isExponent = isHexadecimal ? byte | 0x20 == 0x70 : byte | 0x20 == 0x65
                if isExponent, index + 1 < end, bytes[index] == .plus || bytes[index] == .minus, bytes[index + 1].isDigit {
                    index += 1
                }
            } else if byte == .dot || byte == .apostrophe, index + 1 < end, bytes[index + 1].isDigit {
                index += 2
            } else {
                break
            }
        }
        take(.number, to: index)
        previous = .operand
    }

    /// Returns the offset after the name at the position.
    private mutating func endOfName(_ grammar: Grammar) -> Int {
        let extra = grammar.nameBytes
        return skip(from: offset + 1) { $0.continuesName || (!extra.isEmpty && extra.contains($0)) }
    }

    private mutating func takeName(_ language: CodeLanguage, _ grammar: Grammar) {
        let nameEnd = endOfName(grammar)
        let length = nameEnd - offset
        var word = length <= 32 ? String(decoding: bytes[offset..<nameEnd], as: UTF8.self) : ""
        if grammar.features.contains(.ignoresCase) { word = word.lowercased() }
        if takePrefixedString(language, word, nameEnd) { return }

        let before = previous
        previous = .operand
        if before != .dot || language == .sql, grammar.keywords.contains(word) {
            previous = .symbol
            if grammar.functionDeclarers.contains(word) { previous = .declaresFunction }
            if grammar.typeDeclarers.contains(word) { previous = .declaresType }
            if Self.operandKeywords.contains(word) { previous = .operand }
            return take(.keyword, to: nameEnd)
        }
        take(kind(of: word, nameEnd, before, language, grammar), to: nameEnd)
    }

    /// Keywords after which no operand follows.
    private static let operandKeywords: Set<String> = [
        "self", "Self", "this", "super", "true", "false", "nil", "null", "undefined", "None", "True", "False", "end",
    ]

    private func kind(of word: String, _ nameEnd: Int, _ before: Previous, _ language: CodeLanguage, _ grammar: Grammar)
        -> Token.Kind
    {
        switch before {
        case .declaresFunction: return .function
        case .declaresType: return .type
        default: break
        }
        if grammar.types.contains(word) { return .type }
        let features = grammar.features
        let next = nameEnd < end ? bytes[nameEnd] : 0
        // In languages whose functions may begin with a capital, a name before a parenthesis is a function.
        let isCall = next == .openParenthesis && (language == .cSharp || language == .objectiveC || language == .cpp)
        if features.contains(.capitalizedTypes), bytes[offset].isUppercase, !isCall {
            let rest = bytes[(offset + 1)..<nameEnd]
            if rest.isEmpty || rest.prefix(64).contains(where: \.isLowercase) { return .type }
        }
        if language == .c || language == .objectiveC || language == .cpp, word.hasSuffix("_t") { return .type }
        if features.contains(.calls) {
            if next == .openParenthesis { return .function }
            if language == .rust, next == .exclamationMark, nameEnd + 1 < end, bytes[nameEnd + 1] != .equals { return .function }
            if language == .javaScript || language == .typeScript || language == .tsx || language == .php, next == .backtick {
                return .function
            }
        }
        return .plain
    }

    // MARK: Regular expressions

    /// Takes `/…/` with its flags. Returns false if a division stands here.
    mutating func takeRegularExpression() -> Bool {
        guard byte() == .slash, !hasNoMoreRegularExpressions else { return false }
        guard previous != .operand, byte(1) != .equals || previous == .start, byte(1) != 0 else { return false }
        var (index, isInClass) = (offset + 1, false)
        while index < end {
            switch bytes[index] {
            case .backslash: index += 1
            case .openBracket: isInClass = true
            case .closeBracket: isInClass = false
            case .slash where !isInClass:
                take(.string, to: skip(from: index + 1) { $0.isLetter })
                previous = .operand
                return true
            default: break
            }
            index += 1
        }
        visitedCount += end - offset
        hasNoMoreRegularExpressions = true
        return false
    }
}
