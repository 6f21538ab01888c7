extension Rule {
    /// Words that sound alike.
    static let spelling: [Rule] = [
        .phrase(
            "spelling.its", .grammar, "^ [its] a|an|very|so|really|not|too|the|my|been|going|raining|ok|okay", "it's",
            "it's 是 it is 的縮寫；its 是「它的」。"),
        .phrase(
            "spelling.youre", .grammar, "^ [your] welcome|so|very|a|going|not|really|too", "you're",
            "you're 是 you are 的縮寫；your 是「你的」。",
            unless: { $0.has($1 + 1, [.adverb, .degree]) && $0.has($1 + 2, .adjective) && $0.has($1 + 3, .noun) }),
        .phrase("spelling.there", .grammar, "^ [their] is|are|was|were", "there", "「有」是 there is／are；their 是「他們的」。"),
        .phrase(
            "spelling.their", .grammar, "[there] house|parents|children|names|car|kids|own|phones|jobs", "their", "「他們的」是 their。",
            unless: {
                !$0.has($1 - 1, [.preposition, .verb]) || $0[$1 - 1].word == "over" || $0[$1 - 1].tags.has(.be)
                    || $0.has($1 - 1, .adverb)
            }),
        .phrase(
            "spelling.then", .grammar, "<ANYADJ> [then] me|you|him|her|us|them|my|the|last|before|i|this|that|expected", "than",
            "比較時用 than；then 是「然後」。", unless: { !$0.has($1, .comparative) }),
        .phrase(
            "spelling.then", .grammar, "more|less|better <ANYADJ> [then] me|you|him|her|us|them|my|the|last|before|this|that",
            "than", "比較時用 than；then 是「然後」。"),
        .phrase(
            "spelling.too", .grammar, "<BE> [to] expensive|cold|hot|big|small|tired|late|busy|far|old|young|difficult|hard <END>",
            "too", "「太」是 too。"),
        .phrase(
            "spelling.quiet", .vocabulary, "very|so|too|be|keep|really [quite] <END>|here|place|and|in|at|there|street", "quiet",
            "「安靜」是 quiet；quite 是「相當」。"),
        .phrase(
            "spelling.advice", .vocabulary, "some|any|good|your|his|the|my|an|more [advise]", "advice",
            "「建議」的名詞是 advice，advise 是動詞。"),
        .phrase(
            "spelling.advise", .vocabulary, "[advice] me|him|her|us|them|you to", "advise", "「建議」的動詞是 advise。",
            unless: { $0.has($1 - 1, [.determiner, .possessive, .adjective]) }),
        .phrase(
            "spelling.lose", .vocabulary, "[loose] weight|my|the|money|your|his|her|it", "lose", "「失去」是 lose；loose 是「鬆的」。",
            unless: { $0.has($1 - 1, [.determiner, .be]) }),
        .phrase(
            "spelling.effect", .vocabulary, "will|can|may|could|to|doesn't|not [effect] me|my|the|our|your|people|him|her|us|them",
            "affect", "「影響」的動詞是 affect。"),
        .phrase(
            "spelling.custom", .vocabulary, "[costumer|costumers]", "customer", "「顧客」是 customer。",
            unless: { $0[$1].word == "costumers" }),
        .phrase(
            "spelling.joined", .vocabulary, "[some|any|every one|body|thing|where]", "someone、anything、everybody 這類字要寫成一個字。"
        ) { sentence, _, span in
            // "any one of them", "some thing or other"
            guard sentence[span.upperBound].word != "of", !sentence.has(span.upperBound, [.noun, .conjunction]) else { return nil }
            // "pick any one"
            if sentence[span.lowerBound + 1].word == "one", sentence[span.lowerBound].word != "some",
                !sentence.has(span.upperBound, [.modal, .be, .thirdPerson]),
                !["else", "who"].contains(sentence[span.upperBound].word)
            {
                return nil
            }
            return sentence[span.lowerBound].word + sentence[span.lowerBound + 1].word
        },
        .phrase(
            "spelling.joined", .vocabulary, "[my|your|him|her self]", "myself、himself 這類字要寫成一個字。"
        ) { sentence, _, span in sentence[span.lowerBound].word + "self" },
        .phrase("spelling.everyday", .grammar, "[every days|weeks|months|years]", "every $2:singular", "every 後面用單數名詞。"),
    ]
}
