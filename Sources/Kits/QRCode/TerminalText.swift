extension QRSymbol {
    /// Returns the symbol with its quiet zone as terminal text: two modules per character, every row ending in a line feed.
    ///
    /// - Parameter hasColors: True to set black on white by escape sequences. False relies on a terminal with light text on a dark
    ///   background.
    package func terminalText(hasColors: Bool = true) -> String {
        let quiet = 4
        // Indexed by the upper and the lower module being in the foreground colour.
        let (both, upper, lower, neither) = ("█", "▀", "▄", " ")
        var text = ""
        for row in stride(from: -quiet, to: size + quiet, by: 2) {
            if hasColors { text += "\u{1B}[38;5;16;48;5;231m" }
            for column in -quiet..<size + quiet {
                switch (self[row, column] == hasColors, self[row + 1, column] == hasColors) {
                case (true, true): text += both
                case (true, false): text += upper
                case (false, true): text += lower
                case (false, false): text += neither
                }
            }
            text += hasColors ? "\u{1B}[0m\n" : "\n"
        }
        return text
    }
}
