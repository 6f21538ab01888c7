/// Shell code, and the files around it: Dockerfiles and makefiles.
extension Lexer {
    mutating func takeShell() -> Bool {
        let byte = byte()
        switch byte {
        case .dollar:
            switch self.byte(1) {
            case .apostrophe:
                openString(OpenString(close: [.apostrophe], isMultiline: true), length: 2)
            case .openBrace:
                take(.attribute, to: skip(from: offset + 2) { $0.continuesName || $0 == .hash || $0 == .exclamationMark })
                previous = .operand
                push(.code(CodeFrame(language: .shell, closer: .bracket(open: .openBrace, close: .closeBrace, depth: 0))))
            case .openParenthesis:
                take(.operator, 1)
                previous = .start
            case let next where next.startsName:
                take(.attribute, to: skip(from: offset + 1) { $0.continuesName })
                previous = .operand
            default:
                take(.attribute, self.byte(1).isBlank ? 1 : 2)
                previous = .operand
            }
            return true
        case .less where self.byte(1) == .less:
            if self.byte(2) == .less {
                take(.operator, 3)
                return true
            }
            return openHeredoc(marker: Array("<<"), indentMarks: [.minus], allowsIndent: false, allowsSuffix: false)
        case .backslash:
            take(.plain, 2)
            return true
        case .semicolon, .pipe, 0x26, .openParenthesis, .backtick, .openBrace, .exclamationMark:
            take(.operator, 1)
            previous = .start
            return true
        case .closeParenthesis, .closeBrace:
            take(.operator, 1)
            previous = .operand
            return true
        default:
            guard byte.startsName || byte.isDigit || Self.isShellWord(byte) else { return false }
            takeShellWord()
            return true
        }
    }

    /// True for bytes that belong to shell words but not to names.
    private static func isShellWord(_ byte: UInt8) -> Bool {
        switch byte {
        case .minus, .dot, .slash, .colon, .plus, .at, 0x25, .comma, .tilde, .hash, .circumflex: true
        default: false
        }
    }

    private mutating func takeShellWord() {
        let wordEnd = skip(from: offset) { $0.continuesName || Self.isShellWord($0) }
        let word = wordEnd - offset <= 32 ? String(decoding: bytes[offset..<wordEnd], as: UTF8.self) : ""
        let next = wordEnd < end ? bytes[wordEnd] : 0
        let isCommand = previous == .start
        previous = .operand
        if Self.shellKeywords.contains(word), isCommand || ["in", "do", "then"].contains(word) {
            if !["in", "for", "case", "select", "function"].contains(word) { previous = .start }
            take(.keyword, to: wordEnd)
        } else if next == .equals, bytes[offset].startsName {
            take(.attribute, to: wordEnd)
            take(.operator, 1)
            // A command may follow `NAME=value`, but the value is not a command.
        } else if bytes[offset].isDigit, wordEnd - offset <= 32, bytes[offset..<wordEnd].allSatisfy({ $0.isDigit || $0 == .dot }) {
            take(.number, to: wordEnd)
        } else {
            take(
                isCommand && (bytes[offset].startsName || bytes[offset] == .dot || bytes[offset] == .slash) ? .function : .plain,
                to: wordEnd)
        }
    }

    /// Sets `isContinued` if a backslash joins the next line.
    mutating func endShellLine() {
        if bytes.last == .backslash { isContinued = true }
    }

    private static let shellKeywords: Set<String> = [
        "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in", "select", "function",
        "time",
        "return", "exit", "break", "continue", "local", "export", "readonly", "declare", "typeset", "unset", "shift", "trap", "set",
        "source",
        "eval", "exec",
    ]

    // MARK: Dockerfiles

    mutating func dockerfileLine() {
        takeBlanks()
        if byte() == .hash {
            take(.comment, to: end)
            // A comment between joined lines does not end the join.
            isContinued = wasContinued
            return
        }
        var isCommand = false
        if !wasContinued {
            let word = skip(from: offset) { $0.isLetter }
            isCommand = ["RUN", "CMD", "ENTRYPOINT"].contains(
                String(decoding: bytes[offset..<min(word, offset + 16)], as: UTF8.self).uppercased())
            take(.keyword, to: word)
            takeBlanks()
            // The options of an instruction, and the start of a further one: `ONBUILD RUN …`.
            while byte() == .minus, byte(1) == .minus {
                take(.attribute, to: skip(from: offset) { !$0.isBlank })
                takeBlanks()
            }
        }
        previous = isCommand ? .start : .operand
        runShell()
        if bytes.last == .backslash { isContinued = true }
    }

