extension Rule {
    /// Prepositions before times.
    static let timePrepositions: [Rule] = [
        .phrase("preposition.day", "[in|at] <DAY>", "on", unless: { $0.has($1 - 1, .superlative) }),
        .phrase(
            "preposition.day-part", "[at|on the? morning|afternoon|evening] !of", "in the $3",
            unless: { $0.has($1 + 1, .weekday) || $0.has($1 + 3, .noun) }),
        .phrase(
            "preposition.season", "[on|at] summer|winter|spring", "in", unless: { $0.has($1 + 2, .noun) }),
        .phrase(
            "preposition.date", "[in|at] <MONTH> <NUM>", "on",
            unless: { $0[$1 + 2].word.count == 4 || $0[$1 + 1].word == "may" && !$0[$1 + 1].isCapitalized }),
        .phrase(
            "preposition.weekend", "[in|at the? weekend|weekends]", "on $2 $3",
            unless: { $0[$1].word == "at" }),
        .phrase(
            "preposition.none", "[in|on|at last|next|this week|month|year|weekend|night|summer|winter]", "$2 $3",
            unless: {
                // "the hotel we stayed at last summer"
                $0.has($1 - 1, .verb) && $0.has($1 - 2, .subject) && $0.has($1 - 3, .noun)
            }),
        .phrase(
            "preposition.moment", "[in|on that|the|this moment] $", "at $2 $3",
            unless: { $0[$1 + 1].word == "the" && $0[$1].word == "in" }),
        .phrase(
            "preposition.ago", "[before <NUM> days|weeks|months|years|hours|minutes] $", "$2 $3 ago",
            unless: { $0.has($1 + 3, [.noun]) }),
        .phrase(
            "preposition.ago", "<NUM> days|weeks|months|years|hours|minutes [before] <END>", "ago",
            unless: { s, i in s.contains(0..<i) { $0.word == "had" } }),
    ]
}
