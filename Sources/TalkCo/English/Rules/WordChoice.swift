extension Rule {
    /// Pairs of words that Chinese does not distinguish.
    static let wordChoice: [Rule] = speaking + senses + feelings + exchange + workAndTravel

    private static let speaking: [Rule] = [
        .phrase(
            "word.speak-language", .vocabulary, "[say*|talk*] <NUM>|many|a|some|different|foreign? foreign? language|languages",
            "speak@1", "「說某種語言」用 speak。"),
        .phrase(
            "word.speak-language", .vocabulary, "[say*|talk*|tell*] <LANG> <END>|<PREP>|<ADV>|very|well|but|and|because|when",
            "speak@1", "「說某種語言」用 speak。",
            unless: { $0[$1].word == "said" && $0[$1 + 1].isCapitalized && $0[$1 + 2].word == "is" }),
        .phrase(
            "word.tell-person", .vocabulary, "[say*] me|him|us|them that|the|about|to|a|how|what|where|why|i|he|she|his|her|my|it",
            "tell@1", "「告訴某人」用 tell + 人；say 後面不直接接人。"),
        .phrase("word.tell-person", .vocabulary, "[say*] her that|about|the|a", "tell@1", "「告訴某人」用 tell + 人；say 後面不直接接人。"),
        .phrase(
            "word.tell-story", .vocabulary,
            "[say*|speak*|talk*] a|the|me|some|lies? story|stories|joke|jokes|lie|lies|truth|secret", "tell@1",
            "「講故事、說笑話、說謊、說實話」用 tell。"),
        .phrase("word.tell-story", .vocabulary, "[say*|speak*] lies|jokes|stories", "tell@1", "「講故事、說笑話、說謊」用 tell。"),
        .phrase(
            "word.say-that", .vocabulary, "he|she|they|i|we|people [told] that", "said", "tell 後面要有「告訴誰」；沒有對象時用 say。",
            unless: { $0.has($1 + 3, [.singular, .noun]) && $0.endsPhrase($1 + 4) }),
        .phrase("word.say-hello", .vocabulary, "[tell*|speak*] hello|hi|goodbye|sorry|yes|no to", "say@1", "「打招呼、道歉」用 say。"),
        .phrase(
            "word.teach-tell", .vocabulary,
            "[teach*] me|him|us|them your|the|his|my way|address|phone|number|name|time|news|answer|reason", "tell@1",
            "「告訴」用 tell；teach 是教學。"),
        .phrase(
            "word.learn-teach", .vocabulary, "[learn*] me|him|her|us|them <NOUN>|<LANG>|some|many|how|to|a|the|about", "teach@1",
            "「教」用 teach，「學」才用 learn。"),
        .phrase("word.ask-question", .vocabulary, "[say*|speak*|tell*] a|some|many question|questions", "ask@1", "「問問題」用 ask。"),
        .phrase(
            "word.discuss-talk", .vocabulary, "[discuss*] with me|him|her|them|you|my <END>", "talk@1",
            "discuss 後面要有討論的事；只說「跟某人聊」用 talk with。", unless: { $0[$1 + 2].word == "my" }),
        .phrase("word.chat", .vocabulary, "[speak* with my friends about]", "talk@1 with my friends about", "聊天用 talk。"),
    ]

    private static let adjectives = [
        "convenience": "convenient", "happiness": "happy", "difficulty": "difficult", "health": "healthy", "danger": "dangerous",
        "success": "successful", "beauty": "beautiful",
        "importance": "important", "confidence": "confident", "patience": "patient", "luck": "lucky", "wind": "windy",
        "noise": "noisy", "comfort": "comfortable", "crowd": "crowded", "strength": "strong",
    ]

    private static let senses: [Rule] = [
        .phrase(
            "word.confidence", .vocabulary, "have|has|had no|more|a|enough? lot? of? [confident] <END>|that|in|to|about|i",
            "confidence", "「有信心」是 have confidence 或 be confident。"),
        .phrase(
            "word.look-like", .grammar,
            "look|looks|looked|sound|sounds|sounded|feel|feels|felt|seem|seems|smells|tastes [like very|so|really|too] <ADJ> <END>|and|but|because|today",
            "$3", "look、sound、feel 後面直接接形容詞；like 後面接名詞。"),
        Rule("word.adjective-after-be", .grammar, priority: 61, at: "am is are was were 'm 're be", "be 動詞後面接形容詞，不接副詞。") {
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
        .phrase(
            "word.tastes-good", .grammar, "taste|tastes|tasted|smell|smells|smelled very|so|really|not? [well] <END>|and|but",
            "good", "taste、smell 後面接形容詞，不接副詞。"),
        Rule("word.adjective", .vocabulary, priority: 61, at: adjectives.keys.joined(separator: " "), "這裡要用形容詞，不用名詞。") {
            sentence, index in
            guard ["very", "too", "so"].contains(sentence[index - 1].word),
                sentence[index - 1].word != "so" || sentence.has(index - 2, .be) || sentence[index - 2].word == "'s"
            else { return nil }
            return adjectives[sentence[index].word].map { Match(index..<index + 1, $0) }
        },
        .phrase(
            "word.well", .grammar,
            "sing*|dance*|cook*|swim*|drive*|play*|speak* <NOUN>|<LANG>? very|so|really? [good] <END>|and|but|because", "well",
            "修飾動詞用副詞 well，不用 good。", unless: { $0.has($1, .noun) && $0.has($1 - 1, [.determiner, .possessive]) }),
        .phrase(
            "word.weather-good", .vocabulary, "weather today|here|there? <BE> very|so|really? [well]", "good", "形容天氣好用 good 或 nice。"
        ),
        .phrase(
            "word.watch-tv", .vocabulary, "[see*|look*] the? tv|television|youtube|netflix|cartoons|anime|dramas|videos|drama",
            "watch@1 $2", "「看電視、看影片」用 watch。", unless: { $0[$1].word == "saw" || $0[$1].word == "see" && $0[$1 + 1].word == "the" }),
        .phrase(
            "word.watch-movie", .vocabulary, "[look*] a|the|movies|movie|some|this movie|film|game|drama|show", "watch@1",
            "「看電影」用 watch 或 see。"),
        .phrase("word.watch-movie", .vocabulary, "[look*] movies|movie|films", "watch@1", "「看電影」用 watch 或 see。"),
        .phrase(
            "word.read", .vocabulary, "[see*|look*|watch*] books|newspapers|novels|comics|newspaper|magazines|book|comic", "read@1",
            "「看書、看報」用 read。", unless: { $0[$1].word == "saw" || $0.has($1 + 2, .noun) }),
        .phrase(
            "word.read", .vocabulary, "[watch*|look*] a|the|my|this book|newspaper|magazine|novel|article", "read@1",
            "「看書、看報」用 read。"),
        .phrase(
            "word.listen", .vocabulary,
            "like|love|enjoy|always|often|usually|sometimes|want|i|and|never to? [hear] music|songs|podcasts|radio", "listen to",
            "「聽音樂」是主動去聽，用 listen to。"),
        .phrase(
            "word.listen", .vocabulary, "[hear*] music|podcasts|songs when|while|on|at|in|every|before|after|and|to|<END>",
            "listen@1 to", "「聽音樂」是主動去聽，用 listen to。",
            unless: { s, i in
                s.contains(max(0, i - 3)..<i) {
                    ["can", "could", "can't", "couldn't", "i", "suddenly"].contains($0.word) && $0.word != "i"
                } || s[i].word == "heard"
            }),
        .phrase(
            "word.look-see", .vocabulary, "[looked] a|an|my|many|some <NOUN>", "saw", "「看到」用 see；look 是刻意看，要說 look at。",
            unless: { ["little", "bit", "lot"].contains($0[$1 + 2].word) || $0.has($1 - 1, [.noun]) && !$0.has($1 - 1, .person) }),
        .phrase("word.watch-person", .vocabulary, "nice|glad|happy to [watch|look] you", "see", "「見到你」用 see 或 meet。"),
        .phrase("word.see-doctor", .vocabulary, "[look*|watch*] a|the doctor|dentist", "see@1", "「看醫生」用 see a doctor。"),
        .phrase(
            "word.find-look", .vocabulary,

            """
            am|is|are|'m|was|'s|'re [finding] a|my|an|the <ADJ>? job|house|apartment|key|keys|phone|wallet|girlfriend|\
            boyfriend|restaurant|place
            """,
            "looking for", "「正在找」用 look for；find 是「找到」。"),
        .phrase(
            "word.desert", .vocabulary,
            "eat*|for|order*|sweet|have|had|favorite|some|the|a|this [desert|deserts] <END>|is|was|after|and|with", "dessert",
            "「甜點」是 dessert；desert 是沙漠。",
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
            "word.feeling-ed", .grammar, priority: 62, at: boring.keys.joined(separator: " "),
            "人的感受用 -ed（I am bored）；-ing 形容引起感受的事物。"
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
            "word.feeling-ing", .grammar, priority: 62, at: bored.keys.joined(separator: " "),
            "形容事物用 -ing（The movie is boring）；-ed 形容人的感受。"
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
            "word.fun", .vocabulary,
            "[funny] time|trip|vacation|weekend|game|activity|activities|sport|party|concert|holiday|place|places|class|thing to?",
            "fun", "「好玩」是 fun；funny 是「好笑」。", unless: { s, i in s[i + 1].word == "thing" }),
        .phrase(
            "word.fun", .vocabulary, "[funny] to play|travel|swim|go|ride|visit|learn|hang|dance|shop|do|be|sing|ski|surf", "fun",
            "「好玩」是 fun；funny 是「好笑」。"),
        .phrase(
            "word.fun", .vocabulary, "have|had|having|lot|much|of [funny] <END>|with|in|at|there|yesterday|together", "fun",
            "「玩得開心」是 have fun。"),
        .phrase(
            "word.funny", .vocabulary,

            """
            he|she|joke|comedian|boss|teacher|friend 's|is|was|are very|so|really|always? [fun] <PERSON>|and|because <VERB>|\
            makes|he|she|always
            """,
            "funny", "「好笑、幽默」是 funny。", unless: { !["because"].contains($0[$1 + 4].word) }),
        .phrase("word.fan", .vocabulary, "a|big|huge [fun] of", "fan", "「粉絲」是 fan。"),
    ]

    private static let exchange: [Rule] = [
        .phrase("word.relieve", .vocabulary, "[release*] my|the|your? pressure|stress", "relieve@1", "「紓解壓力」是 relieve stress。"),
        .phrase(
            "word.borrow-from", .vocabulary, "[borrow you <DET>|some <NOUN>]", "borrow $3 $4 from you", "「向你借」是 borrow … from you。"),
        .phrase(
            "word.lend", .vocabulary, "[borrow*] me|him|us|them <DET>|<POSS>|some|money|it|<NUM>|<NOUN>", "lend@1",
            "「借給別人」用 lend；borrow 是「向別人借」。"),
        .phrase(
            "word.lend", .vocabulary, "[borrow*] my|her|your|the|some|a <NOUN> to", "lend@1", "「借給別人」用 lend；borrow 是「向別人借」。",
            unless: { !$0.has($1 + 4, [.object, .possessive, .person, .name]) }),
        .phrase(
            "word.borrow", .vocabulary, "[lend*] <DET>|some|money|books|a <NOUN>? from", "borrow@1", "「向別人借」用 borrow；lend 是「借給別人」。"),
        .phrase(
            "word.borrow", .vocabulary, "can|may|could i|we [lend] your|some|a|the|this|that|money", "borrow",
            "「向別人借」用 borrow；lend 是「借給別人」。"),
        .phrase(
            "word.steal", .vocabulary,

            """
            [rob*] my|his|her|the|a|our wallet|phone|money|bike|bag|car|scooter|purse|passport|watch|laptop|bicycle|\
            computer|necklace|umbrella
            """,
            "steal@1", "「偷東西」用 steal；rob 的受詞是人或銀行。"),
        .phrase(
            "word.stolen", .vocabulary, "wallet|phone|money|bike|bag|car|scooter|purse|passport <BE> [robbed]", "stolen",
            "東西「被偷」用 stolen；人「被搶」才用 robbed。"),
        .phrase(
            "word.bring-here", .vocabulary, "[take*] it|them|him|her|me|your|you|some? <NOUN>? <NOUN>? here", "bring@1",
            "「帶來」用 bring，「帶走」才用 take。",
            unless: { s, i in
                !(i + 2..<i + 5).contains { s[$0].word == "here" } || s.has(i, .participle) && s.has(i - 1, .be)
                    || s[i + 1].word == "it" && s[i - 1].word == "'ll"
            }),
        .phrase("word.remind", .vocabulary, "[remember*] me|him|us|them to <VERB>", "remind@1", "「提醒」用 remind；remember 是「記得」。"),
        .phrase(
            "word.miss", .vocabulary,

            """
            [lose*] the|my|a bus|train|flight|class|plane|mrt|deadline|chance|opportunity <END>|<PREP>|<ADV>|this|last|so|\
            because|and|yesterday|to|today|again
            """,
            "miss@1", "「沒趕上、錯過」用 miss；lose 是「弄丟、輸掉」。"),
        .phrase(
            "word.forget-leave", .vocabulary,
            "[forget*] my|the|his|her phone|wallet|umbrella|bag|key|keys|book|homework|passport|lunch|laptop at|in|on", "leave@1",
            "「忘在某處」用 leave；forget 後面不接地點。"),
        .phrase(
            "word.know-friends", .vocabulary,
            "[know*] new|many|more|foreign new|more|foreign? friends|people <END>|<PREP>|from|there|when|and",
            "make@1", "「認識新朋友」是 make friends 或 meet people。",
            unless: { sentence, index in
                !(index + 1..<index + 3).contains { ["new", "foreign"].contains(sentence[$0].word) }
                    || sentence[index + 2].word == "people"
            }),
        .phrase("word.know-friends", .vocabulary, "[know*] new people", "meet@1", "「認識新的人」用 meet。"),
        .phrase(
            "word.know-meet", .vocabulary,
            "[knew|know] my|her|him|his|each|our wife|husband|girlfriend|boyfriend|other|best in|at|when|on|through|two|three|last",
            "met", "「認識（第一次見面）」用 meet；know 是「認得、知道」。"),
        .phrase(
            "word.spend-money", .vocabulary, "i|we|he|she|they [cost|costs|costed] <NUM>|a|lot|too|so|much|hours", "spent",
            "人花錢、花時間用 spend；cost 的主詞是事物。",
            unless: { $0[$1].word == "they" && !$0[$1 + 2].tags.has([.number]) || $0[$1].word == "they" }),
        .phrase(
            "word.take-time", .vocabulary,
            "[spend*|cost*] me|him|us|them|her about? <NUM>|a|an|lot|some? of? hours|hour|minutes|days|time|day|week|weeks|months",
            "take@1", "事情「花某人時間」用 It takes…"),
        .phrase(
            "word.spend-on", .vocabulary, "it [spends|spent|spend] <NUM>|a|about", "takes", "事情「花時間」用 It takes…",
            unless: { $0[$1 + 1].word == "spent" }),
        .phrase(
            "word.spend-on", .vocabulary, "it [spent] <NUM>|a|about hours|hour|minutes|lot|two|three|days", "took",
            "事情「花時間」用 It took…"),
    ]

    private static let countryAdjectives = [
        "taiwan": "Taiwanese", "japan": "Japanese", "korea": "Korean", "china": "Chinese", "america": "American",
        "thailand": "Thai", "italy": "Italian", "france": "French", "vietnam": "Vietnamese", "germany": "German",
    ]

    private static let workAndTravel: [Rule] = [
        Rule(
            "word.country-adjective", .vocabulary, at: countryAdjectives.keys.joined(separator: " "),
            "「…國的」用形容詞，例如 Taiwanese food、Japanese culture。"
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
            "word.job", .vocabulary,
            "find*|look*|change*|get*|want*|quit*|lose*|have|has|had|need*|for [a|my|new|an? <ANYADJ>? work] !<NOUN>",
            "「一份工作」是 a job；work 不可數。"
        ) { sentence, index, tokens in
            // "have a lot of work", "have my work"
            let isOwn = sentence[tokens.lowerBound].word == "my"
            guard tokens.count > 1, !isOwn || ["change", "quit", "lose"].contains(sentence[index].entry.verb) else { return nil }
            return sentence.text(tokens.dropLast()) + " job"
        },
        .phrase(
            "word.travel-noun", .vocabulary,
            "[a|my|your|the|his|our|this|good|nice|great|wonderful|last travel] <END>|to|in|was|is|with|last|next|and|for",
            "$1 trip", "「一趟旅行」是 trip；travel 通常當動詞。"),
        .phrase(
            "word.travel-noun", .vocabulary, "a good|nice|great|wonderful|long|short|amazing [travel]", "trip",
            "「一趟旅行」是 trip；travel 通常當動詞。", priority: 61, unless: { $0.has($1 + 3, .noun) }),
        .phrase("word.travel-verb", .vocabulary, "to|will|can [trip] to <PLACE>", "travel", "「去旅行」的動詞是 travel。"),
        .phrase(
            "word.travel-verb", .vocabulary, "go*|went [to travel|trip] <END>|to|in|with|every|last|next|abroad|together|by|when",
            "traveling", "「去旅行」是 go traveling 或 travel。", unless: { $0[$1 + 2].word == "trip" && $0.has($1 + 3, .noun) }),
        .phrase(
            "word.play-friends", .naturalness,

            """
            [play*] with my|his|her|our|their friend|friends|colleague|colleagues|coworker|coworkers|classmate|classmates|\
            girlfriend|boyfriend|roommate
            """,
            "hang@1 out", "大人「和朋友出去玩」是 hang out；play 用在小孩、運動和遊戲。",
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
            "word.play-friends", .naturalness,
            "i|we|want|go|to|will|and [play] with friends|you|them <END>|at|in|on|every|this|tomorrow|tonight|and", "hang out",
            "大人「和朋友出去玩」是 hang out；play 用在小孩、運動和遊戲。",
            unless: { s, i in
                s.contains(0..<s.count) {
                    ["child", "kid", "kids", "little", "young", "children", "son", "daughter", "game", "games", "school"].contains(
                        $0.word)
                }
            }),
        .phrase(
            "word.play-go", .naturalness, "go*|went|come|came to <PLACE> to? [play|playing] <END>|with|in|for|next|last|together",
            "have fun", "大人「去玩」不用 play，可說 visit 或 have fun。", unless: { $0[$1 + 4].word == "playing" }),
        .phrase(
            "word.computer", .vocabulary,
            "[play*] the|my computer|phone|cellphone|smartphone <END>|<PREP>|<ADV>|every|all|too|when|and|with|before|so", "use@1",
            "「用電腦、滑手機」用 use；play 後面接遊戲。"),
        .phrase(
            "word.computer", .vocabulary,
            "[play* computer|phone|cellphone|smartphone] <END>|<PREP>|<ADV>|every|all|too|when|and|with|before|so", "use@1 the $2",
            "「用電腦、滑手機」用 use；play 後面接遊戲。"),
        .phrase(
            "word.sport", .vocabulary, "[play*] yoga|exercise|exercises|gymnastics|karate|taekwondo|homework", "do@1",
            "yoga、exercise 這類運動用 do。"),
        .phrase(
            "word.sport", .vocabulary, "[play*] swimming|hiking|jogging|running|skiing|surfing|skating|camping|shopping|climbing",
            "go@1", "swimming、hiking 這類活動用 go。"),
        .phrase(
            "word.ride", .vocabulary, "[drive*] a|my|the|his|her motorcycle|bike|bicycle|scooter|motorbike", "ride@1",
            "騎機車、腳踏車用 ride。"),
        .phrase("word.ride", .vocabulary, "[drive*] motorcycle|bike|bicycle|scooter|motorbike", "ride@1 a", "騎機車、腳踏車用 ride。"),
        .phrase("word.drive", .vocabulary, "[ride*] a|my|the|his car|truck", "drive@1", "開車用 drive。"),
        .phrase(
            "word.take-bus", .vocabulary, "[sit*] the|a|by|on? bus|train|mrt|taxi|plane to|home|and|<END>|every", "take@1",
            "「搭車」用 take。",
            unless: { ["on", "by"].contains($0[$1 + 1].word) && $0[$1 + 2].word != "bus" || $0[$1 + 1].word == "on" }),
        .phrase(
            "word.take-bus", .vocabulary, "[sit*|take* bus|mrt|train|taxi|subway|metro]", "take@1 the $2", "「搭車」用 take the bus。",
            unless: { $0.has($1 + 2, .noun) }),
        .phrase(
            "word.take-exam", .vocabulary,

            """
            [join*|attend*|participate*|participated in? the|a|an|my? <ANYADJ>|<NAME>|<NOUN>? exam|test|toeic|ielts|toefl|\
            examination]
            """,
            "「參加考試」用 take。"
        ) { sentence, _, tokens in
            let verb = sentence[tokens.lowerBound]
            let isParticipation = sentence[tokens.lowerBound + 1].word == "in"
            return Lexicon.standard.inflect("take", like: verb) + " " + sentence.text(tokens.dropFirst(isParticipation ? 2 : 1))
        },
        .phrase(
            "word.my-job-is", .naturalness, "[my job is] a|an <ANYADJ>|<NOUN>? <PERSON>", "I am",
            "介紹職業時說 I am a teacher，不說 My job is a teacher。"),
        .phrase("word.my-job-is", .naturalness, "[my work is] a|an <ANYADJ>|<NOUN>? <PERSON>", "I am", "介紹職業時說 I am a teacher。"),
    ]
}
