extension Rule {
    /// Gerunds and infinitives.
    static let infinitives: [Rule] = gerundNeeded + infinitiveNeeded + objectWithInfinitive

    private static let gerundNeeded: [Rule] = [
        .phrase(
            "gerund.subject",

            """
            think|believe|say that? [learn|learning|study|watch|play|drink|travel|exercise|cook|eat|read|live|work|speak] \
            english|chinese|vegetables|books|movies|abroad|basketball|games|music|coffee|water|tv|alone|breakfast is|makes|\
            can|helps
            """,
            "$3:ing",
            unless: { sentence, index in (index..<index + 3).contains { sentence[$0].word == "learning" } }),
        .phrase(
            "gerund.after-participle",
            "after|before|without [<ED>] from|the|my|a|work|school|college|dinner|to|english|it|home|<POSS>", "$2:ing",
            unless: { sentence, index in sentence.has(index - 1, [.number]) }),
        .phrase(
            "gerund.after-verb",
            "enjoy*|finish*|avoid*|practice*|consider*|imagine*|dislike*|postpone*|suggest* [to <VERB>]",
            "$3:ing", unless: { $0.has($1, .gerund) && $0.has($1 - 1, .noun) }),
        .phrase(
            "gerund.after-verb", "enjoy*|finish*|avoid*|practice*|consider*|imagine*|keep*|suggest* [<ACTION>]", "$2:ing",
            unless: { $0.has($1 + 2, .modal) || $0[$1 + 1].word == "you" }),
        .phrase(
            "gerund.keep", "keep|keeps|kept [to <VERB>]", "$3:ing",
            unless: { $0.has($1 - 1, [.determiner]) }),
        .phrase(
            "gerund.mind", "would|do you mind [to? <VERB>]", "$5:ing",
            unless: { $0[$1 + 3].word == "if" }),
        .phrase(
            "gerund.look-forward", "look* forward to [<VERB>] !<NOUN>", "$4:ing",
            unless: { s, i in s[i + 3].entry.tags.has(.noun) && !s.takesClearObject(i + 4) }),
        .phrase(
            "gerund.used-to", "i|we|he|she|they <BE>|get|got not? used to [<VERB>]", "$6:ing",
            unless: { sentence, index in
                let verb = index + (sentence[index + 2].word == "not" ? 5 : 4)
                return sentence.has(index - 1, .noun)
                    || sentence[verb].entry.tags.has(.noun)
                        && !sentence.has(verb + 1, [.noun, .determiner, .possessive, .object, .language])
            }),
        .phrase(
            "gerund.worth", "worth [to? <VERB>]", "$3:ing",
            unless: { s, i in
                s[i + 1].word != "to" && s[i + 1].entry.tags.has(.noun) && s[i + 1].word != "visit" || s[i + 1].word == "it"
            }),
        .phrase(
            "gerund.busy", "busy [to <VERB>]", "$3:ing", unless: { $0[$1 - 1].word == "too" }),
        .phrase(
            "gerund.trouble",
            "have|has|had|having a? lot? of? some|no|any|great|much? trouble|fun|difficulty|problems|problem [to <VERB>]", "$8:ing",
            unless: { s, i in s[i + 1].word == "the" }),
        Rule("gerund.spend", priority: 60, at: "spend spends spent spending waste wasted") {
            sentence, index in
            guard let to = (index + 2..<index + 8).first(where: { sentence[$0].word == "to" }), sentence.has(to + 1, .base),
                sentence.contains(
                    index + 1..<to,
                    where: {
                        [
                            "time", "hours", "hour", "minutes", "days", "day", "money", "dollars", "years", "weeks", "weekend",
                            "months", "lot", "afternoon", "evening",
                        ].contains($0.word) || $0.kind == .number
                    })
            else { return nil }
            guard
                !sentence.contains(
                    index + 1..<to,
                    where: {
                        ["on", "how", "going", "have", "want", "me", "us", "him", "her"].contains($0.word) || $0.tags.has(.gerund)
                    })
            else { return nil }
            return Match(to..<to + 2, Inflection.withING(sentence[to + 1].entry.verb))
        },
        .phrase(
            "gerund.after-preposition", "without|before|after|by [<BASE>] !<SUBJ>", "$2:ing",
            unless: { s, i in
                i == 0 && s[i].word == "by"
                    || s.has(i - 1, [.past, .participle]) && s[i].word == "before" && !s.takesObject(i + 2) && s[i + 1].word != "go"
            }),
        .phrase(
            "gerund.after-preposition",

            """
            without|before|after [finish|work|cook|study|play|call|exercise|shower|watch|dance|clean|talk|drink|travel|\
            visit|help|use] my|the|dinner|lunch|breakfast|it|him|her|them|us|me|with|a|our|homework|basketball|home
            """,
            "$2:ing",
            unless: {
                ["work", "shower", "dance", "talk", "drink", "exercise", "study"].contains($0[$1 + 1].word)
                    && ["with", "the", "a", "my", "our"].contains($0[$1 + 2].word)
            }),
        .phrase(
            "gerund.after-preposition",

            """
            good|bad|better|interested|tired|afraid|instead|capable|excited|worried|scared|fond|sick|think|thinking|talk|\
            talking|dream|succeed|responsible|proud|accused|sorry|thought at|in|of|about|for [<ACTION>]
            """,
            "$3:ing",
            unless: { $0[$1 + 2].entry.tags.has(.noun) && $0.has($1 + 3, .preposition) && $0[$1].word != "interested" }),
        .phrase(
            "gerund.after-preposition", "interested in [<VERB>] <LANG>|in|about|abroad|new|more|how|the|my|with|to",
            "$3:ing",
            unless: { s, i in
                s[i + 2].entry.tags.has(.noun) && !["learn", "study", "travel", "work", "cook"].contains(s[i + 2].word)
            }),
        .phrase(
            "gerund.thank",
            "thank*|thanks you? so|very? much? for [<VERB>] me|us|my|the|to|coming|with|here|this|that|your", "$6:ing",
            unless: { s, i in (i..<i + 7).contains { ["with", "this", "that"].contains(s[$0].word) && s.has($0 - 1, .noun) } }),
        .phrase(
            "gerund.interested-to", "<BE>|very|really|so|not|also|more|feel interested [to <VERB>]", "in $4:ing",
            unless: { ["see", "hear", "know", "find"].contains($0[$1 + 3].word) }),
        .phrase(
            "gerund.go",
            "[go*|went to] shopping|swimming|hiking|camping|fishing|jogging|skiing|surfing|dancing|sightseeing|running|bowling",
            "$1", unless: { $0.has($1 + 3, .noun) }),
        .phrase(
            "gerund.go", "go|goes|went|going [shop|swim|hike|camp|fish|jog|ski|surf] $", "$2:ing",
            unless: { $0[$1 + 1].word == "camp" || $0[$1 + 1].word == "fish" || $0[$1 + 1].word == "shop" && $0.has($1 - 1, .be) }),
    ]

