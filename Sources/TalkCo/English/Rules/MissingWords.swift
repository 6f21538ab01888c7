extension Rule {
    /// Missing subjects and missing forms of "be".
    static let missingWords: [Rule] = missingBe + missingSubject + existential

    private static func be(_ sentence: Sentence, _ subject: Int) -> String {
        let isPast = (0..<sentence.count).contains { pastTimeExpression(sentence, $0) != nil }
        return Pronoun.be(sentence[subject].word, isPast: isPast)
    }

    private static let missingBe: [Rule] = [
        .phrase(
            "missing.be-place",
            "^^ my|his|her|our|their|the <NOUN> [near|in|next|behind|far] the|my|to|from|<PLACE>|a", "is $3",
            unless: { sentence, index in
                sentence[index + 1].entry.tags.has(.plural)
                    || (index + 3..<max(index + 3, sentence.count)).contains {
                        sentence[$0].entry.tags.has([.be, .modal, .have, .thirdPerson, .past, .base, .auxiliaryDo])
                            || sentence[$0].word == "'s"
                    }
            }),
        Rule("missing.be-adjective", priority: 64) { sentence, index in
            guard ["i", "he", "she", "we", "they", "it", "you", "this", "that"].contains(sentence[index].word),
                sentence.startsClause(index)
            else { return nil }
            var adjective = index + 1
            while ["very", "so", "too", "really", "not", "always", "also", "quite", "still", "just"].contains(
                sentence[adjective].word)
            { adjective += 1 }
            let hasDegree =
                adjective > index + 1 && !["always", "also", "still", "just", "really"].contains(sentence[adjective - 1].word)
            let tags = sentence[adjective].entry.tags
            guard tags.has(.adjective),
                !tags.has([.base, .past, .adverb, .determiner, .comparative, .superlative, .number, .possessive])
                    || hasDegree
                        && [
                            "tired", "excited", "bored", "interested", "worried", "scared", "busy", "late", "hard", "fast", "slow",
                            "early", "free", "open", "clean", "warm", "dry", "surprised", "confused", "cool", "calm",
                        ].contains(sentence[adjective].word),
                !sentence[adjective].isCapitalized,
                !sentence.has(adjective, .language)
            else { return nil }
            let end = adjective + 1
            guard sentence.endsPhrase(end) || sentence.has(end, .preposition),
                !sentence.has(end, [.be, .modal, .finite]) || hasDegree && sentence.has(end, .preposition)
            else { return nil }
            if ["this", "that"].contains(sentence[index].word), !hasDegree { return nil }
            // "I, too tired to go"
            return Match(index + 1..<adjective + 1, be(sentence, index) + " " + sentence.text(index + 1..<adjective + 1))
        },
        Rule("missing.be-noun-phrase", priority: 52) { sentence, index in
            guard sentence.startsClause(index),
                sentence.has(index, [.determiner, .possessive]) || sentence.has(index, .plural) && index == 0,
                sentence[index].word != "that" || sentence.startsClause(index), var noun = sentence.nounPhraseEnd(index)
            else { return nil }
            if sentence[noun].word == "here" || sentence[noun].word == "there" { noun += 1 }
            guard ["very", "so", "too", "not"].contains(sentence[noun].word), sentence[noun + 1].entry.tags.has(.adjective),
                !["much", "many", "few", "long", "far", "only", "more"].contains(sentence[noun + 1].word),
                sentence[noun + 2].kind != .word || sentence.has(noun + 2, [.conjunction, .preposition])
                    || sentence.endsPhrase(noun + 2) && !sentence.has(noun + 2, [.be, .finite, .modal])
            else { return nil }
            let isPlural = sentence.contains(index..<noun, where: { $0.tags.has(.plural) && !$0.tags.has(.singular) })
            return Match(noun..<noun + 2, (isPlural ? "are " : "is ") + sentence.text(noun..<noun + 2))
        },
        Rule("missing.be-gerund", priority: 64, at: "i he she we they") {
            sentence, index in
            guard sentence.startsClause(index) else { return nil }
            let verb =
                sentence[index + 1].word == "not" || sentence[index + 1].word == "still" || sentence[index + 1].word == "just"
                ? index + 2 : index + 1
            guard sentence.has(verb, .gerund), !sentence.has(verb, .adjective), sentence[verb].word != "being",
                sentence[verb].word != "having" || sentence.has(verb + 1, .determiner)
            else { return nil }
            return Match(index + 1..<verb + 1, be(sentence, index) + " " + sentence.text(index + 1..<verb + 1))
        },
        .phrase(
            "missing.do-not",
            "i|we|they|you [not|no <VERB>] <DET>|<POSS>|<NOUN>|to|<OBJ>|<END>|<PREP>|<ING>|about|so|very|this|that|<LANG>|english",
            "don't $3",
            unless: { !$0.startsClause($1) || $0.has($1 + 2, .adjective) || $0.has($1 - 1, [.modal, .auxiliaryDo, .be, .have]) }),
        .phrase(
            "missing.do-not", "he|she|it [not|no <VERB>|<S>]", "doesn't $3:base",
            unless: {
                !$0.startsClause($1) || $0.has($1 + 2, [.adjective, .gerund]) || $0.has($1 - 1, [.modal, .auxiliaryDo, .be, .have])
            }),
        .phrase(
            "missing.be-not", "my|his|her|the|this <NOUN> [not] <ADJ>|very|so|my|a", "is not",
            unless: { !$0.startsClause($1) || $0[$1 + 1].entry.tags.has(.plural) }),
        .phrase(
            "missing.be-from", "^ i|he|she|we|they [from] <PLACE>|<NAME>|a|the", "$1:be from", unless: { $0.has($1 - 1, [.be]) }),
        .phrase(
            "missing.be-place", "^ i|he|she|we|they now? [at|in] home|work|school|the|my", "$1:be $3",
            unless: { s, i in
                s.has(i - 1, .be) || (i + 1..<i + 8).contains { s.has($0, [.finite, .be, .modal]) && !s.has($0, .noun) }
            }),
        .phrase(
            "missing.be-there", "^ there [many|a|some|no|so|lots] lot|many|people|<NOUN>|of", "are $2",
            unless: { s, i in
                s[i + 1].word == "a" && s[i + 2].word != "lot" || (i + 1..<i + 9).contains { s.has($0, [.be, .modal]) }
            }),
        .phrase(
            "missing.off-work", "i|he|she|we|they [off] work", "get off",
            unless: { $0.has($1 - 1, .be) }),
        .phrase(
            "missing.than", "[because very|so|too <ANYADJ>]", "because I am $2 $3",
            unless: { s, i in
                ![
                    "tired", "busy", "hungry", "sick", "happy", "sad", "nervous", "sleepy", "excited", "bored", "thirsty", "angry",
                    "lazy",
                ].contains(s[i + 2].word)
            }),
        .phrase(
            "missing.than", "[because very|so|too <ANYADJ>]", "because it is $2 $3",
            unless: { s, i in ["many", "much", "few", "little"].contains(s[i + 2].word) || s.has(i + 3, [.noun, .be]) }),
    ]

    private static let missingSubject: [Rule] = [
        .phrase(
            "missing.it", "^^ [is] very|so|really|too|quite <ANYADJ> !<NOUN>", "it is", unless: { $0.isQuestion || $1 > 2 }),
        .phrase(
            "missing.it", "^^ [was] very|so|really|too|quite <ANYADJ> !<NOUN>", "it was", unless: { $0.isQuestion || $1 > 2 }),
        .phrase(
            "missing.it", "^^ [is|was] raining|snowing|<ADJ>|hot|cold|sunny|cloudy|windy !<NOUN>", "it $1",
            unless: { $0.isQuestion || $0.has($1 + 2, [.noun, .adjective, .determiner]) }),
        .phrase(
            "missing.it", "^^ [is|was] a|not|because|my <ANYADJ>|<NOUN>|<DET>", "it $1",
            unless: { s, i in s.isQuestion || (i + 2..<s.count).contains { s.has($0, [.be, .finite]) && !s.has($0, .noun) } }),
        .phrase(
            "missing.it", "[rain|rains|raining|rained] heavily|hard|outside|today|yesterday", "it $1", unless: { $1 != 0 }),
        .phrase(
            "missing.it-clause", "i|we|he|they|you don't? think|believe|guess|hope|feel [is|was] !<PAST>",
            "it $4",
            unless: { s, i in
                s.contains(0..<i) { $0.tags.has(.question) || ["that", "which", "all", "thing", "one"].contains($0.word) }
            }),
        .phrase(
            "missing.it-clause",
            "because|although|though [is|was|'s] very|so|too|a|the|not|<ANYADJ>|<ING>|really|my", "it $2",
            unless: { s, i in s[i - 1].word == "is" || s[i - 1].word == "just" }),
        .phrase(
            "missing.it-clause", "^ [make|makes] me|us|people <ANYADJ>|feel", "it makes",
            unless: { $0[$1 - 1].kind == .word || $0[$1].word == "make" || $0.isQuestion }),
        .phrase(
            "missing.i", "^^ today|tomorrow|yesterday [have|has|had] a|an|many|no|to|some", "I $2",
            unless: { $0[$1 + 1].word == "has" }),
    ]

    private static let existential: [Rule] = [
        Rule("existential.there-have", priority: 66, at: "there") {
            sentence, index in
            let verb = sentence[index + 1].word
            guard ["have", "has", "had"].contains(verb),
                sentence.startsClause(index) || !sentence.has(index - 1, [.preposition, .noun, .verb]),
                !sentence.has(index + 2, [.participle, .be]), sentence[index + 2].word != "to", sentence[index + 2].kind == .word,
                let isPlural = isPlural(sentence, index + 2)
            else { return nil }
            return Match(index + 1..<index + 2, verb == "had" ? (isPlural ? "were" : "was") : (isPlural ? "are" : "is"))
        },
        .phrase(
            "existential.have-many", "^^ [have] many|lots", "there are",
            unless: { $0.isQuestion || $0.has($1 + 2, .uncountable) }),
        .phrase(
            "existential.have-many", "^^ [have a lot of] <PL>", "there are a lot of", unless: { sentence, _ in sentence.isQuestion }
        ),
        Rule(
            "existential.place-have", priority: 67, at: "in near behind beside on at around"
        ) { sentence, index in
            guard sentence.startsClause(index) || sentence[index - 1].word == "that" else { return nil }
            var noun = index + 1
            if sentence[index + 1].word == "front" || sentence[index + 1].word == "to" { noun += 2 }
            while sentence.has(noun, [.determiner, .possessive, .adjective]), !sentence.has(noun, .noun) { noun += 1 }
            guard sentence.has(noun, [.singular, .uncountable, .name, .place, .unknown]), !sentence.has(noun, [.plural, .person])
            else { return nil }
            noun += 1
            if sentence.has(noun, [.name, .place]) || sentence[noun].word == "market" { noun += 1 }
            guard ["have", "has", "had"].contains(sentence[noun].word) else { return nil }
            guard sentence[noun + 1].kind == .word, sentence[noun + 1].word != "to", !sentence.has(noun + 1, [.participle, .be]),
                let isPlural = isPlural(sentence, noun + 1)
            else { return nil }
            let be = sentence[noun].word == "had" ? (isPlural ? "there were" : "there was") : (isPlural ? "there are" : "there is")
            return Match(noun..<noun + 1, be)
        },
    ]

    /// Returns true if the noun phrase at `start` is plural; nil if there is none.
    private static func isPlural(_ sentence: Sentence, _ start: Int) -> Bool? {
        var noun = start
        while sentence.has(noun, [.adjective, .determiner, .number, .degree])
            || ["some", "so", "a", "lot", "lots", "of", "many"].contains(sentence[noun].word),
            !sentence.has(noun, .noun) || ["lot", "lots"].contains(sentence[noun].word), noun < start + 6
        {
            noun += 1
        }
        while sentence.has(noun, [.noun, .unknown]), sentence.has(noun + 1, [.singular, .plural]) { noun += 1 }
        if ["something", "someone", "nothing"].contains(sentence[noun].word) { return false }
        guard sentence.has(noun, .noun) || noun > start && sentence[noun].tags.has([.unknown, .name]) else { return nil }
        if sentence[noun].tags.has(.unknown) {
            return sentence[noun].word.hasSuffix("s") || ["many", "lots"].contains(sentence[start].word)
        }
        return sentence.has(noun, .plural)
    }
}
