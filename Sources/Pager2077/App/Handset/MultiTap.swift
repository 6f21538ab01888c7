/// Multi-tap text entry with twelve keys: repeated presses of a key cycle through its letters.
struct MultiTap {
    /// The assignment of letters to keys.
    enum Alphabet {
        case message, name, code

        func letters(_ digit: Int) -> [Character] {
            let letters: [Character]
            switch self {
            case .code: letters = digit == 2 || digit == 3 ? Self.letters[digit] : []
            case .name: letters = digit == 1 ? ["-", "_"] : digit == 0 ? [" "] : Self.letters[digit]
            case .message: letters = digit == 1 ? [".", ",", "!", "?", "'", "\"", "-"] : digit == 0 ? [" "] : Self.letters[digit]
            }
            let number = Character(String(digit))
            // A code consists mostly of digits, so the digit comes first.
            return self == .code ? [number] + letters : letters + [number]
        }

        private static let letters: [[Character]] = [
            [], [], ["A", "B", "C"], ["D", "E", "F"], ["G", "H", "I"], ["J", "K", "L"], ["M", "N", "O"], ["P", "Q", "R", "S"],
            ["T", "U", "V"], ["W", "X", "Y", "Z"],
        ]
    }

    /// The characters that keys type: upper case, lower case or digits.
    enum Mode: CaseIterable {
        case upper, lower, digits
        var next: Mode { self == .upper ? .lower : self == .lower ? .digits : .upper }
    }

    /// The time within which another press of the same key selects its next letter.
    static let repeatInterval: Duration = .seconds(1)

    var mode = Mode.upper
    private var last: (digit: Int, index: Int, at: Duration, text: String)?

    /// Appends a key's first letter to `text`, or replaces the letter just typed by the key's next one.
    ///
    /// - Parameter now: Any monotonic time.
    mutating func press(_ digit: Int, in alphabet: Alphabet, text: inout String, limit: Int, now: Duration) {
        if mode == .digits { return hold(digit, text: &text, limit: limit) }
        let letters = alphabet.letters(digit)
        if let last, last.digit == digit, last.text == text, now - last.at < Self.repeatInterval, letters.count > 1 {
            let index = (last.index + 1) % letters.count
            text = text.dropLast() + cased(letters[index])
            self.last = (digit, index, now, text)
        } else {
            last = nil
            guard text.unicodeScalars.count < limit, let letter = letters.first else { return }
            text += cased(letter)
            last = (digit, 0, now, text)
        }
    }

    /// Appends the digit of a key that is held down, or of any key in the mode for digits.
    mutating func hold(_ digit: Int, text: inout String, limit: Int) {
        last = nil
        if text.unicodeScalars.count < limit { text += String(digit) }
    }

    private func cased(_ letter: Character) -> String { mode == .lower ? letter.lowercased() : String(letter) }

    /// Completes the current letter, so that the next press starts a new one.
    mutating func commit() { last = nil }
}
