extension Rule {
    /// Case of pronouns, and possessives.
    static let pronouns: [Rule] = [
        .phrase(
            "pronoun.object",

            """
            told|gave|give|tell|gives|helped|asked|show|showed|sent|loves|love|likes|call|called|met|saw|with|for|to|\
            invited|miss|misses|hate|hates [i|he|she|we|they] <END>|<DET>|to|yesterday|very|last|because|every|at|in|with|\
            and|too|a
            """,
            "$2:object",
            unless: { s, i in
                // "I told he will come" and "the one I love he hates" are other errors or none.
                s[i].word == "to" && s.has(i + 2, .determiner)
                    || s[i + 2].word == "in" && s[i + 1].word == "i" && s[i].word == "for"
            }),
        .phrase(
            "pronoun.possessive",

            """
            [me|he|she|they|i] friend|friends|mother|father|brother|sister|boss|house|family|phone|job|car|company|parents|\
            boyfriend|girlfriend|wife|husband|name $
            """, replacement: possessive),
        .phrase(
            "pronoun.possessive-alone",
            "[mine|yours|hers|ours|theirs] friend|house|phone|mother|father|bag|car|family|job|boss|brother|sister|company|parents",
            replacement: possessive),
        .phrase(
            "pronoun.friend-of", "a|some friend|friends of [me|him|her|us|them|you|my]"
        ) { sentence, _, tokens in
            absolutes[sentence[tokens.lowerBound].word]
        },
    ]

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
