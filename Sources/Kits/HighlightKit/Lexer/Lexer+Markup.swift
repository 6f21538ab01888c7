/// HTML, XML, and the elements of JSX.
extension Lexer {
    mutating func stepMarkup(isXML: Bool) {
        switch byte() {
        case .less:
            if has("<!--") {
                take(.comment, 4)
                push(.comment(OpenComment(open: [], close: Array("-->"))))
            } else if has("<![CDATA[") {
                take(.keyword, 9)
                push(.string(OpenString(close: Array("]]>"), escape: [], isMultiline: true)))
            } else if byte(1) == .questionMark, language == .php {
                openPHP()
            } else if byte(1) == .exclamationMark || byte(1) == .questionMark {
                // A declaration: `<!DOCTYPE html>`, `<?xml version="1.0"?>`.
                take(.keyword, to: skip(from: offset + 2) { $0.continuesName || $0 == .minus })
                push(.tag(OpenTag(isClosing: false, isJSX: false)))
            } else if byte(1).startsName || (byte(1) == .slash && byte(2).startsName) {
                takeTagName(isXML: isXML)
            } else {
                take(.plain, 1)
            }
        case 0x26: takeEntity()
        default: take(.plain, to: skip(from: offset + 1) { $0 != .less && $0 != 0x26 })
        }
    }

    /// Takes an entity such as `&amp;`.
    private mutating func takeEntity() {
        var index = offset + 1
        while index < end, index - offset < 32, bytes[index].continuesName || bytes[index] == .hash { index += 1 }
        if index < end, bytes[index] == .semicolon, index > offset + 1 { take(.keyword, to: index + 1) } else { take(.plain, 1) }
    }

    /// Takes `<name` or `</name`.
    private mutating func takeTagName(isXML: Bool) {
        let isClosing = byte(1) == .slash
        let start = offset + (isClosing ? 2 : 1)
        let nameEnd = skip(from: start) { Self.isTagName($0) }
        var tag = OpenTag(isClosing: isClosing, isJSX: false)
        if !isXML, !isClosing, nameEnd - start <= 6 {
            switch String(decoding: bytes[start..<nameEnd], as: UTF8.self).lowercased() {
            case "script": tag.content = .javaScript
            case "style": tag.content = .css
            default: break
            }
        }
        take(.tag, to: nameEnd)
        push(.tag(tag))
    }

    private static func isTagName(_ byte: UInt8) -> Bool { byte.continuesName || byte == .minus || byte == .colon || byte == .dot }

    mutating func stepTag(_ tag: OpenTag) {
        let byte = byte()
        switch byte {
        case let byte where byte.isBlank: takeBlanks()
        case .greater: endTag(tag)
        case .slash where self.byte(1) == .greater, .questionMark where self.byte(1) == .greater: endTag(tag)
        case .less where self.byte(1) == .questionMark && language == .php: openPHP()
        // An unfinished tag.
        case .less where !tag.isJSX: frames.removeLast()
        case .equals:
            take(.operator, 1)
            setExpectsValue(true, tag)
        case .quote, .apostrophe:
            setExpectsValue(false, tag)
            take(.string, 1)
            push(.string(OpenString(close: [byte], escape: [], isMultiline: true)))
        case .openBrace where tag.isJSX: openExpression()
        default:
            if tag.expectsValue {
                let valueEnd = skip(from: offset + 1) { !$0.isBlank && $0 != .greater && $0 != .less }
                take(.string, to: valueEnd)
                setExpectsValue(false, tag)
            } else {
                let isName = byte.startsName || [.colon, .at, .hash, .openBracket, .openParenthesis, .asterisk].contains(byte)
                let nameEnd = skip(from: offset + 1) {
                    isName && (Self.isTagName($0) || $0 == .closeBracket || $0 == .closeParenthesis)
                }
                take(isName ? .attribute : .operator, to: nameEnd)
            }
        }
    }

    private mutating func setExpectsValue(_ value: Bool, _ tag: OpenTag) {
        var tag = tag
        tag.expectsValue = value
        replaceLast(.tag(tag))
    }

    private mutating func endTag(_ tag: OpenTag) {
        let isEmpty = byte() != .greater
        take(.tag, isEmpty ? 2 : 1)
        frames.removeLast()
        if case .element(let depth) = frames.last, tag.isJSX {
            setElementDepth(depth + (tag.isClosing ? -1 : isEmpty ? 0 : 1))
        } else if let content = tag.content, !isEmpty {
            let endTag: [UInt8] = content == .css ? Array("</style") : Array("</script")
            guard frames.count + 2 <= Frame.maximumCount else { return }
            push(.embedded(endTag: endTag))
            push(Self.frame(of: content))
            previous = .start
            limitEmbedded()
        }
    }

    // MARK: Code in HTML

    /// Limits the readable code to the part before its end tag.
    mutating func limitEmbedded() {
        end = bytes.count
        for frame in frames {
            guard case .embedded(let endTag) = frame else { continue }
            var index = offset
            while index + endTag.count <= bytes.count {
                if bytes[index] == .less, zip(endTag, bytes[index...]).allSatisfy({ $0 == $1.lowercased }) {
                    end = index
                    return
                }
                index += 1
                visitedCount += 1
            }
        }
    }

    /// Leaves the embedded code: its end tag is next.
    mutating func endEmbedded() {
        if let index = frames.firstIndex(where: { if case .embedded = $0 { true } else { false } }) {
            frames.removeSubrange(index...)
        }
        end = bytes.count
    }

    // MARK: JSX

    /// Begins an element where an operand may stand. Returns false if a comparison or a generic parameter stands here.
    mutating func openElement() -> Bool {
        guard previous == .start || previous == .symbol, byte(1).isLetter || byte(1) == .greater else { return false }
        let nameEnd = skip(from: offset + 1) { Self.isTagName($0) }
        // `<T,>`, `<T>(` and `<T extends …>` are generic parameters.
        if nameEnd < end, bytes[nameEnd] == .comma || has(" extends ", at: nameEnd) || has(">(", at: nameEnd) { return false }
        guard frames.count + 2 <= Frame.maximumCount else { return false }
        push(.element(depth: 0))
        take(.tag, to: nameEnd)
        push(.tag(OpenTag(isClosing: false, isJSX: true)))
        return true
    }

    /// Takes a part of the children of an element.
    mutating func stepElement(_ depth: Int) {
        switch byte() {
        case .less where byte(1) == .slash:
            take(.tag, to: skip(from: offset + 2) { Self.isTagName($0) })
            push(.tag(OpenTag(isClosing: true, isJSX: true)))
        case .less:
            take(.tag, to: skip(from: offset + 1) { Self.isTagName($0) })
            push(.tag(OpenTag(isClosing: false, isJSX: true)))
        case .openBrace: openExpression()
        case 0x26: takeEntity()
        default: take(.plain, to: skip(from: offset + 1) { $0 != .less && $0 != .openBrace && $0 != 0x26 })
        }
    }

    private mutating func openExpression() {
        take(.operator, 1)
        previous = .start
        push(
            .code(
                CodeFrame(
                    language: language == .javaScript ? .javaScript : .tsx,
                    closer: .bracket(open: .openBrace, close: .closeBrace, depth: 0))))
    }

    private mutating func setElementDepth(_ depth: Int) {
        if depth > 0 {
            replaceLast(.element(depth: min(depth, 10_000)))
        } else {
            frames.removeLast()
            previous = .operand
        }
    }
}
