/// A small change that may correct a sentence.
struct Edit: Hashable, Sendable {
    /// The kind of error that a change corrects. The file `edits.json` has an entry for each kind but `rule`.
    enum Kind: String, Hashable, Sendable, CaseIterable, Decodable {
        case insertArticle, deleteArticle, changeArticle, articleSound
        case nounPlural, nounSingular
        case verbBase, gerundBase, verbPlural, verbThirdPerson, verbPast, verbPresent, verbParticiple, verbGerund, verbTo
        case beForm, insertBe, deleteBe, auxiliary
        case preposition, insertPreposition, deletePreposition
        case insertTo, deleteTo, insertPronoun, insertIt, insertWord
        case swap, doubled
        case deleteWord
        case pronoun, determiner, quantity, adverb, adjective, participle, comparison, confused, family
        case spelling, joined
        /// A change that a rule of ``RuleSet`` proposes.
        case rule
    }

    var kind: Kind
    /// The units to replace; empty for an insertion.
    var units: Range<Int>
    /// The new words as the parser gets them: in lowercase apart from names and "I".
    var words: [String]
    /// The index of the rule's match; nil for other edits.
    var rule: Int?
    var ruleName: String?
}

/// The source of small changes of a sentence, from tables and inflection.
struct Editor {
    private let units: [Unit]
    private let sentence: Sentence
    private let model: WordModel
    private let table: EditTable
    private let lexicon = Lexicon.standard
    /// Returns true for a word of the parser's dictionary.
    private let knows: (String) -> Bool

    private static let nounForms: Set<Edit.Kind> = [.nounPlural, .nounSingular]
    private static let agreement: Set<Edit.Kind> = [.verbBase, .verbPlural, .verbThirdPerson]
    private static let articles: Set = ["a", "an", "the"]
    private static let otherPrepositions: Set = ["during", "since", "as", "until", "over", "through", "than"]
    /// The words that may replace a form of "be" without a change of tense.
    private static let beForms = {
        let (present, past, other) = (["am", "is", "are"], ["was", "were"], ["be", "been", "being"])
        var forms = ["be": present + past + other]
        for form in present { forms[form] = present + ["be", "been"] }
        for form in past { forms[form] = past + ["be", "been"] }
        return forms
    }()
    private static let pluralForms = ["is": "are", "was": "were"]
    private static let be = ["am", "is", "are", "was", "were", "be", "been", "being"]

    init(
        _ units: [Unit], _ sentence: Sentence, _ model: WordModel, _ table: EditTable,
        knows: @escaping (String) -> Bool = { _ in false }
    ) {
        (self.units, self.sentence, self.model, self.table, self.knows) = (units, sentence, model, table, knows)
    }

    /// Returns all proposals. Their number grows linearly with the length of the sentence.
    func edits() -> [Edit] {
        var edits: [Edit] = []
        for index in units.indices where !units[index].isPause { proposeChanges(of: index, &edits) }
        for index in 0...units.count { proposeInsertions(before: index, &edits) }
        return edits
    }

    private func word(_ index: Int) -> String { units.indices.contains(index) ? units[index].word : "" }

    private func entry(_ index: Int) -> Entry {
        guard units.indices.contains(index), let token = units[index].tokens.first else { return Entry() }
        return sentence[token].entry
    }

    private func isPreposition(_ word: String) -> Bool {
        table.prepositions.contains(word) || Self.otherPrepositions.contains(word)
    }

    // MARK: Replacements

