extension Rule {
    /// Words in the wrong order.
    static let wordOrder: [Rule] = timeAndAdverbs + clauses

    private static let timeAndAdverbs: [Rule] = [
        .phrase(
            "order.never-have", "<SUBJ> [never|already|just have|has] been|<PP>", "$3 $2", unless: { $0[$1 + 3].word == "had" }),
        .phrase(
            "order.verb-always", "<SUBJ> [<ACTION> always|usually|never] <DET>|to|<NOUN>", "$3 $2",
            unless: { $0[$1 + 1].entry.verb == "have" && $0[$1 + 2].word == "never" }),
        .phrase(
            "order.very-much",
            "<VERB>|liked|loved|enjoyed [very much <DET>|<POSS>? <ANYADJ>? <NOUN>|<ING>|<LANG>] !<NOUN>", "$4 $5 $6 very much",
            unless: { !["like", "love", "enjoy", "miss", "hate", "want", "appreciate"].contains($0[$1].entry.verb) }),
        .phrase(
            "order.i-and", "^ [i and <NAME>|you|he|she]", "$3 and I",
            unless: { $0.has($1 + 3, [.noun]) }),
        .phrase(
            "order.both", "we|they [both are]", "are both",
            unless: { !$0.has($1 + 3, [.adjective, .noun, .determiner, .preposition]) }),
        .phrase(
            "order.how-adjective", "<BE> [very|so much] <ADJ>", "$2",
            unless: { $0.has($1 + 3, .comparative) || $0[$1 + 3].word == "more" }),
        .phrase(
            "order.too-much", "<BE>|feel [too much <ADJ>]", "too $4",
            unless: { $0.has($1 + 4, .noun) }),
    ]

    private static let clauses: [Rule] = [
        .phrase(
            "clause.missing-that",
            "know|knew|found|bought|visited|recommended|met|saw|have|to a|an <ANYADJ>? <SG> [is|has|was]", "that $5",
            unless: { sentence, index in
                sentence.contains(0..<index) {
                    ["what", "all", "thing", "reason", "way", "best", "how", "where", "one"].contains($0.word)
                }
            }),
        Rule("clause.reason-because", at: "because") {
            sentence, index in
            guard
                let reason = (max(0, index - 10)..<index).first(where: {
                    sentence[$0].word == "reason" && sentence[$0 - 1].word == "the"
                }), sentence.startsClause(reason - 1),
                !sentence.contains(reason..<index, where: { $0.tags.has(.be) || $0.word == "'s" || $0.kind == .pause })
            else { return nil }
            return Match(index..<index + 1, "is that")
        },
        Rule("clause.there-be", priority: 66, at: "there") {
            sentence, index in
            guard sentence.has(index + 1, .be) else { return nil }
            var noun = index + 2
            while sentence.has(noun, [.determiner, .adjective, .number])
                || ["a", "lot", "of", "some", "many", "so"].contains(sentence[noun].word), !sentence.has(noun, [.plural, .person]),
                noun < index + 8
            { noun += 1 }
            while sentence.has(noun + 1, .noun), !sentence.has(noun + 1, .finite), sentence.has(noun, .noun) { noun += 1 }
            guard sentence.has(noun, [.singular, .plural]) else { return nil }
            return relativeNeeded(sentence, noun)
        },
        Rule(
            "clause.have-relative", priority: 66, at: "have has had know knows met"
        ) { sentence, index in
            guard sentence.has(index + 1, [.determiner, .number]),
                sentence.has(index + 2, .person) || sentence.has(index + 2, .adjective) && sentence.has(index + 3, .person)
            else { return nil }
            let noun = sentence.has(index + 2, .person) ? index + 2 : index + 3
            let verb = sentence[noun + 1]
            guard
                [
                    "live", "lives", "work", "works", "is", "are", "was", "study", "studies", "like", "likes", "has", "want",
                    "wants", "speaks", "speak", "come", "comes", "lived", "teaches", "name",
                ].contains(verb.word), verb.word != "like" || ["to", "very"].contains(sentence[noun + 2].word),
                !["work", "study"].contains(verb.word) || sentence.has(noun + 2, .preposition)
            else { return nil }
            return Match(noun + 1..<noun + 2, verb.word == "name" ? "named" : "who " + relativeVerb(sentence, noun))
        },
    ]

    /// Returns the match that inserts "who" or "that" before a second finite verb after a noun; nil for none.
    private static func relativeNeeded(_ sentence: Sentence, _ noun: Int) -> Match? {
        let token = sentence[noun + 1]
        let isLike =
            token.word == "like"
            && (["to", "very"].contains(sentence[noun + 2].word)
                || sentence[noun + 2].kind == .word
                    && !sentence.has(noun + 2, [.determiner, .name, .object, .subject, .possessive]))
        let isPlain =
            WordClass.isPureBase(sentence, noun + 1) || token.tags.has(.thirdPerson) && !token.tags.has(.noun)
            || WordClass.all["PAST"]!(sentence, noun + 1)
            || ["is", "are", "was", "were", "want", "wants", "live", "can", "will", "come", "become"].contains(token.word)
        guard isLike || isPlain,
            !token.entry.tags.has(.participle) || token.tags.has(.be) || ["come", "become"].contains(token.word)
        else { return nil }
        guard !["to", "left"].contains(token.word) else { return nil }
        let pronoun = sentence.has(noun, .person) || sentence[noun].word == "people" ? "who" : "that"
        return Match(noun + 1..<noun + 2, pronoun + " " + relativeVerb(sentence, noun))
    }

    /// Returns the verb after `noun` in its form in a relative clause.
    private static func relativeVerb(_ sentence: Sentence, _ noun: Int) -> String {
        let token = sentence[noun + 1]
        guard token.entry.tags.has(.base), !token.tags.has([.be, .modal]) else { return sentence.text(noun + 1..<noun + 2) }
        if sentence.contains(0..<noun, where: { ["was", "were", "had", "met", "knew"].contains($0.word) }) {
            return Lexicon.standard.past(token.entry.verb)
        }
        return sentence.has(noun, .singular) ? Inflection.thirdPerson(token.entry.verb) : token.word
    }
}