    private static let infinitiveNeeded: [Rule] = [
        .phrase(
            "gerund.after-love",
            """
            i|we|they|you|to|really|also love|loved|hate|hated|dislike|enjoy|enjoyed [play|cook|swim|watch|read|eat|go|listen|drink|study|learn|\
            sing|ride|draw|take|make|spend|travel|visit|meet|talk|speak|write|see|buy|run|walk|dance|sleep|work|shop|wait|do|be]
            """,
            "$3:ing",
            unless: {
                ["drink", "study", "play", "cook", "read", "ride", "work", "walk", "run", "talk", "dance", "sleep", "visit"]
                    .contains($0[$1 + 2].word)
                    && ($0.has($1 + 3, [.preposition, .conjunction, .question]) || $0[$1 + 3].kind != .word
                        || $0[$1 + 3].word == "that")
            }),
        .phrase(
            "infinitive.object",

            """
            want|wants|wanted|need|ask|asked|tell|told|allow|expect|encourage everyone|everybody|someone|people|students|\
            customers [<BASE>]
            """,
            "to $3",
            unless: { ["tell", "told"].contains($0[$1].word) && $0[$1 + 2].word == "know" }),
        .phrase(
            "infinitive.after-like",

            """
            i|we|they|you|to like|liked [play|cook|swim|watch|read|eat|go|listen|drink|study|learn|sing|\
            ride|draw|take|make]
            """,
            "to $3",
            unless: {
                $0[$1 + 1].word == "like" && !$0.has($1 + 1, .verb)
                    || ["drink", "study", "play", "cook", "read", "ride"].contains($0[$1 + 2].word) && $0.has($1 + 3, .preposition)
            }),
        .phrase(
            "infinitive.object", "want|wants|wanted|ask|asked|tell|told|allow|teach|taught|need <POSS> <PERSON> [<BASE>]",
            "to $4",
            unless: { ["tell", "told"].contains($0[$1].word) && $0[$1 + 3].word == "know" }),
        .phrase(
            "infinitive.after-verb",

            """
            want|wants|wanted|hope|hopes|hoped|decide|decides|decided|plan|plans|planned|expect|refuse|refused|promise|\
            promised|need|needs|forget|forgot|learn|afford|agree|agreed|try [<BASE>]
            """,
            "to $2",
            unless: { s, i in
                s.has(i, .noun) && !s.has(i, .finite) || s.has(i - 1, [.determiner, .possessive])
                    || s[i].word == "need" && s[i - 1].word == "not"
            }),
        .phrase(
            "infinitive.after-verb",

            """
            want|wants|wanted|hope|decide|decided|plan|need|planned [study|work|play|travel|visit|help|cook|drink|sleep|\
            watch|try|talk|change|rest|use|call|exercise|swim|dance|walk] <DET>|<OBJ>|to|in|abroad|with|english|basketball|\
            at|tv|<PLACE>|more|there|here
            """,
            "to $2",
            unless: { s, i in
                ["need", "plan"].contains(s[i].word) && ["help", "work", "rest", "change"].contains(s[i + 1].word)
                    || s.has(i - 1, [.determiner, .possessive])
                    || ["help", "work", "change", "drink", "rest", "talk", "call"].contains(s[i + 1].word)
                        && ["with", "in", "at", "to", "more"].contains(s[i + 2].word)
                    || s[i].word == "plan" && s.has(i, .noun) && !s.has(i - 1, .subject)
            }),
        .phrase(
            "infinitive.after-verb",
            "want|wants|wanted|hope|hopes|decide|decided|expect|refuse|agree|afford [<ING>] !<NOUN>", "to $2:base",
            unless: { $0.has($1 + 1, .noun) || $0[$1 + 1].word == "being" }),
        .phrase(
            "infinitive.would-like", "would|'d like [<VERB>]", "to $3",
            unless: { s, i in s[i + 2].entry.tags.has([.noun, .adjective]) && !s.takesClearObject(i + 3) || s[i + 1].word != "like"
            }),
        .phrase(
            "infinitive.would-like", "would|'d like [<ING>]", "to $3:base",
            unless: { $0.has($1 + 2, .noun) }),
        .phrase(
            "infinitive.purpose", "[for <BASE>]", "to $2",
            unless: { s, i in
                [
                    "good", "thank", "thanks", "you", "much", "sorry", "responsible", "famous", "useful", "used", "instead",
                    "apply", "looking", "asked", "waiting",
                ].contains(s[i - 1].word) || s.has(i - 1, .pronounLike) && s[i - 1].word == "you"
                    || s.contains(0..<i) { $0.word == "thank" || $0.word == "thanks" } || s[i + 1].word == "let" || i == 0
            }),
        .phrase(
            "infinitive.why", "why don't [<VERB>]", "we $3", unless: { $0.has($1 + 2, .subject) }),
        .phrase(
            "infinitive.so-that",
            "able|happy|glad|ready|excited|nice|easy|hard|difficult|important|necessary|possible [<BASE>]", "to $2",
            unless: { s, i in s.has(i, .noun) || s[i].word == "hard" || !s.has(i - 1, [.be, .adverb]) && s[i - 1].word != "'m" }),
        .phrase(
            "infinitive.have-go", "i|you|we|they have [<BASE>] to|home|a|the|my", "to $3",
            unless: { s, i in !["wait", "get", "leave"].contains(s[i + 2].word) }),
    ]

