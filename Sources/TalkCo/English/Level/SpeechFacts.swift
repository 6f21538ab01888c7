/// The figures of a learner's sentences.
struct SpeechFacts {
    /// A tense, aspect or mood of verbs.
    enum VerbUse: String, CaseIterable {
        case present, past, future, progressive, perfect, passive, conditional, can, obligation, possibility, infinitive, gerund
    }

    private(set) var words = 0
    private(set) var sentences = 0
    private(set) var subordinateClauses = 0
    private(set) var verbUses: Set<VerbUse> = []
    /// Counts of the words of each frequency band, 1…5, at the index band - 1.
    private(set) var bands = [0, 0, 0, 0, 0]
    /// The distinct words of band 3 and above, in order.
    private(set) var advancedWords: [String] = []

    mutating func add(_ text: String) {
        for sentence in Sentence.sentences(of: text) { add(sentence) }
    }

    private static let subordinators = Set(

        """
        because if when although though while unless until whether which who whose since whereas once before after what \
        how why where that
        """
        .words)

    private mutating func add(_ sentence: Sentence) {
        let count = sentence.tokens.count { $0.kind == .word && !$0.word.hasPrefix("'") }
        guard count > 0 else { return }
        words += count
        sentences += 1
        for index in 0..<sentence.count {
            let token = sentence[index]
            guard token.kind == .word else { continue }
            if token.entry.band > 0 { bands[min(token.entry.band, 5) - 1] += 1 }
            if token.entry.band >= 3, !advancedWords.contains(token.word) { advancedWords.append(token.word) }
            if isSubordinator(sentence, index) { subordinateClauses += 1 }
            if let use = verbUse(sentence, index) { verbUses.insert(use) }
        }
    }

    /// Returns true for a conjunction or relative pronoun with a subject and a verb after it.
    private func isSubordinator(_ sentence: Sentence, _ index: Int) -> Bool {
        let word = sentence[index].word
        guard Self.subordinators.contains(word) else { return false }
        // The first word of a direct question does not subordinate.
        if sentence.isQuestion, sentence.has(index, .question), sentence.startsClause(index) { return false }
        if index == 0, sentence.has(index, .question), word != "when" { return false }
        let next = index + 1
        if word == "that" || word == "who" || word == "which" {
            return index > 0
                && (sentence.has(next, [.subject, .be, .modal, .have, .possessive])
                    || sentence.has(next, .finite) && !sentence.has(next, .noun))
                && !sentence.startsClause(index)
        }
        return sentence.has(next, [.subject, .possessive, .determiner, .name, .noun, .object])
            && sentence.contains(next..<next + 7) { $0.tags.has([.finite, .be, .modal]) || $0.word == "'s" || $0.word == "'m" }
    }

    private func verbUse(_ sentence: Sentence, _ index: Int) -> VerbUse? {
        let token = sentence[index]
        let next = sentence.afterAdverbs(index + 1)
        if token.tags.has(.be) || token.word == "'s" && sentence.has(next, [.gerund, .participle]) {
            if sentence.has(next, .gerund), !sentence.has(next, .adjective) { return .progressive }
            if sentence.has(next, .participle), !sentence.has(next, .adjective), sentence[next].word != "been" { return .passive }
            return token.word == "was" || token.word == "were" ? .past : .present
        }
        if token.tags.has(.have), sentence[next].entry.tags.has(.participle) || sentence[next].word == "been" { return .perfect }
        switch token.word {
        case "will", "'ll", "won't", "gonna": return .future
        case "would", "'d", "wouldn't": return sentence[next].word == "like" ? .infinitive : .conditional
        case "can", "can't", "could", "couldn't": return .can
        case "should", "must", "shouldn't", "mustn't": return .obligation
        case "may", "might": return .possibility
        case "to": return sentence.has(index + 1, .base) ? .infinitive : nil
        default: break
        }
        if token.tags.has(.gerund), sentence.has(index - 1, [.preposition, .base, .thirdPerson]) || index == 0 { return .gerund }
        if token.tags.has(.past), !token.entry.tags.has([.base, .noun]) { return .past }
        return token.tags.has([.base, .thirdPerson]) && sentence.has(index - 1, [.subject, .noun]) ? .present : nil
    }
}
