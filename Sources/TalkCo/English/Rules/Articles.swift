extension Rule {
    /// Articles that are missing, superfluous or wrong.
    static let articles: [Rule] = articleForms + missingArticles + definiteArticles

    private static let articleForms: [Rule] = [
        Rule("article.a-an", at: "a an") { sentence, index in
            let next = sentence[index + 1]
            guard next.kind == .word, next.word.count > 1, !next.entry.tags.has(.unknown),
                !next.tags.has([.preposition, .conjunction]),
                next.word.first?.isASCII == true
            else { return nil }
            let article = startsWithVowelSound(next.word) ? "an" : "a"
            // "a A" and "an MBA" are spelled out.
            guard article != sentence[index].word, !next.isCapitalized || next.tags.has(.language) else { return nil }
            return Match(index..<index + 1, article)
        },
        Rule("article.a-with-plural", priority: 55, at: "a an one") { sentence, index in
            var noun = index + 1
            while sentence.has(noun, .adjective), !sentence.has(noun, [.noun, .number]) { noun += 1 }
            let token = sentence[noun]
            guard token.tags.has(.plural), !token.tags.has([.singular, .uncountable, .finite]), token.entry.noun != token.word,
                !["means", "series", "few", "glasses", "cookies", "sales", "sports", "systems", "goods", "arms", "times", "states"]
                    .contains(token.word),
                sentence.endsPhrase(noun + 1), !["few", "lot", "many", "dozen", "good", "great"].contains(sentence[index + 1].word)
            else { return nil }
            return Match(noun..<noun + 1, token.entry.noun)
        },
        Rule("article.a-with-uncountable", priority: 56, at: "a an") {
            sentence, index in
            var noun = index + 1
            while sentence.has(noun, .adjective), !sentence.has(noun, .noun) { noun += 1 }
            guard uncountables.contains(sentence[noun].word), !["little", "bit"].contains(sentence[index + 1].word),
                sentence.endsPhrase(noun + 1), sentence[noun + 1].word != "of"
            else {
                return nil
            }
            // "a nice weather": without the article. "An advice": "some advice".
            return Match(index..<noun + 1, (noun > index + 1 ? "" : "some ") + sentence.text(index + 1..<noun + 1))
        },
    ]

    private static let uncountables = Set(

        """
        advice information homework luggage baggage furniture equipment news traffic money knowledge weather music fun \
        luck research software bread progress housework
        """
        .words)

    static func startsWithVowelSound(_ word: String) -> Bool {
        if ["hour", "honest", "honor", "heir"].contains(where: word.hasPrefix) { return true }
        if ["eu", "one", "once", "use", "usu", "user", "uti", "ufo", "uku"].contains(where: word.hasPrefix) { return false }
        if word.hasPrefix("uni") { return ["unin", "unim", "unid"].contains(where: word.hasPrefix) }
        return word.first.map { "aeiou".contains($0) } ?? false
    }

    /// Returns the index of a bare singular noun that needs an article, after adjectives from `start` on; nil for none.
    private static func bareNoun(_ sentence: Sentence, _ start: Int, _ tags: Tags) -> Int? {
        var index = start
        while sentence.has(index, .adjective),
            !sentence.has(index, [.noun, .determiner, .possessive, .number, .comparative, .superlative, .language, .name]),
            sentence.has(index + 1, [.adjective, .noun]), index < start + 3
        {
            index += 1
        }
        guard
            !["more", "less", "most", "enough", "such", "first", "second", "third", "last", "next", "own", "few", "other", "same"]
                .contains(sentence[start].word)
        else { return nil }
        // "parking space", "insurance company"
        if sentence.has(index, [.uncountable, .singular]), sentence[index + 1].tags.contains([.singular, .strict]),
            !sentence.has(index, .adjective), !sentence.has(index + 1, [.verb, .adjective])
        {
            index += 1
        }
        if sentence.has(index, .strict), sentence.has(index + 1, .person), sentence.has(index + 1, .singular),
            !sentence[index + 1].isCapitalized
        {
            index += 1
        }
        let token = sentence[index]
        guard token.tags.contains([.singular, .strict]), token.tags.contains(tags),
            !token.tags.has([.plural, .uncountable, .determiner, .number, .preposition, .weekday, .month, .past, .participle]),
            !token.isCapitalized, sentence.endsPhrase(index + 1), sentence[index + 1].kind != .other
        else { return nil }
        return index
    }

    private static func withArticle(_ sentence: Sentence, _ range: Range<Int>) -> String {
        (startsWithVowelSound(sentence[range.lowerBound].word) ? "an " : "a ") + sentence.text(range)
    }

    private static let missingArticles: [Rule] = [
        Rule("article.missing-subject", priority: 47) { sentence, index in
            guard sentence.startsClause(index), !sentence.isQuestion, sentence[index].tags.contains([.singular, .strict]),
                !sentence.has(index, [.uncountable, .adjective, .verb, .plural]), index == 0 || !sentence[index].isCapitalized,
                index == 0 || sentence[index - 1].kind == .word || index > 3,
                ![
                    "thing", "problem", "point", "reason", "fact", "mom", "dad", "mother", "father", "grandma", "grandpa", "uncle",
                    "aunt", "baby", "doctor", "man", "question", "word", "grandmother", "grandfather",
                ].contains(sentence[index].word),
                ["is", "was", "has", "'s", "will", "can", "didn't", "doesn't", "told", "said", "gave", "came", "asked"].contains(
                    sentence[index + 1].word), index + 2 < sentence.count,
                !["and", "or", "no"].contains(sentence[index - 1].word)
            else { return nil }
            return Match(index..<index + 1, "the " + sentence[index].word)
        },
        Rule(
            "article.missing-profession", at: "am is are was were be been 'm 's become became as"
        ) {
            sentence, index in
            let start = sentence.afterAdverbs(index + 1)
            guard let noun = bareNoun(sentence, start, .person), sentence[noun].word != "head", !sentence.isQuestion || index > 0
            else { return nil }
            if sentence[index].word == "as", !["work", "works", "worked", "working", "job"].contains(sentence[index - 1].word) {
                return nil
            }
            guard
                !["mom", "dad", "mother", "father", "grandma", "grandpa", "president", "baby", "coach"].contains(
                    sentence[noun].word), sentence[noun + 1].word != "of"
            else { return nil }
            return Match(start..<noun + 1, withArticle(sentence, start..<noun + 1))
        },
        Rule("article.missing", priority: 45) { sentence, index in
            guard takers.contains(sentence[index].entry.verb), sentence.has(index, .verb),
                !sentence.has(index - 1, [.determiner, .possessive]) || ["both", "all"].contains(sentence[index - 1].word)
            else { return nil }
            var start = index + 1
            if ["give", "ask", "tell", "send", "buy", "show", "lend"].contains(sentence[index].entry.verb),
                ["me", "you", "him", "her", "us", "them"].contains(sentence[start].word)
            {
                start += 1
            }
            guard let noun = bareNoun(sentence, start, []), !bareIdioms.contains(sentence[noun].word) else { return nil }
            return Match(start..<noun + 1, withArticle(sentence, start..<noun + 1))
        },
        Rule("article.missing-existential", at: "there") { sentence, index in
            guard ["is", "was", "'s"].contains(sentence[index + 1].word), let noun = bareNoun(sentence, index + 2, []) else {
                return nil
            }
            return Match(index + 2..<noun + 1, withArticle(sentence, index + 2..<noun + 1))
        },
    ]

    private static let takers = Set(

        """
        have buy want need see eat get make find rent order drive use ride visit watch read write bring borrow lend own \
        receive choose wear draw ask tell give send take open book become cook paint hear lose call
        """
        .words)
    /// Nouns in fixed expressions without an article, such as "take part" and "make way".
    private static let bareIdioms = Set(

        """
        part place way sense note step shape root look face bed name word sample action advantage issue effect heart \
        notice office leave turn aim course
        """
        .words)

    private static let definiteArticles: [Rule] = [
        .phrase(
            "article.missing-place", "in|at [<ANYADJ>|<NOUN> company|factory|restaurant|hotel|bank] $", "a $2 $3",
            unless: {
                $0.has($1 + 1, [.determiner, .possessive, .number, .name, .plural]) || $0[$1 + 1].isCapitalized
                    || Rule.startsWithVowelSound($0[$1 + 1].word)
            }),
        .phrase(
            "article.missing-place", "in|at [<ANYADJ>|<NOUN> company|factory|restaurant|hotel|bank] $", "an $2 $3",
            unless: {
                $0.has($1 + 1, [.determiner, .possessive, .number, .name, .plural]) || $0[$1 + 1].isCapitalized
                    || !Rule.startsWithVowelSound($0[$1 + 1].word) || $0[$1 + 1].word == "other"
            }),
        .phrase(
            "article.clothes", "[a <ANYADJ>? clothes]", "some $2 clothes",
            unless: { $0.has($1 + 2, .noun) && $0[$1 + 1].word == "clothes" }),
        Rule("article.generic", priority: 44, at: "like likes love loves hate hates") {
            sentence, index in
            guard sentence.has(index, .finite), let noun = bareNoun(sentence, index + 1, []), noun == index + 1,
                !["piano", "guitar", "home", "computer"].contains(sentence[noun].word), !sentence.has(noun, .person)
            else { return nil }
            return Match(noun..<noun + 1, Lexicon.standard.plural(sentence[noun].word))
        },
        Rule("article.missing-after-be", priority: 46, at: "is was 's 'm am be") {
            sentence, index in
            let start = index + 1
            guard sentence.has(start, [.adjective, .degree]),
                ![
                    "last", "next", "first", "second", "third", "other", "own", "full", "part", "most", "more", "such", "few",
                    "much", "many", "same", "enough",
                ].contains(sentence[start].word), !sentence.isQuestion || index > 0,
                let noun = bareNoun(
                    sentence, sentence.has(start, .degree) && sentence.has(start + 1, .adjective) ? start + 1 : start, []),
                noun > start, !sentence.has(noun, .adjective), !sentence.has(start, [.comparative, .superlative])
            else { return nil }
            guard sentence[start].word != "so", sentence[start].word != "too" else { return nil }
            return Match(start..<noun + 1, withArticle(sentence, start..<noun + 1))
        },
        .phrase(
            "article.extra-general", "^ [the life] in|is", "life", unless: { $0[$1 + 2].word == "is" }),
        .phrase(
            "article.missing-place",
            "in|at [hotel|restaurant|company|factory|bookstore|cafe|apartment|village|bakery|bank] $",
            "a $2", unless: { Rule.startsWithVowelSound($0[$1 + 1].word) || $0[$1 + 1].isCapitalized }),
        .phrase(
            "article.missing-place",

            """
            in|at [office|airport|station|park|library|gym|kitchen|supermarket|museum|zoo|beach|garden|bathroom|mall|\
            hospital|morning] $
            """,
            "the $2",
            unless: { $0[$1 + 1].isCapitalized || ["hospital", "morning"].contains($0[$1 + 1].word) }),
        Rule("article.missing-superlative", priority: 58) { sentence, index in
            guard
                sentence.has(index - 1, .be) || sentence[index - 1].word == "'s"
                    || ["in", "to", "have", "has", "of"].contains(sentence[index - 1].word)
            else { return nil }
            if sentence[index].word == "most" {
                guard sentence.has(index + 1, .adjective), !sentence.has(index + 1, .noun),
                    sentence.has(index + 2, .noun) || sentence.has(index + 2, .adjective) && sentence.has(index + 3, .noun),
                    !sentence.has(index + 2, .plural) || sentence.has(index - 1, .be)
                else { return nil }
                return Match(index..<index + 1, "the most")
            }
            guard sentence[index].tags.contains([.adjective, .superlative]),
                sentence.has(index + 1, [.singular, .uncountable, .plural]),
                sentence[index].word != "best" || sentence[index + 1].word != "friends"
            else { return nil }
            return Match(index..<index + 1, "the " + sentence.text(index..<index + 1))
        },
        .phrase(
            "article.missing-same", "in|at|have|has|had|is|are|was|were|of|with|on|from [same]", "the same",
            unless: { $0[$1 + 2].kind == .pause }),
        .phrase(
            "article.missing-world", "in|on [world|internet|countryside|future]", "the $2", unless: { $0.has($1 + 2, [.noun]) }),
        .phrase(
            "article.missing-destination",

            """
            go*|get*|drive*|walk*|come* to [beach|airport|park|supermarket|bathroom|gym|library|office|zoo|museum|\
            restaurant|hotel|toilet|bank|cinema|mall|store|station|doctor|countryside|mountain|movies|restroom|convenience|\
            department|night] $
            """,
            "the $3", unless: { $0[$1 + 2].isCapitalized }),
        .phrase(
            "article.missing-country", "in|to|from [usa|us|uk|philippines|netherlands|u.s]", "the $2",
            unless: { !$0[$1 + 1].isCapitalized && $0[$1 + 1].word.count < 3 }),
    ]
}
