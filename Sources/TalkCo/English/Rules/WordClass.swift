/// The classes of words that patterns name.
enum WordClass {
    static let all: [String: @Sendable (Sentence, Int) -> Bool] = [
        "NOUN": { $0.has($1, .noun) },
        "SG": { $0.has($1, .strict) && $0.has($1, .singular) && !$0.has($1, [.plural, .adjective]) },
        "PL": { $0.has($1, .plural) && !$0.has($1, [.singular, .uncountable]) },
        "UNC": { $0.has($1, .uncountable) && !$0.has($1, [.singular, .plural]) },
        "PERSON": { $0.has($1, .person) && $0.has($1, .singular) },
        // VERB is any infinitive, and BASE an infinitive that can only be a verb.
        "VERB": { $0[$1].entry.tags.has(.base) },
        "BASE": { isPureBase($0, $1) },
        "ACTION": { isPureBase($0, $1) || $0[$1].entry.tags.has(.base) && takesObject($0, $1 + 1) },
        "ING": { $0.has($1, .gerund) },
        "S": { $0[$1].entry.tags.has(.thirdPerson) && !$0[$1].entry.tags.has([.singular, .uncountable]) },
        "PAST": { $0[$1].entry.tags.has(.past) && !$0[$1].entry.tags.has([.base, .participle, .noun, .adjective]) },
        "PP": { $0[$1].entry.tags.has(.participle) },
        "ADJ": { $0.has($1, .adjective) && !$0.has($1, [.verb, .noun, .determiner]) },
        "ED": { $0[$1].entry.tags.contains([.past, .participle]) && !$0[$1].entry.tags.has([.base, .adjective, .noun]) },
        "CLOCK": {
            $0[$1].kind == .number && ($0[$1].word.contains(":") || $0[$1].word.hasSuffix("pm") || $0[$1].word.hasSuffix("am"))
        },
        "ANYADJ": { $0[$1].entry.tags.has(.adjective) },
        "SHORT": { WordLists.shortAdjectives.contains($0[$1].word) },
        "ADV": { $0.isAdverb($1) },
        "DET": { $0.has($1, [.determiner, .possessive]) },
        "POSS": { $0.has($1, .possessive) },
        "SUBJ": { $0.isSubjectPronoun($1) },
        "PRONOUN": { $0.has($1, .subject) },
        "OBJ": { ["me", "him", "her", "us", "them", "you", "it"].contains($0[$1].word) },
        "PREP": { $0.has($1, .preposition) },
        "BE": { $0.has($1, .be) || $0[$1].word == "'s" },
        "MODAL": { $0.has($1, .modal) },
        "NUM": { $0.has($1, .number) },
        "LANG": { $0.has($1, .language) },
        "PLACE": { $0.has($1, .place) },
        "DAY": { $0.has($1, .weekday) },
        "MONTH": { $0.has($1, .month) && ($0[$1].word != "may" && $0[$1].word != "march" || $0[$1].isCapitalized) },
        "YEAR": { $0.hasYearForm($1) && ["19", "20", "21"].contains($0[$1].word.prefix(2)) },
        "NAME": { $0.has($1, .name) },
        "ANY": { $0[$1].kind == .word },
        "END": { $1 >= $0.count || $0[$1].kind == .pause },
    ]

    /// Returns true for an infinitive that is neither a noun nor an adjective nor the same as its past.
    static func isPureBase(_ sentence: Sentence, _ index: Int) -> Bool {
        let tags = sentence[index].entry.tags
        return tags.has(.base) && !tags.has([.noun, .adjective, .past, .participle, .preposition, .adverb, .unknown])
    }

    /// Returns true if the object of a verb starts at the index.
    static func takesObject(_ sentence: Sentence, _ index: Int) -> Bool {
        let token = sentence[index]
        if ["me", "him", "us", "them", "you", "it", "the", "a", "an", "my", "your", "his", "their", "our", "with"].contains(
            token.word)
        {
            return true
        }
        return [
            "basketball", "tennis", "baseball", "football", "english", "chinese", "japanese", "tv", "music", "movies", "games",
            "piano", "guitar", "badminton",
        ].contains(token.word)
    }
}
