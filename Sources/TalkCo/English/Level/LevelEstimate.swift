/// An estimate of a learner's level from the learner's sentences.
///
/// The estimate rests on the length of sentences, subordinate clauses, the variety of tenses and moods, the frequency of the
/// words, and the errors that ``GrammarChecker`` finds.
package struct LevelEstimate: Hashable, Sendable {
    /// A sentence of the learner, with the ability that it shows.
    package struct Evidence: Hashable, Sendable {
        package var sentence: String
        /// The reason in Traditional Chinese.
        package var reason: String

        package init(sentence: String, reason: String) {
            self.sentence = sentence
            self.reason = reason
        }
    }

    /// Minimum count of words for an estimate.
    package static let minimumWordCount = 25

    package var level: EnglishLevel
    /// The sentences behind the level, at most three, the strongest first.
    package var evidence: [Evidence]

    /// Estimates the level, or returns nil for fewer than ``minimumWordCount`` words.
    ///
    /// - Parameter sentences: The learner's sentences, in any order.
    package init?(of sentences: [String]) {
        let checker = GrammarChecker()
        let findings = sentences.map { checker.objections(in: $0) }
        var facts = SpeechFacts()
        for sentence in sentences { facts.add(sentence) }
        guard facts.words >= Self.minimumWordCount, facts.sentences > 0 else { return nil }
        level = Self.level(facts, errors: findings.reduce(0) { $0 + $1.count })
        evidence = Self.evidence(sentences, findings)
    }

    /// Returns the number of words that an estimate counts.
    ///
    /// - Parameter limit: The maximum result, after which no further sentence is read.
    package static func wordCount(of sentences: [String], upTo limit: Int) -> Int {
        var facts = SpeechFacts()
        for sentence in sentences where facts.words < limit { facts.add(sentence) }
        return min(facts.words, limit)
    }

    // MARK: Level

    /// Returns the points of a value: 0 up to the first step, one more at each further step, and linear between two steps.
    private static func points(_ value: Double, _ steps: [Double]) -> Double {
        guard var below = steps.first, value > below else { return 0 }
        for (index, step) in steps.enumerated().dropFirst() {
            if value < step { return Double(index - 1) + (value - below) / (step - below) }
            below = step
        }
        return Double(steps.count - 1)
    }

    private static func level(_ facts: SpeechFacts, errors: Int) -> EnglishLevel {
        let (words, sentences) = (Double(facts.words), Double(facts.sentences))
        let length = points(words / sentences, [4, 7, 10, 13, 17, 22])
        let clauses = points(Double(facts.subordinateClauses) / sentences, [0, 0.15, 0.4, 0.7, 1.1, 1.6])
        let verbs = points(Double(facts.verbUses.count), [1, 3, 5, 7, 9, 11])
        let weighted = zip(facts.bands, [0, 0.4, 1.2, 2.2, 3.5]).reduce(0) { $0 + Double($1.0) * $1.1 }
        let vocabulary = points(100 * weighted / words, [2, 6, 11, 18, 27, 38])
        let errorRate = 100 * Double(errors) / words
        let score = 0.25 * length + 0.2 * clauses + 0.25 * verbs + 0.3 * vocabulary - 0.12 * max(0, errorRate - 2)
        let index = [0.8, 1.7, 2.9, 3.7, 4.5].filter { score >= $0 }.count
        // A few sentences do not prove a high level.
        let highest = facts.words < 60 ? 3 : facts.words < 120 ? 4 : 5
        return EnglishLevel.allCases[min(index, highest)]
    }

    // MARK: Evidence

    private static func evidence(_ sentences: [String], _ findings: [[Finding]]) -> [Evidence] {
        let facts = sentences.map { sentence in
            var facts = SpeechFacts()
            facts.add(sentence)
            return facts
        }
        var result: [Evidence] = []
        var used: Set<Int> = []
        func append(_ index: Int?, _ reason: (Int) -> String) {
            guard let index, !used.contains(index) else { return }
            used.insert(index)
            result.append(Evidence(sentence: sentences[index], reason: reason(index)))
        }
        func best(_ value: (Int) -> Int) -> Int? {
            sentences.indices.filter { !used.contains($0) && value($0) > 0 }.max { (value($0), -$0) < (value($1), -$1) }
        }
        append(
            best { facts[$0].subordinateClauses * 100 + min(99, facts[$0].words) - (facts[$0].subordinateClauses == 0 ? 99 : 0) }
        ) { index in
            "用 \(facts[index].subordinateClauses) 個從屬子句把想法連成 \(facts[index].words) 個字的句子。"
        }
        append(best { facts[$0].advancedWords.count }) { index in
            "用了較少見的詞彙：\(facts[index].advancedWords.prefix(3).joined(separator: "、"))。"
        }
        append(best { findings[$0].count }) { index in
            "有 \(findings[index].count) 處可以改進，例如「\(findings[index][0].original)」可說「\(findings[index][0].suggestion)」。"
        }
        if result.count < 3 {
            append(best { facts[$0].verbUses.count >= 2 ? facts[$0].verbUses.count : 0 }) { index in
                "一句話裡用了 \(facts[index].verbUses.count) 種時態、助動詞或動詞形式。"
            }
        }
        if result.isEmpty {
            append(best { facts[$0].words }) { _ in "句子簡短，用的是基本句型。" }
        }
        return result
    }
}
