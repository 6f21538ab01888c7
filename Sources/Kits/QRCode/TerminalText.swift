extension QRSymbol {
    /// The symbol and its quiet zone for a terminal: two modules a character, lines that end in a line break.
    ///
    /// - Parameter hasColors: Whether to ask for black on white with escape sequences, whatever the colours of the terminal.
    ///   Without them it is right where writing is light on dark.
    public func terminalText(hasColors: Bool = true) -> String {
        let quiet = 4
        // By whether the upper and the lower module are in the colour of writing.
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
