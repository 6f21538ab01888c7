extension Rule {
    /// Verbs and adjectives that go together with a noun.
    static let collocations: [Rule] = switches + doAndMake + amounts + various

    private static let switches: [Rule] = [
        .phrase(
            "collocation.turn-on",

            """
            [open*] the|my|a? air? light|lights|tv|television|air|ac|computer|lamp|fan|heater|music|radio|phone|conditioner|\
            aircon|laptop $
            """,
            "turn@1 on",
            unless: { s, i in
                s.has(i, .adjective) && !s.has(i, .verb)
                    || s[i + 2].word == "air" && s[i + 3].word != "conditioner" && s[i + 3].word != "conditioning"
                    || s[i + 1].word == "air" && s[i + 2].word != "conditioner" || s[i + 1].word == "a"
            }),
        .phrase(
            "collocation.turn-off",
            "[close*|shut*] the|my|a? air? light|lights|tv|television|air|ac|lamp|fan|heater|music|radio|phone|conditioner|aircon $",
            "turn@1 off",
            unless: { s, i in s[i + 2].word == "air" && s[i + 3].word != "conditioner" || s[i + 1].word == "a" }),
        .phrase(
            "collocation.take-off", "[open*|put off] my|your|the shoes|coat|jacket", "take@1 off",
            unless: { $0[$1].word != "put" }),
        .phrase(
            "collocation.hold-party", "[open*|make*] a|the|an party|meeting", "have@1",
            unless: { $0.has($1, .adjective) && !$0.has($1, .verb) }),
    ]

    private static let doAndMake: [Rule] = [
        .phrase(
            "collocation.make",

            """
            [do*] a|an|the|some|my|many|any|lots|no? big|wrong|good|hard|final|new|of? mistake|mistakes|decision|decisions|\
            phone-call|friends|money|progress|effort|noise|promise|reservation|appointment|choice|suggestion|wish|excuse|\
            cake|coffee|speech
            """,
            "make@1",
            unless: { s, i in
                s[i].entry.tags.has(.auxiliaryDo) && (s.startsClause(i) || s.has(i - 1, .question))
                    || s.isWord(i, ["done"]) && s.has(i - 1, .be) && s[i + 1].kind != .word
            }),
        .phrase(
            "collocation.take-photo",
            "[make*|shoot*|photo] a|the|some|many|lots? of? photo|photos|picture|pictures with|of|there|together|<END>|in",
            "take@1", unless: { $0[$1].word == "photo" }),
        .phrase(
            "collocation.have-party", "[do*] a|the party|meeting|trip|shower|rest|break|look|nap|walk|bath", "have@1",
            unless: { s, i in s[i].entry.tags.has(.auxiliaryDo) && (s.startsClause(i) || s.has(i - 1, .question)) }),
        .phrase(
            "collocation.take-rest", "[make*] a rest|break|shower|walk|nap|look", "take@1",
            unless: { $0[$1 + 2].word == "break" && $0[$1 + 3].word == "for" }),
        .phrase(
            "collocation.have-dream", "[do*|make*] a|strange|bad? bad|strange|good|sweet? dream", "have@1",
            unless: { s, i in
                s[i].entry.tags.has(.auxiliaryDo) && s[i].word != "did" && s[i].word != "do" || s[i + 3].word == "come"
                    || s[i + 2].word == "come"
            }),
        .phrase(
            "collocation.catch-cold", "[get*|take*|suffer*|have|had] cold <END>|last|yesterday|so|and|because",
            "catch@1 a", unless: { $0[$1].entry.verb == "get" }),
    ]

    private static let amounts: [Rule] = [
        .phrase(
            "collocation.price", "price|prices|rent <BE> [cheaper|more expensive]", "lower",
            unless: { $0[$1 + 2].word == "more" }),
        .phrase(
            "collocation.price", "[cheap|expensive price|prices|salary]",
            replacement: highOrLow),
        .phrase(
            "collocation.traffic", "[big|crowded|busy|many] traffic !jam", "heavy",
            unless: { $0[$1].word == "many" || $0.has($1 + 2, .noun) }),
        .phrase(
            "collocation.temperature", "temperature <BE> very|so|too|really? [hot|cold]",
            replacement: highOrLow),
        .phrase(
            "collocation.voice", "[big] voice|sound", "loud",
            unless: { $0[$1 + 1].word == "sound" && $0.has($1 + 2, .noun) }),
        .phrase(
            "collocation.health",
            "[body] <BE>|isn't|wasn't|aren't not|very|always|so? not|very? good|healthy|bad|strong|weak|well|better|fine", "health",
            unless: { $0[$1 + 2].word == "strong" && $0[$1 - 1].word != "my" }),
        .phrase(
            "collocation.age", "<BE> <NUM> [years] <END>|now|this|and|but", "years old",
            unless: {
                !["i", "he", "she", "they", "we", "son", "daughter", "brother", "sister", "mother", "father", "you"].contains(
                    $0[$1 - 1].word)
            }),
        .phrase(
            "collocation.age", "<BE> <NUM> <NUM> [years] <END>|now|this|and|but", "years old",
            unless: {
                !["i", "he", "she", "they", "we", "son", "daughter", "brother", "sister", "mother", "father", "you"].contains(
                    $0[$1 - 1].word)
            }),
        .phrase(
            "collocation.years-old", "<BE> <NUM> [year|year's|years-old|year-old] old? !<NOUN>", "years old",
            unless: {
                $0[$1 + 1].word == "one" || $0[$1 + 1].word == "1" || $0[$1 + 2].word == "year" && $0[$1 + 3].word == "old"
                    || $0[$1 + 2].word == "year" && $0.has($1 + 3, .adjective)
            }),
        .phrase(
            "collocation.years-old", "<BE> <NUM> <NUM>? [year] old", "years",
            unless: { $0[$1 + 1].word == "one" && $0[$1 + 2].word == "year" || $0[$1 + 1].word == "1" }),
    ]

    /// Returns the index of the adjective in "the price of this coat is too low"; nil for other sentences. The index is that of the first noun.
    private static func adjective(_ sentence: Sentence, _ index: Int) -> Int? {
        guard ["of", "in", "for", "here"].contains(sentence[index + 1].word),
            let end = sentence[index + 1].word == "here" ? index + 2 : sentence.nounPhraseEnd(index + 2), sentence.has(end, .be)
        else { return nil }
        var adjective = end + 1
        while sentence.has(adjective, .degree) || sentence[adjective].word == "not" { adjective += 1 }
        return adjective
    }

    private static let various: [Rule] = [
        Rule("collocation.price", priority: 60, at: "price rent salary prices fee fare cost") { sentence, index in
            guard let adjective = adjective(sentence, index), ["expensive", "cheap"].contains(sentence[adjective].word) else {
                return nil
            }
            return Match(adjective..<adjective + 1, sentence[adjective].word == "expensive" ? "high" : "low")
        },
        Rule("collocation.traffic", priority: 60, at: "traffic") { sentence, index in
            guard let adjective = adjective(sentence, index), ["crowded", "busy"].contains(sentence[adjective].word) else {
                return nil
            }
            return Match(adjective..<adjective + 1, "heavy")
        },
        .phrase(
            "collocation.wear-makeup", "[take*|put*|draw*|paint*] makeup", "wear@1",
            unless: { ["take", "put"].contains($0[$1].entry.verb) }),
        .phrase(
            "collocation.success", "i|he|she|they|we|will|to|can|want to? [success]", "succeed",
            unless: { $0[$1].word == "to" && $0.has($1 - 1, .noun) || $0[$1].word == "to" && $0[$1 - 1].entry.verb != "want" }),
        .phrase(
            "collocation.big-pressure", "[big|large|heavy] pressure", "a lot of",
            unless: { $0[$1 - 1].word == "a" || $0[$1 - 1].word == "under" }),
        .phrase(
            "collocation.work-hard",
            "work*|study*|try*|practice*|worked|studied [hardly] <END>|<PREP>|every|to|and|because|so", "hard",
            unless: { $0[$1 + 2].word == "ever" || $0[$1 + 2].word == "any" }),
        .phrase(
            "collocation.pass-holiday",
            "[pass*] my|the|our|a holiday|holidays|vacation|weekend|time|christmas|new with|in|at|there|together|<END>", "spend@1",
            unless: { $0[$1 + 2].word == "time" }),
        .phrase(
            "collocation.say-goodbye", "[answer*|pick*|receive*|listen* the? phone]", "answer@1 the phone",
            unless: {
                $0[$1].entry.verb == "answer" && $0[$1 + 1].word == "the"
                    || $0[$1].entry.verb == "receive" && $0[$1 + 1].word == "the" || $0[$1].entry.verb == "pick"
            }),
    ]

    /// Returns the words with the adjective "high" or "low" in place of the first one.
    @Sendable private static func highOrLow(_ sentence: Sentence, _ index: Int, _ tokens: Range<Int>) -> String? {
        let level = ["expensive", "hot"].contains(sentence[tokens.lowerBound].word) ? "high" : "low"
        return tokens.count == 1 ? level : level + " " + sentence.text(tokens.dropFirst())
    }
}