    private func proposeChanges(of index: Int, _ edits: inout [Edit]) {
        let word = units[index].word
        var seen: [String: Set<Edit.Kind>] = [word: Set(Edit.Kind.allCases)]
        func replace(_ kind: Edit.Kind, _ other: String) {
            // "helps" may be a noun or a verb; otherwise one kind of change gives a word.
            let kinds = seen[other] ?? []
            guard !other.isEmpty,
                kinds.isEmpty || kinds.isSubset(of: Self.nounForms) && Self.agreement.contains(kind) && !isInNounPhrase(index)
            else { return }
            seen[other, default: []].insert(kind)
            edits.append(Edit(kind: kind, units: index..<index + 1, words: other.words.map { $0 == "i" ? "I" : $0 }))
        }
        func delete(_ kind: Edit.Kind) { edits.append(Edit(kind: kind, units: index..<index + 1, words: [])) }

        // "the U.S.A": a letter, not an article.
        if index > 0, units[index].written == "A" { return }
        if Self.articles.contains(word) {
            if !["and", "or"].contains(self.word(index - 1)) { delete(.deleteArticle) }
            let next = self.word(index + 1)
            if word != "the", !next.isEmpty, next != ",", entry(index + 1).band > 0 || model.word(next) != nil, next.count > 1 {
                let article = Rule.startsWithVowelSound(next) ? "an" : "a"
                if article != word { replace(.articleSound, article) }
            }
            replace(.changeArticle, word == "the" ? (Rule.startsWithVowelSound(next) ? "an" : "a") : "the")
            return
        }
        if word == self.word(index + 1), !["that", "had", "very", "really", "no", "so", "much", "bye", "ha", "is"].contains(word),
            word.first?.isLetter == true
        {
            delete(.doubled)
        }
        for (kind, other) in table.alternatives[word] ?? [] { replace(kind, other) }
        if table.deletions.contains(word) { delete(.deleteWord) }
        if isMisspelled(index) { for other in model.words(near: word) { replace(.spelling, other) } }
        if Self.be.contains(word) {
            for other in Self.beForms[word] ?? [] { replace(.beForm, other) }
            for other in ["has", "have", "do", "does", "did"] { replace(.auxiliary, other) }
            delete(.deleteBe)
            if let plural = Self.pluralForms[word], !sentence.isQuestion, hasPluralSubject(index) {
                edits.append(Edit(kind: .verbPlural, units: index..<index + 1, words: [plural]))
            }
        } else {
            proposeForms(of: index, replace)
        }
        if isPreposition(word) {
            if table.prepositions.contains(word) { for other in table.prepositions { replace(.preposition, other) } }
            if !["than", "as"].contains(word) { delete(word == "to" ? .deleteTo : .deletePreposition) }
        }
        guard index + 1 < units.count, !units[index + 1].isPause, units[index + 1].word != word else { return }
        edits.append(Edit(kind: .swap, units: index..<index + 2, words: [units[index + 1].written, units[index].written]))
        proposePairs(index, &edits)
        proposeMoves(from: index, &edits)
    }

    /// Proposes changes of a word together with the next one.
    private func proposePairs(_ index: Int, _ edits: inout [Edit]) {
        let (word, next) = (word(index), word(index + 1))
        func replace(_ kind: Edit.Kind, _ words: String...) {
            edits.append(Edit(kind: kind, units: index..<index + 2, words: words))
        }
        let entry = entry(index + 1)
        switch word {
        case "to" where next == "be": for form in ["is", "are", "was", "were"] { replace(.beForm, form) }
        // "it's make", "she's like"
        case "it's", "he's", "she's", "that's":
            if entry.tags.has(.base), !entry.tags.has(.participle) {
                replace(.auxiliary, String(word.dropLast(2)), Inflection.thirdPerson(next))
            }
        case "more", "most":
            if entry.tags.has([.comparative, .superlative]) {
                replace(.comparison, next)
            } else if entry.tags.has(.adjective) {
                let compared = word == "more" ? lexicon.comparative(next) : lexicon.superlative(next)
                if !compared.contains(" ") { replace(.comparison, compared) }
            }
        default: break
        }
        // "some thing", "week end"
        let joined = word + next
        if !Self.articles.contains(word), word != "not", isLowercase(index), isLowercase(index + 1), next.count > 2, isKnown(joined)
        {
            replace(.joined, joined)
        }
    }

    /// Proposes to move a form of "be" or a modal verb to the other side of the subject: "I know what is it", "What you are doing?"
    private func proposeMoves(from index: Int, _ edits: inout [Edit]) {
        guard entry(index).tags.has([.be, .modal]), index > 0, !units[index].tokens.isEmpty else { return }
        let written = units[index].written
        if entry(index - 1).tags.has(.question) {
            for count in 2...3 where index + count < units.count && !units[index...index + count].contains(where: \.isPause) {
                let subject = units[index + 1...index + count].map(\.written)
                edits.append(Edit(kind: .swap, units: index..<index + count + 1, words: subject + [written]))
            }
        } else if sentence.isQuestion, index > 2, !units[index - 2..<index].contains(where: \.isPause) {
            let subject = units[index - 2..<index].map(\.written)
            edits.append(Edit(kind: .swap, units: index - 2..<index + 1, words: [written] + subject))
        }
    }

