extension String {
    /// The text with an escape such as `\u{202E}` for each character that cannot be seen, or that changes the order of others.
    ///
    /// Users thus see all of the text that they approve. Line feeds and tabs stay, and so do the joiners and variation selectors of
    /// emoji and scripts, and up to ``maximumMarks`` combining marks of a letter.
    package var visible: String {
        guard !utf8.allSatisfy({ (0x20..<0x7f).contains($0) || $0 == 0x0a || $0 == 0x09 }) else { return self }
        let scalars = unicodeScalars
        var text = ""
        text.reserveCapacity(utf8.count)
        var (before, markCount) = (nil as Unicode.Scalar?, 0)
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            scalars.formIndex(after: &index)
            let after = index < scalars.endIndex ? scalars[index] : nil
            markCount = scalar.isCombiningMark ? markCount + 1 : 0
            if markCount > Self.maximumMarks || scalar.isHidden(before, after) {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
            before = scalar
        }
        return text
    }

    /// Maximum combining marks of one letter; more would cover the lines above and below.
    private static var maximumMarks: Int { 4 }
}

extension Unicode.Scalar {
    /// - Parameters:
    ///   - before: The previous scalar; nil at the start of the text.
    ///   - after: The next scalar; nil at the end of the text.
    fileprivate func isHidden(_ before: Unicode.Scalar?, _ after: Unicode.Scalar?) -> Bool {
        switch value {
        case 0x20..<0x7f, 0x09, 0x0a: return false
        // A carriage return is hidden unless a line feed follows.
        case 0x0d: return after?.value != 0x0a
        // A joiner is kept only between two letters of a script, or two emoji.
        case 0x200c, 0x200d:
            guard let before, let after else { return true }
            return before.isASCII || after.isASCII || before.isInvisible || after.isInvisible
        case 0xfe00...0xfe0f, 0xe0100...0xe01ef:
            guard let before, !before.isInvisible else { return true }
            // A keycap emoji is a digit, a selector and a frame.
            if before.isASCII { return value != 0xfe0f || after?.value != 0x20e3 }
            return false
        default: return isInvisible
        }
    }

    private var isInvisible: Bool {
        if isASCII { return !(0x20..<0x7f).contains(value) }
        // U+2800 is the blank Braille pattern.
        if value == 0x2800 || properties.isDefaultIgnorableCodePoint { return !isVariationSelectorOfEmoji }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: return true
        default: return properties.isNoncharacterCodePoint
        }
    }

    /// True for U+FE0F, after which an emoji may be joined with another.
    private var isVariationSelectorOfEmoji: Bool { value == 0xfe0f }

    fileprivate var isCombiningMark: Bool {
        guard value >= 0x300 else { return false }
        switch properties.generalCategory {
        // Variation selectors are marks too, with a rule of their own.
        case .nonspacingMark, .enclosingMark: return !properties.isDefaultIgnorableCodePoint
        default: return false
        }
    }
}
