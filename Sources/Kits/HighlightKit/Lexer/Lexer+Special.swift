/// Constructs that only some languages have.
extension Lexer {
    /// Takes a construct that the tables of a ``Grammar`` do not describe. Returns false if there is none.
    mutating func takeSpecial(_ language: CodeLanguage, _ grammar: Grammar) -> Bool {
        let features = grammar.features
        let byte = byte()
        if features.contains(.preprocessor), byte == .hash, offset == firstOffset { return takeDirective() }
        if features.contains(.hashAttributes), byte == .hash, takeHashAttribute() { return true }
        if features.contains(.atAttributes), byte == .at, self.byte(1).startsName {
            let name = skip(from: offset + 1) { $0.continuesName || $0 == .dot }
            take(.attribute, to: name)
            previous = .symbol
            return true
        }
        if features.contains(.regularExpressions), takeRegularExpression() { return true }
        if features.contains(.elements), byte == .less, openElement() { return true }
        switch language {
        case .swift: return takeSwift()
        case .objectiveC: return takeObjectiveC(grammar)
        case .rust: return takeRust()
        case .python: return takePython()
        case .ruby: return takeRuby()
        case .php: return takePHP()
        case .cSharp: return takeCSharp()
        case .shell: return takeShell()
        case .toml: return takeTOML()
        default: return false
        }
    }

    /// Takes a string with a prefix that looks like a name. Returns false if there is none.
    mutating func takePrefixedString(_ language: CodeLanguage, _ word: String, _ nameEnd: Int) -> Bool {
        guard nameEnd < end, !word.isEmpty, word.utf8.count <= 3 else { return false }
        let quote = bytes[nameEnd]
        let length = nameEnd - offset
        switch language {
        case .python:
            guard quote == .quote || quote == .apostrophe else { return false }
            let prefix = word.lowercased()
            guard ["r", "b", "u", "f", "t", "rb", "br", "fr", "rf", "tr", "rt"].contains(prefix) else { return false }
            openPythonString(prefix: length, quote, isFormatted: prefix.contains("f") || prefix.contains("t"))
            return true
        case .rust:
            if ["r", "br", "cr"].contains(word), quote == .hash || quote == .quote { return openRustRawString(prefix: length) }
            guard word == "b" || word == "c", quote == .quote || quote == .apostrophe else { return false }
            openString(OpenString(close: [quote], isMultiline: quote == .quote), length: length + 1)
            return true
        case .c, .cpp, .objectiveC:
            guard quote == .quote || quote == .apostrophe else { return false }
            if ["R", "LR", "uR", "UR", "u8R"].contains(word), quote == .quote, language != .c {
                return openCppRawString(prefix: length)
            }
            guard ["L", "u", "U", "u8"].contains(word) else { return false }
            openString(OpenString(close: [quote]), length: length + 1)
            return true
        case .sql:
            guard quote == .apostrophe, ["e", "n", "b", "x"].contains(word) else { return false }
            openString(
                OpenString(close: [quote], escape: word == "e" ? [.backslash] : [], isDoubled: true, isMultiline: true),
                length: length + 1)
            return true
        default:
            return false
        }
    }

    // MARK: C and its relatives

    private mutating func takeDirective() -> Bool {
        let name = skip(from: skip(from: offset + 1) { $0 == .space || $0 == .tab }) { $0.continuesName }
        let word = bytes[offset..<name].filter { $0 != .hash && !$0.isBlank }
        take(.attribute, to: name)
        previous = .symbol
        guard word.elementsEqual("include".utf8) || word.elementsEqual("import".utf8) else { return true }
        takeBlanks()
        if byte() == .less {
            let close = skip(from: offset) { $0 != .greater }
            take(.string, to: close + 1)
        }
        return true
    }

    /// Takes `@"…"` or a keyword that begins with `@`. Returns false if there is none.
    private mutating func takeObjectiveC(_ grammar: Grammar) -> Bool {
        guard byte() == .at else { return false }
        if byte(1) == .quote {
            openString(OpenString(close: [.quote]), length: 2)
            return true
        }
        guard byte(1).isLetter else { return false }
        let name = skip(from: offset + 1) { $0.continuesName }
        let word = String(decoding: bytes[(offset + 1)..<min(name, offset + 20)], as: UTF8.self)
        take(.keyword, to: name)
        previous = ["interface", "implementation", "protocol", "class"].contains(word) ? .declaresType : .symbol
        return true
    }

