/// The division of a text into sentences that are spoken one by one, so that the first is heard early.
enum SpokenSentences {
    /// Maximum length of a sentence, in characters. Longer sentences are divided at a space.
    static let maximumLength = 240
    /// Words with a full stop that do not end a sentence.
    private static let abbreviations: Set<String> = [
        "mr.", "mrs.", "ms.", "dr.", "e.g.", "i.e.", "etc.", "a.m.", "p.m.", "no.", "vs.", "st.",
    ]

    static func of(_ text: String) -> [String] {
        var sentences: [String] = []
        var words: [Substring] = []
        var length = 0
        func finish() {
            if !words.isEmpty { sentences.append(words.joined(separator: " ")) }
            (words, length) = ([], 0)
        }
        for word in text.split(whereSeparator: \.isWhitespace) {
            if length + word.count > maximumLength { finish() }
            words.append(word)
            length += word.count + 1
            let end = word.reversed().first { !"\"'”’)".contains($0) }
            guard let end, ".!?…。！？".contains(end), !abbreviations.contains(word.lowercased()) else { continue }
            finish()
        }
        finish()
        return sentences
    }
}
