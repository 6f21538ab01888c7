extension Rule {
    /// Words in the wrong order.
    static let wordOrder: [Rule] = timeAndAdverbs + clauses

    private static let timeAndAdverbs: [Rule] = [
        .phrase(
            "order.never-have", .sentenceStructure, "<SUBJ> [never|already|just have|has] been|<PP>", "$3 $2",
            "never、already、just 放在 have 和過去分詞中間。", unless: { $0[$1 + 3].word == "had" }),
        .phrase("order.also-am", .sentenceStructure, "i [also am] a|an|very|<ADJ>", "am also", "also 放在 be 動詞後面。"),
        .phrase("order.always-be", .sentenceStructure, "i [usually|often am]", "am $2", "頻率副詞放在 be 動詞後面。"),
        .phrase(
            "order.time", .sentenceStructure,

            """
            [<SUBJ> every|last|next|this day|morning|night|week|year|month|weekend|evening|summer|<DAY>] <VERB>|<PAST>|\
            always|usually|will|have|can
            """,
            "$2 $3 $1", "時間副詞放句首或句尾，不放在主詞和動詞中間。", priority: 67),
        .phrase(
            "order.time", .sentenceStructure, "[<SUBJ> yesterday|tomorrow|today|tonight] <VERB>|<PAST>|will|have|am|was|can",
            "$2 $1", "時間副詞放句首或句尾，不放在主詞和動詞中間。", priority: 67),
        .phrase(
            "order.always-be", .sentenceStructure,
            "<SUBJ>|<PERSON> [always|usually|often is|are|was|were] <ADJ>|<DET>|<ADV>|<ING>|late|busy|in|at|very|so|tired|happy",
            "$3 $2", "頻率副詞放在 be 動詞後面。"),
        .phrase(
            "order.verb-always", .sentenceStructure, "<SUBJ> [<ACTION> always|usually|never] <DET>|to|<NOUN>", "$3 $2",
            "頻率副詞放在一般動詞前面。", unless: { $0[$1 + 1].entry.verb == "have" && $0[$1 + 2].word == "never" }),
        .phrase("order.only-can", .sentenceStructure, "<SUBJ> [only can|could]", "$3 only", "only 放在助動詞後面。"),
        .phrase(
            "order.very-much", .sentenceStructure,
            "<VERB>|liked|loved|enjoyed [very much <DET>|<POSS>? <ANYADJ>? <NOUN>|<ING>|<LANG>] !<NOUN>", "$4 $5 $6 very much",
            "very much 放在受詞後面。",
            unless: { !["like", "love", "enjoy", "miss", "hate", "want", "appreciate"].contains($0[$1].entry.verb) }),
        .phrase(
            "order.very-much", .sentenceStructure,
            "like|love|enjoy|liked|loved|enjoyed|miss [very much <NOUN>|<LANG>|<ING>|him|her|it|them|you|<NAME>] !<NOUN>",
            "$4 very much", "very much 放在受詞後面。"),
        .phrase("order.well", .sentenceStructure, "speak* [very? well|fluently <LANG>]", "$4 $2 $3", "說明程度的副詞放在受詞後面。"),
        .phrase(
            "order.enough", .sentenceStructure, "<BE>|not|isn't|aren't|wasn't [enough <ADJ>] !<NOUN>", "$3 enough",
            "enough 修飾形容詞時放在形容詞後面。"),
        .phrase("order.ago", .sentenceStructure, "[ago <NUM> days|years|weeks|months]", "$2 $3 ago", "ago 放在時間後面。"),
        .phrase("order.i-and", .naturalness, "^ [i and my|our <NOUN>]", "$3 $4 and I", "和別人並列時，把自己放在後面：my friend and I。"),
        .phrase(
            "order.i-and", .naturalness, "^ [i and <NAME>|you|he|she]", "$3 and I", "和別人並列時，把自己放在後面。",
            unless: { $0.has($1 + 3, [.noun]) }),
        .phrase(
            "order.i-and", .naturalness, "today|tomorrow|yesterday|weekend|night|sometimes|then|week [i and my|our <NOUN>]",
            "$4 $5 and I", "和別人並列時，把自己放在後面：my friend and I。"),
        .phrase(
            "order.with", .sentenceStructure, "^ i|we|he|she [with my|his|her|our <NOUN> <PAST>|<BASE>]", "$5 with $3 $4",
            "with 片語放在動詞後面。"),
        .phrase(
            "order.both", .sentenceStructure, "we|they [both are]", "are both", "both 放在 be 動詞後面。",
            unless: { !$0.has($1 + 3, [.adjective, .noun, .determiner, .preposition]) }),
        .phrase(
            "order.how-adjective", .sentenceStructure, "<BE> [very|so much] <ADJ>", "$2", "形容詞前用 very 或 so，不加 much。",
            unless: { $0.has($1 + 3, .comparative) || $0[$1 + 3].word == "more" }),
        .phrase(
            "order.too-much", .grammar, "<BE>|feel [too much <ADJ>]", "too $4", "too much 接名詞；形容詞前只用 too。",
            unless: { $0.has($1 + 4, .noun) }),
    ]

    private static let clauses: [Rule] = [
        .phrase(
            "clause.missing-that", .sentenceStructure,
            "know|knew|found|bought|visited|recommended|met|saw|have|to a|an <ANYADJ>? <SG> [is|has|was]", "that $5",
            "修飾名詞的子句要用 that 或 which 引導。",
            unless: { sentence, index in
                sentence.contains(0..<index) {
                    ["what", "all", "thing", "reason", "way", "best", "how", "where", "one"].contains($0.word)
                }
            }),
        Rule("clause.reason-because", .sentenceStructure, at: "because", "The reason … 後面要有 be 動詞：The reason … is that…") {
            sentence, index in
            guard
                let reason = (max(0, index - 10)..<index).first(where: {
                    sentence[$0].word == "reason" && sentence[$0 - 1].word == "the"
                }), sentence.startsClause(reason - 1),
                !sentence.contains(reason..<index, where: { $0.tags.has(.be) || $0.word == "'s" || $0.kind == .pause })
            else { return nil }
            return Match(index..<index + 1, "is that")
        },
        .phrase("order.think-so", .sentenceStructure, "think [so he|she|it|they|i|we|you|this|that]", "$3", "think so 後面不能再接子句。"),
        .phrase(
            "order.something", .sentenceStructure, "have|has [something|nothing|question|questions|problem want] to", "$2 I want",
            "修飾 something 的子句要有主詞：something I want to…"),
        Rule("clause.there-be", .sentenceStructure, priority: 66, at: "there", "一個子句只能有一個主要動詞；用 who 或 that 引導子句來修飾名詞。") {
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
            "clause.have-relative", .sentenceStructure, priority: 66, at: "have has had know knows met",
            "一個子句只能有一個主要動詞；用 who 引導子句來修飾名詞。"
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
