extension Rule {
    /// Countable and uncountable nouns, singular and plural.
    static let plurals: [Rule] = pluralNeeded + singularNeeded + wrongQuantifiers + wrongForms

    /// Returns the index of the noun that a quantifier counts, after adjectives from `start` on; nil for none.
    private static func countedNoun(_ sentence: Sentence, _ start: Int) -> Int? {
        var noun = start
        while sentence.has(noun, [.adjective, .degree]), !sentence.has(noun, .noun), noun < start + 3 { noun += 1 }
        return sentence.has(noun, .noun) ? noun : nil
    }

    private static func plural(_ sentence: Sentence, _ start: Int) -> Match? {
        guard let noun = countedNoun(sentence, start), sentence[noun].tags.contains([.singular, .strict]),
            !sentence.has(noun, [.plural, .uncountable]),
            sentence.endsPhrase(noun + 1) || sentence[noun + 1].word == "like", sentence[noun + 1].word != "old",
            !sentence[noun].isCapitalized, sentence[noun].word != "number"
        else { return nil }
        return Match(noun..<noun + 1, Lexicon.standard.plural(sentence[noun].word))
    }

    private static let pluralNeeded: [Rule] = [
        .phrase(
            "plural.any",
            "have|has any [question|brother|sister|friend|child|kid|pet|student|hobby|suggestion|plan|customer] $", "$3:plural",
            unless: { ["idea", "chance", "reason", "plan", "way", "problem", "other"].contains($0[$1 + 2].word) }),
        Rule(
            "plural.after-quantifier", priority: 55,
            at:

                """
                many several few various both these those two three four five six seven eight nine ten twelve fifteen twenty \
                thirty forty fifty hundred thousand
                """
        ) { sentence, index in
            let word = sentence[index].word
            guard !(word == "few" && sentence[index - 1].word == "every"),
                word != "both"
                    || sentence[index + 1].word != "my" && !(index..<index + 6).contains(where: { sentence[$0].word == "and" }),
                !(["these", "those"].contains(word) && ["kind", "type", "sort"].contains(sentence[index + 1].word)),
                !["number", "room", "day", "chapter", "gate", "line", "version", "level", "page", "season", "part", "bus", "floor"]
                    .contains(sentence[index - 1].word), sentence[index - 1].word != "one",
                word != "many" || sentence[index + 1].word != "a"
            else { return nil }
            return plural(sentence, index + 1)
        },
        Rule("plural.after-number", priority: 55) { sentence, index in
            guard sentence[index].kind == .number, let number = Int(sentence[index].word), number >= 2,
                !sentence.hasYearForm(index), sentence[index - 1].kind == .word || index == 0,
                ![
                    "number", "room", "day", "chapter", "gate", "line", "version", "level", "page", "season", "part", "bus",
                    "floor", "iphone",
                ].contains(sentence[index - 1].word)
            else { return nil }
            return plural(sentence, index + 1)
        },
        Rule(
            "plural.after-lot", priority: 55, at: "lot lots couple plenty pair"
        ) {
            sentence, index in
            sentence[index + 1].word == "of" ? plural(sentence, index + 2) : nil
        },
        Rule("plural.one-of", priority: 61, at: "one each both two three many") {
            sentence, index in
            guard sentence[index + 1].word == "of", sentence.has(index + 2, .possessive) || sentence[index + 2].word == "the" else {
                return nil
            }
            var noun = index + 3
            while sentence.has(noun, [.adjective, .superlative]) || sentence[noun].word == "most" || sentence[noun].word == "best",
                !sentence.has(noun, .noun)
            { noun += 1 }
            guard sentence[noun].tags.contains([.singular, .strict]), !sentence.has(noun, [.plural, .uncountable]),
                !sentence.has(noun + 1, .noun) || sentence.has(noun + 1, .thirdPerson), !sentence[noun].isCapitalized,
                !sentence.has(noun + 1, .adjective)
            else { return nil }
            return Match(noun..<noun + 1, Lexicon.standard.plural(sentence[noun].word))
        },
        .phrase(
            "plural.some",
            "eat*|buy*|have|has|had|want*|need*|take*|get*|see*|find*|make*|like*|try*|visit*|met|ask*|order* some [<SG>] $",
            "$3:plural",
            unless: { sentence, index in
                sentence.has(index + 2, .person) && sentence[index + 2].word != "friend"
                    || ["day", "place", "point", "way", "kind", "sort", "reason", "extent", "level", "degree", "sense", "order"]
                        .contains(sentence[index + 2].word)
            }),
    ]

    private static let singularNeeded: [Rule] = [
        Rule("plural.after-every", at: "every each another") { sentence, index in
            guard let noun = countedNoun(sentence, index + 1), sentence.has(noun, .plural),
                !sentence.has(noun, [.singular, .uncountable, .finite]), !sentence.has(index + 1, .number),
                sentence[index + 1].word != "few", sentence.endsPhrase(noun + 1) || sentence.has(noun + 1, .finite)
            else { return nil }
            return Match(noun..<noun + 1, sentence[noun].entry.noun)
        },
        Rule("plural.this-plural", at: "this that") { sentence, index in
            guard sentence.startsClause(index) || sentence.has(index - 1, [.verb, .preposition]),
                sentence[index].word == "this" || sentence.startsClause(index), let noun = countedNoun(sentence, index + 1),
                sentence.has(noun, .plural),
                !sentence.has(noun, [.singular, .uncountable, .finite]), sentence.endsPhrase(noun + 1),
                !["systems", "means", "series", "sports", "sales", "people"].contains(sentence[noun].word),
                sentence[noun].word != "people" || sentence[index].word == "this"
            else { return nil }
            return Match(index..<index + 1, sentence[index].word == "this" ? "these" : "those")
        },
    ]

