extension Rule {
    /// Forms of verbs after auxiliaries.
    static let verbForms: [Rule] = afterAuxiliary + afterBe + afterHave

    /// Returns the index of the verb after an auxiliary at `index`, after adverbs and, in a question, the subject; nil for none.
    private static func verbAfter(_ sentence: Sentence, _ index: Int) -> Int? {
        var verb = index + 1
        if sentence.has(verb, .subject) {
            verb += 1
        } else if sentence.has(verb, [.possessive, .determiner]), index == 0 || sentence.has(index - 1, .question),
            let end = sentence.nounPhraseEnd(verb)
        {
            // In "does the store closes" the last word of the phrase may be the verb.
            verb = end - 1 > verb + 1 && sentence.has(end - 1, .thirdPerson) ? end - 1 : end
        }
        verb = sentence.afterAdverbs(verb)
        return verb < sentence.count ? verb : nil
    }

    private static let afterAuxiliary: [Rule] = [
        Rule("verb.base-after-do", priority: 62, at: "do does did don't doesn't didn't") {
            sentence, index in
            guard let verb = verbAfter(sentence, index) else { return nil }
            let isNegative = sentence[index].word.hasSuffix("n't") || sentence[index + 1].word == "not"
            let isQuestion = sentence.has(index + 1, [.subject, .possessive, .determiner])
            guard
                isNegative
                    || isQuestion
                        && (sentence.startsClause(index) || sentence.has(index - 1, .question)
                            || sentence.has(index - 2, .question))
            else { return nil }
            let tags = sentence[verb].entry.tags
            let word = sentence[verb].word
            guard !sentence[verb].entry.verb.isEmpty, tags.has([.thirdPerson, .past, .participle, .gerund]),
                !tags.has([.base, .adjective]),
                !(tags.has([.noun]) && !["has", "needs", "likes", "works", "wants", "lives", "looks", "plays"].contains(word)),
                word != "being"
            else { return nil }
            // "I don't, thinking of it"; "what I did was".
            guard !tags.has(.gerund) || isNegative && sentence.has(index - 1, .subject) else { return nil }
            return Match(verb..<verb + 1, sentence[verb].entry.verb)
        },
        Rule(
            "verb.base-after-modal", priority: 62,
            at: "can could will would should must may might can't couldn't won't wouldn't shouldn't mustn't cannot 'll"
        ) { sentence, index in
            guard sentence.has(index, .modal), let verb = verbAfter(sentence, index),
                !sentence.has(index - 1, [.determiner, .possessive, .preposition])
            else { return nil }
            if sentence[index].word == "may", sentence[index].isCapitalized, index > 0 { return nil }
            let tags = sentence[verb].entry.tags
            let word = sentence[verb].word
            // "all he could to protect his son"
            let isObjectBefore = sentence.contains(max(0, index - 3)..<index) {
                ["all", "what", "whatever", "everything", "anything", "best"].contains($0.word)
            }
            if word == "to", verb == index + 1, !isObjectBefore, sentence.has(verb + 1, .base) || sentence[verb + 1].word == "be" {
                return Match(index..<verb + 1, sentence.text(index..<index + 1))
            }
            if ["is", "am", "are", "was", "were"].contains(word), verb == index + 1, sentence.has(index - 1, [.subject, .noun]) {
                return Match(verb..<verb + 1, "be")
            }
            guard !sentence[verb].entry.verb.isEmpty, tags.has([.thirdPerson, .past, .participle, .gerund]),
                !tags.has([.base, .adjective]),
                !tags.has(.noun) || ["works", "likes", "needs", "helps", "goes", "lives"].contains(word),
                word != "being",
                sentence.has(index - 1, [.subject, .noun, .name, .gerund]) || sentence.has(index + 1, .subject) || index == 0
            else { return nil }
            return Match(verb..<verb + 1, sentence[verb].entry.verb)
        },
        Rule("verb.base-after-to", priority: 62, at: "to") { sentence, index in
            let word = sentence[index + 1].word
            let tags = sentence[index + 1].entry.tags
            let governor = sentence[index - 1]
            guard !sentence[index + 1].entry.verb.isEmpty, !tags.has([.base, .noun, .adjective]),
                tags.has([.past, .thirdPerson, .gerund])
            else { return nil }
            let governs = [
                "want", "need", "like", "try", "decide", "plan", "hope", "have", "love", "start", "begin", "forget", "learn",
                "expect", "promise", "refuse", "choose", "agree", "afford", "ask",
            ]
            let isUsed = governor.word == "used" && sentence.has(index - 2, .subject)
            let isForPerson =
                ["me", "him", "us", "them", "you"].contains(governor.word) && ["for", "help"].contains(sentence[index - 2].word)
            let isLimited = sentence.contains(max(0, index - 3)..<index) { $0.word == "too" || $0.word == "enough" }
            if sentence.contains(
                0..<index, where: { ["devote", "devoted", "dedicate", "dedicated"].contains($0.word) || $0.entry.verb == "give" })
            {
                return nil
            }
            guard
                governs.contains(governor.entry.verb)
                    || [
                        "able", "how", "where", "easy", "hard", "difficult", "important", "going", "happy", "supposed", "ready",
                        "nice", "glad", "time", "chance", "pleasure", "honor", "afraid",
                    ].contains(governor.word) || isUsed || isForPerson || isLimited
            else { return nil }
            guard !tags.has(.gerund) || word != "being", !(governor.word == "like" && !governor.tags.has(.verb)) else { return nil }
            return Match(index + 1..<index + 2, sentence[index + 1].entry.verb)
        },
        .phrase(
            "verb.double-modal", "will|would|may|might|should [can]", "be able to",
            unless: { !$0.has($1 - 1, .subject) && !$0.has($1 - 1, .noun) }),
        .phrase(
            "verb.please", "please [to <VERB>]", "$3",
            unless: { $0.has($1 - 1, [.adjective, .preposition]) }),
    ]

