extension Unicode.Scalar {
    /// True for a scalar that can hide the text around it, or change its look: control characters, line separators, changes of the
    /// writing direction, and invisible format characters other than those of words and emoji.
    package var isUnprintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // The joiners and tags inside words and emoji stay.
        case .format: !(value == 0x200c || value == 0x200d || (0xe0020...0xe007f).contains(value))
        default: properties.isBidiControl
        }
    }
}

extension StringProtocol {
    /// The text for a terminal: newlines and tabs stay. Other unprintable scalars, which could move the cursor, change settings, or
    /// turn or hide text, become U+FFFD.
    package var printable: String { map(keeping: ["\n", "\t"]) }

    /// The text for one row of a terminal or a log: newlines become spaces, other unprintable scalars U+FFFD.
    package var printableInOneRow: String { map(keeping: []) }

    private func map(keeping kept: Set<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            text.append(!scalar.isUnprintable || kept.contains(scalar) ? scalar : scalar == "\n" ? " " : "\u{fffd}")
        }
        return String(text)
    }
}