    private static let wrongQuantifiers: [Rule] = [
        .phrase(
            "plural.this-number", "[this] two|three|four|five|six|few <PL>", "these",
            unless: { $0[$1 + 1].word == "few" && !$0.has($1 + 2, .plural) }),
        .phrase(
            "plural.many-time", "many [time] <END>|before|already|in|this|and|but", "times",
            unless: { $0.has($1 - 1, .have) || ["how", "need", "spend"].contains($0[$1 - 1].word) }),
        Rule("plural.much-countable", priority: 58, at: "much") { sentence, index in
            guard let noun = countedNoun(sentence, index + 1), sentence.has(noun, .plural),
                !sentence.has(noun, [.singular, .uncountable, .finite]), !sentence.has(index + 1, .comparative)
            else { return nil }
            return Match(index..<index + 1, "many")
        },
        Rule("plural.many-uncountable", priority: 58, at: "many") {
            sentence, index in
            guard sentence[index + 1].tags.has(.uncountable),
                !sentence.has(index + 1, [.singular, .plural])
                    || [
                        "money", "homework", "traffic", "rain", "food", "water", "coffee", "noise", "work", "experience",
                        "help", "energy",
                    ].contains(sentence[index + 1].word),
                sentence.endsPhrase(index + 2)
            else { return nil }
            let isQuestion =
                ["how", "too", "so", "not"].contains(sentence[index - 1].word)
                || sentence.contains(max(0, index - 4)..<index, where: { $0.tags.has(.negative) })
            return Match(index..<index + 1, isQuestion ? "much" : "a lot of")
        },
        .phrase(
            "plural.few-uncountable",

            """
            a [few] english|chinese|japanese|korean|french|german|spanish|money|water|time|information|rice|food|salt|sugar|\
            milk|coffee|rain
            """,
            "little", unless: { !$0.endsPhrase($1 + 3) }),
    ]

    private static let uncountablePlurals = [
        "informations": "information", "advices": "advice", "homeworks": "homework", "furnitures": "furniture",
        "equipments": "equipment", "luggages": "luggage",
        "baggages": "baggage", "knowledges": "knowledge", "softwares": "software", "houseworks": "housework", "moneys": "money",
        "musics": "music", "traffics": "traffic",
        "sceneries": "scenery", "stuffs": "stuff", "feedbacks": "feedback", "evidences": "evidence", "progresses": "progress",
        "jewelries": "jewelry", "breads": "bread",
        "staffs": "staff", "entertainments": "entertainment", "newses": "news", "weathers": "weather", "researchs": "research",
        "meats": "meat", "garbages": "garbage", "trashes": "trash", "slangs": "slang", "cloths": "clothes",
    ]

    private static let wrongPlurals = [
        "childs": "children", "childrens": "children", "mans": "men", "womans": "women", "foots": "feet", "tooths": "teeth",
        "mouses": "mice", "sheeps": "sheep", "mens": "men",
        "womens": "women", "wifes": "wives", "knifes": "knives", "tomatos": "tomatoes", "potatos": "potatoes", "citys": "cities",
        "familys": "families", "countrys": "countries", "partys": "parties", "lifes": "lives", "tourist's": "tourists",
    ]

    private static let wrongVerbs = [
        "goed": "went", "eated": "ate", "buyed": "bought", "catched": "caught", "teached": "taught", "thinked": "thought",
        "finded": "found", "bringed": "brought", "taked": "took",
        "maked": "made", "runned": "ran", "speaked": "spoke", "telled": "told", "feeled": "felt", "drived": "drove",
        "writed": "wrote", "gived": "gave", "comed": "came", "keeped": "kept",
        "selled": "sold", "sleeped": "slept", "losed": "lost", "cutted": "cut", "putted": "put", "hurted": "hurt", "readed": "read",
        "swimmed": "swam", "seed": "saw", "drinked": "drank",
        "spended": "spent", "sended": "sent", "choosed": "chose", "meeted": "met", "flied": "flew", "breaked": "broke",
        "leaved": "left", "knowed": "knew", "heared": "heard", "payed": "paid", "builded": "built", "forgeted": "forgot",
        "forgetted": "forgot", "studyed": "studied", "haved": "had", "doed": "did", "throwed": "threw", "winned": "won",
        "growed": "grew", "wored": "wore", "standed": "stood", "understanded": "understood", "becomed": "became",
    ]

    private static let wrongForms: [Rule] = [
        Rule("plural.uncountable", at: uncountablePlurals.keys.joined(separator: " ")) {
            sentence, index in
            uncountablePlurals[sentence[index].word].map { Match(index..<index + 1, $0) }
        },
        Rule("plural.irregular", at: wrongPlurals.keys.joined(separator: " ")) { sentence, index in
            wrongPlurals[sentence[index].word].map { Match(index..<index + 1, $0) }
        },
        Rule("verb.irregular", at: wrongVerbs.keys.joined(separator: " ")) { sentence, index in
            guard sentence[index].word != "seed" || sentence.has(index - 1, .subject) else { return nil }
            return wrongVerbs[sentence[index].word].map { Match(index..<index + 1, $0) }
        },
    ]
}