    // MARK: Spelling

    private func isLowercase(_ index: Int) -> Bool {
        units[index].written.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    /// Returns true for a word that neither the lexicon nor the word model nor the parser's dictionary has.
    private func isMisspelled(_ index: Int) -> Bool {
        let word = units[index].word
        let text = sentence.text(units[index].tokens)
        return word.count > 4 && units[index].tokens.count == 1 && isLowercase(index) && (text == word || text == word.uppercased())
            && !isKnown(word) && !knows(word) && !isDerived(word)
    }

    /// Returns true for a known word with a productive prefix or ending: "poisoner", "unfollow".
    private func isDerived(_ word: String) -> Bool {
        func isStem(_ stem: Substring) -> Bool {
            stem.count > 3 && [String(stem), stem + "e"].contains { isKnown($0) || knows($0) }
        }
        return table.prefixes.contains { word.hasPrefix($0) && isStem(word.dropFirst($0.count)) }
            || table.endings.contains { word.hasSuffix($0) && isStem(word.dropLast($0.count)) }
    }

    private func proposeForms(of index: Int, _ replace: (Edit.Kind, String) -> Void) {
        let unit = units[index]
        let entry = entry(index)
        let isName = unit.written.first?.isUppercase == true
        guard !unit.tokens.isEmpty, unit.tokens.count == 1, !isName, unit.word.count > 2 || entry.tags.has(.verb) else { return }
        // "these tools helps": a verb after a plural.
        let isVerb = !entry.verb.isEmpty && index > 0 && (self.entry(index - 1).tags.has(.subject) || isPlural(index - 1))
        if !isVerb { for (kind, form) in nounForms(unit.word, entry) { replace(kind, form) } }
        for (kind, form) in verbForms(index, unit.word, entry) { replace(kind, form) }
        for (kind, form) in adjectiveForms(unit.word, entry) { replace(kind, form) }
    }

    private func isKnown(_ word: String) -> Bool { lexicon.entries[word] != nil || model.word(word) != nil }

    /// Returns true after a word that a noun follows: "place your orders", "of the interview".
    private func isInNounPhrase(_ index: Int) -> Bool {
        entry(index - 1).tags.has([.determiner, .possessive, .preposition, .adjective])
            && !["to", "that", "who", "which"].contains(word(index - 1))
            || word(index - 1) == "than"
    }

    private func isPlural(_ index: Int) -> Bool {
        entry(index).tags.has(.plural) && !entry(index).tags.has([.singular, .uncountable, .finite])
    }

    private func nounForms(_ word: String, _ entry: Entry) -> [(Edit.Kind, String)] {
        if !entry.noun.isEmpty {
            let plural = lexicon.plural(entry.noun)
            return entry.noun == word ? isKnown(plural) ? [(.nounPlural, plural)] : [] : [(.nounSingular, entry.noun)]
        }
        guard lexicon.entries[word] == nil, model.word(word) != nil else { return [] }
        if word.hasSuffix("ies"), isKnown(word.dropLast(3) + "y") { return [(.nounSingular, word.dropLast(3) + "y")] }
        if word.hasSuffix("s"), !word.hasSuffix("ss"), isKnown(String(word.dropLast())) {
            return [(.nounSingular, String(word.dropLast()))]
        }
        let plural = Inflection.withS(word)
        return isKnown(plural) ? [(.nounPlural, plural)] : []
    }

    private func verbForms(_ index: Int, _ word: String, _ entry: Entry) -> [(Edit.Kind, String)] {
        // "finish my study", "its appeals"
        if Self.possessives.contains(self.word(index - 1)) { return [] }
        if !entry.verb.isEmpty {
            let verb = entry.verb
            return forms(
                index, word, verb, past: lexicon.past(verb), participle: lexicon.participle(verb), isPast: entry.tags.has(.past))
        }
        guard lexicon.entries[word] == nil, model.word(word) != nil else { return [] }
        // A verb that the lexicon does not have: the regular forms that the word model knows.
        for base in bases(word) where [Inflection.withING(base), Inflection.withED(base)].allSatisfy({ model.word($0) != nil }) {
            let past = Inflection.withED(base)
            return forms(index, word, base, past: past, participle: past, isPast: word == past).filter {
                $0.0 == .verbTo || isKnown($0.1)
            }
        }
        return []
    }

    private func forms(_ index: Int, _ word: String, _ verb: String, past: String, participle: String, isPast: Bool) -> [(
        Edit.Kind, String
    )] {
        // "did she go", "to go": only the infinitive.
        // "object to paying" is right.
        if self.word(index - 1) == "to", word.hasSuffix("ing") { return [] }
        // "who we relate to makes a difference"
        if self.word(index - 1) == "to", units[..<index].indices.contains(where: { self.entry($0).tags.has(.question) }),
            word != verb
        {
            return []
        }
        if self.word(index - 1) == "to" || isBehindAuxiliary(index) { return [(.verbBase, verb)] }
        // "The virus spreads": a name is singular. "She helped me pack": an infinitive without "to".
        let isName = index > 0 && units[index - 1].written.first?.isUppercase == true && self.word(index - 1) != "i"
        if isName && word == Inflection.thirdPerson(verb) || word == verb && isBehindCausative(index) { return [] }
        let isPast = isPast && word != verb
        let isSingular = word == Inflection.thirdPerson(verb)
        let base: Edit.Kind =
            isPast
            ? .verbPresent
            : word.hasSuffix("ing") ? .gerundBase : isSingular && hasPluralSubject(index) ? .verbPlural : .verbBase
        var forms: [(Edit.Kind, String)] = [
            (.verbGerund, Inflection.withING(verb)), (.verbParticiple, participle), (.verbPast, past),
        ]
        // "someone likes music"
        let isBehindSingular = isSingular && Self.singularSubjects.contains(self.word(index - 1))
        let mayBeBase = base != .gerundBase || entry(index - 1).tags.has(.subject) || isPlural(index - 1)
        if mayBeBase, !isBehindSingular { forms.insert((base, verb), at: 0) }
        if word == verb || isPast { forms.append((isPast ? .verbPresent : .verbThirdPerson, Inflection.thirdPerson(verb))) }
        if word != verb, word != participle, !isPast { forms.append((.verbTo, "to " + verb)) }
        return forms
    }

    /// Returns true if an auxiliary before the word takes the infinitive, and no infinitive is between them.
    private func isBehindAuxiliary(_ index: Int) -> Bool {
        guard let auxiliary = (max(0, index - 3)..<index).last(where: { Self.takesBase.contains(word($0)) }) else { return false }
        return !(auxiliary + 1..<index).contains { entry($0).tags.has(.base) && !entry($0).tags.has([.subject, .noun]) }
    }

    /// Returns true after a plural subject, "we" or "they", and adverbs, but not after "of" and a plural: "the price of the books".
    private func hasPluralSubject(_ index: Int) -> Bool {
        var subject = index - 1
        while subject > 0, entry(subject).tags.has(.adverb), !entry(subject).tags.has(.noun) { subject -= 1 }
        guard subject >= 0 else { return false }
        if ["we", "they"].contains(word(subject)) {
            return subject == 0 || !entry(subject - 1).tags.has([.preposition, .conjunction])
        }
        return isPlural(subject)
            && !(max(0, subject - 4)..<subject).contains {
                entry($0).tags.has([.preposition, .verb]) || ["and", "or", "one"].contains(word($0))
            }
    }

    /// Returns true after the object of "help", "make", "see" and the like.
    private func isBehindCausative(_ index: Int) -> Bool {
        index > 1 && (max(0, index - 4)..<index - 1).contains { table.takesBase.contains(word($0)) }
    }

    private static let possessives = Set("my your his its our their".words)
    private static let singularSubjects = Set(
        "he she it someone somebody everyone everybody anyone anybody no-one nobody something everything nothing".words)

    private static let takesBase = Set(
        "did didn't do don't does doesn't will won't can can't could would should must may might".words)

    private func bases(_ word: String) -> [String] {
        var bases = [word]
        for ending in ["ing", "ed", "es", "s", "d"] where word.hasSuffix(ending) {
            let stem = String(word.dropLast(ending.count))
            bases += [stem, stem + "e"]
        }
        if word.hasSuffix("ied") || word.hasSuffix("ies") { bases.append(word.dropLast(3) + "y") }
        return bases.filter { $0.count > 2 && model.word($0) != nil }
    }

    private func adjectiveForms(_ word: String, _ entry: Entry) -> [(Edit.Kind, String)] {
        var forms: [(Edit.Kind, String)] = []
        if entry.tags.has(.adjective) {
            let adverb =
                word.hasSuffix("y") ? word.dropLast() + "ily" : word.hasSuffix("le") ? word.dropLast() + "y" : word + "ly"
            forms.append((.adverb, adverb))
            if !entry.tags.has([.comparative, .superlative]) {
                forms += [(.comparison, lexicon.comparative(word)), (.comparison, lexicon.superlative(word))]
            }
        }
        if word.hasSuffix("ily") { forms.append((.adjective, word.dropLast(3) + "y")) }
        if word.hasSuffix("ly") { forms.append((.adjective, String(word.dropLast(2)))) }
        if word.hasSuffix("ing") { forms.append((.participle, word.dropLast(3) + "ed")) }
        if word.hasSuffix("ed") { forms.append((.participle, word.dropLast(2) + "ing")) }
        return forms.filter { $0.1.words.allSatisfy(isKnown) }
    }

    // MARK: Insertions

    private func proposeInsertions(before index: Int, _ edits: inout [Edit]) {
        let next = index < units.count ? units[index] : nil
        let last = index > 0 ? units[index - 1] : nil
        guard next?.isPause != true else { return }
        func insert(_ kind: Edit.Kind, _ word: String) { edits.append(Edit(kind: kind, units: index..<index, words: [word])) }
        if let next, !Self.articles.contains(next.word), next.written.first?.isLowercase == true,
            last.map({ Self.articles.contains($0.word) }) != true,
            !(index > 0 && entry(index - 1).tags.has(.possessive)),
            !entry(index).tags.has([.be, .modal, .preposition, .subject, .superlative])
        {
            insert(.insertArticle, Rule.startsWithVowelSound(next.word) ? "an" : "a")
            insert(.insertArticle, "the")
        }
        if let next, Self.takesIt.contains(next.word), last.map({ $0.isPause || Sentence.openers.contains($0.word) }) != false {
            insert(.insertIt, "it")
        }
        for (kind, words) in table.insertions {
            switch kind {
            case .insertPronoun where next == nil: for word in ["it", "them"] { insert(kind, word) }
            case .insertPronoun: for word in words { insert(kind, word) }
            case .insertPreposition where last.map { isPreposition($0.word) } != false: continue
            case .insertTo where !takesTo(index): continue
            case .insertBe where next == nil || next.map { Self.be.contains($0.word) } == true: continue
            // A missing form of "be" has the tense of the other verbs.
            case .insertBe where last != nil && !tellsOfThePast: for word in words where !word.hasPrefix("w") { insert(kind, word) }
            default: if next != nil, last != nil { for word in words { insert(kind, word) } }
            }
        }
    }

    /// True if a verb is in the past, or a time word refers to the past.
    private var tellsOfThePast: Bool {
        units.indices.contains { ["was", "were", "did", "had", "didn't", "yesterday", "ago", "last"].contains(word($0)) }
            || units.contains { unit in
                sentence.contains(unit.tokens) { $0.tags.contains(.past) && !$0.tags.has([.base, .participle]) }
            }
    }

    private static let takesIt = Set("is isn't was wasn't makes".words)

    /// Returns true before a possible infinitive, unless a word before takes the infinitive without "to".
    private func takesTo(_ index: Int) -> Bool {
        guard index > 0, entry(index).tags.has(.base), !["to", "have", "has", "had"].contains(word(index - 1)),
            !table.takesGerund.contains(word(index - 1)), !isBehindCausative(index)
        else { return false }
        return !(max(0, index - 4)..<index).contains { ["do", "does", "did"].contains(word($0)) }
    }
}
