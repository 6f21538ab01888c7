extension Rule {
    /// Pairs of words that Chinese does not distinguish.
    static let wordChoice: [Rule] = speaking + senses + feelings + exchange + workAndTravel

    private static let speaking: [Rule] = [
        .phrase(
            "word.speak-language", "[say*|talk*|tell*] <LANG> <END>|<PREP>|<ADV>|very|well|but|and|because|when",
            "speak@1",
            unless: { $0[$1].word == "said" && $0[$1 + 1].isCapitalized && $0[$1 + 2].word == "is" }),
        .phrase(
            "word.say-that", "he|she|they|i|we|people [told] that", "said",
            unless: { $0.has($1 + 3, [.singular, .noun]) && $0.endsPhrase($1 + 4) }),
        .phrase(
            "word.discuss-talk", "[discuss*] with me|him|her|them|you|my <END>", "talk@1", unless: { $0[$1 + 2].word == "my" }),
    ]

    private static let adjectives = [
        "convenience": "convenient", "happiness": "happy", "difficulty": "difficult", "health": "healthy", "danger": "dangerous",
        "success": "successful", "beauty": "beautiful",
        "importance": "important", "confidence": "confident", "patience": "patient", "luck": "lucky", "wind": "windy",
        "noise": "noisy", "comfort": "comfortable", "crowd": "crowded", "strength": "strong",
    ]

    private static let senses: [Rule] = [
        Rule("word.adjective-after-be", priority: 61, at: "am is are was were 'm 're be") {
            sentence, index in
            guard ["very", "so", "too"].contains(sentence[index + 1].word) else { return nil }
            let word = sentence[index + 2].word
            let adjective = word.hasSuffix("ily") ? word.dropLast(3) + "y" : String(word.dropLast(2))
            guard word.hasSuffix("ly"), sentence.has(index + 2, .adverb), !sentence[index + 2].entry.tags.has(.adjective),
                Lexicon.standard.entries[adjective]?.tags.has(.adjective) == true,
                sentence[index + 3].kind != .word || ["and", "but", "because", "to"].contains(sentence[index + 3].word)
            else { return nil }
            return Match(index + 2..<index + 3, adjective)
        },
        Rule("word.adjective", priority: 61, at: adjectives.keys.joined(separator: " ")) {
            sentence, index in
            guard ["very", "too", "so"].contains(sentence[index - 1].word),
                sentence[index - 1].word != "so" || sentence.has(index - 2, .be) || sentence[index - 2].word == "'s"
            else { return nil }
            return adjectives[sentence[index].word].map { Match(index..<index + 1, $0) }
        },
        .phrase(
            "word.well",
            "sing*|dance*|cook*|swim*|drive*|play*|speak* <NOUN>|<LANG>? very|so|really? [good] <END>|and|but|because", "well",
            unless: { $0.has($1, .noun) && $0.has($1 - 1, [.determiner, .possessive]) }),
        .phrase(
            "word.watch-tv", "[see*|look*] the? tv|television|youtube|netflix|cartoons|anime|dramas|videos|drama",
            "watch@1 $2", unless: { $0[$1].word == "saw" || $0[$1].word == "see" && $0[$1 + 1].word == "the" }),
        .phrase(
            "word.read", "[see*|look*|watch*] books|newspapers|novels|comics|newspaper|magazines|book|comic", "read@1",
            unless: { $0[$1].word == "saw" || $0.has($1 + 2, .noun) }),
        .phrase(
            "word.listen", "[hear*] music|podcasts|songs when|while|on|at|in|every|before|after|and|to|<END>",
            "listen@1 to",
            unless: { s, i in
                s.contains(max(0, i - 3)..<i) {
                    ["can", "could", "can't", "couldn't", "i", "suddenly"].contains($0.word) && $0.word != "i"
                } || s[i].word == "heard"
            }),
        .phrase(
            "word.look-see", "[looked] a|an|my|many|some <NOUN>", "saw",
            unless: { ["little", "bit", "lot"].contains($0[$1 + 2].word) || $0.has($1 - 1, [.noun]) && !$0.has($1 - 1, .person) }),
        .phrase(
            "word.desert",
            "eat*|for|order*|sweet|have|had|favorite|some|the|a|this [desert|deserts] <END>|is|was|after|and|with", "dessert",
            unless: { s, i in
                !s.contains(0..<s.count) {
                    [
                        "eat", "ate", "order", "ordered", "sweet", "dinner", "delicious", "restaurant", "chocolate", "cake",
                        "lunch", "meal",
                    ].contains($0.word)
                }
            }),
    ]

    private static let boring = [
        "boring": "bored", "interesting": "interested", "exciting": "excited", "confusing": "confused", "tiring": "tired",
        "surprising": "surprised", "shocking": "shocked",
        "disappointing": "disappointed", "embarrassing": "embarrassed", "frightening": "frightened", "satisfying": "satisfied",
        "frustrating": "frustrated", "depressing": "depressed", "relaxing": "relaxed",
        "annoying": "annoyed", "stressful": "stressed",
    ]
    private static let bored = Dictionary(uniqueKeysWithValues: boring.map { ($1, $0) })
    private static let things = Set(

        """
        movie film book game class job news trip story weather party work concert show music place city lesson meeting \
        travel homework result plan food drama topic lecture video sport match life ending exam test novel article \
        speech
        """
        .words)

    private static let feelings: [Rule] = [
        Rule(
            "word.feeling-ed", priority: 62, at: boring.keys.joined(separator: " ")
        ) { sentence, index in
            guard let form = boring[sentence[index].word] else { return nil }
            var before = index - 1
            while ["very", "so", "really", "not", "too", "quite", "always", "a", "bit", "little", "pretty", "also", "often", "get"]
                .contains(sentence[before].word)
            { before -= 1 }
            let verb = sentence[before]
            let isFeel = verb.entry.verb == "feel" && verb.word != "feeling"
            let isBe = verb.tags.has(.be) || verb.word == "'s"
            let subject = sentence[before - 1].word
            guard !sentence.has(index + 1, .noun) || sentence[index + 1].word == "in" else { return nil }
            if isFeel,
                ["i", "we", "he", "she", "they", "you"].contains(subject) || sentence.has(before - 1, [.person, .modal, .adverb])
                    || subject == "to" || subject == "don't" || subject == "didn't" || subject == "always"
            {
                return Match(index..<index + 1, form)
            }
            if verb.entry.verb == "make" || verb.entry.verb == "get",
                ["me", "us", "him", "them"].contains(sentence[before + 1].word)
            {
                return Match(index..<index + 1, form)
            }
            if ["me", "us", "him"].contains(verb.word), ["make", "made", "makes", "making"].contains(sentence[before - 1].word) {
                return Match(index..<index + 1, form)
            }
            guard isBe else { return nil }
            if subject == "i" || subject == "we" && sentence[index].word != "boring" {
                return sentence.has(index + 1, .noun) ? nil : Match(index..<index + 1, form)
            }
            if sentence[index].word == "interesting" || sentence[index].word == "exciting",
                ["he", "she", "they", "you"].contains(subject) || sentence.has(before - 1, .person),
                ["in", "about"].contains(sentence[index + 1].word)
            {
                return Match(index..<index + 1, form)
            }
            return nil
        },
        Rule(
            "word.feeling-ing", priority: 62, at: bored.keys.joined(separator: " ")
        ) { sentence, index in
            guard let form = bored[sentence[index].word], sentence[index].word != "relaxed" else { return nil }
            if sentence.has(index - 1, [.determiner, .degree]), things.contains(sentence[index + 1].word),
                sentence.endsPhrase(index + 2) || sentence.has(index + 2, .be),
                sentence.has(index - 1, .determiner) || sentence.has(index - 2, .determiner)
            {
                return Match(index..<index + 1, form)
            }
            var before = index - 1
            while sentence.has(before, .degree) || ["not", "a", "bit", "little", "more"].contains(sentence[before].word) {
                before -= 1
            }
            guard
                sentence.has(before, .be) || sentence[before].word == "'s"
                    || ["looks", "sounds", "seems", "look", "sound"].contains(sentence[before].word),
                sentence[index + 1].word != "by", sentence[index + 1].word != "with"
            else { return nil }
            let subject = sentence[before - 1]
            guard
                things.contains(subject.word)
                    || subject.word == "it" && sentence[index].word != "interested"
                        && !["surprised", "annoyed", "frightened", "stressed", "depressed", "shocked", "embarrassed", "satisfied"]
                            .contains(sentence[index].word)
                        && sentence[index + 1].kind != .word && sentence.startsClause(before - 1)
            else { return nil }
            return Match(index..<index + 1, form)
        },
        .phrase(
            "word.fun",
            "[funny] time|trip|vacation|weekend|game|activity|activities|sport|party|concert|holiday|place|places|class|thing to?",
            "fun", unless: { s, i in s[i + 1].word == "thing" }),
        .phrase(
            "word.funny",

            """
            he|she|joke|comedian|boss|teacher|friend 's|is|was|are very|so|really|always? [fun] <PERSON>|and|because <VERB>|\
            makes|he|she|always
            """,
            "funny", unless: { !["because"].contains($0[$1 + 4].word) }),
    ]

    private static let exchange: [Rule] = [
        .phrase(
            "word.lend", "[borrow*] my|her|your|the|some|a <NOUN> to", "lend@1",
            unless: { !$0.has($1 + 4, [.object, .possessive, .person, .name]) }),
        .phrase(
            "word.bring-here", "[take*] it|them|him|her|me|your|you|some? <NOUN>? <NOUN>? here", "bring@1",
            unless: { s, i in
                !(i + 2..<i + 5).contains { s[$0].word == "here" } || s.has(i, .participle) && s.has(i - 1, .be)
                    || s[i + 1].word == "it" && s[i - 1].word == "'ll"
            }),
        .phrase(
            "word.know-friends",
            "[know*] new|many|more|foreign new|more|foreign? friends|people <END>|<PREP>|from|there|when|and",
            "make@1",
            unless: { sentence, index in
                !(index + 1..<index + 3).contains { ["new", "foreign"].contains(sentence[$0].word) }
                    || sentence[index + 2].word == "people"
            }),
        .phrase(
            "word.spend-money", "i|we|he|she|they [cost|costs|costed] <NUM>|a|lot|too|so|much|hours", "spent",
            unless: { $0[$1].word == "they" && !$0[$1 + 2].tags.has([.number]) || $0[$1].word == "they" }),
        .phrase(
            "word.spend-on", "it [spends|spent|spend] <NUM>|a|about", "takes",
            unless: { $0[$1 + 1].word == "spent" }),
    ]

    private static let countryAdjectives = [
        "taiwan": "Taiwanese", "japan": "Japanese", "korea": "Korean", "china": "Chinese", "america": "American",
        "thailand": "Thai", "italy": "Italian", "france": "French", "vietnam": "Vietnamese", "germany": "German",
    ]

    private static let workAndTravel: [Rule] = [
        Rule(
            "word.country-adjective", at: countryAdjectives.keys.joined(separator: " ")
        ) { sentence, index in
            let nouns: Set = [
                "food", "people", "society", "culture", "movie", "movies", "drama", "dramas", "music", "restaurant", "restaurants",
                "company", "companies", "girl", "girls", "friend", "friends", "students", "tourists", "singer", "beer",
                "government", "language",
            ]
            guard nouns.contains(sentence[index + 1].word) else { return nil }
            return countryAdjectives[sentence[index].word].map { Match(index..<index + 1, $0) }
        },
        .phrase(
            "word.job",
            "find*|look*|change*|get*|want*|quit*|lose*|have|has|had|need*|for [a|my|new|an? <ANYADJ>? work] !<NOUN>"
        ) { sentence, index, tokens in
            // "have a lot of work", "have my work"
            let isOwn = sentence[tokens.lowerBound].word == "my"
            guard tokens.count > 1, !isOwn || ["change", "quit", "lose"].contains(sentence[index].entry.verb) else { return nil }
            return sentence.text(tokens.dropLast()) + " job"
        },
        .phrase(
            "word.travel-noun", "a good|nice|great|wonderful|long|short|amazing [travel]", "trip", priority: 61,
            unless: { $0.has($1 + 3, .noun) }),
        .phrase(
            "word.travel-verb", "go*|went [to travel|trip] <END>|to|in|with|every|last|next|abroad|together|by|when",
            "traveling", unless: { $0[$1 + 2].word == "trip" && $0.has($1 + 3, .noun) }),
        .phrase(
            "word.play-friends",

            """
            [play*] with my|his|her|our|their friend|friends|colleague|colleagues|coworker|coworkers|classmate|classmates|\
            girlfriend|boyfriend|roommate
            """,
            "hang@1 out",
            unless: { s, i in
                s.contains(0..<s.count) {
                    [
                        "child", "kid", "kids", "little", "young", "children", "son", "daughter", "school", "childhood", "games",
                        "game", "sports", "games", "game", "sports",
                    ].contains(
                        $0.word)
                }
            }),
        .phrase(
            "word.play-friends",
            "i|we|want|go|to|will|and [play] with friends|you|them <END>|at|in|on|every|this|tomorrow|tonight|and", "hang out",
            unless: { s, i in
                s.contains(0..<s.count) {
                    ["child", "kid", "kids", "little", "young", "children", "son", "daughter", "game", "games", "school"].contains(
                        $0.word)
                }
            }),
        .phrase(
            "word.play-go", "go*|went|come|came to <PLACE> to? [play|playing] <END>|with|in|for|next|last|together",
            "have fun", unless: { $0[$1 + 4].word == "playing" }),
        .phrase(
            "word.take-bus", "[sit*] the|a|by|on? bus|train|mrt|taxi|plane to|home|and|<END>|every", "take@1",
            unless: { ["on", "by"].contains($0[$1 + 1].word) && $0[$1 + 2].word != "bus" || $0[$1 + 1].word == "on" }),
        .phrase(
            "word.take-bus", "[sit*|take* bus|mrt|train|taxi|subway|metro]", "take@1 the $2",
            unless: { $0.has($1 + 2, .noun) }),
        .phrase(
            "word.take-exam",

            """
            [join*|attend*|participate*|participated in? the|a|an|my? <ANYADJ>|<NAME>|<NOUN>? exam|test|toeic|ielts|toefl|\
            examination]
            """
        ) { sentence, _, tokens in
            let verb = sentence[tokens.lowerBound]
            let isParticipation = sentence[tokens.lowerBound + 1].word == "in"
            return Lexicon.standard.inflect("take", like: verb) + " " + sentence.text(tokens.dropFirst(isParticipation ? 2 : 1))
        },
    ]
}
