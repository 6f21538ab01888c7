extension Rule {
    /// Case of pronouns, and possessives.
    static let pronouns: [Rule] = [
        .phrase(
            "pronoun.noun-possessive", .grammar,

            """
            my|his|her|our|their [mother|father|brother|sister|friend|boyfriend|girlfriend|boss|wife|husband|son|daughter|\
            teacher|colleague|grandmother|grandfather|mom|dad|uncle|aunt|cousin|roommate] birthday|house|name|car|job|room|\
            company|wedding|family|phone|home|school|dream|opinion|favorite|health|food|restaurant|shop|cooking|hobby|\
            hometown
            """,
            "$2's", "表示「某人的」要加 's：my mother's birthday。"),
        .phrase(
            "pronoun.object", .grammar,

            """
            told|gave|give|tell|gives|helped|asked|show|showed|sent|loves|love|likes|call|called|met|saw|with|for|to|\
            invited|miss|misses|hate|hates [i|he|she|we|they] <END>|<DET>|to|yesterday|very|last|because|every|at|in|with|\
            and|too|a
            """,
            "$2:object", "當受詞時用 me、him、her、us、them。",
            unless: { s, i in
                // "I told he will come" and "the one I love he hates" are other errors or none.
                s[i].word == "to" && s.has(i + 2, .determiner)
                    || s[i + 2].word == "in" && s[i + 1].word == "i" && s[i].word == "for"
            }),
        .phrase(
            "pronoun.subject", .grammar, "^ [her|him|them|us] is|are|was|were|has|have|likes|wants|goes|can|will|don't|doesn't",
            "$1:subject", "當主詞時用 she、he、they、we。"),
        .phrase("pronoun.subject", .grammar, "^^ [me] am|is|like|want|go|have|don't|can", "$1:subject", "當主詞時用 I。"),
        .phrase("pronoun.my-is", .grammar, "^ [my] am|like|want|have <DET>|to|a|very|<NOUN>", "I", "當主詞時用 I。"),
        .phrase(
            "pronoun.possessive", .grammar,

            """
            [me|he|she|they|i] friend|friends|mother|father|brother|sister|boss|house|family|phone|job|car|company|parents|\
            boyfriend|girlfriend|wife|husband|name $
            """,
            beforeNoun, replacement: possessive),
        .phrase("pronoun.possessive-alone", .grammar, "this|that|it|book|phone|bag|car <BE> [my] <END>", "mine", "後面沒有名詞時用 mine。"),
        .phrase(
            "pronoun.possessive-alone", .grammar, "this|that|it|book|phone|bag|car <BE> [your] <END>", "yours", "後面沒有名詞時用 yours。"),
        .phrase(
            "pronoun.possessive-alone", .grammar,
            "[mine|yours|hers|ours|theirs] friend|house|phone|mother|father|bag|car|family|job|boss|brother|sister|company|parents",
            beforeNoun, replacement: possessive),
        .phrase(
            "pronoun.friend-of", .grammar, "a|some friend|friends of [me|him|her|us|them|you|my]", "「我的一個朋友」是 a friend of mine。"
        ) { sentence, _, tokens in
            absolutes[sentence[tokens.lowerBound].word]
        },
        .phrase("pronoun.by", .grammar, "by [my self|myselfs]", "myself", "「自己」是 myself，一個字。"),
        .phrase("pronoun.each-other", .grammar, "<VERB>|<PAST>|with|to|each [each others]", "each other", "「互相」是 each other。"),
        .phrase("pronoun.each-other", .grammar, "[each others]", "each other", "「互相」是 each other。"),
    ]

    private static let beforeNoun = "名詞前面用所有格 my、his、her、their。"

    private static let possessives = [
        "me": "my", "he": "his", "she": "her", "they": "their", "i": "my", "mine": "my", "yours": "your", "hers": "her",
        "ours": "our", "theirs": "their",
    ]
    private static let absolutes = [
        "me": "mine", "him": "his", "her": "hers", "us": "ours", "them": "theirs", "you": "yours", "my": "mine",
    ]

    /// Returns the possessive of a pronoun before a noun; nil for a subject pronoun that may be correct.
    @Sendable private static func possessive(_ sentence: Sentence, _ index: Int, _ tokens: Range<Int>) -> String? {
        let word = sentence[tokens.lowerBound].word
        let isSubject = ["he", "she", "they", "i"].contains(word)
        guard !isSubject || sentence.startsClause(index) || sentence.has(index - 1, [.preposition, .verb]) else { return nil }
        return possessives[word]
    }
}
