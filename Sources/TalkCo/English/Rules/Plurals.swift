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
            "plural.any", .grammar,
            "have|has any [question|brother|sister|friend|child|kid|pet|student|hobby|suggestion|plan|customer] $", "$3:plural",
            "any 後面的可數名詞通常用複數。",
            unless: { ["idea", "chance", "reason", "plan", "way", "problem", "other"].contains($0[$1 + 2].word) }),
        Rule(
            "plural.after-quantifier", .grammar, priority: 55,
            at:

                """
                many several few various both these those two three four five six seven eight nine ten twelve fifteen twenty \
                thirty forty fifty hundred thousand
                """,
            "數量超過一個時，可數名詞要用複數。"
        ) { sentence, index in
            let word = sentence[index].word
            guard !(word == "few" && sentence[index - 1].word == "every"), word != "both" || sentence[index + 1].word != "my",
                !(["these", "those"].contains(word) && ["kind", "type", "sort"].contains(sentence[index + 1].word)),
                !["number", "room", "day", "chapter", "gate", "line", "version", "level", "page", "season", "part", "bus", "floor"]
                    .contains(sentence[index - 1].word), sentence[index - 1].word != "one",
                word != "many" || sentence[index + 1].word != "a"
            else { return nil }
            return plural(sentence, index + 1)
        },
        Rule("plural.after-number", .grammar, priority: 55, "數量超過一個時，可數名詞要用複數。") { sentence, index in
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
            "plural.after-lot", .grammar, priority: 55, at: "lot lots couple plenty pair",
            "a lot of、lots of、a couple of 後面的可數名詞用複數。"
        ) {
            sentence, index in
            sentence[index + 1].word == "of" ? plural(sentence, index + 2) : nil
        },
        Rule("plural.one-of", .grammar, priority: 61, at: "one each both two three many", "one of 後面要接複數名詞。") {
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
            "plural.all", .grammar,
            "all my|the|our|his|her|their [friend|student|classmate|colleague|coworker|teacher|kid|neighbor|customer] !<NOUN>",
            "$3:plural", "all 後面的可數名詞用複數。"),
        .phrase(
            "plural.some", .grammar,
            "eat*|buy*|have|has|had|want*|need*|take*|get*|see*|find*|make*|like*|try*|visit*|met|ask*|order* some [<SG>] $",
            "$3:plural", "some 後面的可數名詞用複數。",
            unless: { sentence, index in
                sentence.has(index + 2, .person) && sentence[index + 2].word != "friend"
                    || ["day", "place", "point", "way", "kind", "sort", "reason", "extent", "level", "degree", "sense", "order"]
                        .contains(sentence[index + 2].word)
            }),
        .phrase(
            "plural.kinds", .grammar, "many|different|several|all|two|three|various [kind|type] of", "$2:plural",
            "many、all 後面的 kind 要用複數 kinds。"),
        .phrase(
            "plural.other", .grammar,
            "<PREP>|visit*|see*|try* [other country|city|restaurant|person|student|place|shop|problem|question]",
            "other $3:plural", "other 後面的可數名詞用複數；單數用 another。"),
    ]

    private static let singularNeeded: [Rule] = [
        Rule("plural.after-every", .grammar, at: "every each another", "every、each、another 後面用單數名詞。") { sentence, index in
            guard let noun = countedNoun(sentence, index + 1), sentence.has(noun, .plural),
                !sentence.has(noun, [.singular, .uncountable, .finite]), !sentence.has(index + 1, .number),
                sentence[index + 1].word != "few", sentence.endsPhrase(noun + 1) || sentence.has(noun + 1, .finite)
            else { return nil }
            return Match(noun..<noun + 1, sentence[noun].entry.noun)
        },
        Rule("plural.this-plural", .grammar, at: "this that", "後面是複數名詞時，this、that 要改成 these、those。") { sentence, index in
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
            "plural.most-of", .grammar, "[the most of <ANYADJ>] people|students|men|women", "most $4", "「大部分的人」是 most people。",
            priority: 61),
        .phrase(
            "plural.times", .grammar, "two|three|four|five|six|seven|many|several [time] a|per|every|this", "times",
            "time 表示「次數」時可數，複數是 times。"),
        .phrase("plural.dollars", .grammar, "<NUM> nt|us|taiwan [dollar]", "dollars", "數量超過一個時，可數名詞要用複數。"),
        .phrase(
            "plural.with", .grammar,
            "with|to|for|from [foreigner|friend|customer|tourist|classmate|colleague|coworker|client] <END>|in|every|on|at|when",
            "$2:plural", "泛指一類人時，可數名詞用複數。"),
        .phrase(
            "plural.peoples", .grammar, "<NUM>|many|some|young|other|most|all|these [peoples]", "people", "people 本身就是複數，不加 s。"),
        .phrase("plural.lot", .grammar, "[a lots of]", "a lot of", "「很多」是 a lot of 或 lots of。"),
        .phrase(
            "plural.few-uncountable", .grammar, "have|has|had|only|very [few] money|time|water|information|rice|salt|sugar|milk",
            "little", "不可數名詞用 little，可數名詞才用 few。"),
        .phrase(
            "plural.pair", .grammar, "[a <ANYADJ>? pants|jeans|scissors|shorts|trousers|sunglasses|chopsticks]", "a pair of $2 $3",
            "pants、scissors 這類名詞只有複數形，數量用 a pair of。"),
        .phrase(
            "plural.this-number", .grammar, "[this] two|three|four|five|six|few <PL>", "these", "後面是複數名詞時，用 these。",
            unless: { $0[$1 + 1].word == "few" && !$0.has($1 + 2, .plural) }),
        .phrase(
            "plural.many-time", .grammar, "have|has|had|need|spend|spent|take|takes [many time]", "a lot of time",
            "time 表示「時間」時不可數，用 much time 或 a lot of time。"),
        .phrase(
            "plural.many-time", .grammar, "many [time] <END>|before|already|in|this|and|but", "times", "time 表示「次數」時可數，many times。",
            unless: { $0.has($1 - 1, .have) || ["how", "need", "spend"].contains($0[$1 - 1].word) }),
        Rule("plural.much-countable", .grammar, priority: 58, at: "much", "可數名詞用 many，不可數名詞才用 much。") { sentence, index in
            guard let noun = countedNoun(sentence, index + 1), sentence.has(noun, .plural),
                !sentence.has(noun, [.singular, .uncountable, .finite]), !sentence.has(index + 1, .comparative)
            else { return nil }
            return Match(index..<index + 1, "many")
        },
        Rule("plural.many-uncountable", .grammar, priority: 58, at: "many", "不可數名詞用 much 或 a lot of，可數名詞才用 many。") {
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
            "plural.how-many-times", .grammar, "how [many time] do|does|did|will|is|it", "much time",
            "time 表示「時間」時不可數，用 how much time。"),
        .phrase(
            "plural.few-uncountable", .grammar,

            """
            a [few] english|chinese|japanese|korean|french|german|spanish|money|water|time|information|rice|food|salt|sugar|\
            milk|coffee|rain
            """,
            "little",
            "不可數名詞用 a little，可數名詞才用 a few。", unless: { !$0.endsPhrase($1 + 3) }),
        .phrase(
            "plural.most-of", .grammar, "[most of people|students|tourists|restaurants|children|parents|taiwanese]", "most $3",
            "「大部分的…」是 most + 名詞；後面有 the 或 my 才用 most of。"),
        .phrase(
            "plural.most-of", .grammar, "[the most of people|students|us|them]", "most of $4", "「大部分的人」是 most people。", priority: 61
        ),
        .phrase(
            "plural.many-of", .grammar, "[many|some|all of people|students|tourists|restaurants|children|parents]", "$1 $3",
            "後面沒有 the 或 my 時，不加 of。"),
        .phrase(
            "plural.almost", .grammar, "[almost people|students|taiwanese|restaurants|shops]", "almost all $2",
            "almost 是副詞，「幾乎所有的人」是 almost all people。"),
        .phrase(
            "plural.lot", .grammar, "a [lot] people|money|time|food|friends|things|work|homework|water|places", "lot of",
            "「很多」是 a lot of + 名詞。"),
        .phrase(
            "plural.lot", .grammar, "[lots] people|money|time|food|friends|things|work|places", "lots of", "「很多」是 lots of + 名詞。"),
        .phrase(
            "plural.others", .grammar, "[others] people|students|countries|things|friends", "other", "後面有名詞時用 other，others 本身就是代名詞。"
        ),
        .phrase(
            "plural.kind-of", .grammar,
            "this|that|what|some|any|the [kind|type] food|music|movie|people|thing|person|weather|job|place", "$2 of",
            "「這種」是 this kind of。"),
        .phrase(
            "plural.measure", .grammar,
            "a|one [cup|glass|bottle|piece|bowl|slice] tea|coffee|water|milk|cake|rice|bread|juice|beer|pizza|paper|soup|noodles",
            "$2 of", "量詞和名詞之間要加 of。"),
        .phrase(
            "plural.measure", .grammar,
            "[cups|glasses|bottles|pieces|bowls|slices] tea|coffee|water|milk|cake|rice|bread|juice|beer|pizza|paper|soup|noodles",
            "$1 of", "量詞和名詞之間要加 of。"),
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
        Rule("plural.uncountable", .grammar, at: uncountablePlurals.keys.joined(separator: " "), "這是不可數名詞，沒有複數形。") {
            sentence, index in
            uncountablePlurals[sentence[index].word].map { Match(index..<index + 1, $0) }
        },
        Rule("plural.irregular", .grammar, at: wrongPlurals.keys.joined(separator: " "), "這個名詞的複數是不規則變化。") { sentence, index in
            wrongPlurals[sentence[index].word].map { Match(index..<index + 1, $0) }
        },
        Rule("verb.irregular", .grammar, at: wrongVerbs.keys.joined(separator: " "), "這個動詞的過去式是不規則變化。") { sentence, index in
            guard sentence[index].word != "seed" || sentence.has(index - 1, .subject) else { return nil }
            return wrongVerbs[sentence[index].word].map { Match(index..<index + 1, $0) }
        },
    ]
}
