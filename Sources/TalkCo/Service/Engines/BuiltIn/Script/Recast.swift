import TalkCoEnglish

/// A repetition of a learner's sentence without its error, as people do in a conversation: "Ah, you went there yesterday."
struct Recast: Sendable {
    /// Maximum length of a repeated sentence, in words.
    private static let maximumWordCount = 14
    private static let pairs = [
        "i": "you", "i'm": "you're", "i've": "you've", "i'll": "you'll", "i'd": "you'd", "me": "you", "my": "your", "mine": "yours",
        "myself": "yourself", "we": "you", "we're": "you're", "we've": "you've", "we'll": "you'll", "we'd": "you'd", "us": "you",
        "our": "your",
        "ours": "yours", "ourselves": "yourselves",
    ]

    private let rules: EnglishRules

    init(rules: EnglishRules = EnglishRules()) {
        self.rules = rules
    }

    /// Returns the first corrected sentence; nil if there is no error, or no sentence that can be repeated.
    func of(_ text: String) -> String? {
        for sentence in SpokenSentences.of(text) {
            // The tutor's answer waits for the rules, so they check only sentences that can be repeated.
            guard Self.addressed(sentence) != nil else { continue }
            let corrected = rules.corrected(sentence)
            guard corrected != sentence, rules.findings(in: corrected).isEmpty else { continue }
            guard let addressed = Self.addressed(corrected) else { continue }
            return "Ah, \(addressed)."
        }
        return nil
    }

    /// Returns the sentence as it is said to its speaker, with "you" for "I"; nil if the change may be wrong.
    static func addressed(_ sentence: String) -> String? {
        let plain = sentence.replacing("’", with: "'").split(separator: " ").map { String($0) }
        guard (2...maximumWordCount).contains(plain.count), !sentence.contains("?"), sentence.allSatisfy(\.isASCII) else {
            return nil
        }
        let lowered = plain.map { $0.lowercased().filter { $0.isLetter || $0 == "'" } }
        // "You" may be the tutor; a quotation keeps its pronouns.
        guard !lowered.contains(where: { ["you", "your", "yours", "you're"].contains($0) }), !sentence.contains("\"") else {
            return nil
        }
        if ["yes", "no", "because", "so"].contains(lowered[0]) { return nil }
        var words: [String] = []
        for (index, word) in plain.enumerated() {
            var word = word
            let tail = String(word.reversed().prefix { ".,!;:".contains($0) }.reversed())
            word.removeLast(tail.count)
            if let pair = pairs[word.lowercased()] {
                word = pair
            } else if index > 0,
                ["i", "we"].contains(lowered[index - 1])
                    || index > 1 && ["i", "we"].contains(lowered[index - 2]) && isAdverb(lowered[index - 1])
            {
                word = ["am": "are", "was": "were"][word.lowercased()] ?? word
            }
            if index == 0, plain[0] != "I", isOrdinary(word) { word = word.prefix(1).lowercased() + word.dropFirst() }
            words.append(word + tail)
        }
        var text = words.joined(separator: " ")
        while let last = text.last, ".!;:, ".contains(last) { text.removeLast() }
        return text
    }

    private static func isAdverb(_ word: String) -> Bool {
        word.hasSuffix("ly") || ["always", "often", "never", "also", "just", "still", "sometimes"].contains(word)
    }

    /// Returns true if a word cannot be a name.
    private static func isOrdinary(_ word: String) -> Bool {
        [
            "yesterday", "today", "tomorrow", "last", "next", "every", "the", "a", "an", "my", "your", "you", "you're", "there",
            "it", "he", "she", "they",
            "this", "that", "because", "although", "when", "if", "in", "on", "at", "after", "before", "so", "but", "and",
            "sometimes", "usually",
            "many", "most", "some", "people",
        ].contains(word.lowercased())
    }
}
