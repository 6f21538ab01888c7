/// The words that the rules know, with all their forms.
struct Lexicon: Sendable {
    static let standard = Lexicon()

    private(set) var entries: [String: Entry] = [:]
    private var pasts: [String: (past: String, participle: String)] = [:]
    private var plurals: [String: String] = [:]

    private init() {
        let lists = WordLists.standard
        for band in lists.verbs.irregular {
            for forms in band.forms { addVerb(forms[0], past: forms[1], participle: forms[2], band.band) }
        }
        for band in lists.verbs.regular {
            for verb in band.list where pasts[verb] == nil {
                let past = Inflection.withED(verb)
                addVerb(verb, past: past, participle: past, band.band)
            }
        }
        for (word, tags) in Self.spellings { add(word, tags.0, verb: tags.1, 2) }
        for band in lists.nouns.persons { for word in band.list { addNoun(word, [.strict, .person], band.band) } }
        for band in lists.nouns.things { for word in band.list { addNoun(word, .strict, band.band) } }
        for band in lists.nouns.dual { for word in band.list { addNoun(word, .uncountable, band.band) } }
        for band in lists.nouns.uncountable { for word in band.list { add(word, .uncountable, noun: word, band.band) } }
        for band in lists.nouns.pluralOnly { for word in band.list { add(word, .plural, noun: word, band.band) } }
        for word in lists.nouns.languages.flatMap(\.words) { add(word, [.language, .adjective, .uncountable], 1) }
        for word in lists.nouns.places.flatMap(\.words) { add(word, [.place, .name], 1) }
        for band in lists.adjectives { for word in band.list { addAdjective(word, band.band) } }
        for band in lists.adverbs { for word in band.list { add(word, .adverb, band.band) } }
        for group in lists.function {
            let tags = group.tags.reduce(into: Tags()) { $0.formUnion(Tags.named[$1] ?? []) }
            for word in group.list { add(word, tags, group.band) }
        }
        // A word that is a noun of both kinds does not need a determiner.
        for (word, entry) in entries where entry.tags.has(.uncountable) { entries[word]?.tags.remove(.strict) }
    }

    /// Forms with two spellings.
    private static let spellings: [String: (Tags, String)] = [
        "learnt": ([.past, .participle], "learn"), "dreamt": ([.past, .participle], "dream"),
        "burnt": ([.past, .participle], "burn"),
        "travelled": ([.past, .participle], "travel"), "travelling": (.gerund, "travel"),
        "cancelled": ([.past, .participle], "cancel"),
        "got": (.participle, "get"), "proven": (.participle, "prove"), "woken": (.participle, "wake"),
    ]

    private mutating func add(_ word: String, _ tags: Tags, verb: String = "", noun: String = "", _ band: Int) {
        var entry = entries[word] ?? Entry()
        entry.tags.formUnion(tags)
        // The form of the more frequent verb wins: "lay" is the past of "lie", "found" of "find".
        if entry.verb.isEmpty { entry.verb = verb }
        if entry.noun.isEmpty { entry.noun = noun }
        entry.band = entry.band == 0 ? band : min(entry.band, band)
        entries[word] = entry
    }

    private mutating func addVerb(_ verb: String, past: String, participle: String, _ band: Int) {
        pasts[verb] = (past, participle)
        add(verb, .base, verb: verb, band)
        add(Inflection.thirdPerson(verb), .thirdPerson, verb: verb, band)
        add(past, .past, verb: verb, band)
        add(participle, .participle, verb: verb, band)
        add(Inflection.withING(verb), .gerund, verb: verb, band)
    }

    private mutating func addNoun(_ noun: String, _ tags: Tags, _ band: Int) {
        let plural = WordLists.standard.nouns.irregularPlurals[noun] ?? Inflection.withS(noun)
        plurals[noun] = plural
        add(noun, tags.union(.singular), noun: noun, band)
        if plural != noun { add(plural, tags.has(.person) ? [.plural, .person] : .plural, noun: noun, band) }
    }

    private mutating func addAdjective(_ word: String, _ band: Int) {
        add(word, .adjective, band)
        if let forms = WordLists.standard.irregularComparison[word] {
            add(forms[0], [.adjective, .comparative], band)
            add(forms[1], [.adjective, .superlative], band)
        } else if WordLists.shortAdjectives.contains(word) {
            add(Inflection.compared(word, "er"), [.adjective, .comparative], band)
            add(Inflection.compared(word, "est"), [.adjective, .superlative], band)
        }
    }

    /// Returns the entry of a word in lowercase. A word that is not in the lists gets its tags from its ending.
    func entry(_ word: String, isCapitalized: Bool) -> Entry {
        if let entry = entries[word] { return entry }
        if let last = word.split(separator: "-").last, last.count < word.count, let entry = entries[String(last)] {
            // "two-day", "well-known": an adjective or a compound noun. "Binge-watched" may be a verb.
            if entry.tags.has([.past, .participle]), !entry.tags.has(.adjective) { return Entry(tags: .unknown, band: entry.band) }
            return Entry(
                tags: entry.tags.intersection([.adjective, .singular, .plural]).union([.adjective, .unknown]), band: entry.band)
        }
        if word.hasSuffix("'s") || word.hasSuffix("s'") { return Entry(tags: .possessive) }
        if isCapitalized { return Entry(tags: .name) }
        if word.hasSuffix("ly"), word.count > 4 { return Entry(tags: .adverb, band: 4) }
        if word.hasSuffix("ness") || word.hasSuffix("tion") || word.hasSuffix("ment") || word.hasSuffix("ity") {
            return Entry(tags: [.unknown, .uncountable, .singular], band: 4)
        }
        return Entry(tags: .unknown)
    }

    // MARK: Forms

    func past(_ verb: String) -> String { verb == "be" ? "was" : pasts[verb]?.past ?? Inflection.withED(verb) }
    func participle(_ verb: String) -> String { verb == "be" ? "been" : pasts[verb]?.participle ?? Inflection.withED(verb) }
    func plural(_ noun: String) -> String { WordLists.standard.nouns.irregularPlurals[noun] ?? Inflection.withS(noun) }

    func comparative(_ adjective: String) -> String {
        if let forms = WordLists.standard.irregularComparison[adjective] { return forms[0] }
        return WordLists.shortAdjectives.contains(adjective) ? Inflection.compared(adjective, "er") : "more " + adjective
    }

    func superlative(_ adjective: String) -> String {
        if let forms = WordLists.standard.irregularComparison[adjective] { return forms[1] }
        return WordLists.shortAdjectives.contains(adjective) ? Inflection.compared(adjective, "est") : "most " + adjective
    }

    /// Returns all forms of a listed verb.
    func forms(_ verb: String) -> [String] {
        if verb == "be" {
            return [
                "am", "is", "are", "was", "were", "be", "been", "being", "'m", "'re", "'s", "isn't", "aren't", "wasn't", "weren't",
            ]
        }
        return [verb, Inflection.thirdPerson(verb), past(verb), participle(verb), Inflection.withING(verb)]
    }

    /// Returns `verb` in the form of `model`, which is a form of another verb.
    func inflect(_ verb: String, like model: Token) -> String {
        let tags = model.tags.intersection(.verb).isEmpty ? model.entry.tags : model.tags
        if tags.has(.base) { return verb }
        if tags.has(.gerund) { return Inflection.withING(verb) }
        if tags.has(.past) { return past(verb) }
        if tags.has(.participle) { return participle(verb) }
        return tags.has(.thirdPerson) ? Inflection.thirdPerson(verb) : verb
    }
}
