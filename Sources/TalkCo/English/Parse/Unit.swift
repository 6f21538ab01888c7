import Foundation

/// A word as the parser and the word model get it: a contraction is one word.
struct Unit: Hashable, Sendable {
    /// The word in lowercase, with a straight apostrophe.
    var word: String
    /// The word as the parser gets it: a name has a capital letter.
    var written: String
    /// The tokens of the sentence; for an inserted word, the empty range before a token.
    var tokens: Range<Int>
    /// True for a comma or the like, which the word model does not get.
    var isPause = false
}

extension Sentence {
    /// The words and commas of the sentence. Other scripts, emoji and quotation marks are left out.
    var units: [Unit] {
        var units: [Unit] = []
        for index in 0..<count {
            let token = self[index]
            switch token.kind {
            case .word where token.word.hasPrefix("'") && token.isAttached && units.last?.tokens.upperBound == index:
                units[units.count - 1].word += token.word
                units[units.count - 1].written += token.word
                units[units.count - 1].tokens = units[units.count - 1].tokens.lowerBound..<index + 1
            case .word, .number:
                let word = token.word
                units.append(Unit(word: word, written: Self.written(token, isFirst: units.isEmpty), tokens: index..<index + 1))
            case .pause where [",", ";", "，", "、", "；"].contains(token.word):
                units.append(Unit(word: ",", written: ",", tokens: index..<index + 1, isPause: true))
            default: break
            }
        }
        return units
    }

    private static func written(_ token: Token, isFirst: Bool) -> String {
        let word = token.word.folding()
        if word == "i" { return "I" }
        let isName = token.isCapitalized && !isFirst || token.entry.tags.has([.language, .weekday, .place])
        let isUnknownName = token.isCapitalized && isFirst && token.entry.tags.has([.name, .unknown])
        guard isName || isUnknownName, let first = word.first else { return word }
        return first.uppercased() + word.dropFirst()
    }
}

extension String {
    /// Returns the word without accents, if it has Latin letters only.
    fileprivate func folding() -> String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        return String(String.UnicodeScalarView(decomposedStringWithCanonicalMapping.unicodeScalars.filter { $0.value < 0x80 }))
    }
}
