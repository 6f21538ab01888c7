/// Possible parts of speech of a word.
struct Tags: OptionSet, Hashable, Sendable {
    var rawValue: UInt64

    /// A countable noun in the singular.
    static let singular = Tags(rawValue: 1 << 0)
    static let plural = Tags(rawValue: 1 << 1)
    /// A noun that has no plural.
    static let uncountable = Tags(rawValue: 1 << 2)
    /// A noun that, in the singular, always has a determiner, unlike "school" or "chicken".
    static let strict = Tags(rawValue: 1 << 3)
    static let person = Tags(rawValue: 1 << 4)
    static let base = Tags(rawValue: 1 << 5)
    static let thirdPerson = Tags(rawValue: 1 << 6)
    static let past = Tags(rawValue: 1 << 7)
    static let participle = Tags(rawValue: 1 << 8)
    static let gerund = Tags(rawValue: 1 << 9)
    static let adjective = Tags(rawValue: 1 << 10)
    static let adverb = Tags(rawValue: 1 << 11)
    static let determiner = Tags(rawValue: 1 << 12)
    static let possessive = Tags(rawValue: 1 << 13)
    static let subject = Tags(rawValue: 1 << 14)
    static let object = Tags(rawValue: 1 << 15)
    static let preposition = Tags(rawValue: 1 << 16)
    static let conjunction = Tags(rawValue: 1 << 17)
    static let modal = Tags(rawValue: 1 << 18)
    static let be = Tags(rawValue: 1 << 19)
    static let have = Tags(rawValue: 1 << 20)
    static let auxiliaryDo = Tags(rawValue: 1 << 21)
    static let question = Tags(rawValue: 1 << 22)
    static let number = Tags(rawValue: 1 << 23)
    /// A capitalized word that the lexicon does not know.
    static let name = Tags(rawValue: 1 << 24)
    static let comparative = Tags(rawValue: 1 << 25)
    static let superlative = Tags(rawValue: 1 << 26)
    static let language = Tags(rawValue: 1 << 27)
    static let negative = Tags(rawValue: 1 << 28)
    /// A word such as "really" that strengthens the next one.
    static let degree = Tags(rawValue: 1 << 29)
    static let weekday = Tags(rawValue: 1 << 30)
    static let month = Tags(rawValue: 1 << 31)
    /// A country or city.
    static let place = Tags(rawValue: 1 << 32)
    static let unknown = Tags(rawValue: 1 << 33)

    /// The tags of function words, by their names in `lexicon.json`.
    static let named: [String: Tags] = [
        "singular": .singular, "plural": .plural, "uncountable": .uncountable, "strict": .strict, "person": .person, "base": .base,
        "thirdPerson": .thirdPerson, "past": .past, "participle": .participle, "gerund": .gerund, "adjective": .adjective,
        "adverb": .adverb, "determiner": .determiner, "possessive": .possessive, "subject": .subject, "object": .object,
        "preposition": .preposition, "conjunction": .conjunction, "modal": .modal, "be": .be, "have": .have,
        "auxiliaryDo": .auxiliaryDo, "question": .question, "number": .number, "name": .name, "comparative": .comparative,
        "superlative": .superlative, "language": .language, "negative": .negative, "degree": .degree, "weekday": .weekday,
        "month": .month, "place": .place,
    ]

    static let noun: Tags = [.singular, .plural, .uncountable]
    static let verb: Tags = [.base, .thirdPerson, .past, .participle, .gerund]
    static let finite: Tags = [.base, .thirdPerson, .past]

    func has(_ other: Tags) -> Bool { !isDisjoint(with: other) }
}

/// The properties of one written form of a word.
struct Entry: Sendable {
    var tags: Tags = []
    /// The infinitive of a verb; empty for other words.
    var verb = ""
    /// The singular of a noun; empty for other words.
    var noun = ""
    /// The frequency band of the lemma, 1 (everyday words) to 5; 0 for an unknown word.
    var band = 0
}
