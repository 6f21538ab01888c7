extension Rule {
    /// Comparatives and superlatives.
    static let comparison: [Rule] = [
        Rule("comparison.double", .grammar, priority: 65, at: "more most", "-er 已經是比較級，前面不再加 more（-est 也不再加 most）。") {
            sentence, index in
            let tags = sentence[index + 1].entry.tags
            guard tags.has(sentence[index].word == "more" ? .comparative : .superlative), sentence[index + 1].word != "less" else {
                return nil
            }
            return Match(index..<index + 2, sentence.text(index + 1..<index + 2))
        },
        Rule("comparison.more-short", .grammar, priority: 64, at: "more", "短的形容詞用 -er 形成比較級，不用 more。") { sentence, index in
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
        Rule("comparison.most-short", .grammar, priority: 64, at: "most", "短的形容詞用 -est 形成最高級，不用 most。") { sentence, index in
            let word = sentence[index + 1].word
            guard sentence[index - 1].word == "the", WordLists.shortAdjectives.contains(word) || ["good", "bad"].contains(word),
                !["strict", "clever", "quiet", "friendly", "kind", "early", "late", "few"].contains(word)
            else { return nil }
            return Match(index..<index + 2, Lexicon.standard.superlative(word))
        },
        Rule("comparison.missing", .grammar, at: "than", "和 than 一起比較時，形容詞要用比較級。") { sentence, index in
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
        Rule("comparison.wrong-ending", .grammar, at: wrongEndings.keys.joined(separator: " "), "長的形容詞用 more 形成比較級。") {
            sentence, index in
            wrongEndings[sentence[index].word].map { Match(index..<index + 1, $0) }
        },
        .phrase("comparison.gooder", .grammar, "gooder", "better", "good 的比較級是 better。"),
        .phrase("comparison.badder", .grammar, "badder", "worse", "bad 的比較級是 worse。"),
        .phrase(
            "comparison.very", .grammar,
            "[very|so|too] better|worse|cheaper|bigger|faster|easier|smaller|older|younger|taller|higher", "much",
            "比較級前面用 much 加強語氣，不用 very。", unless: { $0[$1].word == "so" }),
        .phrase("comparison.very-more", .grammar, "[very more] <ANYADJ>", "much more", "比較級前面用 much 加強語氣，不用 very。"),
        .phrase(
            "comparison.as-than", .grammar, "as <ANYADJ> [than]", "as", "同級比較是 as…as。",
            unless: { $0[$1 + 1].word == "other" || $0.has($1 + 1, .comparative) }),
        .phrase(
            "comparison.same-as", .grammar, "the? [same like|with]", "same as", "「和…一樣」是 the same as。",
            unless: { $0.has($1 + 2, .noun) }),
        .phrase("comparison.prefer", .grammar, "prefer* <NOUN>|<ING> [than]", "to", "prefer A to B：比較對象前用 to，不用 than。"),
        .phrase("comparison.more-than-like", .grammar, "[more] better|easier|cheaper|faster|bigger", "much", "比較級前面不再加 more。"),
        .phrase(
            "comparison.second-most", .grammar, "more and more <SHORT> $", "$4:comparative and $4:comparative",
            "「越來越…」用短形容詞的比較級：bigger and bigger。",
            unless: { s, i in
                ["clever", "quiet", "strict", "friendly", "strange", "kind", "angry", "clear", "hungry", "busy"].contains(
                    s[i + 3].word)
            }),
        .phrase("comparison.number-one", .grammar, "the [more] <ADJ> in|of the", "most", "在一群當中比較，用最高級 the most。"),
    ]

    private static let wrongEndings = Dictionary(
        uniqueKeysWithValues:
            "beautiful important famous delicious interesting difficult popular convenient careful boring handsome".words
            .map { ($0 + "er", "more " + $0) } + [("expensiver", "more expensive"), ("comfortabler", "more comfortable")])
}