    /// Opens a raw string, `R"mark(…)mark"`. Returns false if there is none.
    private mutating func openCppRawString(prefix: Int) -> Bool {
        let start = offset + prefix + 1
        var index = start
        while index < end, index - start <= 16, ![.openParenthesis, .quote, .backslash, .space].contains(bytes[index]) {
            index += 1
        }
        guard index < end, bytes[index] == .openParenthesis else { return false }
        let close = [.closeParenthesis] + Array(bytes[start..<index]) + [.quote]
        openString(OpenString(close: close, escape: [], isMultiline: true), length: index + 1 - offset)
        return true
    }

    /// Takes `@"…"`, `$"…"`, `"""…"""`, or an attribute in brackets at the start of a line. Returns false if there is none.
    private mutating func takeCSharp() -> Bool {
        switch byte() {
        case .at, .dollar:
            var marks = offset
            while marks < end, marks - offset < 8, bytes[marks] == .at || bytes[marks] == .dollar { marks += 1 }
            guard marks < end, bytes[marks] == .quote else { return false }
            let prefix = bytes[offset..<marks]
            let isInterpolated = prefix.contains(.dollar)
            let quotes = skip(from: marks) { $0 == .quote }
            if quotes - marks >= 3 {
                return openCSharpRawString(quotes: min(quotes - marks, 16), prefix: marks - offset, isInterpolated)
            }
            openString(
                OpenString(
                    close: [.quote], escape: prefix.contains(.at) ? [] : [.backslash], isDoubled: prefix.contains(.at),
                    isMultiline: prefix.contains(.at), interpolations: isInterpolated ? [.brace] : []), length: marks + 1 - offset)
            return true
        case .quote:
            let quotes = skip(from: offset) { $0 == .quote }
            guard quotes - offset >= 3 else { return false }
            return openCSharpRawString(quotes: min(quotes - offset, 16), prefix: 0, false)
        case .openBracket where offset == firstOffset && byte(1).isLetter:
            take(.operator, 1)
            take(.attribute, to: skip(from: offset) { $0.continuesName || $0 == .dot })
            previous = .operand
            return true
        default:
            return false
        }
    }

    private mutating func openCSharpRawString(quotes: Int, prefix: Int, _ isInterpolated: Bool) -> Bool {
        openString(
            OpenString(
                close: Array(repeating: .quote, count: quotes), escape: [], isMultiline: true,
                interpolations: isInterpolated ? [.brace] : []),
            length: prefix + quotes)
        return true
    }

    // MARK: Swift and Rust

    /// Takes `#"…"#`, `#if`, or a name in backticks. Returns false if there is none.
    private mutating func takeSwift() -> Bool {
        switch byte() {
        case .hash:
            let hashes = skip(from: offset) { $0 == .hash }
            let count = hashes - offset
            if count <= 64, hashes < end, bytes[hashes] == .quote {
                let marks = Array(repeating: UInt8.hash, count: count)
                let isMultiline = has([.quote, .quote, .quote], at: hashes)
                let escape = [.backslash] + marks
                let quotes = Array(repeating: UInt8.quote, count: isMultiline ? 3 : 1)
                openString(
                    OpenString(
                        close: quotes + marks, escape: escape, isMultiline: isMultiline,
                        interpolations: [
                            Interpolation(
                                open: escape + [.openParenthesis], length: escape.count + 1, bracket: .openParenthesis,
                                close: .closeParenthesis)
                        ]), length: count + quotes.count)
                return true
            }
            guard byte(1).isLetter else {
                take(.operator, to: hashes)
                return true
            }
            take(.attribute, to: skip(from: offset + 1) { $0.continuesName })
            previous = .symbol
            return true
        case .backtick:
            let name = skip(from: offset + 1) { $0.continuesName }
            guard name < end, bytes[name] == .backtick else { return false }
            take(.plain, to: name + 1)
            previous = .operand
            return true
        default:
            return false
        }
    }

    /// Takes `'a'` or `'lifetime`. Returns false if there is none.
    private mutating func takeRust() -> Bool {
        guard byte() == .apostrophe else { return false }
        // A character has one scalar, or an escape.
        let second = skip(from: offset + 2) { $0.continuesScalar }
        if byte(1) == .backslash || (second < end && second > offset + 1 && bytes[second] == .apostrophe) {
            openString(OpenString(close: [.apostrophe]), length: 1)
            return true
        }
        take(.attribute, to: skip(from: offset + 1) { $0.continuesName })
        previous = .operand
        return true
    }

