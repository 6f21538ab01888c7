extension Rule {
    /// The order of subject and verb in direct and indirect questions.
    static let questions: [Rule] = indirectQuestions + directQuestions

    private static let introducers = Set(

        """
        know tell wonder wondering remember understand explain teach taught think thinking show see ask asked guess sure idea forget \
        forgot knows told knew curious
        """
        .words)

    /// Returns true if an indirect question may begin at `index`, after words such as "I don't know".
    private static func isIntroduced(_ sentence: Sentence, _ index: Int) -> Bool {
        var before = index - 1
        if ["me", "him", "her", "us", "them", "about", "you"].contains(sentence[before].word) { before -= 1 }
        guard introducers.contains(sentence[before].word) else { return false }
        // "You know what, are you free?"
        return !(sentence[before].word == "know" && sentence[before - 1].word == "you" && before <= 1)
    }

    private static let questionNouns = Set(
        "time day kind color much many long old far often type language country bus train year number floor size".words)

    private static let indirectQuestions: [Rule] = [
        Rule(
            "question.indirect", priority: 70, at: "what where when why how who which"
        ) { sentence, index in
            guard isIntroduced(sentence, index) else { return nil }
            var verb = index + 1
            while questionNouns.contains(sentence[verb].word)
                || ["what", "which", "whose", "how"].contains(sentence[index].word) && verb <= index + 2
                    && sentence.has(verb, [.noun, .adjective]) && !sentence.has(verb, [.be, .auxiliaryDo, .modal])
            { verb += 1 }
            if sentence[index + 1].word == "kind", sentence[index + 2].word == "of" {
                verb = index + 3; while sentence.has(verb, .noun) { verb += 1 }
            }
            let isDo = ["do", "does", "did"].contains(sentence[verb].word)
            let isBe = ["is", "are", "was", "were", "am", "'s", "'re"].contains(sentence[verb].word)
            guard isDo || isBe || sentence.has(verb, .modal) && !sentence.has(verb, .negative),
                let end = sentence.nounPhraseEnd(verb + 1)
            else { return nil }
            // "what time is good for you": the question word is the subject.
            guard sentence.has(verb + 1, [.subject, .possessive, .determiner, .place]) || sentence.has(verb + 1, .name) else {
                return nil
            }
            if sentence.has(verb + 1, .subject) == false, sentence.has(verb + 1, .object) { return nil }
            var last = end
            if isBe, !sentence.has(verb + 1, .subject) {
                // The subject includes "of the restaurant".
                guard sentence[index].word != "who" || sentence.has(verb + 1, .possessive) else { return nil }
                if sentence[last].word == "of", let more = sentence.nounPhraseEnd(last + 1) { last = more }
                guard sentence.endsPhrase(last) || sentence.has(last, .participle) else { return nil }
            }
            if sentence[verb].word == "'s" || sentence[verb].word == "'re" {
                guard sentence.has(verb + 1, [.subject, .possessive]) || sentence[verb + 1].word == "the" else { return nil }
                return Match(
                    verb - 1..<last,
                    sentence.text(verb - 1..<verb) + " " + sentence.text(verb + 1..<last)
                        + (sentence[verb].word == "'s" ? " is" : " are"))
            }
            let subject = sentence.text(verb + 1..<last)
            guard isDo else { return Match(verb..<last, subject + " " + sentence.text(verb..<verb + 1)) }
            let main = sentence.afterAdverbs(last)
            guard main == last, sentence.has(main, .base), sentence[main].entry.tags.has(.base) else { return nil }
            let form =
                switch sentence[verb].word {
                case "does": Inflection.thirdPerson(sentence[main].entry.verb)
                case "did": Lexicon.standard.past(sentence[main].entry.verb)
                default: sentence[main].word
                }
            return Match(verb..<main + 1, subject + " " + form)
        },
        Rule(
            "question.indirect-whether", priority: 70, at: "do does did is are was can could should will would"
        ) { sentence, index in
            guard sentence[index - 1].kind == .word, isIntroduced(sentence, index),
                !["you", "her"].contains(sentence[index - 1].word),
                sentence.has(index + 1, .subject) || sentence[index + 1].word == "there" && sentence.has(index, .be),
                !["wonder", "tell", "guess", "see", "explain"].contains(sentence[index - 1].word)
                    || sentence.contains(0..<index, where: { $0.tags.has(.negative) || $0.word == "wonder" })
            else { return nil }
            guard
                ["know", "sure", "wonder", "wondering", "asked", "ask", "remember", "me", "him"].contains(sentence[index - 1].word)
            else { return nil }
            let subject = sentence.text(index + 1..<index + 2)
            switch sentence[index].word {
            case "do", "does", "did":
                guard sentence.has(index + 2, .base) else { return nil }
                let verb = sentence[index + 2].entry.verb
                let form =
                    sentence[index].word == "do"
                    ? verb : sentence[index].word == "does" ? Inflection.thirdPerson(verb) : Lexicon.standard.past(verb)
                return Match(index..<index + 3, "if \(subject) \(form)")
            default: return Match(index..<index + 2, "if \(subject) \(sentence.text(index..<index + 1))")
            }
        },
    ]

    /// Returns true if another verb follows, so that the words before it are a clause that serves as its subject.
    private static func hasAnotherVerb(_ sentence: Sentence, from index: Int) -> Bool {
        var index = index
        while index < sentence.count {
            if sentence[index].kind == .pause { return true }
            if sentence.has(index, [.be, .modal])
                || sentence.has(index, [.thirdPerson, .past]) && !sentence.has(index, [.noun, .adjective])
                || sentence.has(index, .auxiliaryDo) || sentence.has(index, .subject) && !sentence.has(index, .object)
            {
                return true
            }
            index += 1
        }
        return false
    }

    private static let directQuestions: [Rule] = [
        Rule("question.or-not", priority: 64, at: "know sure") {
            sentence, index in
            guard sentence.has(index + 1, .subject),
                let not = (index + 3..<index + 11).first(where: { sentence[$0].word == "or" && sentence[$0 + 1].word == "not" }),
                !sentence.contains(index..<not, where: { $0.word == "if" || $0.word == "whether" || $0.tags.has(.question) })
            else { return nil }
            return Match(index + 1..<index + 2, "whether " + sentence.text(index + 1..<index + 2))
        },
        .phrase(
            "question.did-adjective", "why|how|when|where [did|do] you|they|we <ADJ> <END>|for|to", "were",
            unless: { $0[$1 + 1].word == "do" }),
        Rule(
            "question.inversion", priority: 68, at: "what where when why how who which"
        ) { sentence, index in
            guard
                index == 0 || sentence[index - 1].kind != .word && index < 6
                    || ["so", "and", "but", "then", "well", "oh", "um", "uh", "ok", "okay", "hey", "hi"].contains(
                        sentence[index - 1].word) && index < 4
            else { return nil }
            let word = sentence[index].word
            var subject = index + 1
            if word == "how" || word == "what" || word == "which" {
                while questionNouns.contains(sentence[subject].word)
                    || word != "how" && subject == index + 1 && sentence.has(subject, .noun) && sentence.has(subject + 1, .subject)
                { subject += 1 }
                if subject > index + 1, sentence[subject].word == "of" { return nil }
            }
            let isPronoun = sentence.has(subject, .subject) || sentence[subject].word == "you" || sentence[subject].word == "it"
            guard
                isPronoun || sentence.isQuestion && sentence.has(subject, .possessive)
                    || sentence.isQuestion && sentence[subject].word == "the" && subject > index
            else { return nil }
            guard let end = isPronoun ? subject + 1 : sentence.nounPhraseEnd(subject) else { return nil }
            let pronoun = isPronoun ? sentence[subject].word : "it"
            guard
                sentence.isQuestion
                    || ["you", "he", "she", "they"].contains(pronoun) && word != "when" && !hasAnotherVerb(sentence, from: end + 1)
                    || word == "why" && isPronoun && !hasAnotherVerb(sentence, from: end + 1)
            else { return nil }
            guard word != "when" || sentence.isQuestion && !hasAnotherVerb(sentence, from: end + 1),
                !sentence.isQuestion || !hasAnotherVerb(sentence, from: end + 1) || word == "why"
            else { return nil }
            guard word != "who" || subject == index + 1 && sentence[end].tags.has([.be]) else { return nil }
            let token = sentence[end]
            let subjectText = sentence.text(subject..<end)
            if token.tags.has(.be) || token.tags.has(.modal) {
                guard !token.isAttached, token.word != "be", token.word != "been" else {
                    if ["'re", "'m", "'s"].contains(token.word), sentence.isQuestion {
                        return Match(
                            subject..<end + 1,
                            (token.word == "'re" ? "are " : token.word == "'m" ? "am " : "is ") + sentence.text(subject..<end))
                    }
                    return nil
                }
                guard sentence.isQuestion || end + 1 < sentence.count else { return nil }
                return Match(subject..<end + 1, sentence.text(end..<end + 1) + " " + subjectText)
            }
            if token.tags.has(.have), sentence[end + 1].tags.has(.participle) || sentence[end + 1].word == "been" {
                return Match(subject..<end + 1, sentence.text(end..<end + 1) + " " + subjectText)
            }
            let verb = sentence.afterAdverbs(end)
            let main = sentence[verb]
            if main.word == "don't" || main.word == "doesn't" || main.word == "didn't" {
                return Match(subject..<verb + 1, sentence.text(verb..<verb + 1) + " " + subjectText)
            }
            guard main.entry.tags.has(.finite), !main.entry.verb.isEmpty,
                !main.tags.has([.modal, .auxiliaryDo]) || main.word == "do"
            else { return nil }
            let isPast =
                main.entry.tags.has(.past) && !main.entry.tags.has(.base)
                || (verb..<sentence.count).contains { pastTimeExpression(sentence, $0) != nil }
            let auxiliary = isPast ? "did" : Pronoun.takesS(pronoun) ? "does" : "do"
            let adverbs = verb > end ? sentence.text(end..<verb) + " " : ""
            return Match(subject..<verb + 1, "\(auxiliary) \(subjectText) \(adverbs)\(main.entry.verb)")
        },
        Rule("question.be-with-verb", priority: 66, at: "are is was were am") { sentence, index in
            guard sentence.has(index + 1, .subject) || ["you", "it"].contains(sentence[index + 1].word),
                sentence.startsClause(index) || sentence.has(index - 1, .question)
            else { return nil }
            let verb = index + 2
            let token = sentence[verb]
            if token.tags.has(.modal), token.word != "may", token.word != "will" {
                return Match(index..<verb + 1, sentence.text(verb..<verb + 1) + " " + sentence.text(index + 1..<verb))
            }
            guard token.entry.tags.has(.base),
                !token.entry.tags.has([.adjective, .participle, .past, .adverb, .preposition]) || token.word == "like",
                token.word == "like"
                    ? sentence.has(verb + 1, [.noun, .gerund, .language]) && !sentence.has(index - 1, .question)
                    : WordClass.isPureBase(sentence, verb) || sentence.takesObject(verb + 1)
                        || ["want", "need", "work", "live", "like"].contains(token.word)
            else { return nil }
            let auxiliary =
                ["was", "were"].contains(sentence[index].word) ? "did" : Pronoun.takesS(sentence[index + 1].word) ? "does" : "do"
            return Match(index..<index + 1, auxiliary)
        },
        .phrase(
            "question.how-to", "^^ [how to <VERB>]", "how do I $3",
            unless: { sentence, _ in !sentence.isQuestion }),
        .phrase(
            "question.what-to", "^^ [what to <VERB>]", "what should I $3",
            unless: { sentence, _ in !sentence.isQuestion }),
    ]
}
