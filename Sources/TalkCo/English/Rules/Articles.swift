extension Rule {
    /// Articles that are missing, superfluous or wrong.
    static let articles: [Rule] = articleForms + missingArticles + definiteArticles

    private static let articleForms: [Rule] = [
        Rule("article.a-an", .grammar, at: "a an", "母音開頭的發音前用 an，子音開頭的發音前用 a。") { sentence, index in
            let next = sentence[index + 1]
            guard next.kind == .word, next.word.count > 1, !next.entry.tags.has(.unknown),
                !next.tags.has([.preposition, .conjunction]),
                next.word.first?.isASCII == true
            else { return nil }
            let article = startsWithVowelSound(next.word) ? "an" : "a"
            guard article != sentence[index].word, !next.isCapitalized || next.tags.has(.language) else { return nil }
            // "a A" and "an MBA" are spelled out.
            let phrase = "\(article) \(sentence.text(index + 1..<index + 2))"
            return Match(index..<index + 1, article, "母音開頭的發音前用 an，子音開頭的發音前用 a：\(phrase)。")
        },
        Rule("article.a-with-plural", .grammar, priority: 55, at: "a an one", "a／an 後面要接單數名詞。") { sentence, index in
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
        Rule("article.a-with-uncountable", .grammar, priority: 56, at: "a an", "不可數名詞前不加 a／an，可以改用 some 或 a piece of。") {
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
        Rule("article.missing-subject", .grammar, priority: 47, "單數可數名詞當主詞時，前面要有 the、my 之類的限定詞。") { sentence, index in
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
            "article.missing-profession", .grammar, at: "am is are was were be been 'm 's become became as",
            "說明職業或身分時，單數名詞前要加 a／an。"
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
        Rule("article.missing", .grammar, priority: 45, "單數可數名詞不能單獨使用，前面要加 a／an、the 或 my 之類的限定詞。") { sentence, index in
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
        Rule("article.missing-existential", .grammar, at: "there", "there is 後面的單數名詞前要加 a／an。") { sentence, index in
            guard ["is", "was", "'s"].contains(sentence[index + 1].word), let noun = bareNoun(sentence, index + 2, []) else {
                return nil
            }
            return Match(index + 2..<noun + 1, withArticle(sentence, index + 2..<noun + 1))
        },
        .phrase(
            "article.missing-rest", .grammar, "take* [rest|break|nap|shower|bath|walk] $", "a $2",
            "take a rest、take a shower 這類說法要加 a。"),
        .phrase("article.missing-few", .grammar, "^ [long time ago]", "a long time ago", "long time ago 前面要加 a。"),
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
        .phrase("article.free-time", .grammar, "have|has|had [a free time]", "free time", "time 表示「時間」時不可數，不加 a。"),
        .phrase(
            "article.missing-place", .grammar, "in|at [<ANYADJ>|<NOUN> company|factory|restaurant|hotel|bank] $", "a $2 $3",
            "單數可數名詞前面要加 a／an 或 the。",
            unless: {
                $0.has($1 + 1, [.determiner, .possessive, .number, .name, .plural]) || $0[$1 + 1].isCapitalized
                    || Rule.startsWithVowelSound($0[$1 + 1].word)
            }),
        .phrase(
            "article.missing-place", .grammar, "in|at [<ANYADJ>|<NOUN> company|factory|restaurant|hotel|bank] $", "an $2 $3",
            "單數可數名詞前面要加 a／an 或 the。",
            unless: {
                $0.has($1 + 1, [.determiner, .possessive, .number, .name, .plural]) || $0[$1 + 1].isCapitalized
                    || !Rule.startsWithVowelSound($0[$1 + 1].word) || $0[$1 + 1].word == "other"
            }),
        .phrase(
            "article.clothes", .grammar, "[a <ANYADJ>? clothes]", "some $2 clothes", "clothes 只有複數形，不加 a。",
            unless: { $0.has($1 + 2, .noun) && $0[$1 + 1].word == "clothes" }),
        .phrase(
            "article.hair", .grammar, "have|has|had [a long|short|black|curly|straight|brown|beautiful hair] <END>|and|with|but",
            "$3 $4", "頭髮（整體）不可數，不加 a。"),
        .phrase(
            "article.environment", .grammar, "protect|save|for|about|on [environment] <END>|is|and|because", "the environment",
            "「環境（自然環境）」要說 the environment。"),
        Rule("article.generic", .grammar, priority: 44, at: "like likes love loves hate hates", "泛指一類事物時，可數名詞用複數。") {
            sentence, index in
            guard sentence.has(index, .finite), let noun = bareNoun(sentence, index + 1, []), noun == index + 1,
                !["piano", "guitar", "home", "computer"].contains(sentence[noun].word), !sentence.has(noun, .person)
            else { return nil }
            return Match(noun..<noun + 1, Lexicon.standard.plural(sentence[noun].word))
        },
        Rule("article.missing-after-be", .grammar, priority: 46, at: "is was 's 'm am be", "單數可數名詞前面要有 a／an 之類的限定詞，有形容詞時也一樣。") {
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
            "article.extra-general", .grammar, "^ [the life] in|is", "life", "泛指「生活」時不加 the。", unless: { $0[$1 + 2].word == "is" }),
        .phrase("article.extra-general", .grammar, "like|love|enjoy|protect [the nature]", "nature", "泛指「大自然」時不加 the。"),
        .phrase(
            "article.missing-place", .grammar,
            "in|at [hotel|restaurant|company|factory|bookstore|cafe|apartment|village|bakery|bank] $",
            "a $2", "單數可數名詞前面要加 a／an 或 the。", unless: { Rule.startsWithVowelSound($0[$1 + 1].word) || $0[$1 + 1].isCapitalized }),
        .phrase(
            "article.missing-place", .grammar,

            """
            in|at [office|airport|station|park|library|gym|kitchen|supermarket|museum|zoo|beach|garden|bathroom|mall|\
            hospital|morning] $
            """,
            "the $2", "單數可數名詞前面要加 the 或 a／an。",
            unless: { $0[$1 + 1].isCapitalized || ["hospital", "morning"].contains($0[$1 + 1].word) }),
        Rule("article.missing-superlative", .grammar, priority: 58, "最高級前面要加 the。") { sentence, index in
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
            "article.missing-same", .grammar, "in|at|have|has|had|is|are|was|were|of|with|on|from [same]", "the same",
            "same 前面通常要加 the。", unless: { $0[$1 + 2].kind == .pause }),
        .phrase("article.missing-the-first", .grammar, "is|was|'s [first] time", "the first", "「第一次」的 first time 前要加 the 或 my。"),
        .phrase(
            "article.missing-day-part", .grammar, "in [morning|afternoon|evening] $", "the $2",
            "一天中的時段要說 in the morning、in the afternoon、in the evening。"),
        .phrase(
            "article.missing-world", .grammar, "in|on [world|internet|countryside|future]", "the $2",
            "world、internet、countryside 這類名詞前要加 the。", unless: { $0.has($1 + 2, [.noun]) }),
        .phrase(
            "article.missing-destination", .grammar,

            """
            go*|get*|drive*|walk*|come* to [beach|airport|park|supermarket|bathroom|gym|library|office|zoo|museum|\
            restaurant|hotel|toilet|bank|cinema|mall|store|station|doctor|countryside|mountain|movies|restroom|convenience|\
            department|night] $
            """,
            "the $3",
            "去某個地點時，地點名詞前要加 the。", unless: { $0[$1 + 2].isCapitalized }),
        .phrase(
            "article.missing-night-market", .grammar, "to|in|at [night market]", "the night market",
            "night market 是可數名詞，前面要加 the 或 a。"),
        .phrase(
            "article.missing-country", .grammar, "in|to|from [usa|us|uk|philippines|netherlands|u.s]", "the $2",
            "USA、UK、Philippines 等國名前要加 the。", unless: { !$0[$1 + 1].isCapitalized && $0[$1 + 1].word.count < 3 }),
        .phrase(
            "article.extra-sport", .grammar, "play* [the basketball|baseball|tennis|badminton|soccer|football|volleyball|golf]",
            "$3", "球類運動前不加 the。"),
        .phrase(
            "article.extra-meal", .grammar, "have|has|had|eat*|cook*|make* [a|the breakfast|lunch|dinner] $", "$3", "三餐名稱前通常不加冠詞。"),
        .phrase(
            "article.extra-place", .grammar, "in|to|from|visit*|leave* [the <PLACE>] <END>|last|when|because|and|for|with|next",
            "$3", "國名與城市名前通常不加 the。"),
        .phrase("article.extra-language", .grammar, "speak*|learn*|study* [the|a <LANG>] <END>", "$3", "語言名稱前不加冠詞。"),
    ]
}
