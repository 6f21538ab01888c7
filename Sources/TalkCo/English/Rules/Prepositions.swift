extension Rule {
    /// Prepositions that verbs, adjectives and nouns take.
    static let prepositions: [Rule] = superfluous + missing + afterAdjectives + afterVerbs + places

    private static let superfluous: [Rule] = [
        .phrase(
            "preposition.respect", .grammar,
            "should|must|to|we|i|they|don't [respect to] the|my|old|our|people|elders|your|others|each", "respect",
            "respect 是及物動詞，後面直接接受詞，不加 to。"),
        .phrase("preposition.times", .grammar, "[for <NUM> times] $", "$2 $3", "「幾次」直接說 three times，前面不加 for。"),
        .phrase("preposition.there", .grammar, "[at here|there]", "$2", "here、there 是副詞，前面不加介系詞。"),
        .phrase("preposition.there", .grammar, "been [to here|there]", "$3", "here、there 是副詞，前面不加介系詞。"),
        .phrase("preposition.because", .grammar, "[because of] i|he|she|we|they", "because", "because of 後面接名詞；接子句用 because。"),
        .phrase("preposition.because", .grammar, "[due to] i|he|she|we|they", "because", "due to 後面接名詞；接子句用 because。"),
        .phrase(
            "preposition.that-question", .grammar, "ask*|wonder*|know* me|him|her|us? [that where|what|why|how|who|if|whether]",
            "$4",
            "疑問詞引導的子句前面不加 that。"),
        .phrase(
            "preposition.discuss", .grammar, "[discuss* about|on|with] !<OBJ>|each", "$1", "discuss 是及物動詞，後面直接接受詞，不加 about。",
            unless: { $0[$1 + 1].word == "with" }),
        .phrase(
            "preposition.marry", .grammar, "<BE>|get*|got [married with] <OBJ>|<DET>|<NAME>|someone", "married to",
            "「和某人結婚」是 be married to 或 marry someone。",
            priority: 62),
        .phrase(
            "preposition.marry", .grammar, "[marry* with|to]", "$1", "marry 是及物動詞，後面直接接人，不加 with。",
            unless: {
                $0[$1].word == "married"
                    && ($0[$1 + 1].word == "to" || $0.has($1 - 1, [.be, .adverb]) || $0[$1 - 1].word == "'s"
                        || $0[$1 - 1].entry.verb == "get")
            }),
        .phrase(
            "preposition.contact", .grammar, "to|can|will|please|i|you|could|should|must [contact with] <OBJ>|my|your|the|our",
            "contact", "contact 當動詞時直接接受詞，不加 with。"),
        .phrase("preposition.mention", .grammar, "[mention* about]", "$1", "mention 是及物動詞，後面直接接受詞，不加 about。"),
        .phrase(
            "preposition.enter", .grammar, "[enter* to|into] the|my|a|our|his|her", "$1", "enter 是及物動詞，後面直接接地點。",
            unless: { ["agreement", "contract", "discussion"].contains($0[$1 + 3].word) }),
        .phrase("preposition.reach", .grammar, "[reach* to] the|my|a|our|<PLACE>|home", "$1", "reach 是及物動詞，後面直接接地點。"),
        .phrase(
            "preposition.answer", .grammar,
            "to|can|will|please|i|you|didn't|don't|he|she|answered|must [answer to|for] my|your|the|his|her|this|that|<OBJ>",
            "answer", "answer 當動詞時直接接受詞，不加 to。", unless: { $0[$1].word == "answered" }),
        .phrase("preposition.answer", .grammar, "[answered to] my|the|his|her|me|him", "answered", "answer 當動詞時直接接受詞，不加 to。"),
        .phrase("preposition.emphasize", .grammar, "[emphasize* on|about]", "$1", "emphasize 是及物動詞，後面直接接受詞。"),
        .phrase(
            "preposition.call", .grammar, "[call*|phone* to] me|him|her|us|them|you", "$1", "「打電話給某人」是 call someone，不加 to。",
            unless: {
                $0[$1].entry.tags.has(.plural) && $0.has($1 - 1, [.determiner, .possessive])
                    || $0.has($1 - 1, [.determiner, .possessive, .adjective])
            }),
        .phrase("preposition.tell", .grammar, "[tell* to] me|him|her|us|them|you|my|people", "$1", "tell 後面直接接人，不加 to。"),
        .phrase(
            "preposition.ask", .grammar, "[ask* to|for] me|him|her|us|them|you|my|the teacher|boss|mother|friend|friends|colleague",
            "$1", "ask 後面直接接人，不加 to。", unless: { $0[$1 + 1].word == "for" }),
        .phrase("preposition.ask", .grammar, "[ask* to] me|him|her|us|them|you", "$1", "ask 後面直接接人，不加 to。"),
        .phrase(
            "preposition.visit", .grammar, "i|we|to|will|can|they|want|he|she|visited [visit*|visited to] <PLACE>|my|the|<NAME>",
            "$2", "visit 當動詞時直接接受詞，不加 to。"),
        .phrase(
            "preposition.visit", .grammar, "[visited to|in] <PLACE>|my|the|<NAME>", "visited", "visit 當動詞時直接接受詞，不加 to。",
            unless: { $0[$1 + 1].word == "in" }),
        .phrase(
            "preposition.go-home", .grammar,

            """
            [go*|come*|get*|arrive*|return* to|at|in home|here|there|abroad|downstairs|upstairs|overseas|downtown|somewhere|\
            anywhere]
            """,
            "$1 $3", "home、here、there、abroad 是副詞，前面不加 to。",
            unless: { $0.has($1 + 3, .noun) || $0[$1 + 1].word == "in" && $0[$1 + 2].word != "home" }),
        .phrase(
            "preposition.go-home", .grammar, "go*|come*|get* back [to|at home|here|there]", "$4", "home、here、there 是副詞，前面不加 to。",
            priority: 61),
        .phrase(
            "preposition.in-home", .grammar, "stay*|am|is|are|was|were|'m|be|been|eat|work|sleep|rest|relax|cook [in|on home]",
            "at home", "「在家」是 at home。"),
        .phrase("preposition.in-home", .grammar, "[in home] $", "at home", "「在家」是 at home。"),
        .phrase("preposition.despite", .grammar, "[despite of]", "despite", "despite 後面直接接名詞；要加 of 的是 in spite of。"),
        .phrase(
            "preposition.because", .grammar, "[because] the|this|that|my <NOUN> <NOUN>? <END>", "because of",
            "because 後面接子句；後面只有名詞時用 because of。",
            // A comma may stand between the noun and its verb.
            unless: { sentence, index in sentence.contains(index + 2..<sentence.count) { $0.tags.has([.modal, .be, .finite]) } }),
        .phrase("preposition.lack", .grammar, "i|we|they|he|she [lack*|lacks of]", "$2", "lack 當動詞時直接接受詞，不加 of。"),
        .phrase("preposition.request", .grammar, "i|we|to|he|she [request|requested for]", "$2", "request 當動詞時直接接受詞，不加 for。"),
        .phrase("preposition.teach", .grammar, "[teach* to] me|him|her|us|them", "$1", "teach 後面直接接人。"),
        .phrase(
            "preposition.face", .grammar,
            "[face*|faced to] the|a|many|this|some problem|problems|difficulties|challenge|challenges|pressure", "$1",
            "face 當動詞時直接接受詞，不加 to。"),
        .phrase(
            "preposition.attend", .grammar,
            "[attend* to|in] the|a|my meeting|class|party|wedding|concert|school|university|course|conference", "$1",
            "attend（出席）直接接受詞，不加 to。"),
    ]

    private static let missing: [Rule] = [
        .phrase("preposition.travel-to", .grammar, "[travel*] <PLACE>", "$1 to", "「去某地旅行」是 travel to。"),
        .phrase(
            "preposition.agree", .grammar, "[agree*] this|your|his|her|my <NOUN> <END>|but|because|and", "$1 with",
            // "I agree, my friend"
            "「同意」是 agree with。", unless: { $0.has($1 + 2, .person) }),
        .phrase(
            "preposition.easy-for", .grammar, "difficult|easy|hard|impossible|necessary|convenient [to] me|him|her|us|them", "for",
            "「對某人來說困難、容易」用 for。"),
        .phrase("preposition.explain", .grammar, "[explain*] me|him|her|us|them|you", "$1 to", "explain 後面接人時要加 to：explain to me。"),
        .phrase(
            "preposition.listen", .grammar,
            "[listen*] music|me|him|her|us|them|the|my|your|a|this|that|songs|podcasts|english|radio|it", "$1 to",
            "listen 後面有受詞時要加 to：listen to music。"),
        .phrase(
            "preposition.wait", .grammar,
            "[wait*] me|you|him|her|us|them|my|the|a bus|train|friend|mother|taxi|elevator|boss|result|teacher|food|call", "$1 for",
            "「等某人、某物」是 wait for。", unless: { $0[$1 + 1].word == "a" && $0[$1].entry.tags.has(.determiner) }),
        .phrase(
            "preposition.wait", .grammar, "[wait*] me|you|him|her|us|them", "$1 for", "「等某人、某物」是 wait for。",
            unless: { $0.has($1, .thirdPerson) }),
        .phrase(
            "preposition.wait", .grammar, "[wait*] the|my bus|train|taxi|elevator|result|results|mrt", "$1 for",
            "「等某人、某物」是 wait for。"),
        .phrase(
            "preposition.look", .grammar,
            "[look*] me|him|her|us|them|the|my|this|that picture|photo|screen|menu|map|sky|phone|sign|view", "$1 at",
            "「看著」是 look at。"),
        .phrase(
            "preposition.look", .grammar, "[look*] the|this|that|my picture|photo|screen|menu|map|sky|phone|sign|view|clock",
            "$1 at", "「看著」是 look at。"),
        .phrase(
            "preposition.look", .grammar, "[look|looked|looking] me|him|her|them $", "$1 at", "「看著」是 look at。",
            unless: { $0[$1 + 1].word == "her" && $0.has($1 + 2, .noun) }),
        .phrase(
            "preposition.agree", .grammar, "[agree*] you|him|her|them|that?|your|my|his|her|the|this idea|opinion|plan|point",
            "$1 with", "「同意」是 agree with。"),
        .phrase("preposition.agree", .grammar, "[agree*] you|him|her|them|me", "$1 with", "「同意某人」是 agree with。"),
        .phrase("preposition.agree", .grammar, "[agree* to|about] you|him|her|them|your|his", "$1 with", "「同意某人」是 agree with。"),
        .phrase("preposition.knock", .grammar, "[knock*] the|my|his|her door", "$1 on", "「敲門」是 knock on the door。"),
        .phrase(
            "preposition.apply", .grammar,
            "[apply*] a|the|this|that|many|some job|jobs|visa|scholarship|school|university|position|loan", "$1 for",
            "「申請」是 apply for。"),
        .phrase(
            "preposition.graduate", .grammar, "[graduate*] university|college|school|high|senior|the|my|<PLACE>", "$1 from",
            "「從…畢業」是 graduate from。",
            unless: { $0[$1].word == "graduate" && !$0.has($1 - 1, [.subject, .modal]) && $0[$1 - 1].word != "to" }),
        .phrase(
            "preposition.graduate", .grammar,
            "[graduate*|graduated in|at|of] university|college|<NAME>|<PLACE>|national|high|the|my", "$1 from",
            "「從…畢業」是 graduate from。"),
        .phrase(
            "preposition.participate", .grammar, "[participate*] the|a|this|that|my|an|many|some", "$1 in", "「參加」是 participate in。"),
        .phrase("preposition.belong", .grammar, "[belong*] me|him|her|us|them|you|my|the", "$1 to", "「屬於」是 belong to。"),
        .phrase(
            "preposition.laugh", .grammar, "[laugh*] me|him|her|us|them|you", "$1 at", "「嘲笑某人」是 laugh at。",
            unless: { $0.has($1, .noun) && $0.has($1 - 1, .possessive) }),
        .phrase("preposition.smile", .grammar, "smile* [to] me|him|her|us|them|you", "at", "「對某人微笑」是 smile at。"),
        .phrase("preposition.complain", .grammar, "[complain*] the|my|his|her|their", "$1 about", "「抱怨」是 complain about。"),
        .phrase(
            "preposition.care", .grammar, "take* [care] my|me|him|her|the|them|our|his|their|your|myself|yourself", "care of",
            "「照顧」是 take care of。", unless: { $0[$1 + 2].word == "the" && $0[$1 + 3].word == "first" }),
        .phrase(
            "preposition.depend", .grammar, "[depend*] weather|the|your|my|his|people|you|how|what|<DAY>", "$1 on",
            "「取決於」是 depend on。"),
        .phrase(
            "preposition.search", .grammar, "[search*] information|it|job|jobs|a job|restaurant|restaurants", "$1 for",
            "「搜尋某物」是 search for。", unless: { $0[$1].entry.tags.has(.singular) && $0.has($1 - 1, .determiner) }),
        .phrase(
            "preposition.worry", .grammar, "worry|worries|worried [for|of] my|the|your|his|her|it|this|that|him|them|you", "about",
            "「擔心」是 worry about／worried about。"),
        .phrase("preposition.worry", .grammar, "[worry] my|your|his|her|the|it|him|them", "worry about", "「擔心」是 worry about。"),
        .phrase("preposition.concentrate", .grammar, "[concentrate*|focus* in|at]", "$1 on", "「專注於」是 focus on。"),
        .phrase(
            "preposition.pay", .grammar, "[pay*|paid] the|my|his|her|our ticket|tickets|dinner|lunch|meal|coffee|food|hotel|drinks",
            "$1 for", "「付…的錢」是 pay for。"),
        .phrase("preposition.speak", .grammar, "[speak*] me|him|her|us|them", "$1 to", "「跟某人說話」是 speak to。"),
        .phrase("preposition.talk", .grammar, "[talk*] me|him|her|us|them|you", "$1 to", "「跟某人聊天」是 talk to。"),
        .phrase(
            "preposition.look-forward", .grammar, "[look* forward] <ING>|it|the|my|your|this|that|our|you", "$1 forward to",
            "「期待」是 look forward to。"),
        .phrase("preposition.look-forward", .grammar, "look* forward [for|of|on|about]", "to", "「期待」是 look forward to。"),
        .phrase("preposition.such", .grammar, "[such like]", "such as", "「例如」是 such as。"),
        .phrase(
            "preposition.go", .grammar,

            """
            ^|to|i|we|they|will|can|want|wanna|he|she|didn't|don't|and|yesterday [go|goes|went|going|gone] <PLACE>|school|\
            hospital|supermarket|work|church
            """,
            "$2 to", "「去某地」是 go to + 地點。",
            unless: {
                $0.has($1 + 3, [.noun]) && $0[$1 + 2].word == "work" || $0[$1].word == "and" && $0[$1 + 1].word == "going"
                    || !$0.endsPhrase($1 + 3) && $0[$1 + 2].word != "school"
            }),
        .phrase(
            "preposition.come-taiwan", .grammar, "i|you|he|she|they|we|will|to [come|comes|came] <PLACE>", "$2 to",
            "「來某地」是 come to + 地點。"),
        .phrase(
            "preposition.arrive", .grammar, "[arrive*] <PLACE>|the|my|school|taiwan", "$1 at", "arrive 後面接地點時要加 at 或 in。",
            unless: { s, i in
                s.has(i + 1, .place) || s[i + 2].word == "same" || s[i + 2].word == "next" || s.has(i + 2, .superlative)
            }),
        .phrase("preposition.arrive", .grammar, "[arrive*] <PLACE>", "$1 in", "arrive 後面接城市或國家時要加 in。"),
    ]

    private static let afterAdjectives: [Rule] = [
        .phrase("preposition.interested", .grammar, "interested [on|about|at|for|with]", "in", "「對…有興趣」是 interested in。"),
        .phrase(
            "preposition.interested", .grammar, "interested [to] the|my|this|<NOUN>|<LANG>", "in", "「對…有興趣」是 interested in。",
            unless: { $0[$1 + 2].entry.tags.has(.base) }),
        .phrase(
            "preposition.good-at", .grammar,

            """
            am|is|are|was|'m|'re|'s|not|very|really|so|quite|pretty [good|bad in|on] <LANG>|math|mathematics|sports|cooking|\
            singing|drawing|basketball|tennis|swimming|dancing|<ING>|science|physics|badminton|computers|computer
            """,
            "$2 at", "「擅長」是 good at。", unless: { $0[$1 + 3].word == "bed" }),
        .phrase("preposition.afraid", .grammar, "afraid [from|with]", "of", "「害怕」是 afraid of。"),
        .phrase(
            "preposition.afraid", .grammar, "proud [for|about|with] <NOUN>|<ING>|<POSS>|the|him|her|it|you|them|myself", "of",
            "「以…為榮」是 proud of。"),
        .phrase("preposition.afraid", .grammar, "full [with]", "of", "「充滿」是 full of。"),
        .phrase("preposition.afraid", .grammar, "tired [about|for|at] <NOUN>|<ING>|<POSS>|it|this|the", "of", "「厭倦」是 tired of。"),
        .phrase(
            "preposition.different", .grammar, "different|differs|differ [with|to]", "from", "「和…不同」是 different from。",
            unless: { $0[$1 + 1].word == "to" && !$0.has($1 + 2, [.determiner, .possessive, .object, .place]) }),
        .phrase("preposition.similar", .grammar, "similar [with|as|like]", "to", "「和…相似」是 similar to。"),
        .phrase("preposition.angry", .grammar, "angry|mad [to] me|him|her|us|them|you|my", "at", "「對某人生氣」是 angry with 或 angry at。"),
        .phrase(
            "preposition.famous", .grammar, "famous [of|about|at|with|by|in] its|the|<NOUN>|their|his|her|<ING>", "for",
            "「以…聞名」是 famous for。", unless: { $0[$1 + 1].word == "in" || $0[$1 + 1].word == "of" && $0[$1 + 2].word == "the" }),
        .phrase(
            "preposition.responsible", .grammar, "responsible [of|to|about] <NOUN>|the|<ING>|my|this|that|it", "for",
            "「負責」是 responsible for。"),
        .phrase("preposition.satisfied", .grammar, "satisfied [of|to|for|about]", "with", "「對…滿意」是 satisfied with。"),
        .phrase(
            "preposition.nice-to", .grammar,

            """
            <BE> very|so|really? nice|kind|polite|rude|friendly|mean [with|for] me|us|him|her|them|everyone|people|others|\
            guests|customers
            """,
            "to", "「對某人友善」是 nice to、kind to。"),
        .phrase(
            "preposition.good-for", .grammar,
            "good|bad|healthy|important [to] my|your|our|the|his|her health|body|skin|eyes|environment", "for",
            "「對健康有益」是 good for。",
            // "does good to the body"
            unless: { $0.contains(max(0, $1 - 2)..<$1) { ["do", "does", "did", "some", "any", "no", "doing"].contains($0.word) } }),
        .phrase("preposition.good-for", .grammar, "good|bad [to] health", "for", "「對健康有益」是 good for。"),
        .phrase(
            "preposition.familiar", .grammar, "am|'m|not|are|is|very|so familiar [to|about|of]", "with", "「熟悉」是 familiar with。"),
        .phrase("preposition.excited", .grammar, "excited [on|to|of|in] the|my|this|our|it", "about", "「對…感到興奮」是 excited about。"),
        .phrase(
            "preposition.surprised", .grammar, "surprised [of|on|for|with] the|this|his|her|it|that", "at",
            "「對…感到驚訝」是 surprised at 或 surprised by。", unless: { $0[$1 + 1].word == "with" }),
        .phrase("preposition.allergic", .grammar, "allergic [with|of|for|on|about]", "to", "「對…過敏」是 allergic to。"),
        .phrase(
            "preposition.popular", .grammar,
            "popular [to|for] young|teenagers|students|tourists|people|kids|children|women|men|foreigners", "with",
            "「受…歡迎」是 popular with。", unless: { $0[$1 + 1].word == "for" }),
        .phrase(
            "preposition.busy", .grammar, "busy [on|about|for|in] my|work|homework|the", "with", "「忙於」是 busy with。",
            unless: { $0[$1 + 1].word == "in" || $0[$1 + 1].word == "on" && $0[$1 + 3].word == "phone" }),
        .phrase("preposition.according", .grammar, "according [with|as|on]", "to", "「根據」是 according to。"),
        .phrase("preposition.except", .grammar, "[except of]", "except for", "「除了」是 except 或 except for。"),
        .phrase("preposition.reason", .grammar, "reason [of] <ING>|this|the|my|why|that", "for", "「…的原因」是 the reason for。"),
        .phrase(
            "preposition.solution", .grammar, "solution|key|answer [of] the|this|my|that problem|question|success|door", "to",
            "solution、answer、key 後面用 to。"),
        .phrase(
            "preposition.increase", .grammar, "married [with] a|an|my|his|her", "to", "「和某人結婚」是 be married to。",
            unless: { !$0.has($1 - 1, .be) }),
    ]

    private static let afterVerbs: [Rule] = [
        .phrase("preposition.depend", .grammar, "depend* [of|in|to|at|with|from]", "on", "「取決於」是 depend on。"),
        .phrase(
            "preposition.spend", .grammar,

            """
            spend* <NUM>|a|lot|much|time|too|so of?|much|lot? of? <NOUN> [in|for|at] <ING>|my|the|food|clothes|games|coffee|\
            books|shopping|homework|it|rent
            """,
            "on", "「把時間或錢花在…」是 spend … on。",
            unless: { s, i in
                (i..<i + 8).contains {
                    ["in", "at"].contains(s[$0].word)
                        && (["library", "office", "gym", "house", "city", "park", "school", "hospital", "airport", "kitchen"]
                            .contains(s[$0 + 2].word) || s.has($0 + 1, .gerund))
                }
            }),
        .phrase(
            "preposition.congratulate", .grammar, "congratulate*|congratulations <OBJ>|my? [for|about]", "on",
            "「祝賀某人…」是 congratulate someone on。", unless: { $0[$1].word == "congratulations" }),
        .phrase("preposition.succeed", .grammar, "succeed* [to <VERB>]", "in $3:ing", "「成功做到」是 succeed in + V-ing。"),
        .phrase("preposition.insist", .grammar, "insist* [to <VERB>]", "on $3:ing", "「堅持」是 insist on + V-ing。"),
        .phrase("preposition.instead", .grammar, "instead [to <VERB>]", "of $3:ing", "「而不是」是 instead of + V-ing。"),
        .phrase("preposition.capable", .grammar, "capable [to <VERB>]", "of $3:ing", "「有能力」是 capable of + V-ing。"),
        .phrase("preposition.arrive", .grammar, "arrive* [to|on] <PLACE>", "in", "「抵達城市或國家」是 arrive in。"),
        .phrase(
            "preposition.arrive", .grammar, "[arrive* to|on] the|my|a|school|work|office|our|airport|station", "$1 at",
            "「抵達某個地點」是 arrive at。"),
        .phrase("preposition.consist", .grammar, "consist* [in|from|with]", "of", "「由…組成」是 consist of。"),
        .phrase(
            "preposition.believe", .grammar, "believe* [to|at|on] god|ghosts|him|her|you|me|it|yourself|myself", "in",
            "「相信…的存在／信任」是 believe in。"),
        .phrase(
            "preposition.laugh", .grammar, "laugh* [to|on|with] me|him", "at", "「嘲笑某人」是 laugh at。",
            unless: { $0[$1 + 1].word == "with" }),
        .phrase(
            "preposition.listen", .grammar, "listen* [at|for|with|on] music|me|him|her|the|my|songs", "to", "「聽」是 listen to。",
            unless: { $0[$1 + 1].word == "for" || $0[$1 + 2].word == "the" && $0[$1 + 1].word == "on" }),
        .phrase("preposition.look", .grammar, "look* [to|on] me|him|her|the picture|photo|sky|screen", "at", "「看著」是 look at。"),
        .phrase("preposition.talk", .grammar, "talk* [about to|with about]", "about", "「談論」是 talk about。"),
        .phrase("preposition.wait", .grammar, "wait* [to] me|you|him|her|us|them|the bus|train", "for", "「等」是 wait for。"),
        .phrase(
            "preposition.travel", .grammar, "travel*|go*|went|fly*|move* [in] <PLACE> <END>|last|next|with|by|in|this|for",
            "to", "「去某地」用 to 表示方向。", unless: { s, i in s[i].entry.verb == "travel" }),
        .phrase("preposition.welcome", .grammar, "welcome [in|at] <PLACE>", "to", "「歡迎來到」是 welcome to。"),
        .phrase("preposition.provide", .grammar, "provide* <OBJ> [<PL>|<UNC>]", "with $3", "「提供某人某物」是 provide someone with。"),
        .phrase(
            "preposition.borrow", .grammar, "borrow* <DET>? <NOUN> [to|for] my|the|him|her|a <NOUN>", "from",
            "「向某人借」是 borrow from。", unless: { $0[$1 + 3].word == "for" || $0[$1 + 2].word == "for" }),
        .phrase("preposition.participate", .grammar, "participate* [at|on|to|with]", "in", "「參加」是 participate in。"),
        .phrase(
            "preposition.remind", .grammar, "remind* me|him|her|us|you [to|about] my|the <PERSON>|childhood|hometown", "of",
            "「使人想起」是 remind someone of。"),
        .phrase("preposition.think", .grammar, "think*|thinking [to] <ING>|my|you|about", "about", "「考慮」是 think about。"),
        .phrase("preposition.suffer", .grammar, "suffer* [of|with]", "from", "「受…之苦」是 suffer from。"),
        .phrase(
            "preposition.translate", .grammar, "translate* it|this|that|them [to|in] <LANG>", "into", "「翻譯成」是 translate into。",
            unless: { $0[$1 + 2].word == "to" }),
    ]

    private static let places: [Rule] = [
        .phrase(
            "preposition.close", .grammar, "<BE> very|so|really? [closed] to my|the|<PLACE>|our|school|work|home", "close",
            "「靠近」是 close to；closed 是「關閉的」。"),
        .phrase("preposition.near", .grammar, "[near from|by] the|my|our|a|<PLACE>|school|here", "near", "near 後面直接接地點，不加 from。"),
        .phrase(
            "preposition.interest", .grammar, "no|an|any|much|great|my|lot interest [about|on|at]", "in", "「對…的興趣」是 interest in。"),
        .phrase("preposition.sale", .grammar, "[in|at sale] $", "on sale", "「特價中」是 on sale。"),
        .phrase("preposition.live-in", .grammar, "live*|living|lived [with|at|on] <PLACE>", "in", "「住在某地」是 live in。"),
        .phrase("preposition.foot", .grammar, "[by my foot|feet]", "on foot", "「走路去」是 on foot。"),
        .phrase("preposition.foot", .grammar, "[by foot|walk|walking]", "on foot", "「走路去」是 on foot。"),
        .phrase(
            "preposition.transport", .grammar,

            """
            go*|come*|travel*|get* to? school|work|there|here|home|office|taipei [with|on|in bus|train|taxi|car|mrt|scooter|\
            bike|bicycle|plane]
            """,
            "by $5", "交通工具用 by：by bus、by train。"),
        .phrase(
            "preposition.transport", .grammar,
            "go*|come*|travel*|get* to? school|work|there|here|home [by a|the|my bus|train|taxi|plane|mrt]", "by $6",
            "by 後面的交通工具不加冠詞。"),
        .phrase(
            "preposition.tv", .grammar, "[in|at|from the? tv|television] $", "on TV", "「在電視上」是 on TV。",
            unless: { $0[$1].word == "from" || $0[$1 + 1].word == "the" && $0[$1].word == "at" }),
        .phrase(
            "preposition.internet", .grammar, "[in|at the? internet|facebook|instagram|youtube|line]", "on $2 $3",
            "「在網路上」是 on the internet。",
            unless: {
                $0[$1 + 2].word == "line" || $0[$1 + 1].word == "line" || $0[$1 + 1].word == "internet" || $0.has($1 + 2, .noun)
                    || $0.has($1 + 3, .noun)
            }),
        .phrase(
            "preposition.phone", .grammar, "[in|with|by the phone] $", "on the phone", "「用電話」是 on the phone。",
            unless: { $0[$1].word != "in" && $0[$1].word != "by" }),
        .phrase(
            "preposition.floor", .grammar,
            "[in|at the? first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|top|ground floor]",
            "on $2 $3 $4",
            "「在幾樓」用 on。"),
        .phrase("preposition.street", .grammar, "[at my way]", "on my way", "「在路上」是 on my way。"),
        .phrase("preposition.holiday", .grammar, "go*|am|was|'m|are [in|at vacation|holiday]", "on $3", "「去度假」是 on vacation。"),
        .phrase(
            "preposition.business", .grammar, "go*|am|was|'m|went [for|in business trip]", "on a business trip",
            "「出差」是 on a business trip。"),
        .phrase("preposition.opinion", .grammar, "[on|at|for my opinion]", "in my opinion", "「我認為」是 in my opinion。"),
        .phrase(
            "preposition.time", .grammar, "[in|at the|my free|spare time]", "in my $3 time", "「在空閒時間」是 in my free time。",
            unless: { $0[$1].word == "in" }),
        .phrase("preposition.way", .grammar, "[in the same time]", "at the same time", "「同時」是 at the same time。"),
        .phrase(
            "preposition.way", .grammar, "[on|in the end of] <NUM>|the|this|last|next|my|<MONTH>", "at the end of",
            "「在…的結尾」是 at the end of。"),
        .phrase(
            "preposition.age", .grammar, "[in the age of]", "at the age of", "「在…歲時」是 at the age of。",
            unless: { !$0.has($1 + 4, .number) }),
        .phrase(
            "preposition.english", .grammar, "say|speak|write|talk|call|called|read this|that|it|the? word? [by|with|on <LANG>]",
            "in $5", "「用英文」是 in English。"),
        .phrase("preposition.picture", .grammar, "[on|at the picture|photo] $", "in the $3", "「在照片裡」是 in the picture。"),
    ]
}
