/// The words that the rules know, with all their forms.
struct Lexicon: Sendable {
    static let standard = Lexicon()

    private(set) var entries: [String: Entry] = [:]
    private var pasts: [String: (past: String, participle: String)] = [:]
    private var plurals: [String: String] = [:]

    private init() {
        for (band, forms) in VerbList.irregular {
            for line in forms.split(separator: ",") {
                let parts = line.words
                if parts.count == 3 { addVerb(parts[0], past: parts[1], participle: parts[2], band) }
            }
        }
        for (band, words) in VerbList.regular {
            for verb in words.words where pasts[verb] == nil {
                let past = Inflection.withED(verb)
                addVerb(verb, past: past, participle: past, band)
            }
        }
        for (word, tags) in Self.spellings { add(word, tags.0, verb: tags.1, 2) }
        for (band, words) in NounList.persons { for word in words.words { addNoun(word, [.strict, .person], band) } }
        for (band, words) in NounList.things { for word in words.words { addNoun(word, .strict, band) } }
        for (band, words) in NounList.dual { for word in words.words { addNoun(word, .uncountable, band) } }
        for (band, words) in NounList.uncountable { for word in words.words { add(word, .uncountable, noun: word, band) } }
        for (band, words) in NounList.pluralOnly { for word in words.words { add(word, .plural, noun: word, band) } }
        for word in NounList.languages.words { add(word, [.language, .adjective, .uncountable], 1) }
        for word in NounList.places.words { add(word, [.place, .name], 1) }
        for (band, words) in OtherList.adjectives { for word in words.words { addAdjective(word, band) } }
        for (band, words) in OtherList.adverbs { for word in words.words { add(word, .adverb, band) } }
        for (tags, band, words) in OtherList.function { for word in words.words { add(word, tags, band) } }
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
        let plural = NounList.irregularPlurals[noun] ?? Inflection.withS(noun)
        plurals[noun] = plural
        add(noun, tags.union(.singular), noun: noun, band)
        if plural != noun { add(plural, tags.has(.person) ? [.plural, .person] : .plural, noun: noun, band) }
    }

    private mutating func addAdjective(_ word: String, _ band: Int) {
        add(word, .adjective, band)
        if let (better, best) = OtherList.irregularComparison[word] {
            add(better, [.adjective, .comparative], band)
            add(best, [.adjective, .superlative], band)
        } else if OtherList.short.contains(word) {
            add(Inflection.compared(word, "er"), [.adjective, .comparative], band)
            add(Inflection.compared(word, "est"), [.adjective, .superlative], band)
        }
    }

    /// The entry of a word in lower case. A word that is not in the lists gets its tags from its ending.
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
    func plural(_ noun: String) -> String { NounList.irregularPlurals[noun] ?? Inflection.withS(noun) }

    func comparative(_ adjective: String) -> String {
        if let (better, _) = OtherList.irregularComparison[adjective] { return better }
        return OtherList.short.contains(adjective) ? Inflection.compared(adjective, "er") : "more " + adjective
    }

    func superlative(_ adjective: String) -> String {
        if let (_, best) = OtherList.irregularComparison[adjective] { return best }
        return OtherList.short.contains(adjective) ? Inflection.compared(adjective, "est") : "most " + adjective
    }

    /// All forms of a verb of the lists.
    func forms(_ verb: String) -> [String] {
        if verb == "be" {
            return [
                "am", "is", "are", "was", "were", "be", "been", "being", "'m", "'re", "'s", "isn't", "aren't", "wasn't", "weren't",
            ]
        }
        return [verb, Inflection.thirdPerson(verb), past(verb), participle(verb), Inflection.withING(verb)]
    }

    /// `verb` in the form that `model`, a form of another verb, has.
    func inflect(_ verb: String, like model: Token) -> String {
        let tags = model.tags.intersection(.verb).isEmpty ? model.entry.tags : model.tags
        if tags.has(.base) { return verb }
        if tags.has(.gerund) { return Inflection.withING(verb) }
        if tags.has(.past) { return past(verb) }
        if tags.has(.participle) { return participle(verb) }
        return tags.has(.thirdPerson) ? Inflection.thirdPerson(verb) : verb
    }
}
