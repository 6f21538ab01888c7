extension Rule {
    /// Comparatives and superlatives.
    static let comparison: [Rule] = [
        Rule("comparison.double", priority: 65, at: "more most") {
            sentence, index in
            let tags = sentence[index + 1].entry.tags
            guard tags.has(sentence[index].word == "more" ? .comparative : .superlative), sentence[index + 1].word != "less" else {
                return nil
            }
            return Match(index..<index + 2, sentence.text(index + 1..<index + 2))
        },
        Rule("comparison.more-short", priority: 64, at: "more") { sentence, index in
            let word = sentence[index + 1].word
            guard WordLists.shortAdjectives.contains(word) || ["good", "bad"].contains(word),
                !["few", "little", "late", "early", "open", "kind", "clear", "strict", "clever", "quiet", "friendly", "handsome"]
                    .contains(word) || sentence[index + 2].word == "than",
                sentence[index + 2].kind != .word
                    || ["than", "to", "for", "now", "and", "in", "if", "because", "when", "but"].contains(sentence[index + 2].word),
                sentence[index + 1].tags.has(.adjective) || word == "hard" || word == "fast",
                sentence.has(index - 1, [.be, .verb, .adverb])
                    || ["much", "'s", "a", "even", "far", "lot"].contains(sentence[index - 1].word)
                    || sentence.has(index - 1, .noun)
            else { return nil }
            return Match(index..<index + 2, Lexicon.standard.comparative(word))
        },
        Rule("comparison.most-short", priority: 64, at: "most") { sentence, index in
            let word = sentence[index + 1].word
            guard sentence[index - 1].word == "the", WordLists.shortAdjectives.contains(word) || ["good", "bad"].contains(word),
                !["strict", "clever", "quiet", "friendly", "kind", "early", "late", "few"].contains(word)
            else { return nil }
            return Match(index..<index + 2, Lexicon.standard.superlative(word))
        },
        Rule("comparison.missing", at: "than") { sentence, index in
            let word = sentence[index - 1].word
            guard sentence.has(index - 1, .adjective), !sentence.has(index - 1, [.comparative, .determiner, .noun]),
                !["other", "different", "more", "less", "rather", "few", "much", "another", "own", "worse", "worth", "further"]
                    .contains(word)
            else { return nil }
            guard
                !sentence.contains(
                    max(0, index - 5)..<index - 1,
                    where: {
                        ["more", "less", "rather", "better", "sooner", "other", "worse"].contains($0.word)
                            || $0.tags.has(.comparative)
                    })
            else { return nil }
            return Match(index - 1..<index, Lexicon.standard.comparative(word))
        },
        Rule("comparison.wrong-ending", at: wrongEndings.keys.joined(separator: " ")) {
            sentence, index in
            wrongEndings[sentence[index].word].map { Match(index..<index + 1, $0) }
        },
        .phrase(
            "comparison.very",
            "[very|so|too] better|worse|cheaper|bigger|faster|easier|smaller|older|younger|taller|higher", "much",
            unless: { $0[$1].word == "so" }),
        .phrase(
            "comparison.as-than", "as <ANYADJ> [than]", "as",
            unless: { $0[$1 + 1].word == "other" || $0.has($1 + 1, .comparative) }),
        .phrase(
            "comparison.same-as", "the? [same like|with]", "same as",
            unless: { $0.has($1 + 2, .noun) }),
        .phrase(
            "comparison.second-most", "more and more <SHORT> $", "$4:comparative and $4:comparative",
            unless: { s, i in
                ["clever", "quiet", "strict", "friendly", "strange", "kind", "angry", "clear", "hungry", "busy"].contains(
                    s[i + 3].word)
            }),
    ]

    private static let wrongEndings = Dictionary(
        uniqueKeysWithValues:
            "beautiful important famous delicious interesting difficult popular convenient careful boring handsome".words
            .map { ($0 + "er", "more " + $0) } + [("expensiver", "more expensive"), ("comfortabler", "more comfortable")])
}
