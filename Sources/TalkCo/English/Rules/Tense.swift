extension Rule {
    /// Tenses that contradict the time that the sentence names.
    static let tense: [Rule] = pastTime + perfect + conditions

    /// Returns the range of an expression for a past time that starts at `index`; nil for none.
    static func pastTimeExpression(_ sentence: Sentence, _ index: Int) -> Range<Int>? {
        let word = sentence[index].word
        if word == "yesterday" { return index..<index + 1 }
        if word == "last",
            ["night", "week", "month", "year", "weekend", "summer", "winter", "time", "spring", "fall"].contains(
                sentence[index + 1].word) || sentence.has(index + 1, .weekday)
        {
            return index..<index + 2
        }
        if sentence.has(index, .number) || ["a", "an", "few", "many"].contains(word) {
            for end in index + 2...index + 4 where sentence[end].word == "ago" {
                return ["days", "day", "weeks", "week", "months", "month", "years", "year", "hours", "hour", "minutes"].contains(
                    sentence[end - 1].word) ? index..<end + 1 : nil
            }
        }
        guard word == "in" || word == "on" else { return nil }
        let first = word == "in" && sentence.has(index + 1, .month) ? index + 2 : index + 1
        if let date = sentence.date(at: first), sentence.isPastYear(first) { return index..<date.upperBound }
        return word == "in" && sentence.hasYearForm(first) && sentence.isPastYear(first) ? index..<first + 1 : nil
    }

    /// Returns the past of the verb at `index`; nil if the word is not certainly in the present.
    private static func inPast(_ sentence: Sentence, _ index: Int, subject: String) -> String? {
        let token = sentence[index]
        switch token.word {
        case "am", "is", "'m", "are", "'re": return Pronoun.be(subject, isPast: true)
        case "have", "has":
            return sentence[index + 1].tags.has([.participle, .be]) || sentence[index + 1].word == "never" ? nil : "had"
        case "don't", "doesn't": return "didn't"
        case "can": return "could"
        case "can't": return "couldn't"
        case "do", "does": return sentence[index + 1].word == "not" ? "did" : "did"
        default: break
        }
        guard token.entry.tags.has([.base, .thirdPerson]), !token.entry.tags.has([.past, .participle, .modal]),
            !token.entry.verb.isEmpty,
            ![
                "think", "know", "guess", "hope", "believe", "mean", "remember", "wonder", "say", "miss", "regret", "feel", "wish",
                "swear", "bet", "forget", "thank", "tell", "realize",
            ].contains(token.entry.verb)
        else { return nil }
        return Lexicon.standard.past(token.entry.verb)
    }

    /// Returns the match that puts the verb of the subject at `subject` into the past; nil for none.
    private static func pastMatch(_ sentence: Sentence, subject: Int) -> Match? {
        var head = sentence[subject].word
        var verb = subject + 1
        if !sentence.has(subject, .subject) {
            guard sentence.has(subject, [.possessive, .determiner]) || sentence.has(subject, .name),
                let end = sentence.nounPhraseEnd(subject)
            else { return nil }
            head = sentence.has(end - 1, .plural) ? "they" : "it"
            // In "my brother cook dinner" the last noun is the verb.
            let isVerb = end - 1 > subject + 1 && sentence[end - 1].entry.tags.has(.base) && sentence.has(end - 2, .person)
            verb = isVerb ? end - 1 : end
        }
        let first = sentence.afterAdverbs(verb)
        guard let past = inPast(sentence, first, subject: head) else { return nil }
        if !sentence.has(subject, .subject), sentence[first].entry.tags.has(.noun), !sentence.has(verb - 1, .person) { return nil }
        if sentence[first].isAttached, sentence[first].word.hasPrefix("'") {
            return Match(subject..<first + 1, sentence.text(subject..<first) + " " + past)
        }
        return Match(first..<first + 1, past)
    }

    private static let pastTime: [Rule] = [
        Rule("tense.past-time-first", priority: 58) {
            sentence, index in
            guard sentence.startsClause(index) || index <= 2, let time = pastTimeExpression(sentence, index),
                sentence[index - 1].word != "since", !["is", "was"].contains(sentence[time.upperBound].word)
            else { return nil }
            let subject = sentence[time.upperBound].kind == .pause ? time.upperBound + 1 : time.upperBound
            return pastMatch(sentence, subject: subject)
        },
        Rule("tense.past-time-last", priority: 56) { sentence, index in
            guard index > 1, let time = pastTimeExpression(sentence, index),
                !["since", "than", "until", "from", "of", "about", "as", "like", "for", "is", "was", "from", "the"].contains(
                    sentence[index - 1].word),
                sentence.endsPhrase(time.upperBound) || sentence[time.upperBound].word == "in"
            else { return nil }
            let clause = sentence.clause(index)
            var start = clause.lowerBound
            while start < index, !sentence.has(start, [.subject, .possessive]) { start += 1 }
            guard start < index, start <= clause.lowerBound + 2,
                !sentence.contains(
                    clause.lowerBound..<start, where: { $0.tags.has([.auxiliaryDo, .modal, .question, .be, .have]) }),
                let match = pastMatch(sentence, subject: start), match.tokens.upperBound <= index
            else { return nil }
            // The time may belong to another verb.
            let rest = match.tokens.upperBound..<index
            guard
                !sentence.contains(
                    rest,
                    where: {
                        $0.tags.has([.past, .question, .subject, .conjunction, .modal]) && !$0.tags.has(.object)
                            || $0.word == "that" || $0.word == "who"
                    })
            else { return nil }
            return match
        },
        Rule("tense.past-continued") { sentence, index in
            guard sentence[index].word == "and", index > 2 else { return nil }
            let hasSubject = sentence.has(index + 1, .subject)
            let verb = sentence.afterAdverbs(hasSubject ? index + 2 : index + 1)
            let clause = sentence.clause(max(0, index - 1))
            guard
                sentence.contains(
                    clause,
                    where: {
                        $0.entry.tags.has(.past) && !$0.entry.tags.has([.base, .noun]) && $0.tags.has(.past) || $0.word == "was"
                            || $0.word == "were"
                    }),
                !sentence.contains(
                    clause,
                    where: {
                        $0.tags.has([.modal, .auxiliaryDo])
                            || ["made", "let", "helped", "saw", "heard", "watched", "used"].contains($0.word)
                    }), !clause.contains(where: { sentence[$0].word == "to" && sentence[$0 + 1].entry.tags.has(.base) }),
                WordClass.isPureBase(sentence, verb), let past = inPast(sentence, verb, subject: sentence[index + 1].word)
            else { return nil }
            // Without a subject the past in the clause before must be the main verb.
            if hasSubject, !sentence.contains(0..<index, where: { $0.word == "yesterday" || $0.word == "last" || $0.word == "ago" })
            {
                return nil
            }
            return Match(verb..<verb + 1, past)
        },
        Rule("tense.when-past", priority: 57, at: "when") { sentence, index in
            guard index == 0 || sentence[index - 1].kind != .word, sentence.has(index + 1, .subject),
                ["was", "were"].contains(sentence[index + 2].word),
                sentence.contains(
                    index + 3..<index + 8,
                    where: {
                        [
                            "child", "kid", "little", "young", "student", "baby", "years", "college", "school", "university", "boy",
                            "girl",
                        ].contains($0.word)
                    })
            else { return nil }
            var subject = index + 3
            while subject < sentence.count, subject < index + 12, !sentence.has(subject, .subject),
                !sentence.has(subject, .possessive) || sentence[subject - 1].kind == .word
            { subject += 1 }
            guard sentence.has(subject, [.subject, .possessive]),
                sentence[subject - 1].kind != .word || !sentence.has(subject - 1, .conjunction)
            else { return nil }
            return pastMatch(sentence, subject: subject)
        },
    ]

    private static let perfect: [Rule] = [
        .phrase(
            "tense.since-past",
            "since i|he|she|we|they [graduate|start|move|come|join|begin|leave|get|meet|finish|arrive|quit]", "$3:past",
            unless: { $0[$1 + 2].word == "get" && $0[$1 + 3].word == "up" || $1 == 0 }),
        .phrase(
            "tense.perfect-continuous",

            """
            i|we|they [am|are|'m|'re] working|living|studying|learning|teaching|doing|waiting <ANY>? <ANY>? <ANY>? for|\
            since <NUM>|a|last|<YEAR> years|months|long|year|month|hours
            """,
            "have been",
            unless: { sentence, index in sentence.contains(index..<index + 8) { $0.word == "exam" || $0.word == "test" } }),
        .phrase(
            "tense.already", "i|we|they|he|she already [<BASE>|finish]", "$3:past",
            unless: {
                [
                    "know", "have", "want", "own", "live", "feel", "understand", "love", "like", "need", "speak", "see", "think",
                    "do", "go", "get",
                ].contains($0[$1 + 2].word)
            }),
        .phrase(
            "tense.just", "i|we|they|he|she just [come|finish|arrive] back|home|my|the|from|work|at|in|to", "$3:past",
            unless: { $0[$1 + 2].word == "come" && !["back", "home", "from"].contains($0[$1 + 3].word) }),
        .phrase(
            "tense.since-duration",
            "[since] <NUM>|a|several|many|few|two|three year|years|month|months|week|weeks|day|days|hours !<VERB>|ago", "for",
            unless: { $0[$1 + 3].word == "ago" }),
        .phrase(
            "tense.for-point", "[for] last|yesterday <DAY>|week|month|year|summer|winter|<END>", "since",
            unless: { sentence, index in
                !sentence.contains(max(0, index - 6)..<index) {
                    ["have", "has", "'ve", "haven't", "hasn't"].contains($0.word) || $0.word == "'s"
                }
            }),
        Rule("tense.perfect-with-past-time", priority: 57, at: "have has 've") {
            sentence, index in
            guard sentence.has(index - 1, [.subject, .noun, .name]) else { return nil }
            let verb = sentence.afterAdverbs(index + 1)
            let clause = sentence.clause(index)
            guard sentence[verb].entry.tags.has(.participle) || sentence[verb].word == "been",
                !sentence[verb + 1].tags.has(.gerund),
                let time = (verb + 1..<max(verb + 2, clause.upperBound)).first(where: { pastTimeExpression(sentence, $0) != nil }),
                !["since", "than", "until", "from", "of", "about", "for", "as", "in", "the", "within", "over", "during"].contains(
                    sentence[time - 1].word),
                sentence[time].word != "in", sentence[time + 1].word != "time"
            else { return nil }
            guard
                !sentence.contains(
                    verb + 1..<time,
                    where: {
                        $0.tags.has([.past, .subject]) && !$0.tags.has(.object) || ["since", "that", "who"].contains($0.word)
                    })
            else { return nil }
            let past =
                sentence[verb].word == "been"
                ? Pronoun.be(sentence[index - 1].word, isPast: true) : Lexicon.standard.past(sentence[verb].entry.verb)
            guard sentence[verb].word != "been" || sentence[verb + 1].word != "to" else { return Match(index..<verb + 1, "went") }
            let adverbs = verb > index + 1 ? sentence.text(index + 1..<verb) + " " : ""
            if sentence[index].word == "'ve" {
                return Match(index - 1..<verb + 1, sentence.text(index - 1..<index) + " " + adverbs + past)
            }
            return Match(index..<verb + 1, adverbs + past)
        },
        .phrase(
            "tense.first-time", "is|'s the|my? first time that? i|we [<ACTION>]", "have $7:pp",
            unless: { sentence, index in sentence.contains(index + 4..<index + 9) { $0.tags.has(.have) } }),
        .phrase(
            "tense.yet", "i|we|they [don't <VERB>] <OBJ>|my|the? <NOUN>? yet", "haven't $3:pp",
            unless: { ["know", "want", "have", "understand", "need", "feel", "think"].contains($0[$1 + 2].word) }),
    ]

    private static let actions = Set(

        """
        go buy eat take see come walk order visit call cook arrive drink meet leave watch find get forget tell give ask \
        say run bring send lose fall break
        """
        .words)
    private static let habits = Set(
        "usually always often every now still today sometimes never will want nowadays whenever normally would can if tomorrow"
            .words)

    /// Returns true if the verb at `index` may be the present of a past action: "so I go home".
    private static func isAction(_ sentence: Sentence, _ index: Int) -> Bool {
        actions.contains(sentence[index].word) && sentence.has(index, .base)
    }

    private static let conditions: [Rule] = [
        Rule("tense.narrative", priority: 43, at: "i we") { sentence, index in
            let joint = sentence[index - 1]
            guard joint.word == "so" || joint.word == "and" || joint.word == "but" || joint.word == ",",
                isAction(sentence, index + 1)
            else { return nil }
            let before = sentence[index - 2].kind == .pause ? index - 3 : index - 2
            guard before >= 1,
                !sentence.contains(0..<sentence.count, where: { habits.contains($0.word) || $0.tags.has([.auxiliaryDo]) }),
                sentence.clause(before).contains(where: { place in
                    let (word, tags) = (sentence[place].word, sentence[place].entry.tags)
                    // "We visited", but not "the visited places".
                    return ["was", "were", "went", "came", "had"].contains(word)
                        || sentence.has(place, .past) && !tags.has([.base, .noun, .have])
                            && (!tags.has(.participle) || sentence.has(place - 1, .subject))
                })
            else { return nil }
            return Match(index + 1..<index + 2, Lexicon.standard.past(sentence[index + 1].entry.verb))
        },
        Rule("tense.so-that", at: "so") { sentence, index in
            guard ["was", "were"].contains(sentence[index - 1].word), sentence.has(index + 1, .adjective) else { return nil }
            let subject = sentence[index + 2].word == "that" ? index + 3 : index + 2
            guard ["i", "we", "he", "she", "they"].contains(sentence[subject].word),
                isAction(sentence, subject + 1) || ["can", "can't"].contains(sentence[subject + 1].word),
                let past = inPast(sentence, subject + 1, subject: sentence[subject].word)
                    ?? (isAction(sentence, subject + 1) ? Lexicon.standard.past(sentence[subject + 1].word) : nil)
            else { return nil }
            return Match(subject + 1..<subject + 2, past)
        },
        Rule("tense.when-past-be", priority: 49, at: "when") { sentence, index in
            guard index == 0 || sentence[index - 1].kind != .word || ["so", "and", "but"].contains(sentence[index - 1].word),
                sentence.has(index + 1, .subject), sentence.has(index + 2, .past),
                !sentence[index + 2].entry.tags.has([.base, .noun, .have])
            else { return nil }
            guard let pause = (index + 3..<index + 14).first(where: { sentence[$0].kind == .pause }),
                sentence.has(pause + 1, [.subject, .possessive, .determiner]), let end = sentence.nounPhraseEnd(pause + 1),
                ["is", "are", "am"].contains(sentence[end].word)
            else { return nil }
            return Match(end..<end + 1, sentence[end].word == "are" ? "were" : "was")
        },
        Rule("tense.never-before", at: "never") { sentence, index in
            guard ["i", "we", "they"].contains(sentence[index - 1].word),
                isAction(sentence, index + 1)
                    || ["try", "hear", "use", "travel", "learn", "taste", "be"].contains(sentence[index + 1].word),
                sentence.contains(index + 2..<index + 10, where: { $0.word == "before" })
            else { return nil }
            return Match(index..<index + 2, "have never " + Lexicon.standard.participle(sentence[index + 1].entry.verb))
        },
        Rule("tense.unreal-condition", at: "will can") {
            sentence, index in
            guard sentence.has(index - 1, .subject), sentence[index - 2].kind == .pause || sentence[index - 2].word == "then",
                let condition = (0..<index).first(where: { sentence[$0].word == "if" }), condition < 3,
                sentence.has(condition + 1, .subject),
                sentence[condition + 2].word == "were"
                    || sentence[condition + 2].word == "had" && sentence[condition + 3].word != "to"
                    || sentence[condition + 2].word == "was" && sentence.has(condition + 3, .determiner)
            else { return nil }
            return Match(index..<index + 1, sentence[index].word == "will" ? "would" : "could")
        },
        .phrase(
            "tense.reported", "didn't expect|imagine|realize|think that? it|he|she|they|i|we [is|are|am]", "was",
            unless: { sentence, index in (index..<index + 5).contains { sentence[$0].word == "are" } }
        ),
        Rule(
            "tense.will-in-condition", at: "if when unless until before after once soon"
        ) { sentence, index in
            let starts =
                index == 0 || sentence[index - 1].kind != .word || ["so", "but", "and", "well"].contains(sentence[index - 1].word)
            let hasWill = sentence.contains(0..<index, where: { $0.word == "will" || $0.word == "'ll" })
            let word = sentence[index].word
            guard starts && word != "when" || hasWill || starts && !sentence.isQuestion,
                !["know", "ask", "wonder", "sure", "see", "tell", "decide", "matter", "care", "even"].contains(
                    sentence[index - 1].entry.verb),
                !["sure", "even", "wondering", "me", "him", "her"].contains(sentence[index - 1].word)
            else { return nil }
            let subject = word == "soon" ? index + 2 : index + 1
            guard sentence.has(subject, [.subject, .determiner, .possessive]), let end = sentence.nounPhraseEnd(subject),
                sentence[end].word == "will" || sentence[end].word == "'ll",
                sentence.has(end + 1, .base) || sentence[end + 1].word == "be"
            else { return nil }
            // "If you will" is a polite request; without a main clause "when will" may be a question.
            guard starts || hasWill, sentence[subject].word != "you" || word != "if" || hasWill || sentence.count > end + 4 else {
                return nil
            }
            let takesS = sentence.has(subject, .subject) ? Pronoun.takesS(sentence[subject].word) : !sentence.has(end - 1, .plural)
            let form =
                sentence[end + 1].word == "be"
                ? Pronoun.be(sentence.has(subject, .subject) ? sentence[subject].word : takesS ? "it" : "they", isPast: false)
                : takesS ? Inflection.thirdPerson(sentence[end + 1].word) : sentence[end + 1].word
            if sentence[end].word == "'ll" { return Match(subject..<end + 2, sentence.text(subject..<end) + " " + form) }
            return Match(end..<end + 2, form)
        },
        .phrase(
            "tense.will-tomorrow", "tomorrow i|we [go|visit|meet|see|buy] to|with|my|the|a|his|her|some", "will $2",
            unless: { sentence, _ in sentence.isQuestion }),
    ]
}