    private static let statives = Set(

        """
        agree disagree like want know need love think believe hope understand have prefer hate mean belong depend seem \
        forget remember come live
        """
        .words)

    /// Verbs that are nouns too, but hardly after "I am".
    private static let nounLike = Set(
        "work play study talk look wait travel cook dance call help love hope want need plan visit walk".words)

    private static let afterBe: [Rule] = [
        .phrase(
            "verb.modal-adjective",
            "will|would|should|must [<ADJ>] <END>|to|with|about|for|in|if|when|and|because|at|too", "be $2",
            unless: { $0[$1 + 1].word == "likely" || !$0.has($1 - 1, [.subject, .noun, .name, .object]) }),
        Rule(
            "verb.be-with-base", priority: 63, at: "am is are was were 'm 're 's"
        ) { sentence, index in
            var verb = sentence.afterAdverbs(index + 1)
            let isNegative = sentence[index + 1].word == "not"
            while ["very", "so", "just", "also", "really", "usually"].contains(sentence[verb].word) { verb += 1 }
            let token = sentence[verb]
            guard token.entry.tags.has(.base),
                !token.entry.tags.has([.adjective, .participle, .adverb, .preposition, .modal, .question])
                    || token.word == "like" && sentence[index + 1].word == "very",
                !token.isCapitalized, index > 0, sentence[index - 1].kind == .word
            else { return nil }
            let subject = sentence[index - 1].word
            let isPerson = ["i", "we", "they", "he", "she"].contains(subject)
            let isPure = WordClass.isPureBase(sentence, verb)
            guard
                isPerson
                    || nounLike.contains(token.word) && sentence.has(index - 1, .person) && sentence.has(verb + 1, .preposition)
                    || isPure && (sentence.has(index - 1, .person) || ["you", "it"].contains(subject)),
                isPure || sentence.takesClearObject(verb + 1) || statives.contains(token.word)
                    || nounLike.contains(token.word) && sentence.has(verb + 1, .preposition),
                sentence[index].word != "'s" || isPerson || subject == "it"
            else { return nil }
            guard sentence.has(index - 1, [.subject]) || sentence.startsClause(index - 2), token.word != "let" else { return nil }
            let isPast = ["was", "were"].contains(sentence[index].word)
            let adverbs = verb > index + 1 ? sentence.text(index + 1..<verb).replacing("very", with: "really") + " " : ""
            let range: Range<Int>
            var replacement: String
            let takesS = Pronoun.takesS(subject)
            let isHabit =
                ["usually", "often", "always", "sometimes"].contains(sentence[index + 1].word) && sentence[index].word != "'s"
            if isNegative {
                let auxiliary = isPast ? "didn't" : takesS ? "doesn't" : "don't"
                (range, replacement) = (index..<verb + 1, "\(auxiliary) \(token.word)")
            } else if isPast {
                (range, replacement) = (index..<verb + 1, adverbs + Lexicon.standard.past(token.entry.verb))
            } else if statives.contains(token.entry.verb) || isHabit {
                (range, replacement) = (
                    index..<verb + 1, adverbs + (takesS ? Inflection.thirdPerson(token.entry.verb) : token.entry.verb)
                )
            } else {
                (range, replacement) = (verb..<verb + 1, token.word == "worry" ? "worried" : Inflection.withING(token.entry.verb))
            }
            if range.lowerBound == index, sentence[index].word.hasPrefix("'") {
                replacement = sentence.text(index - 1..<index) + " " + replacement
                return Match(index - 1..<range.upperBound, replacement)
            }
            return Match(range, replacement)
        },
        Rule("verb.be-with-past", priority: 63, at: "am is are was were 'm 're") {
            sentence, index in
            let verb = sentence.afterAdverbs(index + 1)
            let token = sentence[verb]
            guard WordClass.all["PAST"]!(sentence, verb), verb == index + 1, !token.isCapitalized,
                !["thought", "saw", "felt"].contains(token.word)
            else { return nil }
            let isPerson = ["i", "we", "they", "he", "she", "you"].contains(sentence[index - 1].word)
            if isPerson, token.word != "stole" {
                if sentence[index].isAttached {
                    return Match(index - 1..<verb + 1, sentence.text(index - 1..<index) + " " + token.word)
                }
                return Match(index..<verb + 1, token.word)
            }
            guard sentence.has(index - 1, [.noun, .subject, .determiner]) else { return nil }
            return Match(verb..<verb + 1, Lexicon.standard.participle(token.entry.verb))
        },
        .phrase(
            "verb.born", "i|he|she [born]", "was born",
            unless: { $0.has($1 - 1, [.auxiliaryDo, .be]) }),
        .phrase(
            "verb.make-feel", "make*|let* me|him|her|us|them|you [feeling|to|cried|laughed|felt|went|did|thought]",
            "$3:base", unless: { $0[$1 + 2].word == "to" }),
        .phrase(
            "verb.make-to", "make*|let* me|him|her|us|them|you|people [to <VERB>]", "$4",
            unless: { $0.has($1, .participle) && $0.has($1 - 1, .be) }),
    ]

