extension Unicode.Scalar {
    /// True for a scalar that can change how the text around it is shown, or hide it: control characters, separators of lines, changes of the
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
    /// The text for a terminal: newlines and tabs stay, other unprintable scalars become U+FFFD. They could move its cursor, change its
    /// settings, turn or hide text.
    package var printable: String { map(keeping: ["\n", "\t"]) }

    /// The text for one row of a terminal or a log. A newline becomes a space.
    package var printableInOneRow: String { map(keeping: []) }

    private func map(keeping kept: Set<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            text.append(!scalar.isUnprintable || kept.contains(scalar) ? scalar : scalar == "\n" ? " " : "\u{fffd}")
        }
        return String(text)
    }
}
