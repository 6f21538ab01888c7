extension Rule {
    /// Prepositions that verbs, adjectives and nouns take.
    static let prepositions: [Rule] = superfluous + missing + afterAdjectives + afterVerbs + places

    private static let superfluous: [Rule] = [
        .phrase(
            "preposition.discuss", "[discuss* about|on|with] !<OBJ>|each", "$1",
            unless: { $0[$1 + 1].word == "with" }),
        .phrase(
            "preposition.marry", "[marry* with|to]", "$1",
            unless: {
                $0[$1].word == "married"
                    && ($0[$1 + 1].word == "to" || $0.has($1 - 1, [.be, .adverb]) || $0[$1 - 1].word == "'s"
                        || $0[$1 - 1].entry.verb == "get")
            }),
        .phrase(
            "preposition.enter", "[enter* to|into] the|my|a|our|his|her", "$1",
            unless: { ["agreement", "contract", "discussion"].contains($0[$1 + 3].word) }),
        .phrase(
            "preposition.answer",
            "to|can|will|please|i|you|didn't|don't|he|she|answered|must [answer to|for] my|your|the|his|her|this|that|<OBJ>",
            "answer", unless: { $0[$1].word == "answered" }),
        .phrase(
            "preposition.call", "[call*|phone* to] me|him|her|us|them|you", "$1",
            unless: {
                $0[$1].entry.tags.has(.plural) && $0.has($1 - 1, [.determiner, .possessive])
                    || $0.has($1 - 1, [.determiner, .possessive, .adjective])
            }),
        .phrase(
            "preposition.ask", "[ask* to|for] me|him|her|us|them|you|my|the teacher|boss|mother|friend|friends|colleague",
            "$1", unless: { $0[$1 + 1].word == "for" }),
        .phrase(
            "preposition.visit", "[visited to|in] <PLACE>|my|the|<NAME>", "visited",
            unless: { $0[$1 + 1].word == "in" }),
        .phrase(
            "preposition.go-home",

            """
            [go*|come*|get*|arrive*|return* to|at|in home|here|there|abroad|downstairs|upstairs|overseas|downtown|somewhere|\
            anywhere]
            """,
            "$1 $3",
            unless: { $0.has($1 + 3, .noun) || $0[$1 + 1].word == "in" && $0[$1 + 2].word != "home" }),
        .phrase(
            "preposition.because", "[because] the|this|that|my <NOUN> <NOUN>? <END>", "because of",
            // A comma may stand between the noun and its verb.
            unless: { sentence, index in sentence.contains(index + 2..<sentence.count) { $0.tags.has([.modal, .be, .finite]) } }),
    ]

    private static let missing: [Rule] = [
        .phrase(
            "preposition.agree", "[agree*] this|your|his|her|my <NOUN> <END>|but|because|and", "$1 with",
            unless: { $0.has($1 + 2, .person) }),
        .phrase(
            "preposition.wait",
            "[wait*] me|you|him|her|us|them|my|the|a bus|train|friend|mother|taxi|elevator|boss|result|teacher|food|call", "$1 for",
            unless: { $0[$1 + 1].word == "a" && $0[$1].entry.tags.has(.determiner) }),
        .phrase(
            "preposition.wait", "[wait*] me|you|him|her|us|them", "$1 for",
            unless: { $0.has($1, .thirdPerson) }),
        .phrase(
            "preposition.look", "[look|looked|looking] me|him|her|them $", "$1 at",
            unless: { $0[$1 + 1].word == "her" && $0.has($1 + 2, .noun) }),
        .phrase(
            "preposition.graduate", "[graduate*] university|college|school|high|senior|the|my|<PLACE>", "$1 from",
            unless: { $0[$1].word == "graduate" && !$0.has($1 - 1, [.subject, .modal]) && $0[$1 - 1].word != "to" }),
        .phrase(
            "preposition.laugh", "[laugh*] me|him|her|us|them|you", "$1 at",
            unless: { $0.has($1, .noun) && $0.has($1 - 1, .possessive) }),
        .phrase(
            "preposition.care", "take* [care] my|me|him|her|the|them|our|his|their|your|myself|yourself", "care of",
            unless: { $0[$1 + 2].word == "the" && $0[$1 + 3].word == "first" }),
        .phrase(
            "preposition.search", "[search*] information|it|job|jobs|a job|restaurant|restaurants", "$1 for",
            unless: { $0[$1].entry.tags.has(.singular) && $0.has($1 - 1, .determiner) }),
        .phrase(
            "preposition.go",

            """
            ^|to|i|we|they|will|can|want|wanna|he|she|didn't|don't|and|yesterday [go|goes|went|going|gone] <PLACE>|school|\
            hospital|supermarket|work|church
            """,
            "$2 to",
            unless: {
                $0.has($1 + 3, [.noun]) && $0[$1 + 2].word == "work" || $0[$1].word == "and" && $0[$1 + 1].word == "going"
                    || !$0.endsPhrase($1 + 3) && $0[$1 + 2].word != "school"
            }),
        .phrase(
            "preposition.arrive", "[arrive*] <PLACE>|the|my|school|taiwan", "$1 at",
            unless: { s, i in
                s.has(i + 1, .place) || s[i + 2].word == "same" || s[i + 2].word == "next" || s.has(i + 2, .superlative)
            }),
    ]

    private static let afterAdjectives: [Rule] = [
        .phrase(
            "preposition.interested", "interested [to] the|my|this|<NOUN>|<LANG>", "in",
            unless: { $0[$1 + 2].entry.tags.has(.base) }),
        .phrase(
            "preposition.good-at",

            """
            am|is|are|was|'m|'re|'s|not|very|really|so|quite|pretty [good|bad in|on] <LANG>|math|mathematics|sports|cooking|\
            singing|drawing|basketball|tennis|swimming|dancing|<ING>|science|physics|badminton|computers|computer
            """,
            "$2 at", unless: { $0[$1 + 3].word == "bed" }),
        .phrase(
            "preposition.different", "different|differs|differ [with|to]", "from",
            unless: { $0[$1 + 1].word == "to" && !$0.has($1 + 2, [.determiner, .possessive, .object, .place]) }),
        .phrase(
            "preposition.famous", "famous [of|about|at|with|by|in] its|the|<NOUN>|their|his|her|<ING>", "for",
            unless: { $0[$1 + 1].word == "in" || $0[$1 + 1].word == "of" && $0[$1 + 2].word == "the" }),
        .phrase(
            "preposition.good-for",
            "good|bad|healthy|important [to] my|your|our|the|his|her health|body|skin|eyes|environment", "for",
            // "does good to the body"
            unless: { $0.contains(max(0, $1 - 2)..<$1) { ["do", "does", "did", "some", "any", "no", "doing"].contains($0.word) } }),
        .phrase(
            "preposition.surprised", "surprised [of|on|for|with] the|this|his|her|it|that", "at",
            unless: { $0[$1 + 1].word == "with" }),
        .phrase(
            "preposition.popular",
            "popular [to|for] young|teenagers|students|tourists|people|kids|children|women|men|foreigners", "with",
            unless: { $0[$1 + 1].word == "for" }),
        .phrase(
            "preposition.busy", "busy [on|about|for|in] my|work|homework|the", "with",
            unless: { $0[$1 + 1].word == "in" || $0[$1 + 1].word == "on" && $0[$1 + 3].word == "phone" }),
        .phrase(
            "preposition.increase", "married [with] a|an|my|his|her", "to",
            unless: { !$0.has($1 - 1, .be) }),
    ]

    private static let afterVerbs: [Rule] = [
        .phrase(
            "preposition.spend",

            """
            spend* <NUM>|a|lot|much|time|too|so of?|much|lot? of? <NOUN> [in|for|at] <ING>|my|the|food|clothes|games|coffee|\
            books|shopping|homework|it|rent
            """,
            "on",
            unless: { s, i in
                (i..<i + 8).contains {
                    ["in", "at"].contains(s[$0].word)
                        && (["library", "office", "gym", "house", "city", "park", "school", "hospital", "airport", "kitchen"]
                            .contains(s[$0 + 2].word) || s.has($0 + 1, .gerund))
                }
            }),
        .phrase(
            "preposition.congratulate", "congratulate*|congratulations <OBJ>|my? [for|about]", "on",
            unless: { $0[$1].word == "congratulations" }),
        .phrase(
            "preposition.laugh", "laugh* [to|on|with] me|him", "at",
            unless: { $0[$1 + 1].word == "with" }),
        .phrase(
            "preposition.listen", "listen* [at|for|with|on] music|me|him|her|the|my|songs", "to",
            unless: { $0[$1 + 1].word == "for" || $0[$1 + 2].word == "the" && $0[$1 + 1].word == "on" }),
        .phrase(
            "preposition.travel", "travel*|go*|went|fly*|move* [in] <PLACE> <END>|last|next|with|by|in|this|for",
            "to", unless: { s, i in s[i].entry.verb == "travel" }),
        .phrase(
            "preposition.borrow", "borrow* <DET>? <NOUN> [to|for] my|the|him|her|a <NOUN>", "from",
            unless: { $0[$1 + 3].word == "for" || $0[$1 + 2].word == "for" }),
        .phrase(
            "preposition.translate", "translate* it|this|that|them [to|in] <LANG>", "into",
            unless: { $0[$1 + 2].word == "to" }),
    ]

    private static let places: [Rule] = [
        .phrase(
            "preposition.tv", "[in|at|from the? tv|television] $", "on TV",
            unless: { $0[$1].word == "from" || $0[$1 + 1].word == "the" && $0[$1].word == "at" }),
        .phrase(
            "preposition.internet", "[in|at the? internet|facebook|instagram|youtube|line]", "on $2 $3",
            unless: {
                $0[$1 + 2].word == "line" || $0[$1 + 1].word == "line" || $0[$1 + 1].word == "internet" || $0.has($1 + 2, .noun)
                    || $0.has($1 + 3, .noun)
            }),
        .phrase(
            "preposition.phone", "[in|with|by the phone] $", "on the phone",
            unless: { $0[$1].word != "in" && $0[$1].word != "by" }),
        .phrase(
            "preposition.time", "[in|at the|my free|spare time]", "in my $3 time",
            unless: { $0[$1].word == "in" }),
        .phrase(
            "preposition.age", "[in the age of]", "at the age of",
            unless: { !$0.has($1 + 4, .number) }),
    ]
}
