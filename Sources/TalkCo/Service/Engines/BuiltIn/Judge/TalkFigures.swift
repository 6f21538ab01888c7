import Foundation

/// Countable facts about a learner's English words.
struct TalkFigures: Sendable {
    private(set) var turnCount = 0
    private(set) var sentences: [String] = []
    private(set) var wordCount = 0
    private(set) var distinctWordCount = 0
    /// Words that join clauses: because, although, when.
    private(set) var connectives: [String] = []
    /// Verbs in the past tense.
    private(set) var pastVerbs: [String] = []
    private(set) var expressions: [String] = []

    init(_ texts: [String], rules: EnglishRules) {
        var distinct: Set<String> = []
        for text in texts where rules.isEnglish(text) {
            let words = ChoiceGrammar.words(of: text)
            guard !words.isEmpty else { continue }
            turnCount += 1
            wordCount += words.count
            distinct.formUnion(words)
            for word in words {
                if Self.joiningWords.contains(word), !connectives.contains(word) { connectives.append(word) }
                if Self.pastForms.contains(word), !pastVerbs.contains(word) { pastVerbs.append(word) }
            }
            for sentence in SpokenSentences.of(text) {
                sentences.append(sentence)
            }
            for expression in rules.expressions(in: text) where !expressions.contains(expression) {
                expressions.append(expression)
            }
        }
        distinctWordCount = distinct.count
    }

    var wordsPerSentence: Double { sentences.isEmpty ? 0 : Double(wordCount) / Double(sentences.count) }

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
