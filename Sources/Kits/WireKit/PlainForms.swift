extension String {
    /// The text with the ASCII characters that the user meant, for numbers, codes and addresses. Not for names and messages.
    ///
    /// Digits of every script, full-width forms, and dashes and spaces of other kinds become their counterparts in ASCII. Invisible
    /// characters, which come along with copied text, are removed: direction marks, joiners, byte order marks, soft hyphens,
    /// variation selectors and keycaps. All other characters stay.
    ///
    /// Source of the classes: The Unicode Standard, chapter 4, and `DerivedCoreProperties.txt` (Default_Ignorable_Code_Point).
    public var plainForms: String { String(String.UnicodeScalarView(unicodeScalars.compactMap(\.plainForm))) }

    /// ``plainForms`` without line breaks and surrounding spaces, for codes so long that terminals and mail programs break them.
    public var plainCode: String {
        var code = filter { !$0.isNewline }.plainForms.drop { $0 == " " }
        while code.last == " " { code.removeLast() }
        return String(code)
    }
}

extension Unicode.Scalar {
    /// The counterpart in ASCII, or the scalar itself; nil for an invisible one.
    fileprivate var plainForm: Unicode.Scalar? {
        if (0x20..<0x7f).contains(value) { return self }
        switch self {
        case "\t", "\n", "\u{b}", "\u{c}", "\r", "\u{85}", "\u{2800}": return " "
        case "\u{2212}": return "-"
        case "\u{2044}", "\u{2215}": return "/"
        case "\u{3002}", "\u{ff61}", "\u{2024}", "\u{fe52}": return "."
        case "\u{207a}", "\u{fe62}", "\u{2795}": return "+"
        case "\u{204e}", "\u{2217}", "\u{fe61}": return "*"
        case "\u{266f}", "\u{fe5f}": return "#"
        // An enclosing keycap makes an emoji of a digit.
        case "\u{20e3}": return nil
        // The full-width forms repeat ASCII in its order.
        case "\u{ff01}"..."\u{ff5e}": return Unicode.Scalar(value - 0xfee0)
        default: break
        }
        if properties.isDefaultIgnorableCodePoint { return nil }
        switch properties.generalCategory {
        case .format: return nil
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: return " "
        case .dashPunctuation: return "-"
        case .decimalNumber: return properties.numericValue.flatMap { Unicode.Scalar(0x30 + UInt8($0)) }
        default: return self
        }
    }
}
