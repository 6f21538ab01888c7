/// Typing with twelve keys: a key pressed again at once is its next letter.
struct MultiTap {
    /// What the keys stand for.
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
            // A code is mostly digits.
            return self == .code ? [number] + letters : letters + [number]
        }

        private static let letters: [[Character]] = [
            [], [], ["A", "B", "C"], ["D", "E", "F"], ["G", "H", "I"], ["J", "K", "L"], ["M", "N", "O"], ["P", "Q", "R", "S"],
            ["T", "U", "V"], ["W", "X", "Y", "Z"],
        ]
    }

    /// What letters come as.
    enum Mode: CaseIterable {
        case upper, lower, digits
        var next: Mode { self == .upper ? .lower : self == .lower ? .digits : .upper }
    }

    /// A second press within this time goes to the next letter.
    static let pause: Duration = .seconds(1)

    var mode = Mode.upper
    private var last: (digit: Int, index: Int, at: Duration, text: String)?

    /// Types a key's letter at the end of `text`, or turns the one that it has just typed into the next.
    ///
    /// - Parameter now: Any time that only grows.
    mutating func press(_ digit: Int, in alphabet: Alphabet, text: inout String, limit: Int, now: Duration) {
        if mode == .digits { return type(digit, text: &text, limit: limit) }
        let letters = alphabet.letters(digit)
        if let last, last.digit == digit, last.text == text, now - last.at < Self.pause, letters.count > 1 {
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

    /// Types the digit itself: the key was held down. Takes back the letter that its press has typed.
    mutating func hold(_ digit: Int, text: inout String, limit: Int) {
        if let last, last.digit == digit, last.text == text { text = String(text.dropLast()) }
        type(digit, text: &text, limit: limit)
    }

    private mutating func type(_ digit: Int, text: inout String, limit: Int) {
        last = nil
        if text.unicodeScalars.count < limit { text += String(digit) }
    }

    private func cased(_ letter: Character) -> String { mode == .lower ? letter.lowercased() : String(letter) }

    /// The next press is a letter of its own.
    mutating func settle() { last = nil }
}