    // MARK: Makefiles

    mutating func makefileLine() {
        if byte() == .tab || wasContinued {
            takeBlanks()
            if !wasContinued { take(.operator, to: skip(from: offset) { $0 == .at || $0 == .minus || $0 == .plus }) }
            previous = wasContinued ? .operand : .start
            runMake()
        } else {
            takeBlanks()
            let word = skip(from: offset) { $0.isLetter || $0 == .minus }
            let text = String(decoding: bytes[offset..<min(word, offset + 20)], as: UTF8.self)
            if byte() == .hash {
                take(.comment, to: end)
            } else if Self.makeKeywords.contains(text), word == end || bytes[word].isBlank || bytes[word] == .openParenthesis {
                take(.keyword, to: word)
            } else {
                takeMakeDefinition()
            }
            previous = .operand
            runMake()
        }
        if bytes.last == .backslash { isContinued = true }
    }

    /// Takes the left side of an assignment or a rule.
    private mutating func takeMakeDefinition() {
        var (index, depth) = (offset, 0)
        loop: while index < end {
            switch bytes[index] {
            case .openParenthesis, .openBrace: depth += 1
            case .closeParenthesis, .closeBrace: depth -= 1
            case .hash where depth <= 0: break loop
            case .equals where depth <= 0, .colon where depth <= 0: break loop
            case .questionMark, .plus, .exclamationMark:
                if depth <= 0, index + 1 < end, bytes[index + 1] == .equals { break loop }
            default: break
            }
            index += 1
        }
        visitedCount += index - offset
        guard index < end, bytes[index] != .hash else { return }
        let mark = skip(from: index) { $0 == .colon || $0 == .questionMark || $0 == .plus || $0 == .exclamationMark }
        let isAssignment = mark < end && bytes[mark] == .equals
        var nameEnd = index
        while nameEnd > offset, bytes[nameEnd - 1].isBlank { nameEnd -= 1 }
        take(isAssignment ? .attribute : .function, to: nameEnd)
        takeBlanks()
        take(.operator, to: isAssignment ? mark + 1 : mark)
    }

    /// Takes the rest of a line of a makefile: `$(name)` is an attribute, quotes are strings.
    private mutating func runMake() {
        while offset < end {
            switch byte() {
            case .hash where byteBefore.isBlank:
                take(.comment, to: end)
            case .dollar:
                let isBracket = byte(1) == .openParenthesis || byte(1) == .openBrace
                take(.attribute, 2)
                if isBracket { take(.attribute, to: skip(from: offset) { $0.continuesName || $0 == .minus }) }
            case .closeParenthesis, .openParenthesis, .closeBrace, .openBrace, .equals, .pipe, .semicolon, 0x26:
                take(.operator, 1)
            case .quote, .apostrophe:
                let quote = byte()
                take(.string, to: skip(from: offset + 1) { $0 != quote } + 1)
            case .backslash:
                take(.operator, 2)
            default:
                take(
                    .plain,
                    to: skip(from: offset + 1) { byte in
                        switch byte {
                        case .hash, .dollar, .closeParenthesis, .openParenthesis, .closeBrace, .openBrace, .equals, .pipe,
                            .semicolon, 0x26, .quote,
                            .apostrophe, .backslash:
                            false
                        default: true
                        }
                    })
            }
        }
    }

    private static let makeKeywords: Set<String> = [
        "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "include", "-include", "sinclude", "define", "endef", "export",
        "unexport", "override",
        "vpath", "undefine", "private",
    ]

    /// Takes the rest of the line as separate shell code.
    private mutating func runShell() {
        let depth = frames.count
        guard push(.code(CodeFrame(language: .shell))) else { return take(.plain, to: end) }
        while offset < end {
            let before = (offset, frames.count)
            stepShell()
            if (offset, frames.count) == before { take(.plain, 1) }
        }
        frames.removeSubrange(depth...)
    }

    private mutating func stepShell() {
        switch frames.last {
        case .code(let frame): stepCode(frame)
        case .string(let string): stepString(string)
        default: take(.plain, to: end)
        }
    }
}

extension UInt8 {
    static let comma: UInt8 = 0x2C
    static let circumflex: UInt8 = 0x5E
}
