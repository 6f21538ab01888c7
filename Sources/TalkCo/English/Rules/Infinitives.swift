extension Rule {
    /// Gerunds and infinitives.
    static let infinitives: [Rule] = gerundNeeded + infinitiveNeeded + objectWithInfinitive

    private static let gerundVerbs = "enjoy*|finish*|avoid*|practice*|practise*|consider*|suggest*|imagine*|quit*|keep*"

    private static let gerundNeeded: [Rule] = [
        .phrase(
            "gerund.subject", .grammar,

            """
            think|believe|say that? [learn|learning|study|watch|play|drink|travel|exercise|cook|eat|read|live|work|speak] \
            english|chinese|vegetables|books|movies|abroad|basketball|games|music|coffee|water|tv|alone|breakfast is|makes|\
            can|helps
            """,
            "$3:ing", "動詞當主詞時要用 V-ing。",
            unless: { sentence, index in (index..<index + 3).contains { sentence[$0].word == "learning" } }),
        .phrase(
            "gerund.hobby", .grammar,

            """
            hobby|hobbies <BE> [play|watch|read|listen|cook|swim|travel|draw|paint|sing|dance|run|hike|collect|take|go|\
            sleep|shop|eat|write|ride]
            """,
            "$3:ing", "說明興趣時，be 動詞後面用 V-ing。"),
        .phrase(
            "gerund.first-time", .grammar, "my|his|her|our first time [to <VERB>]", "$5:ing", "「第一次做…」可說 my first time + V-ing。"),
        .phrase(
            "gerund.after-participle", .grammar,
            "after|before|without [<ED>] from|the|my|a|work|school|college|dinner|to|english|it|home|<POSS>", "$2:ing",
            "after、before 當介系詞時，後面的動詞用 V-ing。", unless: { sentence, index in sentence.has(index - 1, [.number]) }),
        .phrase("gerund.late", .grammar, "sorry|apologize for [late]", "being late", "介系詞後面用 V-ing：sorry for being late。"),
        .phrase(
            "gerund.after-verb", .grammar,
            "enjoy*|finish*|avoid*|practice*|consider*|imagine*|dislike*|postpone*|suggest* [to <VERB>]",
            "$3:ing", "{1} 後面的動詞用 V-ing。", unless: { $0.has($1, .gerund) && $0.has($1 - 1, .noun) }),
        .phrase(
            "gerund.after-verb", .grammar, "enjoy*|finish*|avoid*|practice*|consider*|imagine*|keep*|suggest* [<ACTION>]", "$2:ing",
            "{1} 後面的動詞用 V-ing。", unless: { $0.has($1 + 2, .modal) || $0[$1 + 1].word == "you" }),
        .phrase(
            "gerund.keep", .grammar, "keep|keeps|kept [to <VERB>]", "$3:ing", "「一直做」是 keep + V-ing。",
            unless: { $0.has($1 - 1, [.determiner]) }),
        .phrase(
            "gerund.mind", .grammar, "would|do you mind [to? <VERB>]", "$5:ing", "mind 後面接 V-ing。",
            unless: { $0[$1 + 3].word == "if" }),
        .phrase(
            "gerund.look-forward", .grammar, "look* forward to [<VERB>] !<NOUN>", "$4:ing", "look forward to 的 to 是介系詞，後面接 V-ing。",
            unless: { s, i in s[i + 3].entry.tags.has(.noun) && !s.takesClearObject(i + 4) }),
        .phrase(
            "gerund.used-to", .grammar, "i|we|he|she|they <BE>|get|got not? used to [<VERB>]", "$6:ing",
            "「習慣於」是 be used to + V-ing。",
            unless: { sentence, index in
                let verb = index + (sentence[index + 2].word == "not" ? 5 : 4)
                return sentence.has(index - 1, .noun)
                    || sentence[verb].entry.tags.has(.noun)
                        && !sentence.has(verb + 1, [.noun, .determiner, .possessive, .object, .language])
            }),
        .phrase(
            "gerund.cant-help", .grammar, "can't|couldn't help|stand [to <VERB>]", "$4:ing", "can't help、can't stand 後面接 V-ing。"),
        .phrase("gerund.feel-like", .grammar, "feel*|felt like [to <VERB>]", "$4:ing", "「想要做」是 feel like + V-ing。"),
        .phrase("gerund.feel-like", .grammar, "don't|didn't|do|not feel like [<BASE>]", "$4:ing", "「想要做」是 feel like + V-ing。"),
        .phrase(
            "gerund.worth", .grammar, "worth [to? <VERB>]", "$3:ing", "worth 後面接 V-ing。",
            unless: { s, i in
                s[i + 1].word != "to" && s[i + 1].entry.tags.has(.noun) && s[i + 1].word != "visit" || s[i + 1].word == "it"
            }),
        .phrase("gerund.give-up", .grammar, "give*|gave|given up [to <VERB>]", "$4:ing", "give up 後面接 V-ing。"),
        .phrase(
            "gerund.busy", .grammar, "busy [to <VERB>]", "$3:ing", "「忙著做」是 busy + V-ing。", unless: { $0[$1 - 1].word == "too" }),
        .phrase(
            "gerund.trouble", .grammar,
            "have|has|had|having a? lot? of? some|no|any|great|much? trouble|fun|difficulty|problems|problem [to <VERB>]", "$8:ing",
            "have trouble／fun／difficulty 後面接 V-ing。", unless: { s, i in s[i + 1].word == "the" }),
        Rule("gerund.spend", .grammar, priority: 60, at: "spend spends spent spending waste wasted", "spend 加時間或金錢後面接 V-ing。") {
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
            "gerund.spend", .grammar,
            "spend*|spent <NUM>|a|two|lot|my|too|much of|lot|much? of? time|hours|minutes|days|hour|money|day [<ACTION>]", "$6:ing",
            "spend 加時間或金錢後面接 V-ing。"),
        .phrase(
            "gerund.after-preposition", .grammar, "without|before|after|by [<BASE>] !<SUBJ>", "$2:ing", "介系詞後面的動詞用 V-ing。",
            unless: { s, i in
                i == 0 && s[i].word == "by"
                    || s.has(i - 1, [.past, .participle]) && s[i].word == "before" && !s.takesObject(i + 2) && s[i + 1].word != "go"
            }),
        .phrase(
            "gerund.after-preposition", .grammar,

            """
            without|before|after [finish|work|cook|study|play|call|exercise|shower|watch|dance|clean|talk|drink|travel|\
            visit|help|use] my|the|dinner|lunch|breakfast|it|him|her|them|us|me|with|a|our|homework|basketball|home
            """,
            "$2:ing", "介系詞後面的動詞用 V-ing。",
            unless: {
                ["work", "shower", "dance", "talk", "drink", "exercise", "study"].contains($0[$1 + 1].word)
                    && ["with", "the", "a", "my", "our"].contains($0[$1 + 2].word)
            }),
        .phrase(
            "gerund.after-preposition", .grammar,

            """
            good|bad|better|interested|tired|afraid|instead|capable|excited|worried|scared|fond|sick|think|thinking|talk|\
            talking|dream|succeed|responsible|proud|accused|sorry|thought at|in|of|about|for [<ACTION>]
            """,
            "$3:ing", "介系詞後面的動詞用 V-ing。",
            unless: { $0[$1 + 2].entry.tags.has(.noun) && $0.has($1 + 3, .preposition) && $0[$1].word != "interested" }),
        .phrase(
            "gerund.after-preposition", .grammar, "good at [cook|swim|dance|draw|paint|run|sing|write|play]", "$3:ing",
            "介系詞後面的動詞用 V-ing。"),
        .phrase(
            "gerund.after-preposition", .grammar, "interested in [<VERB>] <LANG>|in|about|abroad|new|more|how|the|my|with|to",
            "$3:ing", "介系詞後面的動詞用 V-ing。",
            unless: { s, i in
                s[i + 2].entry.tags.has(.noun) && !["learn", "study", "travel", "work", "cook"].contains(s[i + 2].word)
            }),
        .phrase(
            "gerund.thank", .grammar,
            "thank*|thanks you? so|very? much? for [<VERB>] me|us|my|the|to|coming|with|here|this|that|your", "$6:ing",
            "thank you for 後面接 V-ing。",
            unless: { s, i in (i..<i + 7).contains { ["with", "this", "that"].contains(s[$0].word) && s.has($0 - 1, .noun) } }),
        .phrase("gerund.thank", .grammar, "thank*|thanks you? so|very? much? for [<BASE>]", "$6:ing", "thank you for 後面接 V-ing。"),
        .phrase(
            "gerund.interested-to", .grammar, "<BE>|very|really|so|not|also|more|feel interested [to <VERB>]", "in $4:ing",
            "「對做…有興趣」是 interested in + V-ing。", unless: { ["see", "hear", "know", "find"].contains($0[$1 + 3].word) }),
        .phrase("gerund.how-about", .grammar, "how|what about [<ACTION>]", "$3:ing", "How about 後面接 V-ing。"),
        .phrase("gerund.how-about", .grammar, "how|what about [to <VERB>]", "$4:ing", "How about 後面接 V-ing。"),
        .phrase(
            "gerund.go", .grammar,
            "[go*|went to] shopping|swimming|hiking|camping|fishing|jogging|skiing|surfing|dancing|sightseeing|running|bowling",
            "$1", "「去購物、去游泳」是 go + V-ing，中間不加 to。", unless: { $0.has($1 + 3, .noun) }),
        .phrase(
            "gerund.go", .grammar, "go|goes|went|going [shop|swim|hike|camp|fish|jog|ski|surf] $", "$2:ing",
            "「去購物、去游泳」是 go + V-ing。",
            unless: { $0[$1 + 1].word == "camp" || $0[$1 + 1].word == "fish" || $0[$1 + 1].word == "shop" && $0.has($1 - 1, .be) }),
        .phrase("gerund.used-person", .grammar, "i|we|he|she|they used to [<ING>]", "$4:base", "「以前常常」是 used to + 原形動詞。"),
        .phrase(
            "gerund.subject", .grammar, "^^ [<BASE>] english|chinese|vegetables|books|movies|fast|alone|abroad is|makes", "$1:ing",
            "動詞當主詞時要用 V-ing。"),
        .phrase(
            "gerund.subject", .grammar,

            """
            ^^ [learn|study|watch|play|drink|travel|exercise|cook|eat|read|live|work] english|chinese|vegetables|books|\
            movies|abroad|basketball|games|music|coffee|water|tv|alone|breakfast is|makes|can|helps
            """,
            "$1:ing", "動詞當主詞時要用 V-ing。"),
    ]

    private static let infinitiveNeeded: [Rule] = [
        .phrase(
            "gerund.after-love", .grammar,
            """
            i|we|they|you|to|really|also love|loved|hate|hated|dislike|enjoy|enjoyed [play|cook|swim|watch|read|eat|go|listen|drink|study|learn|\
            sing|ride|draw|take|make|spend|travel|visit|meet|talk|speak|write|see|buy|run|walk|dance|sleep|work|shop|wait|do|be]
            """,
            "$3:ing", "love、hate、enjoy 後面接 V-ing。",
            unless: {
                ["drink", "study", "play", "cook", "read", "ride", "work", "walk", "run", "talk", "dance", "sleep", "visit"]
                    .contains($0[$1 + 2].word)
                    && ($0.has($1 + 3, [.preposition, .conjunction, .question]) || $0[$1 + 3].kind != .word
                        || $0[$1 + 3].word == "that")
            }),
        .phrase(
            "infinitive.object", .grammar,

            """
            want|wants|wanted|need|ask|asked|tell|told|allow|expect|encourage everyone|everybody|someone|people|students|\
            customers [<BASE>]
            """,
            "to $3", "want、ask、tell 的受詞後面接 to + 原形動詞。",
            unless: { ["tell", "told"].contains($0[$1].word) && $0[$1 + 2].word == "know" }),
        .phrase(
            "infinitive.dream", .grammar,
            "dream|goal|plan|wish|purpose <BE> [become|be|have|travel|visit|go|buy|work|study|help|make|get|learn|open|live|find]",
            "to $3", "說明夢想、目標時，be 動詞後面接 to + 原形動詞。"),
        .phrase(
            "infinitive.after-like", .grammar,

            """
            i|we|they|you|to like|liked [play|cook|swim|watch|read|eat|go|listen|drink|study|learn|sing|\
            ride|draw|take|make]
            """,
            "to $3", "like、love 後面接 to + 原形動詞或 V-ing。",
            unless: {
                $0[$1 + 1].word == "like" && !$0.has($1 + 1, .verb)
                    || ["drink", "study", "play", "cook", "read", "ride"].contains($0[$1 + 2].word) && $0.has($1 + 3, .preposition)
            }),
        .phrase(
            "infinitive.object", .grammar, "want|wants|wanted|ask|asked|tell|told|allow|teach|taught|need <POSS> <PERSON> [<BASE>]",
            "to $4", "want、ask、tell 的受詞後面接 to + 原形動詞。",
            unless: { ["tell", "told"].contains($0[$1].word) && $0[$1 + 3].word == "know" }),
        .phrase(
            "infinitive.after-verb", .grammar,

            """
            want|wants|wanted|hope|hopes|hoped|decide|decides|decided|plan|plans|planned|expect|refuse|refused|promise|\
            promised|need|needs|forget|forgot|learn|afford|agree|agreed|try [<BASE>]
            """,
            "to $2", "{1} 後面要接 to + 原形動詞。",
            unless: { s, i in
                s.has(i, .noun) && !s.has(i, .finite) || s.has(i - 1, [.determiner, .possessive])
                    || s[i].word == "need" && s[i - 1].word == "not"
            }),
        .phrase(
            "infinitive.after-verb", .grammar,

            """
            want|wants|wanted|hope|decide|decided|plan|need|planned [study|work|play|travel|visit|help|cook|drink|sleep|\
            watch|try|talk|change|rest|use|call|exercise|swim|dance|walk] <DET>|<OBJ>|to|in|abroad|with|english|basketball|\
            at|tv|<PLACE>|more|there|here
            """,
            "to $2", "{1} 後面要接 to + 原形動詞。",
            unless: { s, i in
                ["need", "plan"].contains(s[i].word) && ["help", "work", "rest", "change"].contains(s[i + 1].word)
                    || s.has(i - 1, [.determiner, .possessive])
                    || ["help", "work", "change", "drink", "rest", "talk", "call"].contains(s[i + 1].word)
                        && ["with", "in", "at", "to", "more"].contains(s[i + 2].word)
                    || s[i].word == "plan" && s.has(i, .noun) && !s.has(i - 1, .subject)
            }),
        .phrase(
            "infinitive.after-verb", .grammar,
            "want|wants|wanted|hope|hopes|decide|decided|expect|refuse|agree|afford [<ING>] !<NOUN>", "to $2:base",
            "{1} 後面要接 to + 原形動詞。", unless: { $0.has($1 + 1, .noun) || $0[$1 + 1].word == "being" }),
        .phrase(
            "infinitive.would-like", .grammar, "would|'d like [<VERB>]", "to $3", "would like 後面接 to + 原形動詞。",
            unless: { s, i in s[i + 2].entry.tags.has([.noun, .adjective]) && !s.takesClearObject(i + 3) || s[i + 1].word != "like"
            }),
        .phrase(
            "infinitive.would-like", .grammar, "would|'d like [<ING>]", "to $3:base", "would like 後面接 to + 原形動詞。",
            unless: { $0.has($1 + 2, .noun) }),
        .phrase(
            "infinitive.purpose", .grammar, "[for <BASE>]", "to $2", "表示目的用 to + 原形動詞，不用 for。",
            unless: { s, i in
                [
                    "good", "thank", "thanks", "you", "much", "sorry", "responsible", "famous", "useful", "used", "instead",
                    "apply", "looking", "asked", "waiting",
                ].contains(s[i - 1].word) || s.has(i - 1, .pronounLike) && s[i - 1].word == "you"
                    || s.contains(0..<i) { $0.word == "thank" || $0.word == "thanks" } || s[i + 1].word == "let" || i == 0
            }),
        .phrase("infinitive.purpose", .grammar, "[for to <VERB>]", "to $3", "表示目的用 to + 原形動詞，不用 for。"),
        .phrase(
            "infinitive.why", .grammar, "why don't [<VERB>]", "we $3", "提議時說 Why don't we…?", unless: { $0.has($1 + 2, .subject) }),
        .phrase(
            "infinitive.so-that", .grammar,
            "able|happy|glad|ready|excited|nice|easy|hard|difficult|important|necessary|possible [<BASE>]", "to $2",
            "形容詞後面接 to + 原形動詞。",
            unless: { s, i in s.has(i, .noun) || s[i].word == "hard" || !s.has(i - 1, [.be, .adverb]) && s[i - 1].word != "'m" }),
        .phrase(
            "infinitive.have-go", .grammar, "i|you|we|they have [<BASE>] to|home|a|the|my", "to $3", "「必須」是 have to + 原形動詞。",
            unless: { s, i in !["wait", "get", "leave"].contains(s[i + 2].word) }),
        .phrase("infinitive.going", .grammar, "<BE> going [<BASE>]", "to $3", "「將要」是 be going to + 原形動詞。"),
        .phrase(
            "infinitive.take-time", .grammar,
            "take*|took <OBJ>? <NUM>|a|an|two hours|hour|minutes|days|years|time|long [for <ING>]", "to $6:base",
            "「花時間做」是 It takes … to + 原形動詞。"),
    ]

    private static let objectWithInfinitive: [Rule] = [
        .phrase(
            "infinitive.object", .grammar,
            "ask*|tell*|invite*|allow*|advise*|encourage*|remind*|force*|teach* me|him|her|us|them|you [<BASE>]", "to $3",
            "ask、tell、invite 等動詞的受詞後面接 to + 原形動詞。",
            unless: { s, i in
                s[i + 1].word == "you" && ["tell", "told", "ask"].contains(s[i].word) && s[i + 2].word == "know"
                    || s[i + 1].word == "her" && s[i + 2].entry.tags.has(.noun)
            }),
        .phrase(
            "infinitive.object", .grammar, "want|wants|wanted|need|needs me|him|her|us|them|you [<BASE>]", "to $3",
            "want 的受詞後面接 to + 原形動詞。",
            unless: { s, i in ["you", "it"].contains(s[i + 1].word) && s.isQuestion && s[i - 1].word == "what" }),
        .phrase(
            "infinitive.object", .grammar,

            """
            want|wants|wanted|ask|asked|tell|told me|him|her|us|them|you [help|work|study|call|clean|cook|play|travel] me|\
            him|her|us|them|the|my|you|with|hard|more|for|it|in|to
            """,
            "to $3", "want、ask、tell 的受詞後面接 to + 原形動詞。",
            unless: { s, i in
                s[i + 1].word == "her" || ["told", "tell"].contains(s[i].word) && ["work", "study"].contains(s[i + 2].word)
            }),
        .phrase(
            "infinitive.want-that", .grammar, "[want|wants|wanted that? he|she|i|we|they <VERB>]", "$1 $3:object to $4:base",
            "want 後面不接 that 子句，用 want + 人 + to V。", priority: 66,
            unless: { s, i in s[i + 1].word != "that" && ["i"].contains(s[i + 1].word) || s.contains(0..<i) { $0.word == "what" } }),
        .phrase(
            "infinitive.want-that", .grammar, "[want|wants|wanted that you <VERB>]", "$1 you to $4:base",
            "want 後面不接 that 子句，用 want + 人 + to V。", priority: 66),
        .phrase(
            "infinitive.suggest", .grammar, "[suggest*|recommend* me|him|her|us|them|you to] <VERB>", "$1 that $2:subject",
            "suggest、recommend 後面不接「人 + to」，用 suggest that + 主詞 + 原形動詞。"),
        .phrase(
            "infinitive.let-past", .grammar, "let*|make*|made me|him|her|us|them|you [<PAST>]", "$3:base", "make、let 的受詞後面接原形動詞。"),
        .phrase(
            "infinitive.help", .grammar, "help*|helped me|him|her|us|them|you [<ING>]", "$3:base", "help 的受詞後面接原形動詞或 to V。",
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
