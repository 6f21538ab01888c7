extension Rule {
    /// Agreement of subject and verb.
    static let agreement: [Rule] = pronounAgreement + nounAgreement + existentialAgreement

    private static let singularSubjects = Set(
        "he she it everyone everybody someone somebody nobody nothing everything something".words)

    /// Returns true if a question or a causative verb before the subject explains an infinitive after it.
    private static func allowsInfinitive(_ sentence: Sentence, before index: Int) -> Bool {
        let before = sentence[index - 1].word == "not" ? index - 2 : index - 1
        if sentence.has(before, [.modal, .auxiliaryDo]) || causative.contains(sentence[before].entry.verb) { return true }
        return sentence.contains(max(0, index - 8)..<index) { subjunctive.contains($0.entry.verb) || subjunctive.contains($0.word) }
    }

    private static let causative = Set("make let help see hear watch have feel notice".words)
    private static let subjunctive = Set(
        "suggest recommend insist demand request propose important essential necessary wish lest".words
    )

    private static let pronounAgreement: [Rule] = [
        Rule(
            "agreement.third-person",
            at: "he she it everyone everybody someone somebody nobody nothing everything something this that"
        ) { sentence, index in
            let subject = sentence[index].word
            guard
                sentence.startsClause(index)
                    || [
                        "that", "what", "where", "think", "thinks", "thought", "said", "says", "feel", "heard", "know", "say",
                        "hope", "believe", "who", "how",
                        "why",
                    ].contains(sentence[index - 1].word),
                !allowsInfinitive(sentence, before: index)
            else { return nil }
            // "I and she go", "my sister and he go"
            if isCoordinated(sentence, index) { return nil }
            let verb = sentence.afterAdverbs(index + 1)
            let token = sentence[verb]
            if token.word == "don't" { return Match(verb..<verb + 1, "doesn't") }
            if token.word == "do", sentence[verb + 1].word == "not" { return Match(verb..<verb + 1, "does") }
            if token.word == "haven't" { return Match(verb..<verb + 1, "hasn't") }
            if ["are", "am"].contains(token.word), !["this", "that"].contains(subject) || sentence.startsClause(index) {
                return Match(verb..<verb + 1, "is")
            }
            guard !["this", "that"].contains(subject) else {
                guard sentence.startsClause(index),
                    ["mean", "make", "have", "look", "sound", "seem", "happen", "depend", "taste"].contains(token.word),
                    subject == "that" || sentence[verb + 1].kind == .word
                else { return nil }
                return Match(verb..<verb + 1, Inflection.thirdPerson(token.word))
            }
            guard token.entry.tags.has(.base), token.tags.has(.base), !token.entry.tags.has(.past),
                !token.isCapitalized, !["better", "last"].contains(token.word)
            else { return nil }
            guard singularSubjects.contains(subject),
                WordClass.isPureBase(sentence, verb) || sentence.has(index, .subject) || sentence.takesClearObject(verb + 1)
            else { return nil }
            return Match(verb..<verb + 1, Inflection.thirdPerson(token.entry.verb))
        },
        Rule("agreement.were", at: "he she it i") { sentence, index in
            guard sentence.startsClause(index), ["were", "weren't"].contains(sentence[index + 1].word),
                !sentence.contains(
                    max(0, index - 4)..<index,
                    where: { ["if", "wish", "as", "though", "unless", "than", "wishes", "what"].contains($0.word) })
            else { return nil }
            return Match(index + 1..<index + 2, sentence[index + 1].word == "were" ? "was" : "wasn't")
        },
        Rule("agreement.not-third-person", at: "i you we they these those") {
            sentence, index in
            guard
                sentence.startsClause(index)
                    || ["that", "what", "when", "where", "think", "who"].contains(sentence[index - 1].word),
                sentence[index - 2].word != "and" || sentence[index - 1].word != "and"
            else { return nil }
            let subject = sentence[index].word
            let verb = sentence.afterAdverbs(index + 1)
            let token = sentence[verb]
            if isCoordinated(sentence, index) { return nil }
            switch token.word {
            case "is": return Match(verb..<verb + 1, Pronoun.be(subject, isPast: false))
            case "was": return subject == "i" ? nil : Match(verb..<verb + 1, "were")
            case "wasn't": return subject == "i" ? nil : Match(verb..<verb + 1, "weren't")
            case "are": return subject == "i" ? Match(verb..<verb + 1, "am") : nil
            case "isn't": return Match(verb..<verb + 1, subject == "i" ? "am not" : "aren't")
            case "has": return Match(verb..<verb + 1, "have")
            case "hasn't": return Match(verb..<verb + 1, "haven't")
            case "doesn't": return Match(verb..<verb + 1, "don't")
            default: break
            }
            guard !["these", "those"].contains(subject), token.tags.has(.thirdPerson), !token.entry.verb.isEmpty,
                !sentence.has(verb, .plural), token.word != "us"
            else { return nil }
            return Match(verb..<verb + 1, token.entry.verb)
        },
    ]

    /// Verbs after which a clause may stand without a conjunction.
    private static let reporting = Set("think thinks thought believe know feel say says said hope guess that".words)

    /// Returns true if "and" joins the subject at `index` to another one, as in "my sister and he".
    private static func isCoordinated(_ sentence: Sentence, _ index: Int) -> Bool {
        guard sentence[index - 1].word == "and", sentence.has(index - 2, [.noun, .subject, .name, .object]) else { return false }
        return !sentence.contains(sentence.clause(index - 2)) {
            $0.tags.has([.finite, .be, .modal]) && !$0.tags.has(.noun) || ["'s", "'m", "'re"].contains($0.word)
        }
    }

    /// Returns the noun of a phrase that starts a clause at `index`; nil for none.
    private static func subjectNoun(_ sentence: Sentence, _ index: Int) -> Int? {
        guard sentence.startsClause(index) || reporting.contains(sentence[index - 1].word) && index > 1,
            sentence.has(index, [.determiner, .possessive]), !isCoordinated(sentence, index)
        else { return nil }
        var noun = index + 1
        while sentence.has(noun, .adjective), !sentence.has(noun, .noun), noun < index + 4 { noun += 1 }
        while sentence.has(noun, .noun), sentence.has(noun + 1, .noun), !sentence.has(noun + 1, .finite) { noun += 1 }
        return sentence.has(noun, .noun) ? noun : nil
    }

    private static let nounAgreement: [Rule] = [
        Rule(
            "agreement.singular-noun", priority: 48,
            at: "my your his her our their this that the a an every each another"
        ) { sentence, index in
            guard let noun = subjectNoun(sentence, index), sentence.has(noun, [.singular, .uncountable]),
                !sentence.has(noun, [.plural, .gerund]), !allowsInfinitive(sentence, before: index)
            else { return nil }
            let verb = sentence.afterAdverbs(noun + 1)
            let token = sentence[verb]
            let fixed = [
                "are": "is", "were": "was", "don't": "doesn't", "have": "has", "haven't": "hasn't", "aren't": "isn't",
                "weren't": "wasn't",
            ]
            if let form = fixed[token.word] {
                let collective = [
                    "staff", "team", "family", "police", "couple", "majority", "number", "rest", "lot", "government", "class",
                    "crew", "audience", "pair", "group", "band", "variety", "public", "committee",
                ]
                guard !collective.contains(sentence[noun].word) else { return nil }
                if token.word == "were" || token.word == "weren't",
                    sentence.contains(0..<index, where: { ["if", "wish", "though", "as"].contains($0.word) })
                {
                    return nil
                }
                // "the old have", "both my brother and sister have"
                guard !sentence.contains(index..<verb, where: { $0.word == "and" }) else { return nil }
                return Match(verb..<verb + 1, form)
            }
            guard token.tags.has(.base), !token.entry.tags.has([.past, .preposition, .adjective, .modal]),
                !token.isCapitalized
            else { return nil }
            // A word that may also be a noun needs something after it that shows that it is a verb.
            guard !sentence.has(verb + 1, [.be, .modal, .auxiliaryDo]) else { return nil }
            if token.entry.tags.has(.noun) {
                guard !sentence.has(noun, .uncountable), sentence[noun].tags.has([.person]),
                    sentence.takesClearObject(verb + 1)
                        || ["in", "at", "for", "to", "very", "every"].contains(sentence[verb + 1].word)
                else { return nil }
            }
            return Match(verb..<verb + 1, Inflection.thirdPerson(token.entry.verb))
        },
        Rule("agreement.like", at: "my his her our their") { sentence, index in
            guard let noun = subjectNoun(sentence, index), sentence.has(noun, .person), sentence.has(noun, .singular) else {
                return nil
            }
            let verb = sentence.afterAdverbs(noun + 1)
            guard sentence[verb].word == "like", !allowsInfinitive(sentence, before: index),
                ["to", "very"].contains(sentence[verb + 1].word) || sentence.has(verb + 1, [.gerund, .plural, .uncountable])
            else { return nil }
            return Match(verb..<verb + 1, "likes")
        },
        Rule("agreement.plural-noun") { sentence, index in
            guard sentence.startsClause(index), sentence[index - 1].word != "and" || !sentence.has(index - 2, [.noun, .verb]),
                !sentence.has(index, .number)
            else { return nil }
            var noun = index
            while sentence.has(noun, [.determiner, .possessive]) || ["all", "most", "other", "some"].contains(sentence[noun].word) {
                noun += 1
            }
            while sentence.has(noun, .adjective), !sentence.has(noun, .noun), noun < index + 5 { noun += 1 }
            let token = sentence[noun]
            guard token.tags.has(.plural), !token.tags.has([.singular, .uncountable, .finite]), !token.isCapitalized || noun == 0,
                !["means", "series", "thanks", "systems", "sales", "states", "sports", "politics", "fish"].contains(token.word),
                noun > index || index == 0, !["a", "an", "every", "each"].contains(sentence[index].word)
            else { return nil }
            var verb = sentence.afterAdverbs(noun + 1)
            // "People in Taiwan is"
            if ["in", "at", "from"].contains(sentence[verb].word), let end = sentence.nounPhraseEnd(verb + 1) {
                verb = sentence.afterAdverbs(end)
            }
            let fixed = [
                "is": "are", "was": "were", "has": "have", "doesn't": "don't", "isn't": "aren't", "wasn't": "weren't",
                "hasn't": "haven't",
            ]
            if let form = fixed[sentence[verb].word] {
                guard
                    sentence[verb].word != "is" || !sentence.has(verb + 1, .determiner) || sentence.has(index, .possessive) == false
                        || token.tags.has(.person)
                else { return nil }
                return Match(verb..<verb + 1, form)
            }
            guard sentence.has(verb, .thirdPerson), !sentence.has(verb, .noun),
                !sentence[verb].entry.tags.has(.noun) || token.tags.has(.person)
            else { return nil }
            return Match(verb..<verb + 1, sentence[verb].entry.verb)
        },
        .phrase(
            "agreement.news", "news|homework|information|weather|traffic|furniture|money|luggage|music|advice [are]",
            "is", unless: { $0.has($1 - 1, .conjunction) }),
        .phrase(
            "agreement.news", "news|homework|information|weather|traffic|furniture|money|luggage|music|advice [were]",
            "was", unless: { $0.has($1 - 1, .conjunction) }),
    ]

    private static let existentialAgreement: [Rule] = [
        .phrase(
            "agreement.relative", "<PL> who|that [is]", "are",
            unless: { sentence, index in
                sentence.contains(max(0, index - 4)..<index) { ["one", "say", "said", "tell", "told"].contains($0.word) }
            }),
        .phrase(
            "agreement.relative", "<PL> who|that [was]", "were",
            unless: { sentence, index in
                sentence.contains(max(0, index - 4)..<index) { ["one", "say", "said", "tell", "told"].contains($0.word) }
            }),
        .phrase(
            "agreement.relative", "<PL> who|that [has]", "have",
            unless: { sentence, index in sentence.contains(max(0, index - 4)..<index) { $0.word == "one" } }),
        .phrase(
            "agreement.relative", "<PL> who|that|which [<S>]", "$3:base",
            unless: { sentence, index in
                sentence.contains(max(0, index - 4)..<index) {
                    ["one", "of", "say", "said", "tell", "told"].contains($0.word)
                        || $0.tags.has([.preposition, .verb]) && $0.tags.has(.singular)
                } || sentence.has(index + 2, .noun)
            }),
        .phrase(
            "agreement.opens", "^ the|this|my <NOUN> [close|open] at|on <NUM>|<DAY>|<CLOCK>", "$3:s",
            unless: { $0[$1 + 1].entry.tags.has(.plural) }),
        Rule("agreement.there-are", at: "there") { sentence, index in
            let be = sentence[index + 1].word
            guard be == "is" || be == "was" || be == "are" || be == "were" else { return nil }
            if be == "is" || be == "was" {
                var noun = index + 2
                if ["many", "several"].contains(sentence[noun].word) {
                    return Match(index + 1..<index + 2, be == "is" ? "are" : "were")
                }
                if sentence[noun].word == "a", sentence[noun + 1].word == "lot", sentence[noun + 2].word == "of" { noun += 3 }
                while sentence.has(noun, [.adjective, .number]) || sentence[noun].word == "some" || sentence[noun].word == "so",
                    !sentence.has(noun, .noun)
                { noun += 1 }
                guard sentence.has(noun, .plural), !sentence.has(noun, [.singular, .uncountable]),
                    sentence[index + 2].word != "one", sentence.endsPhrase(noun + 1) || sentence.has(noun + 1, .gerund)
                else { return nil }
                return Match(index + 1..<index + 2, be == "is" ? "are" : "were")
            }
            var noun = index + 2
            guard ["a", "an", "one", "much"].contains(sentence[noun].word), sentence[noun + 1].word != "to" else { return nil }
            noun += 1
            while sentence.has(noun, .adjective), !sentence.has(noun, .noun) { noun += 1 }
            guard sentence.has(noun, [.singular, .uncountable]), !sentence.has(noun, .plural),
                ![
                    "lot", "few", "couple", "number", "bunch", "hundred", "dozen", "variety", "million", "thousand", "pair",
                    "group", "range", "great", "total",
                ].contains(sentence[noun].word),
                sentence[noun + 1].word != "of", sentence[noun + 1].word != "or", sentence[noun + 1].word != "and",
                sentence.endsPhrase(noun + 1)
            else { return nil }
            return Match(index + 1..<index + 2, be == "are" ? "is" : "was")
        },
    ]
}

extension Sentence {
    /// Returns true if the next word shows that the word before it is a verb: a pronoun, a determiner.
    func takesClearObject(_ index: Int) -> Bool {
        has(index, [.determiner, .possessive]) && self[index].word != "that"
            || ["me", "him", "us", "them", "you", "it", "to", "very", "hard", "well", "here", "there"].contains(self[index].word)
            || has(index, [.weekday, .language])
    }
}
