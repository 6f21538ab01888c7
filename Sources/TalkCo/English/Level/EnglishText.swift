/// The distinction of English from other languages and from noise, such as random letters.
package enum EnglishText {
    /// Sounds that are not words.
    private static let fillers = Set("um uh hm hmm mm mmm ah oh er eh ha haha la".words)

    /// Returns true if a text is English, correct or not. Doubtful texts are taken as English.
    ///
    /// - Parameter allowsOtherScripts: True for English words between any number of Chinese ones.
    package static func isEnglish(_ text: String, allowsOtherScripts: Bool = false) -> Bool {
        var (known, possible, count, foreign) = (0, 0, 0, 0)
        for token in Tokenizer.tokens(of: text) {
            switch token.kind {
            case .word:
                // The second half of a contraction.
                if token.word.hasPrefix("'") || fillers.contains(token.word) { continue }
                count += 1
                if isKnown(token.word) { known += 1 } else if isPronounceable(token.word) { possible += 1 }
            case .number:
                count += 1
                known += 1
            case .other: foreign += text[token.range].unicodeScalars.count { $0.properties.isAlphabetic }
            case .pause, .end: break
            }
        }
        // A character of another script is about half a word.
        guard count > 0, allowsOtherScripts || foreign < 2 * count else { return false }
        let points = 2 * known + possible
        return count < 3 ? points >= count : points > count
    }

    private static func isKnown(_ word: String) -> Bool {
        let entries = Lexicon.standard.entries
        if entries[word] != nil { return true }
        if let head = word.split(separator: "'").first, head.count < word.count, entries[String(head)] != nil { return true }
        return word.split(separator: "-").contains { entries[String($0)] != nil }
    }

    /// Returns true if the letters may be a name, or a word that the lexicon lacks.
    private static func isPronounceable(_ word: String) -> Bool {
        let letters = Array(word.filter(\.isLetter))
        guard letters.contains(where: "aeiouyáéíóúàèäöüâêô".contains) else { return false }
        var run: [Character] = []
        for (index, letter) in letters.enumerated() {
            if letter == "q", index + 1 == letters.count || letters[index + 1] != "u" { return false }
            run = "aeiouy".contains(letter) ? [] : run + [letter]
            // Three successive consonants occur in English, as in "str", "ght" and "lly", but hardly as "sdf".
            if run.count > 2, !run.contains(where: "rlhwn".contains) || run.count > 4 { return false }
        }
        return Set(letters).count > 1 || letters.count < 3
    }
}
