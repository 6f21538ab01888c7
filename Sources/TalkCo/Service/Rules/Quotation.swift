import Foundation

/// The search for words that a model quotes: models change capitals, apostrophes, punctuation and white space.
enum Quotation {
    private struct Word {
        var folded: String
        var range: Range<String.Index>
    }

    /// Returns the quoted words as they occur in the text, character by character.
    ///
    /// - Returns: nil if the text lacks the words. Only whole words are found, unless the quotation is exact.
    static func find(_ quotation: String, in text: String) -> String? {
        // Compares bytes, because apps search for exactly these characters.
        if !quotation.isEmpty, Array(text.utf8).contains(Array(quotation.utf8)) { return quotation }
        let (wanted, words) = (self.words(of: quotation).map(\.folded), self.words(of: text))
        guard !wanted.isEmpty, words.count >= wanted.count else { return nil }
        let found = (0...words.count - wanted.count).first { start in
            wanted.indices.allSatisfy { words[start + $0].folded == wanted[$0] }
        }
        return found.map { String(text[words[$0].range.lowerBound..<words[$0 + wanted.count - 1].range.upperBound]) }
    }

    /// Returns a suggestion for words that were quoted in another form: without the quotation marks, the full stop and the capital
    /// that the model has added to its quotation.
    static func adapt(_ suggestion: String, for quotation: String, found: String) -> String {
        var suggestion = suggestion
        for (opening, closing) in [("\"", "\""), ("“", "”"), ("'", "'"), ("‘", "’"), ("「", "」")]
        where quotation.hasPrefix(opening) && suggestion.hasPrefix(opening) && suggestion.hasSuffix(closing) && suggestion.count > 1
        {
            suggestion = String(suggestion.dropFirst().dropLast())
        }
        let quoted = quotation.trimmingCharacters(in: CharacterSet(charactersIn: "\"“”‘’'「」 "))
        if let end = quoted.last, ".!?。".contains(end), found.last != end, suggestion.last == end { suggestion.removeLast() }
        if let first = quoted.first, first.isUppercase, found.first?.isLowercase == true,
            quoted.prefix(while: \.isLetter) == suggestion.prefix(while: \.isLetter)
        {
            suggestion = suggestion.prefix(1).lowercased() + suggestion.dropFirst()
        }
        return suggestion
    }

    /// Returns the words of a text, folded: without capitals, apostrophes and decomposed characters.
    private static func words(of text: String) -> [Word] {
        var words: [Word] = []
        var start: String.Index?
        func finish(_ end: String.Index) {
            guard let first = start else { return }
            let folded = text[first..<end].lowercased().folding(options: .widthInsensitive, locale: nil)
                .precomposedStringWithCanonicalMapping.filter { !isApostrophe($0) }
            if !folded.isEmpty { words.append(Word(folded: folded, range: first..<end)) }
            start = nil
        }
        for index in text.indices {
            let character = text[index]
            if character.isLetter || character.isNumber {
                if start == nil { start = index }
            } else if isApostrophe(character), start != nil, let next = text[index...].dropFirst().first, next.isLetter {
                continue
            } else {
                finish(index)
            }
        }
        finish(text.endIndex)
        return words
    }

    private static func isApostrophe(_ character: Character) -> Bool { "'’‘ʼ`´＇′".contains(character) }
}