    private mutating func openRustRawString(prefix: Int) -> Bool {
        let hashes = skip(from: offset + prefix) { $0 == .hash }
        let count = hashes - offset - prefix
        guard count <= 64, hashes < end, bytes[hashes] == .quote else { return false }
        let close = [.quote] + Array(repeating: UInt8.hash, count: count)
        openString(OpenString(close: close, escape: [], isMultiline: true), length: prefix + count + 1)
        return true
    }

    /// Takes `#[…]` or `#![…]`, up to the matching bracket on the line. Returns false if there is none.
    private mutating func takeHashAttribute() -> Bool {
        var index = offset + 1
        if byte(1) == .exclamationMark { index += 1 }
        guard index < end, bytes[index] == .openBracket else { return false }
        var depth = 0
        while index < end {
            if bytes[index] == .openBracket { depth += 1 }
            if bytes[index] == .closeBracket { depth -= 1 }
            index += 1
            if depth == 0 { break }
        }
        take(.attribute, to: index)
        previous = .symbol
        return true
    }

    // MARK: Python

    private mutating func takePython() -> Bool {
        switch byte() {
        case .at where offset == firstOffset:
            take(.attribute, to: skip(from: offset + 1) { $0.continuesName || $0 == .dot })
            return true
        case .quote, .apostrophe:
            openPythonString(prefix: 0, byte(), isFormatted: false)
            return true
        default:
            return false
        }
    }

    private mutating func openPythonString(prefix: Int, _ quote: UInt8, isFormatted: Bool) {
        let isLong = has([quote, quote, quote], at: offset + prefix)
        let close = Array(repeating: quote, count: isLong ? 3 : 1)
        openString(
            OpenString(close: close, isMultiline: isLong, interpolations: isFormatted ? [.brace] : []), length: prefix + close.count
        )
    }

    // MARK: Ruby

    private mutating func takeRuby() -> Bool {
        switch byte() {
        case .equals where offset == 0 && has("=begin"):
            take(.comment, to: end)
            push(.heredoc(Heredoc(terminator: Array("=end"), allowsIndent: false, allowsSuffix: true, kind: .comment)))
            return true
        case .underscore where offset == 0 && skipBlanks(from: 7) == end && has("__END__"):
            take(.comment, to: end)
            push(.heredoc(Heredoc(terminator: [], allowsIndent: false, kind: .comment)))
            return true
        case .colon where byte(1).startsName && byteBefore != .colon:
            take(.string, to: skip(from: offset + 1) { $0.continuesName })
            previous = .operand
            return true
        case .at, .dollar:
            take(.attribute, to: skip(from: offset + 1) { $0.continuesName || $0 == .at })
            previous = .operand
            return true
        case .less where byte(1) == .less && (previous != .operand || [.tilde, .minus].contains(byte(2))):
            return openHeredoc(marker: Array("<<"), indentMarks: [.tilde, .minus], allowsIndent: false, allowsSuffix: false)
        case 0x25 where previous != .operand: return openRubyLiteral()
        default:
            return false
        }
    }

    /// Opens `%w[…]`, `%q(…)` or `%r{…}`. Brackets inside the literal are not counted. Returns false if there is none.
    private mutating func openRubyLiteral() -> Bool {
        let hasLetter = byte(1).isLetter
        guard !hasLetter || "qQwWiIrsx".utf8.contains(byte(1)) else { return false }
        let open = byte(hasLetter ? 2 : 1)
        let closers: [UInt8: UInt8] = [
            .openParenthesis: .closeParenthesis, .openBracket: .closeBracket, .openBrace: .closeBrace, .less: .greater,
            .pipe: .pipe,
            .exclamationMark: .exclamationMark,
        ]
        guard let close = closers[open] else { return false }
        let isRaw = hasLetter && "qwis".utf8.contains(byte(1))
        openString(
            OpenString(close: [close], isMultiline: true, interpolations: isRaw ? [] : [.hashBrace]), length: hasLetter ? 3 : 2)
        return true
    }

    // MARK: PHP

    private mutating func takePHP() -> Bool {
        guard byte() == .less else { return false }
        if has("<?php") || has("<?=") {
            take(.tag, has("<?=") ? 3 : 5)
            previous = .start
            return true
        }
        return openHeredoc(marker: Array("<<<"), indentMarks: [], allowsIndent: true, allowsSuffix: true)
    }

    /// Takes `<?php`, `<?=` or `<?` and begins code.
    mutating func openPHP() {
        take(.tag, to: skip(from: offset + 2) { $0.isLetter || $0 == .equals })
        previous = .start
        push(.code(CodeFrame(language: .php, closer: .php)))
    }
}
