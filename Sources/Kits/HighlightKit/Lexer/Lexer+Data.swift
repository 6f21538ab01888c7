/// YAML and TOML.
extension Lexer {
    // MARK: YAML

    mutating func yamlLine() {
        if offset == 0 {
            if has("---") || has("..."), skipBlanks(from: 3) == end || byte(3).isBlank { take(.keyword, 3) }
            if byte() == 0x25 { return take(.comment, to: end) }
        }
        var flowDepth = 0
        while offset < end {
            let byte = byte()
            if byte.isBlank {
                takeBlanks()
                continue
            }
            switch byte {
            case .hash where byteBefore.isBlank: take(.comment, to: end)
            case .quote, .apostrophe:
                openYAMLString(byte)
                // The rest of the line belongs to the string, or is taken by the next steps.
                return
            case .openBracket, .openBrace:
                flowDepth += 1
                take(.operator, 1)
            case .closeBracket, .closeBrace, .comma:
                if byte != .comma { flowDepth = max(flowDepth - 1, 0) }
                take(.operator, 1)
            case .minus where self.byte(1).isBlank || offset + 1 == end, .questionMark where self.byte(1).isBlank,
                .colon where self.byte(1).isBlank || offset + 1 == end:
                take(.operator, 1)
            case 0x26, .asterisk, .exclamationMark:
                take(byte == .exclamationMark ? .type : .attribute, to: skip(from: offset + 1) { !$0.isBlank && $0 != .comma })
            case .pipe, .greater:
                let next = skip(from: offset + 1) { $0 == .minus || $0 == .plus || $0.isDigit }
                let rest = skipBlanks(from: next)
                guard flowDepth == 0, rest == end || bytes[rest] == .hash else {
                    takeYAMLScalar(isInFlow: flowDepth > 0)
                    continue
                }
                take(.operator, to: next)
                takeBlanks()
                take(.comment, to: end)
                push(.blockScalar(indent: yamlIndent()))
            default: takeYAMLScalar(isInFlow: flowDepth > 0)
            }
        }
    }

    /// Returns the column that the lines of a block scalar must exceed: the column of its key or item.
    private mutating func yamlIndent() -> Int {
        var index = firstOffset
        // In `- key: |`, the column of the key counts.
        while index + 1 < end, bytes[index] == .minus, bytes[index + 1].isBlank {
            let next = skipBlanks(from: index + 1)
            guard next < end, bytes[next] != .pipe, bytes[next] != .greater else { break }
            index = next
        }
        return index
    }

    private mutating func openYAMLString(_ quote: UInt8) {
        var string = OpenString(
            close: [quote], escape: quote == .quote ? [.backslash] : [], isDoubled: quote == .apostrophe, isMultiline: true)
        string.mayBeKey = true
        openString(string, length: 1)
    }

    private mutating func takeYAMLScalar(isInFlow: Bool) {
        let start = offset
        var index = offset
        while index < end {
            let byte = bytes[index]
            if byte == .colon,
                index + 1 == end || bytes[index + 1].isBlank || (isInFlow && [.comma, .closeBrace].contains(bytes[index + 1]))
            {
                return take(.attribute, to: max(index, start + 1))
            }
            if byte == .hash, index > start, bytes[index - 1].isBlank { break }
            if isInFlow, [.comma, .closeBracket, .closeBrace, .openBracket, .openBrace].contains(byte), index > start { break }
            index += 1
        }
        let scalarEnd = max(index, start + 1)
        take(Self.kindOfScalar(bytes[start..<min(scalarEnd, end)]), to: scalarEnd)
    }

    private static func kindOfScalar(_ bytes: ArraySlice<UInt8>) -> Token.Kind {
        guard bytes.count <= 64 else { return .plain }
        var text = bytes
        while let last = text.last, last.isBlank { text.removeLast() }
        if ["true", "false", "null", "yes", "no", "on", "off", "~"].contains(String(decoding: text, as: UTF8.self).lowercased()) {
            return .keyword
        }
        let digits = text.first == .minus || text.first == .plus ? text.dropFirst() : text
        let isNumber =
            digits.first?.isDigit == true
            && digits.allSatisfy { $0.isDigit || $0.isLetter || [.dot, .colon, .minus, .underscore].contains($0) }
        return isNumber ? .number : .string
    }

    mutating func blockScalarLine(_ indent: Int) {
        if firstOffset >= end || firstOffset > indent {
            take(.string, to: end)
        } else {
            frames.removeLast()
        }
    }

    // MARK: TOML

    /// Takes a key or a table at the start of a line, a bracket, a date or a word. Returns false if there is none.
    mutating func takeTOML() -> Bool {
        guard case .code(let frame) = frames.last else { return false }
        let byte = byte()
        if offset == firstOffset, frame.closer == .none {
            if byte == .openBracket {
                take(.heading, to: skip(from: offset) { $0 != .hash })
                return true
            }
            if let key = endOfTOMLKey() {
                take(.attribute, to: key)
                return true
            }
        }
        switch byte {
        case .openBracket where frame.closer == .none, .openBrace where frame.closer == .none:
            // An array or a table may span lines, in which a first bracket does not begin a table.
            take(.operator, 1)
            let close: UInt8 = byte == .openBracket ? .closeBracket : .closeBrace
            push(.code(CodeFrame(language: .toml, closer: .bracket(open: byte, close: close, depth: 0))))
            return true
        case let byte where byte.isDigit:
            take(
                .number,
                to: skip(from: offset) { $0.isDigit || $0.isLetter || [.minus, .plus, .colon, .dot, .underscore].contains($0) })
            return true
        case let byte where byte.startsName:
            let wordEnd = skip(from: offset) { $0.continuesName || $0 == .minus || $0 == .dot }
            let next = skipBlanks(from: wordEnd)
            let isKey = next < end && bytes[next] == .equals
            let isKeyword =
                wordEnd - offset <= 5
                && ["true", "false", "inf", "nan"].contains(String(decoding: bytes[offset..<wordEnd], as: UTF8.self))
            take(isKey ? .attribute : isKeyword ? .keyword : .plain, to: wordEnd)
            return true
        default:
            return false
        }
    }

    /// Returns the end of the key at the start of the line; nil if no equals sign follows.
    private mutating func endOfTOMLKey() -> Int? {
        var index = offset
        var quote: UInt8?
        while index < end {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == .quote || byte == .apostrophe {
                quote = byte
            } else if !(byte.continuesName || byte == .minus || byte == .dot || byte == .space || byte == .tab) {
                break
            }
            index += 1
        }
        visitedCount += index - offset
        guard index < end, bytes[index] == .equals else { return nil }
        while index > offset, bytes[index - 1].isBlank { index -= 1 }
        return index > offset ? index : nil
    }
}
