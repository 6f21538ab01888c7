extension Rule {
    /// Correct or nearly correct phrases that a native speaker would not use.
    static let naturalness: [Rule] = intensifiers + requests + expressions

    private static let feelingVerbs =

        """
        like|love|hate|enjoy|want|hope|need|miss|appreciate|admire|understand|agree|prefer|wish|dislike|care|respect|\
        likes|loves|hates|enjoys|wants|hopes|needs|misses|liked|loved|hated|enjoyed|wanted|hoped|needed|missed|\
        appreciated|appreciates|admired|support|recommend|believe|thank|trust
        """

    private static let intensifiers: [Rule] = [
        .phrase(
            "natural.be-very-verb", .grammar,
            "i|we|you|they [<BE> very|so|really like|love|want|enjoy|hope|miss|need|care|hate|appreciate]", "really $4",
            "一般動詞前不加 be 動詞，也不用 very 修飾，改用 really。", priority: 72),
        .phrase(
            "natural.be-very-verb", .grammar,
            "he|she|it [<BE> very|so|really like|love|want|enjoy|hope|miss|need|care|hate|appreciate]", "really $4:s",
            "一般動詞前不加 be 動詞，也不用 very 修飾，改用 really。", priority: 72, unless: { $0[$1 + 3].word == "like" && $0[$1 + 2].word != "very" }
        ),
        .phrase(
            "natural.very-verb", .naturalness, "he|she|it [very like|love|hate|enjoy|want|hope|need|miss|appreciate]",
            "really $3:s", "very 不能修飾動詞，用 really；主詞是第三人稱單數，動詞加 s。", priority: 71, unless: { !$0.startsClause($1) }),
        .phrase(
            "natural.very-verb", .naturalness, "[very \(feelingVerbs)]", "really $2", "very 不能修飾動詞，用 really。", priority: 70,
            unless: { s, i in
                s[i + 1].word == "needed" && s.has(i - 1, .be)
                    || s.has(i + 1, .adjective) && !s.has(i - 1, [.subject, .negative, .be])
                    || ["missed", "loved", "liked", "admired", "appreciated", "hated"].contains(s[i + 1].word) && s.has(i - 1, .be)
                        && s[i + 1].word != "liked"
            }),
        .phrase(
            "natural.so-very", .naturalness, "<SUBJ> [very] <BASE>|<S> !<ADJ>", "really", "very 不能修飾動詞，用 really。", priority: 69,
            unless: { $0.has($1 + 2, .adjective) }),
        .phrase(
            "natural.too-positive", .naturalness,
            "[too] delicious|beautiful|handsome|cute|amazing|wonderful|lovely|awesome|fantastic|excellent !<MODAL>", "so",
            "too 表示「過度」，有負面的意思；稱讚時用 so 或 very。",
            unless: { s, i in
                s[i + 2].word == "to" || s[i + 2].word == "for" || s[i - 1].word == "not" || s.has(i - 1, [.negative, .object])
                    || s[i - 1].word == "too" || s[i - 1].kind == .pause || s[i - 1].word == "all"
            }),
        .phrase(
            "natural.more-like", .naturalness, "<SUBJ> [more like] <NOUN>|<ING>|the|to|<LANG>", "prefer",
            "「比較喜歡」是 prefer 或 like … more。", unless: { $0[$1].word == "it" || $0.has($1, .be) }),
        .phrase("natural.very-a-lot", .naturalness, "[very a lot]", "a lot", "a lot 前面不加 very。"),
        .phrase("natural.bit-of", .grammar, "a [bit of] <ADJ>", "bit", "形容詞前面用 a bit，不加 of。", unless: { $0.has($1 + 3, .noun) }),
        .phrase("natural.so-a", .grammar, "[so] a|an <ADJ> <NOUN>", "such", "「這麼…的」是 such a + 形容詞 + 名詞。"),
        .phrase(
            "natural.such-good", .grammar, "[such] <ADJ> <SG> !<NOUN>", "such a", "such 後面的單數可數名詞要加 a／an。",
            unless: { Rule.startsWithVowelSound($0[$1 + 1].word) }),
    ]

    private static let requests: [Rule] = [
        .phrase(
            "natural.convenient", .naturalness, "[i don't convenient]", "it is not convenient for me",
            "convenient 不以人當主詞，要說 It is not convenient for me。"),
        .phrase(
            "natural.let-cry", .naturalness, "[let*] me|us|him|her|people cry|laugh|smile", "make@1", "「讓人哭、讓人笑」用 make；let 是「允許」。",
            unless: { $0.has($1 - 1, [.modal]) || $0[$1 - 1].word == "to" || $1 == 0 }),
        .phrase(
            "natural.very-end", .naturalness, "miss|love|like|thank|hate|loves|likes|missed you|it|him|her|them|this [very] <END>",
            "very much", "修飾動詞用 very much，不能只用 very。"),
        .phrase(
            "natural.feel-self", .naturalness, "[feel*|felt myself|himself|herself] very|so|really|<ADJ>", "$1",
            "feel 後面直接接形容詞，不加反身代名詞。"),
        .phrase(
            "natural.hear-clear", .grammar, "hear*|see* you|it|him|her|them very? [clear] <END>", "clearly", "修飾動詞要用副詞 clearly。"),
        .phrase(
            "natural.convenient", .naturalness, "[are you convenient]", "is it convenient for you",
            "convenient 不以人當主詞，要說 Is it convenient for you?"),
        .phrase(
            "natural.convenient", .naturalness, "[i am|'m not convenient]", "it is not convenient for me",
            "convenient 不以人當主詞，要說 It is not convenient for me。"),
        .phrase(
            "natural.convenient", .naturalness, "[i am|'m convenient]", "it is convenient for me",
            "convenient 不以人當主詞，要說 It is convenient for me。"),
        .phrase(
            "natural.convenient", .naturalness, "[you are|'re convenient]", "it is convenient for you",
            "convenient 不以人當主詞，要說 It is convenient for you。"),
        .phrase("natural.welcome", .naturalness, "[welcome you to]", "welcome to", "「歡迎來到」是 Welcome to…，不加 you。"),
        .phrase(
            "natural.welcome", .naturalness, "[welcome you] <END>", "welcome", "歡迎別人時說 Welcome! 就好。",
            unless: { !$0.startsClause($1) }),
        .phrase(
            "natural.wait-moment", .naturalness, "[wait me|for? me? a moment|minute|while]", "wait a moment",
            "「等一下」是 wait a moment。", unless: { $0[$1 + 1].word == "a" || $0[$1 + 1].word == "for" && $0[$1 + 2].word != "me" }),
        .phrase("natural.help", .naturalness, "give me a [help]", "hand", "「幫我一把」是 give me a hand；「幫我一個忙」是 do me a favor。"),
        .phrase("natural.luck", .naturalness, "have [a good luck]", "good luck", "luck 不可數，不加 a。"),
        .phrase(
            "natural.dont-also", .naturalness, "<SUBJ> [also don't|didn't|can't|doesn't <VERB>] <END>", "$3 $4 either",
            "否定句的「也」用 either，放在句尾。"),
        .phrase(
            "natural.me-too-not", .naturalness, "i|we|he|she|they don't|can't|didn't|doesn't <VERB> <OBJ>|to? <VERB>? [too] <END>",
            "either",
            "否定句的「也」用 either。"),
        .phrase(
            "natural.let-feel", .naturalness, "[let*] me|us|him|her|people|them feel", "make@1", "「讓人覺得」用 make；let 是「允許」。",
            unless: { s, i in s[i + 3].word == "free" || s[i - 1].word == "please" }),
        .phrase(
            "natural.let-adjective", .naturalness,

            """
            [let*] me|us|him|her|people|them|you very|so|really|more? happy|sad|angry|tired|nervous|excited|relaxed|\
            surprised|confused|bored|disappointed|sleepy|comfortable|crazy|uncomfortable
            """,
            "make@1", "「讓人變得…」用 make；let 是「允許」。"),
        .phrase(
            "natural.make-surprise", .grammar,
            "make*|made me|him|her|us|them so|very? [surprise|confuse|disappoint|excite|embarrass]", "$4:pp",
            "make 的受詞後面用形容詞或原形動詞；「讓我驚訝」可說 surprise me，或 make me feel surprised。"),
        .phrase("natural.come-play", .naturalness, "[go|come] <PLACE> play", "visit", "「去…玩」可說 visit。"),
    ]

    private static let expressions: [Rule] = [
        .phrase("natural.feel-not", .naturalness, "i|we [felt not good|well]", "didn't feel $4", "「覺得不舒服」是 I didn't feel well。"),
        .phrase("natural.every-time", .naturalness, "[every time when]", "every time", "every time 本身就可以引導子句，不再加 when。"),
        .phrase(
            "natural.spoken-english", .naturalness, "my|your|his|her [english speaking] <BE>|ability|skill|skills",
            "spoken English", "「英語口說」是 spoken English。"),
        .phrase(
            "natural.these-days", .naturalness, "^ [in these days] <END>|i|we|people|he|she", "these days", "these days 前面不加 in。"),
        .phrase(
            "natural.suggest-not", .grammar, "[suggest*|suggested me|him|her|us|them not to]", "advise@1 $2 not to",
            "suggest 後面不接「人 + to」，可改用 advise。"),
        .phrase(
            "natural.opinion", .naturalness, "[according to my|our opinion]", "in $3 opinion",
            "「依我看」是 in my opinion；according to 用來引述別人。"),
        .phrase("natural.opinion", .naturalness, "[according to me]", "in my opinion", "「依我看」是 in my opinion；according to 用來引述別人。"),
        .phrase(
            "natural.as-i-know", .naturalness, "[as i know] <END>|the|it|he|she|there|this|taiwan|they", "as far as I know",
            "「據我所知」是 as far as I know。", unless: { $0[$1 - 1].word == "far" }),
        .phrase("natural.yesterday-night", .naturalness, "[yesterday night]", "last night", "「昨晚」是 last night。"),
        .phrase("natural.today-morning", .naturalness, "[today morning]", "this morning", "「今天早上」是 this morning。"),
        .phrase("natural.today-morning", .naturalness, "[today afternoon]", "this afternoon", "「今天下午」是 this afternoon。"),
        .phrase(
            "natural.today-morning", .naturalness, "[today evening|night]", "tonight", "「今晚」是 tonight。",
            unless: { $0.has($1 + 2, .noun) }),
        .phrase("natural.today-morning", .naturalness, "[this night] <END>|i|we|at", "tonight", "「今晚」是 tonight。"),
        .phrase("natural.last-morning", .naturalness, "[last morning|afternoon]", "yesterday $2", "「昨天早上」是 yesterday morning。"),
        .phrase("natural.these-years", .naturalness, "^ [these years]", "in recent years", "「這幾年」是 in recent years。"),
        .phrase("natural.recently-years", .naturalness, "in? [recently years|year]", "recent years", "「近年來」是 in recent years。"),
        .phrase(
            "natural.possible-can", .naturalness, "[as possible as] i|you|we", "as much as",
            "「盡可能」是 as … as possible 或 as much as I can。"),
        .phrase("natural.how-old-years", .naturalness, "[how many years are you]", "how old are you", "問年齡是 How old are you?"),
        .phrase(
            "natural.no-what", .naturalness, "[not have] money|time|idea", "don't have", "否定句要用 don't have。",
            unless: { !$0.has($1 - 1, .subject) }),
        .phrase("natural.feel-not", .naturalness, "i [feel not good|well]", "don't feel good", "「覺得不舒服」是 I don't feel good／well。"),
        .phrase("natural.wish-hope", .naturalness, "i [wish] you can|will", "hope", "說可能實現的希望用 hope。"),
        .phrase(
            "natural.in-fact-actually", .naturalness, "[i take] <NUM> hours|hour|minutes|days|years to <VERB>", "it takes me",
            "「花我多少時間」是 It takes me…"),
        .phrase(
            "natural.i-spend-to", .naturalness, "[i used] <NUM> hours|minutes|days|years to", "it took me", "「花我多少時間」是 It took me…"),
        .phrase(
            "natural.so-so-english", .naturalness, "[speak* a little of english]", "speak@1 a little English",
            "「會說一點英文」是 speak a little English。"),
        .phrase("natural.go-together", .naturalness, "[together go]", "go together", "together 放在動詞後面。"),
        .phrase("natural.together", .naturalness, "<SUBJ> [together <BASE>|went|ate]", "$3 together", "together 放在動詞後面。"),
        .phrase(
            "natural.have-good-time", .naturalness, "[play* very|so happy|happily]", "had a good time", "「玩得開心」是 have a good time。",
            unless: { $0[$1].word != "played" }),
        .phrase("natural.have-good-time", .naturalness, "[play happy|happily]", "have a good time", "「玩得開心」是 have a good time。"),
        .phrase("natural.eat-full", .naturalness, "i [eat|ate full]", "am full", "「吃飽了」是 I'm full。"),
        .phrase("natural.whats-your-job", .naturalness, "[what 's|is your work] <END>", "what do you do", "問職業是 What do you do?"),
        .phrase("natural.late-sleep", .naturalness, "[late sleep]", "go to bed late", "「晚睡」是 go to bed late。"),
        .phrase("natural.in-my-heart", .naturalness, "[my english level is] <ADJ>", "my English is", "說程度時直接說 My English is…"),
        .phrase("natural.see-you-tomorrow", .naturalness, "[see you in tomorrow]", "see you tomorrow", "tomorrow 前面不加介系詞。"),
    ]
}
