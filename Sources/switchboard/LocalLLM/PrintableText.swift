extension StringProtocol {
    /// The text for a terminal. Control characters could move its cursor, change its settings or hide text; newlines and tabs stay.
    var printable: String { map(keeping: ["\n", "\t"]) }

    /// The text for one row of a terminal or a log.
    var printableInOneRow: String { map(keeping: []) }

    private func map(keeping kept: Set<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
            text.append(isControl && !kept.contains(scalar) ? (scalar == "\n" ? " " : "\u{fffd}") : scalar)
        }
        return String(text)
    }
}
