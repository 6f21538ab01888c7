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
            "natural.be-very-verb",
            "he|she|it [<BE> very|so|really like|love|want|enjoy|hope|miss|need|care|hate|appreciate]", "really $4:s", priority: 72,
            unless: { $0[$1 + 3].word == "like" && $0[$1 + 2].word != "very" }
        ),
        .phrase(
            "natural.very-verb-s", "he|she|it [very like|love|hate|enjoy|want|hope|need|miss|appreciate]",
            "really $3:s", priority: 71, unless: { !$0.startsClause($1) }),
        .phrase(
            "natural.very-verb", "[very \(feelingVerbs)]", "really $2", priority: 70,
            unless: { s, i in
                s[i + 1].word == "needed" && s.has(i - 1, .be)
                    || s.has(i + 1, .adjective) && !s.has(i - 1, [.subject, .negative, .be])
                    || ["missed", "loved", "liked", "admired", "appreciated", "hated"].contains(s[i + 1].word) && s.has(i - 1, .be)
                        && s[i + 1].word != "liked"
            }),
        .phrase(
            "natural.so-very", "<SUBJ> [very] <BASE>|<S> !<ADJ>", "really", priority: 69,
            unless: { $0.has($1 + 2, .adjective) }),
        .phrase(
            "natural.too-positive",
            "[too] delicious|beautiful|handsome|cute|amazing|wonderful|lovely|awesome|fantastic|excellent !<MODAL>", "so",
            unless: { s, i in
                s[i + 2].word == "to" || s[i + 2].word == "for" || s[i - 1].word == "not" || s.has(i - 1, [.negative, .object])
                    || s[i - 1].word == "too" || s[i - 1].kind == .pause || s[i - 1].word == "all"
            }),
        .phrase(
            "natural.more-like", "<SUBJ> [more like] <NOUN>|<ING>|the|to|<LANG>", "prefer",
            unless: { $0[$1].word == "it" || $0.has($1, .be) }),
        .phrase("natural.bit-of", "a [bit of] <ADJ>", "bit", unless: { $0.has($1 + 3, .noun) || $0.has($1 + 4, .noun) }),
        .phrase(
            "natural.such-good", "[such] <ADJ> <SG> !<NOUN>", "such a",
            unless: { Rule.startsWithVowelSound($0[$1 + 1].word) }),
    ]

    private static let requests: [Rule] = [
        .phrase(
            "natural.let-cry", "[let*] me|us|him|her|people cry|laugh|smile", "make@1",
            unless: { $0.has($1 - 1, [.modal]) || $0[$1 - 1].word == "to" || $1 == 0 }),
        .phrase(
            "natural.welcome", "[welcome you] <END>", "welcome",
            unless: { !$0.startsClause($1) }),
        .phrase(
            "natural.wait-moment", "[wait me|for? me? a moment|minute|while]", "wait a moment",
            unless: { $0[$1 + 1].word == "a" || $0[$1 + 1].word == "for" && $0[$1 + 2].word != "me" }),
        .phrase(
            "natural.let-feel", "[let*] me|us|him|her|people|them feel", "make@1",
            unless: { s, i in s[i + 3].word == "free" || s[i - 1].word == "please" }),
    ]

    private static let expressions: [Rule] = [
        .phrase(
            "natural.as-i-know", "[as i know] <END>|the|it|he|she|there|this|taiwan|they", "as far as I know",
            unless: { $0[$1 - 1].word == "far" }),
        .phrase(
            "natural.today-morning", "[today evening|night]", "tonight",
            unless: { $0.has($1 + 2, .noun) }),
        .phrase(
            "natural.no-what", "[not have] money|time|idea", "don't have",
            unless: { !$0.has($1 - 1, .subject) }),
        .phrase(
            "natural.have-good-time", "[play* very|so happy|happily]", "had a good time",
            unless: { $0[$1].word != "played" }),
    ]
}
