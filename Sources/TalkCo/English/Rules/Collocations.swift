extension Rule {
    /// Verbs and adjectives that go together with a noun.
    static let collocations: [Rule] = switches + doAndMake + amounts + various

    private static let switches: [Rule] = [
        .phrase(
            "collocation.turn-on", .vocabulary,

            """
            [open*] the|my|a? light|lights|tv|television|air|ac|computer|lamp|fan|heater|music|radio|phone|conditioner|\
            aircon|laptop
            """,
            "turn@1 on", "開燈、開電器用 turn on；open 用在門、窗、書等。",
            unless: { s, i in
                s.has(i, .adjective) && !s.has(i, .verb)
                    || s[i + 2].word == "air" && s[i + 3].word != "conditioner" && s[i + 3].word != "conditioning"
                    || s[i + 1].word == "air" && s[i + 2].word != "conditioner" || s[i + 1].word == "a"
            }),
        .phrase(
            "collocation.turn-off", .vocabulary,
            "[close*|shut*] the|my|a? light|lights|tv|television|air|ac|lamp|fan|heater|music|radio|phone|conditioner|aircon",
            "turn@1 off", "關燈、關電器用 turn off；close 用在門、窗、書等。",
            unless: { s, i in s[i + 2].word == "air" && s[i + 3].word != "conditioner" || s[i + 1].word == "a" }),
        .phrase(
            "collocation.turn-volume", .vocabulary, "[open* the? sound|volume]", "turn@1 up the volume", "調大音量是 turn up the volume。"
        ),
        .phrase(
            "collocation.take-off", .vocabulary, "[open*|put off] my|your|the shoes|coat|jacket", "take@1 off", "「脫」用 take off。",
            unless: { $0[$1].word != "put" }),
        .phrase(
            "collocation.hold-party", .vocabulary, "[open*|make*] a|the|an party|meeting", "have@1", "「開派對、開會」用 have。",
            unless: { $0.has($1, .adjective) && !$0.has($1, .verb) }),
    ]

    private static let doAndMake: [Rule] = [
        .phrase(
            "collocation.make", .vocabulary,

            """
            [do*] a|an|the|some|my|many|any|lots|no? big|wrong|good|hard|final|new|of? mistake|mistakes|decision|decisions|\
            phone-call|friends|money|progress|effort|noise|promise|reservation|appointment|choice|suggestion|wish|excuse|\
            cake|coffee|speech
            """,
            "make@1", "mistake、decision、friend、money、progress 等用 make。",
            unless: { s, i in
                s[i].entry.tags.has(.auxiliaryDo) && (s.startsClause(i) || s.has(i - 1, .question))
                    || s.isWord(i, ["done"]) && s.has(i - 1, .be) && s[i + 1].kind != .word
            }),
        .phrase(
            "collocation.do", .vocabulary,

            """
            [make*] a|the|my|your|some|his|her|our|any|more|much? homework|housework|exercise|exercises|laundry|shopping|\
            research|dishes|favor|yoga|sport|sports|chores
            """,
            "do@1", "homework、housework、exercise、laundry 等用 do。"),
        .phrase("collocation.do-business", .vocabulary, "[make*] business with", "do@1", "「做生意」是 do business。"),
        .phrase(
            "collocation.take-photo", .vocabulary,
            "[make*|shoot*|photo] a|the|some|many|lots? of? photo|photos|picture|pictures with|of|there|together|<END>|in",
            "take@1", "「拍照」用 take a photo。", unless: { $0[$1].word == "photo" }),
        .phrase(
            "collocation.have-party", .vocabulary, "[do*] a|the party|meeting|trip|shower|rest|break|look|nap|walk|bath", "have@1",
            "這個名詞和 have 搭配，不和 do 搭配；rest、break、shower 等也可以用 take。",
            unless: { s, i in s[i].entry.tags.has(.auxiliaryDo) && (s.startsClause(i) || s.has(i - 1, .question)) }),
        .phrase(
            "collocation.take-rest", .vocabulary, "[make*] a rest|break|shower|walk|nap|look", "take@1",
            "rest、break、shower、walk 等用 take。", unless: { $0[$1 + 2].word == "break" && $0[$1 + 3].word == "for" }),
        .phrase(
            "collocation.take-medicine", .vocabulary,

            """
            [eat*|drink*] <DET>|some|my|too|this? <ANYADJ>|much|many? medicine|medicines|pill|pills|vitamin|vitamins|\
            painkiller|painkillers|drug|drugs|aspirin|antibiotics
            """,
            "take@1", "「吃藥」用 take。"),
        .phrase(
            "collocation.gain-knowledge", .vocabulary, "[learn*|study*] <DET>|some|more|new|many|much|a? lot|new? of? knowledge",
            "gain@1", "「增長知識」用 gain knowledge 或 learn something。"),
        .phrase(
            "collocation.give-advice", .vocabulary, "[say*|tell*] me|him|her|us|them some|an|your advice|suggestion|suggestions",
            "give@1", "「給建議」用 give advice。"),
        .phrase("collocation.give-speech", .vocabulary, "[speak*|talk*] a|the speech", "give@1", "「演講」用 give a speech。"),
        .phrase(
            "collocation.have-dream", .vocabulary, "[do*|make*] a|strange|bad? bad|strange|good|sweet? dream", "have@1",
            "「做夢」是 have a dream。",
            unless: { s, i in
                s[i].entry.tags.has(.auxiliaryDo) && s[i].word != "did" && s[i].word != "do" || s[i + 3].word == "come"
                    || s[i + 2].word == "come"
            }),
        .phrase(
            "collocation.catch-cold", .vocabulary, "[get*|take*|suffer*|have|had] cold <END>|last|yesterday|so|and|because",
            "catch@1 a", "「感冒」是 catch a cold 或 have a cold。", unless: { $0[$1].entry.verb == "get" }),
        .phrase("collocation.see-dream", .vocabulary, "[read*|see*] a dream", "have@1", "「做夢」是 have a dream。"),
    ]

    private static let food: [Rule] = [
        .phrase("collocation.black-tea", .vocabulary, "[red tea]", "black tea", "「紅茶」的英文是 black tea。")
    ]

    private static let amounts: [Rule] = [
        .phrase(
            "collocation.price", .naturalness,

            """
            price|prices|rent|cost|fee|salary|fare <BE>|looks|seems not|very|so|too|really|quite|a|always|much? little|too? \
            [expensive]
            """,
            "high", "價格用 high、low 形容；expensive、cheap 形容東西。"),
        .phrase(
            "collocation.price", .naturalness,
            "price|prices|rent|cost|fee|salary|fare|income <BE>|looks|seems not|very|so|too|really|quite|always? [cheap|few|small]",
            "low", "價格、薪水用 high、low 形容。"),
        .phrase(
            "collocation.price", .naturalness, "price|prices|rent <BE> [cheaper|more expensive]", "lower", "價格用 high、low 形容。",
            unless: { $0[$1 + 2].word == "more" }),
        .phrase(
            "collocation.price", .naturalness, "[cheap|expensive price|prices|salary]", "價格、薪水用 high、low 形容。",
            replacement: highOrLow),
        .phrase(
            "collocation.traffic", .naturalness,
            "traffic <BE>|gets|get|got not|very|so|too|really|quite|always|more? [crowded|busy|many|big|jam|jammed|crowd]", "heavy",
            "交通擁擠用 heavy traffic。"),
        .phrase(
            "collocation.traffic", .naturalness, "[big|crowded|busy|many] traffic !jam", "heavy", "交通擁擠用 heavy traffic。",
            unless: { $0[$1].word == "many" || $0.has($1 + 2, .noun) }),
        .phrase("collocation.rain", .vocabulary, "[big|strong|large] rain !<NOUN>", "heavy", "「大雨」是 heavy rain。"),
        .phrase("collocation.rain", .vocabulary, "rain <BE> very|so|really|too? [big|strong|large]", "heavy", "雨大用 heavy。"),
        .phrase(
            "collocation.rain", .vocabulary, "rains|raining|rained|rain very|so|too? [big|strong|bigly|strongly|much]", "hard",
            "「雨下得很大」是 rain hard 或 rain heavily。"),
        .phrase("collocation.wind", .vocabulary, "[big|heavy|large] wind", "strong", "「大風」是 strong wind。"),
        .phrase("collocation.wind", .vocabulary, "wind <BE> very|so|really|too? [big|heavy]", "strong", "風大用 strong。"),
        .phrase("collocation.snow", .vocabulary, "[big|strong] snow !<NOUN>", "heavy", "「大雪」是 heavy snow。"),
        .phrase(
            "collocation.cold", .vocabulary, "a [big|heavy|strong|serious] cold <END>|last|and|so|yesterday", "bad",
            "「重感冒」是 a bad cold。"),
        .phrase(
            "collocation.temperature", .naturalness, "temperature <BE> very|so|too|really? [hot|cold]", "溫度用 high、low 形容。",
            replacement: highOrLow),
        .phrase(
            "collocation.voice", .vocabulary, "[big] voice|sound", "loud", "聲音大用 loud：a loud voice。",
            unless: { $0[$1 + 1].word == "sound" && $0.has($1 + 2, .noun) }),
        .phrase(
            "collocation.voice", .vocabulary, "voice|music|sound|tv|volume <BE> very|so|too|really? [big]", "loud", "聲音大用 loud。"),
        .phrase(
            "collocation.health", .vocabulary,
            "[body] <BE>|isn't|wasn't|aren't not|very|always|so? not|very? good|healthy|bad|strong|weak|well|better|fine", "health",
            "「身體好不好」說的是健康，用 health。", unless: { $0[$1 + 2].word == "strong" && $0[$1 - 1].word != "my" }),
        .phrase("collocation.health", .vocabulary, "good for [body]", "your health", "「對身體好」是 good for your health。"),
        .phrase(
            "collocation.uncomfortable", .naturalness, "[my body <BE>|feels|feel uncomfortable]", "I don't feel well",
            "身體不舒服是 I don't feel well。"),
        .phrase(
            "collocation.age", .naturalness, "<BE> <NUM> [years] <END>|now|this|and|but", "years old",
            "說年齡是 I'm twenty years old，或直接說 I'm twenty。",
            unless: {
                !["i", "he", "she", "they", "we", "son", "daughter", "brother", "sister", "mother", "father", "you"].contains(
                    $0[$1 - 1].word)
            }),
        .phrase(
            "collocation.age", .naturalness, "<BE> <NUM> <NUM> [years] <END>|now|this|and|but", "years old",
            "說年齡是 I'm twenty-five years old，或直接說 I'm twenty-five。",
            unless: {
                !["i", "he", "she", "they", "we", "son", "daughter", "brother", "sister", "mother", "father", "you"].contains(
                    $0[$1 - 1].word)
            }),
        .phrase(
            "collocation.age", .grammar, "<BE> <NUM> [year|year's|years-old|year-old] old? !<NOUN>", "years old",
            "說年齡是 twenty years old。",
            unless: {
                $0[$1 + 1].word == "one" || $0[$1 + 1].word == "1" || $0[$1 + 2].word == "year" && $0[$1 + 3].word == "old"
                    || $0[$1 + 2].word == "year" && $0.has($1 + 3, .adjective)
            }),
        .phrase(
            "collocation.age", .grammar, "<BE> <NUM> <NUM>? [year] old", "years", "說年齡是 twenty years old，year 要用複數。",
            unless: { $0[$1 + 1].word == "one" && $0[$1 + 2].word == "year" || $0[$1 + 1].word == "1" }),
    ]

    private static let various: [Rule] = [
        .phrase("collocation.black-tea", .vocabulary, "[red tea]", "black tea", "「紅茶」的英文是 black tea。"),
        .phrase(
            "collocation.make", .vocabulary, "[do*] a|lots lot? of new|big|good? friends|mistakes|money|progress|noise|decisions",
            "make@1", "friend、mistake、money、progress 等用 make。"),
        Rule(
            "collocation.price", .naturalness, priority: 60, at: "price rent salary prices fee fare cost traffic",
            "價格、薪水用 high、low 形容；expensive、cheap 形容東西。"
        ) { sentence, index in
            guard ["of", "in", "for", "here"].contains(sentence[index + 1].word),
                let end = sentence[index + 1].word == "here" ? index + 2 : sentence.nounPhraseEnd(index + 2), sentence.has(end, .be)
            else { return nil }
            var adjective = end + 1
            while sentence.has(adjective, .degree) || sentence[adjective].word == "not" { adjective += 1 }
            if sentence[index].word == "traffic" {
                return ["crowded", "busy"].contains(sentence[adjective].word)
                    ? Match(adjective..<adjective + 1, "heavy", "交通擁擠用 heavy traffic。") : nil
            }
            guard ["expensive", "cheap"].contains(sentence[adjective].word) else { return nil }
            return Match(adjective..<adjective + 1, sentence[adjective].word == "expensive" ? "high" : "low")
        },
        .phrase(
            "collocation.pressure", .vocabulary, "pressure of|from <DET>|<POSS>? <NOUN>|<ING> <BE> very|so|too? [big|heavy|large]",
            "high", "壓力大可說 high pressure 或 a lot of pressure。"),
        .phrase(
            "collocation.wear-makeup", .vocabulary, "[take*|put*|draw*|paint*] makeup", "wear@1",
            "「化妝」是 wear makeup 或 put on makeup。", unless: { ["take", "put"].contains($0[$1].entry.verb) }),
        .phrase(
            "collocation.dream", .vocabulary, "[complete*|reach*|finish*|success*] my|his|her|your|our|their dream|dreams",
            "achieve@1", "「實現夢想」是 achieve one's dream 或 make one's dream come true。"),
        .phrase(
            "collocation.success", .vocabulary, "i|he|she|they|we|will|to|can|want to? [success]", "succeed", "「成功」的動詞是 succeed。",
            unless: { $0[$1].word == "to" && $0.has($1 - 1, .noun) || $0[$1].word == "to" && $0[$1 - 1].entry.verb != "want" }),
        .phrase(
            "collocation.homework", .vocabulary, "[write*] my|the|some|your|a? homework|homeworks", "do@1", "「寫作業」用 do homework。"),
        .phrase("collocation.strong-coffee", .vocabulary, "[thick] coffee|tea", "strong", "「濃咖啡、濃茶」用 strong。"),
        .phrase(
            "collocation.surf-internet", .vocabulary, "[play*|watch*|go*|look* the? internet]", "use@1 the internet",
            "「上網」是 use the internet 或 go online。"),
        .phrase(
            "collocation.pressure", .vocabulary, "pressure <BE> very|so|too? [big|heavy|large]", "high",
            "壓力大可說 I am under a lot of pressure。"),
        .phrase(
            "collocation.big-pressure", .vocabulary, "[big|large|heavy] pressure", "a lot of", "「很大的壓力」是 a lot of pressure。",
            unless: { $0[$1 - 1].word == "a" || $0[$1 - 1].word == "under" }),
        .phrase(
            "collocation.big-pressure", .vocabulary, "[a big|large pressure]", "a lot of pressure", "「很大的壓力」是 a lot of pressure。"),
        .phrase("collocation.catch-time", .vocabulary, "[catch* up the|my] bus|train", "catch@1 $3", "「趕上公車」是 catch the bus。"),
        .phrase(
            "collocation.work-hard", .vocabulary,
            "work*|study*|try*|practice*|worked|studied [hardly] <END>|<PREP>|every|to|and|because|so", "hard",
            "「努力地」是 hard；hardly 是「幾乎不」。", unless: { $0[$1 + 2].word == "ever" || $0[$1 + 2].word == "any" }),
        .phrase("collocation.take-care-baby", .vocabulary, "[take care] <PERSON>", "take care of", "「照顧」是 take care of。"),
        .phrase(
            "collocation.pass-holiday", .vocabulary,
            "[pass*] my|the|our|a holiday|holidays|vacation|weekend|time|christmas|new with|in|at|there|together|<END>", "spend@1",
            "「度過（假期、時間）」用 spend。", unless: { $0[$1 + 2].word == "time" }),
        .phrase(
            "collocation.celebrate", .vocabulary, "[pass*] my|his|her|the birthday", "celebrate@1",
            "「過生日」是 celebrate one's birthday。"),
        .phrase(
            "collocation.say-goodbye", .vocabulary, "[answer*|pick*|receive*|listen* the? phone]", "answer@1 the phone",
            "「接電話」是 answer the phone。",
            unless: {
                $0[$1].entry.verb == "answer" && $0[$1 + 1].word == "the"
                    || $0[$1].entry.verb == "receive" && $0[$1 + 1].word == "the" || $0[$1].entry.verb == "pick"
            }),
        .phrase(
            "collocation.foreign", .naturalness,
            "[foreigner] people|friend|friends|country|countries|student|students|teacher|food|company|language", "foreign",
            "「外國的」用形容詞 foreign。"),
        .phrase(
            "collocation.communicate", .vocabulary, "[communicate* to] me|him|her|them|people|foreigners|my|you",
            "communicate@1 with", "「與人溝通」是 communicate with。"),
        .phrase("collocation.comparative-time", .vocabulary, "[long] years", "many", "「很多年」是 many years。"),
        .phrase("collocation.get-off-work", .vocabulary, "[finish*|leave* off] work", "get@1 off", "「下班」是 get off work。"),
        .phrase(
            "collocation.job-interview", .vocabulary, "[join*|attend*|participate*] a|an|the job? interview", "have@1",
            "「面試」是 have an interview。"),
        .phrase(
            "collocation.meet-problem", .vocabulary,
            "[meet*|met] a|many|some|any|the|lots|difficult|big? of? problem|problems|trouble|difficulty|difficulties", "have@1",
            "「遇到問題」是 have a problem 或 run into a problem。"),
    ]

    /// Returns the words with the adjective "high" or "low" in place of the first one.
    @Sendable private static func highOrLow(_ sentence: Sentence, _ index: Int, _ tokens: Range<Int>) -> String? {
        let level = ["expensive", "hot"].contains(sentence[tokens.lowerBound].word) ? "high" : "low"
        return tokens.count == 1 ? level : level + " " + sentence.text(tokens.dropFirst())
    }
}