    private static let objectWithInfinitive: [Rule] = [
        .phrase(
            "infinitive.object",
            "ask*|tell*|invite*|allow*|advise*|encourage*|remind*|force*|teach* me|him|her|us|them|you [<BASE>]", "to $3",
            unless: { s, i in
                s[i + 1].word == "you" && ["tell", "told", "ask"].contains(s[i].word) && s[i + 2].word == "know"
                    || s[i + 1].word == "her" && s[i + 2].entry.tags.has(.noun)
            }),
        .phrase(
            "infinitive.object", "want|wants|wanted|need|needs me|him|her|us|them|you [<BASE>]", "to $3",
            unless: { s, i in ["you", "it"].contains(s[i + 1].word) && s.isQuestion && s[i - 1].word == "what" }),
        .phrase(
            "infinitive.object",

            """
            want|wants|wanted|ask|asked|tell|told me|him|her|us|them|you [help|work|study|call|clean|cook|play|travel] me|\
            him|her|us|them|the|my|you|with|hard|more|for|it|in|to
            """,
            "to $3",
            unless: { s, i in
                s[i + 1].word == "her" || ["told", "tell"].contains(s[i].word) && ["work", "study"].contains(s[i + 2].word)
            }),
        .phrase(
            "infinitive.want-that", "[want|wants|wanted that? he|she|i|we|they <VERB>]", "$1 $3:object to $4:base", priority: 66,
            unless: { s, i in s[i + 1].word != "that" && ["i"].contains(s[i + 1].word) || s.contains(0..<i) { $0.word == "what" } }),
        .phrase(
            "infinitive.help", "help*|helped me|him|her|us|them|you [<ING>]", "$3:base",
            unless: { $0.has($1 + 2, .noun) }),
    ]
}

extension Tags {
    /// Personal pronouns in any case.
    static let pronounLike: Tags = [.subject, .object]
}

extension Sentence {
    func takesObject(_ index: Int) -> Bool { WordClass.takesObject(self, index) }
}
