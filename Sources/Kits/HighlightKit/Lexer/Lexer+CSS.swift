extension Lexer {
    mutating func stepCSS(_ frame: CSSFrame) {
        var frame = frame
        let byte = byte()
        switch byte {
        case let byte where byte.isBlank: takeBlanks()
        case .slash where self.byte(1) == .asterisk:
            take(.comment, 2)
            push(.comment(OpenComment(open: [], close: Array("*/"))))
        case .slash where self.byte(1) == .slash && (byteBefore.isBlank || byteBefore == .semicolon): take(.comment, to: end)
        case .quote, .apostrophe:
            take(.string, 1)
            push(.string(OpenString(close: [byte])))
        case .openBrace:
            take(.operator, 1)
            frame.depth = min(frame.depth + 1, 1000)
            frame.isInValue = false
            replaceLast(.css(frame))
        case .closeBrace, .semicolon:
            take(.operator, 1)
            if byte == .closeBrace { frame.depth = max(frame.depth - 1, 0) }
            frame.isInValue = false
            replaceLast(.css(frame))
        case .at where self.byte(1).startsName || self.byte(1) == .minus:
            take(.keyword, to: endOfCSSName(from: offset + 1))
            frame.isInValue = true
            replaceLast(.css(frame))
        default:
            if frame.isInValue { takeCSSValue() } else { takeCSSStatement(frame) }
        }
    }

    private mutating func endOfCSSName(from start: Int) -> Int { skip(from: start) { $0.continuesName || $0 == .minus } }

    /// Takes the name of a property and its colon, or a selector up to its brace, a comment or the line's end.
    private mutating func takeCSSStatement(_ frame: CSSFrame) {
        var (index, colon) = (offset, -1)
        while index < end, ![.openBrace, .closeBrace, .semicolon].contains(bytes[index]), !has("/*", at: index) {
            if colon < 0, bytes[index] == .colon { colon = index }
            index += 1
        }
        visitedCount += index - offset
        let isOpen = index < end && bytes[index] == .openBrace && !(index > offset && bytes[index - 1] == .hash)
        let isDeclaration =
            !isOpen && colon > offset && (frame.depth > 0 || index < end || bytes[offset] == .minus || bytes[offset] == .dollar)
        guard isDeclaration else {
            return take(.tag, to: max(index, offset + 1))
        }
        take(.attribute, to: colon)
        take(.operator, 1)
        var frame = frame
        frame.isInValue = true
        replaceLast(.css(frame))
    }

    private mutating func takeCSSValue() {
        let byte = byte()
        let next = self.byte(1)
        if byte == .hash, next.isDigit || next.isLetter {
            take(.number, to: skip(from: offset + 1) { $0.isDigit || $0.isLetter })
        } else if byte.isDigit
            || ((byte == .dot || byte == .minus || byte == .plus) && (next.isDigit || (next == .dot && self.byte(2).isDigit)))
        {
            take(.number, to: skip(from: offset + 1) { $0.isDigit || $0 == .dot || $0.isLetter || $0 == 0x25 })
        } else if byte.startsName || byte == .minus || byte == .dollar {
            let nameEnd = endOfCSSName(from: offset + 1)
            take(nameEnd < end && bytes[nameEnd] == .openParenthesis ? .function : .plain, to: nameEnd)
        } else if byte == .exclamationMark {
            take(.keyword, to: endOfCSSName(from: offset + 1))
        } else {
            take(.operator, 1)
        }
    }
}
