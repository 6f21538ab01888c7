import Foundation

/// Countable facts about a learner's words.
struct TalkFigures: Sendable {
    private(set) var turnCount = 0
    private(set) var sentences: [String] = []
    private(set) var wordCount = 0
    private(set) var distinctWordCount = 0
    /// Words that join clauses: because, although, when.
    private(set) var connectives: [String] = []
    /// Verbs in the past tense.
    private(set) var pastVerbs: [String] = []
    /// Sentences with the present perfect, a condition or a relative clause.
    private(set) var complexSentences: [String] = []
    private(set) var longWordCount = 0
    private(set) var expressions: [String] = []

    init(_ texts: [String]) {
        var distinct: Set<String> = []
        for text in texts {
            let words = ChoiceGrammar.words(of: text)
            guard !words.isEmpty else { continue }
            turnCount += 1
            wordCount += words.count
            distinct.formUnion(words)
            longWordCount += words.filter { $0.count > 7 }.count
            for word in words {
                if Self.joiningWords.contains(word), !connectives.contains(word) { connectives.append(word) }
                if Self.pastForms.contains(word), !pastVerbs.contains(word) { pastVerbs.append(word) }
            }
            for sentence in SpokenSentences.of(text) {
                sentences.append(sentence)
                if Self.isComplex(sentence) { complexSentences.append(sentence) }
            }
            for expression in ExpressionList.used(in: text) where !expressions.contains(expression) {
                expressions.append(expression)
            }
        }
        distinctWordCount = distinct.count
    }

    var wordsPerSentence: Double { sentences.isEmpty ? 0 : Double(wordCount) / Double(sentences.count) }

    private static func isComplex(_ sentence: String) -> Bool {
        let words = ChoiceGrammar.words(of: sentence)
        let phrase = " " + words.joined(separator: " ") + " "
        return [
            " if ", " although ", " which ", " who ", " have been ", " has been ", " have never ", " would rather ", " would have ",
            " unless ",
            " whenever ", " so that ", " used to ", " had to ", " while ", " instead of ",
        ].contains { phrase.contains($0) }
    }

    private static let joiningWords: Set<String> = [
        "because", "although", "when", "while", "so", "but", "if", "since", "before", "after", "which", "who", "until", "unless",
        "whenever", "though",
    ]
    private static let pastForms: Set<String> = [
        "was", "were", "went", "had", "did", "saw", "ate", "bought", "came", "took", "made", "met", "got", "said", "told",
        "thought", "felt", "found",
        "gave", "knew", "left", "lost", "read", "slept", "spent", "spoke", "stayed", "visited", "watched", "liked", "enjoyed",
        "played", "talked",
        "worked", "started", "learned", "cooked", "tried", "wanted", "walked", "traveled", "decided", "happened", "helped", "loved",
        "called", "drove",
    ]
}