    private static let afterHave: [Rule] = [
        .phrase(
            "verb.feel-stressed", "feel*|felt very|so|really|too|a? lot? of? [stress] <END>|and|because|when|at|about",
            "stressed",
            unless: { sentence, index in (index..<index + 5).contains { ["a", "lot", "of"].contains(sentence[$0].word) } }),
        .phrase(
            "verb.changing", "weather|price|prices|world|everything|technology <BE> [change|increase|rise|grow]",
            "$3:ing", unless: { $0.has($1 + 2, .modal) }),
        .phrase(
            "verb.dont-adjective", "i [don't <ADJ>] <END>|at|with|about|because|now|today|to|of", "am not $3",
            unless: { $0[$1 + 2].word == "convenient" || $0.has($1 - 1, .question) }),
        .phrase(
            "verb.how-to", "know|me|learn|teach|remember|forget how [<BASE>]", "to $3",
            unless: { $0[$1 + 2].word == "come" }),
        .phrase(
            "verb.be-feeling",

            """
            feel*|felt|<BE> very|so|really|too|a? little|bit? [excite|confuse|bore|interest|surprise|disappoint|embarrass|\
            frustrate|shock]
            """,
            "$4:pp",
            unless: {
                $0[$1 + 1].entry.tags.has(.determiner) && $0[$1 + 1].word == "a" && !["little", "bit"].contains($0[$1 + 2].word)
            }),
        .phrase(
            "verb.rain", "it 's|is|was [rain|snow]", "$3:ing", unless: { $0.has($1 + 3, .noun) }
        ),
        Rule(
            "verb.participle-after-have", priority: 62, at: "have has had haven't hasn't hadn't 've"
        ) { sentence, index in
            var verb = index + 1
            let isQuestion =
                sentence.has(verb, .subject) && sentence.startsClause(index)
                || sentence.has(verb, .subject) && sentence.has(index - 1, .question)
            if isQuestion { verb += 1 }
            let afterSubject = verb
            while ["never", "ever", "already", "just", "not", "also", "always", "recently", "finally"].contains(sentence[verb].word)
            { verb += 1 }
            let token = sentence[verb]
            guard sentence[index + 1].word != "better", !token.entry.verb.isEmpty, !token.entry.tags.has(.participle),
                token.entry.tags.has([.past, .base]), !token.isCapitalized, token.word != "to",
                !token.entry.tags.has([.determiner, .preposition, .have, .modal]) || token.word == "do"
            else { return nil }
            let isMarked =
                verb > afterSubject || isQuestion || sentence[index].word.hasSuffix("n't") || sentence[index].word == "'ve"
            let isVisit =
                token.entry.verb == "go" && ["ever", "never"].contains(sentence[verb - 1].word) && sentence[verb + 1].word == "to"
            if isVisit { return Match(verb..<verb + 1, "been") }
            if token.entry.tags.has(.past), !token.entry.tags.has([.base, .noun]) {
                return Match(verb..<verb + 1, Lexicon.standard.participle(token.entry.verb))
            }
            guard token.entry.tags.has(.base), isMarked || WordClass.isPureBase(sentence, verb) || token.word == "do",
                !isMarked || !token.entry.tags.has([.noun, .adjective]) || verb > afterSubject
                    || sentence.takesClearObject(verb + 1),
                !token.entry.tags.has(.noun) || sentence.takesClearObject(verb + 1)
                    || sentence.has(verb + 1, [.name, .place, .preposition]),
                sentence.has(index - 1, [.subject, .noun, .name, .modal]) || isQuestion
            else { return nil }
            // "What I have do": not a perfect.
            return Match(verb..<verb + 1, Lexicon.standard.participle(token.entry.verb))
        },
    ]
}
