extension Rule {
    /// Prepositions before times.
    static let timePrepositions: [Rule] = [
        .phrase("preposition.clock", .grammar, "[in|on] <CLOCK>", "at", "幾點鐘前面用 at。"),
        .phrase("preposition.day", .grammar, "[in|at] <DAY>", "on", "星期幾前面用 on。", unless: { $0.has($1 - 1, .superlative) }),
        .phrase("preposition.day", .grammar, "[in|at the <DAY>] $", "on $3", "星期幾前面用 on，不加 the。"),
        .phrase(
            "preposition.day-part", .grammar, "[in|at] <DAY> morning|afternoon|evening|night", "on", "指特定某天的早上、晚上，用 on。",
            priority: 61),
        .phrase(
            "preposition.day-part", .grammar, "[at|on the? morning|afternoon|evening] !of", "in the $3",
            "早上、下午、傍晚用 in the morning／afternoon／evening。", unless: { $0.has($1 + 1, .weekday) || $0.has($1 + 3, .noun) }),
        .phrase("preposition.night", .grammar, "[in night]", "at night", "「在晚上」是 at night 或 in the evening。"),
        .phrase("preposition.month", .grammar, "[on|at] <MONTH> !<NUM>|the", "in", "月份前面用 in。"),
        .phrase("preposition.year", .grammar, "[on|at] <YEAR>", "in", "年份前面用 in。"),
        .phrase("preposition.year", .grammar, "[in|at <YEAR> year]", "in $2", "年份直接說 in 2019，不加 year。", priority: 61),
        .phrase(
            "preposition.season", .grammar, "[on|at] summer|winter|spring", "in", "季節前面用 in。", unless: { $0.has($1 + 2, .noun) }),
        .phrase(
            "preposition.date", .grammar, "[in|at] <MONTH> <NUM>", "on", "有日期時用 on。",
            unless: { $0[$1 + 2].word.count == 4 || $0[$1 + 1].word == "may" && !$0[$1 + 1].isCapitalized }),
        .phrase("preposition.clock", .grammar, "[in|on] <NUM> o'clock|am|pm|thirty|oclock", "at", "幾點鐘前面用 at。"),
        .phrase(
            "preposition.clock", .grammar,

            """
            up|start|starts|finish|finishes|leave|sleep|meet|meeting|begins [in|on] six|seven|eight|nine|ten|eleven|twelve|\
            6|7|8|9|10|11|12 $
            """,
            "at", "幾點鐘前面用 at。"),
        .phrase(
            "preposition.weekend", .grammar, "[in|at the? weekend|weekends]", "on $2 $3", "「在週末」是 on the weekend 或 on weekends。",
            unless: { $0[$1].word == "at" }),
        .phrase(
            "preposition.none", .grammar, "[in|on|at yesterday|tomorrow|today|tonight]", "$2", "yesterday、today、tomorrow 前面不加介系詞。"),
        .phrase(
            "preposition.none", .grammar, "[in|on|at last|next|this week|month|year|weekend|night|summer|winter]", "$2 $3",
            "last、next、this 加時間時，前面不加介系詞。",
            unless: {
                // "the hotel we stayed at last summer"
                $0.has($1 - 1, .verb) && $0.has($1 - 2, .subject) && $0.has($1 - 3, .noun)
            }),
        .phrase(
            "preposition.none", .grammar, "[in|on|at last|next|this <DAY>]", "$2 $3", "last、next、this 加星期時，前面不加介系詞。", priority: 62),
        .phrase(
            "preposition.none", .grammar, "[in|on|at every day|morning|night|week|year|weekend|month]", "$2 $3",
            "every 加時間時，前面不加介系詞。"),
        .phrase("preposition.day-name", .grammar, "[in my|his|her birthday] $", "on $2 $3", "特定的日子用 on。"),
        .phrase("preposition.day-name", .grammar, "[in christmas|new-year day|eve]", "on $2 $3", "特定的日子用 on。"),
        .phrase(
            "preposition.moment", .grammar, "[in|on that|the|this moment] $", "at $2 $3", "「在那一刻」是 at that moment。",
            unless: { $0[$1 + 1].word == "the" && $0[$1].word == "in" }),
        .phrase("preposition.beginning", .grammar, "^ [at|in the first] $", "at first", "「起初」是 at first，不加 the。"),
        .phrase(
            "preposition.ago", .grammar, "[before <NUM> days|weeks|months|years|hours|minutes] $", "$2 $3 ago",
            "「多久以前」是 three years ago。", unless: { $0.has($1 + 3, [.noun]) }),
        .phrase(
            "preposition.ago", .grammar, "<NUM> days|weeks|months|years|hours|minutes [before] <END>", "ago", "從現在往前算的「以前」用 ago。",
            unless: { s, i in s.contains(0..<i) { $0.word == "had" } }),
        .phrase(
            "preposition.during-clause", .grammar, "[during] i|he|she|we|they|my <VERB>|was|were|am|is|are", "while",
            "during 後面接名詞；接子句用 while 或 when。"),
        .phrase(
            "preposition.later", .grammar, "[after <NUM> days|weeks|months|years|hours|minutes] i|we|he|she|they will", "in $2 $3",
            "從現在算起「多久之後」用 in。"),
    ]
}
