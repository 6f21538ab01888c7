extension Rule {
    /// Words that sound alike.
    static let spelling: [Rule] = [
        .phrase(
            "spelling.youre", "^ [your] welcome|so|very|a|going|not|really|too", "you're",
            unless: { $0.has($1 + 1, [.adverb, .degree]) && $0.has($1 + 2, .adjective) && $0.has($1 + 3, .noun) }),
        .phrase(
            "spelling.their", "[there] house|parents|children|names|car|kids|own|phones|jobs", "their",
            unless: {
                !$0.has($1 - 1, [.preposition, .verb]) || $0[$1 - 1].word == "over" || $0[$1 - 1].tags.has(.be)
                    || $0.has($1 - 1, .adverb)
            }),
        .phrase(
            "spelling.then", "<ANYADJ> [then] me|you|him|her|us|them|my|the|last|before|i|this|that|expected", "than",
            unless: { !$0.has($1, .comparative) }),
        .phrase(
            "spelling.advise", "[advice] me|him|her|us|them|you to", "advise",
            unless: { $0.has($1 - 1, [.determiner, .possessive, .adjective]) }),
        .phrase(
            "spelling.lose", "[loose] weight|my|the|money|your|his|her|it", "lose",
            unless: { $0.has($1 - 1, [.determiner, .be]) }),
        .phrase(
            "spelling.custom", "[costumer|costumers]", "customer",
            unless: { $0[$1].word == "costumers" }),
        .phrase(
            "spelling.joined", "[some|any|every one|body|thing|where]"
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
            "spelling.joined", "[my|your|him|her self]"
        ) { sentence, _, span in sentence[span.lowerBound].word + "self" },
    ]
}
