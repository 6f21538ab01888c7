import TalkCoWire

/// A rough estimate of the level by countable facts: length and variety of sentences, words, and the share of errors.
enum LevelRules {
    /// Fewer words than this are too little to judge.
    static let minimumWordCount = 30

    /// - Parameter errorsPerHundredWords: nil if unknown.
    /// - Returns: nil if there is too little to judge. At most `C1`: rules cannot tell the rest.
    static func level(_ figures: TalkFigures, errorsPerHundredWords errors: Double) -> CEFRLevel? {
        guard figures.wordCount >= minimumWordCount else { return nil }
        var points = 0.0
        points += min(figures.wordsPerSentence / 4, 4)
        points += min(Double(figures.connectives.count) / 2, 3)
        points += min(Double(figures.complexSentences.count) / Double(max(figures.sentences.count, 1)) * 6, 3)
        points += min(Double(figures.longWordCount) / Double(figures.wordCount) * 20, 2)
        points += min(Double(figures.distinctWordCount) / 60, 2)
        points -= min(errors / 4, 4)
        return switch points {
        case ..<2.5: .a1
        case ..<4.5: .a2
        case ..<7.5: .b1
        case ..<10.5: .b2
        default: .c1
        }
    }

    /// The sentences behind the level, with reasons in Traditional Chinese.
    static func evidence(_ figures: TalkFigures, limit: Int = 3) -> [LevelEvidence] {
        var evidence: [LevelEvidence] = []
        func add(_ sentence: String?, _ reason: String) {
            guard let sentence, evidence.count < limit, !evidence.contains(where: { $0.sentence == sentence }) else { return }
            evidence.append(LevelEvidence(sentence: sentence, reason: reason))
        }
        let byLength = figures.sentences.sorted { ChoiceGrammar.words(of: $0).count > ChoiceGrammar.words(of: $1).count }
        add(byLength.first { figures.complexSentences.contains($0) }, "能使用從屬子句或較複雜的句型。")
        add(
            byLength.first { sentence in
                ChoiceGrammar.words(of: sentence).contains { ["because", "so", "but", "although", "since"].contains($0) }
            },
            "能用連接詞說明原因或對比。")
        add(byLength.first { !ExpressionList.used(in: $0).isEmpty }, "用到了固定的英文說法。")
        add(
            byLength.first { sentence in ChoiceGrammar.words(of: sentence).contains { figures.pastVerbs.contains($0) } },
            "能用過去式敘述發生過的事。")
        add(byLength.first, "能說出完整的句子。")
        return evidence
    }
}
