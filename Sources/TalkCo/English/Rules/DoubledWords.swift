extension Rule {
    /// Two subjects, two conjunctions or other words said twice.
    static let doubledWords: [Rule] = [
        Rule("double.subject", priority: 66, at: "he she it they") { sentence, index in
            guard index >= 2, sentence.has(index - 1, .noun), sentence[index - 1].kind == .word else { return nil }
            var start = index - 1
            while start > 0, sentence.has(start, [.noun, .adjective]), !sentence.has(start, [.determiner, .possessive]),
                start > index - 4
            { start -= 1 }
            guard sentence.startsClause(start),
                sentence.has(start, .possessive)
                    || ["this", "that", "the", "many", "most", "these", "some"].contains(sentence[start].word)
            else { return nil }
            let head = sentence[index - 1]
            let isPlural = head.tags.has(.plural) && !head.tags.has(.singular)
            let pronoun = sentence[index].word
            guard isPlural ? pronoun == "they" && sentence.has(index + 1, [.be, .have, .modal]) : pronoun != "they" else {
                return nil
            }
            guard isPlural || (head.tags.has(.person) ? pronoun != "it" : pronoun == "it") else { return nil }
            if female.contains(head.word), pronoun == "he" { return nil }
            if male.contains(head.word), pronoun == "she" { return nil }
            let verb = sentence.afterAdverbs(index + 1)
            guard sentence.has(verb, [.be, .finite, .modal, .have]) || sentence[verb].word == "'s" else { return nil }
            // In "the man she married is nice" the pronoun starts a relative clause.
            let isReduced = sentence.has(start, .possessive) == false || !head.tags.has(.person)
            var other = verb + 1
            while other < sentence.count, sentence[other].kind == .word,
                !["and", "but", "because", "so", "when", "who", "that", "if"].contains(sentence[other].word)
            {
                if sentence.has(other, [.be, .modal, .thirdPerson, .past]) && !sentence.has(other, .noun) { return nil }
                other += 1
            }
            guard !isReduced || sentence.has(verb, [.be, .have]) && !sentence.has(verb + 1, .participle) else { return nil }
            if sentence[verb].word == "'s" { return Match(index..<verb + 1, "is") }
            return Match(index..<verb + 1, sentence.text(index + 1..<verb + 1))
        },
        Rule("double.although-but", priority: 65, at: "although though") {
            sentence, index in
            guard sentence.startsClause(index) || sentence[index - 1].word == "even", index < 4 || sentence[index - 1].kind != .word
            else { return nil }
            guard
                let but = (index + 2..<max(index + 2, min(sentence.count, index + 20))).first(where: { sentence[$0].word == "but" }
                ),
                sentence[but + 1].kind == .word,
                sentence.contains(
                    index + 1..<but, where: { $0.tags.has([.finite, .be, .modal]) || $0.word == "'s" || $0.word == "'m" }),
                !["not", "also"].contains(sentence[but - 1].word)
            else { return nil }
            // The "but" may join a third clause in between.
            guard
                sentence.contains(index + 1..<but, where: { $0.kind == .pause }) == false
                    || (index + 1..<but).filter({ sentence[$0].kind == .pause }).count == 1 && sentence[but - 1].kind == .pause
            else { return nil }
            return Match(but..<but + 2, sentence.text(but + 1..<but + 2))
        },
        Rule("double.because-so", priority: 65, at: "because since") {
            sentence, index in
            guard
                index == 0 || sentence[index - 1].kind != .word
                    || ["and", "but", "so", "well", "yeah"].contains(sentence[index - 1].word),
                sentence[index].word == "because" || index == 0
            else { return nil }
            guard
                let so = (index + 3..<min(max(sentence.count, index + 3), index + 22)).first(where: { sentence[$0].word == "so" }),
                sentence[so + 1].word != "that", sentence[so - 1].word != "and"
            else { return nil }
            let subject = so + 1
            guard
                sentence.has(subject, [.subject]) || ["you", "it", "this", "that"].contains(sentence[subject].word)
                    || sentence.has(subject, [.possessive, .determiner]) && sentence[subject].word != "many"
                        && sentence[subject].word != "much",
                sentence.contains(
                    index + 1..<so,
                    where: { $0.tags.has([.finite, .be, .modal]) || $0.word == "'s" || $0.word == "'m" || $0.word == "'re" })
            else { return nil }
            guard sentence.has(so - 1, .be) == false, (index + 1..<so).filter({ sentence[$0].kind == .pause }).count <= 1,
                !["think", "said", "say", "hope", "do"].contains(sentence[so - 1].word)
            else { return nil }
            return Match(so..<subject + 1, sentence.text(subject..<subject + 1))
        },
        Rule("double.object", priority: 60, at: "that which who") {
            sentence, index in
            guard sentence.has(index - 1, .strict) || sentence.has(index - 1, .plural),
                sentence.has(index - 2, [.determiner, .possessive, .adjective]),
                !["fact", "idea", "day", "time", "way", "moment", "reason", "thing", "feeling", "year"].contains(
                    sentence[index - 1].word),
                sentence.has(index + 1, .subject) || ["you", "it"].contains(sentence[index + 1].word)
            else { return nil }
            let verb = sentence.afterAdverbs(index + 2)
            guard sentence.has(verb, [.finite]), ["it", "him", "them"].contains(sentence[verb + 1].word),
                sentence.endsPhrase(verb + 2) || sentence[verb + 2].tags.has(.be), !sentence.has(verb + 2, [.preposition]),
                !["know", "think", "say", "hope", "believe", "tell", "give", "make"].contains(sentence[verb].entry.verb)
            else { return nil }
            return Match(verb..<verb + 2, sentence.text(verb..<verb + 1))
        },
    ]

    private static let female = Set(
        "sister mother wife girlfriend aunt grandmother daughter niece woman girl mom actress waitress".words)
    private static let male = Set(
        "brother father husband boyfriend uncle grandfather son nephew man boy dad guy actor waiter".words)
}
