/// A small change of a sentence that may make it right.
struct Edit: Hashable, Sendable {
    /// The kind of error that the change mends. The file `edits.json` has an entry for each but `rule`.
    enum Kind: String, Hashable, Sendable, CaseIterable, Decodable {
        case insertArticle, deleteArticle, changeArticle, articleSound
        case nounPlural, nounSingular
        case verbBase, verbThirdPerson, verbPast, verbPresent, verbParticiple, verbGerund, verbTo
        case beForm, insertBe, deleteBe, auxiliary
        case preposition, insertPreposition, deletePreposition
        case insertTo, deleteTo, insertPronoun, insertWord
        case swap, doubled
        case pronoun, determiner, quantity, adverb, adjective, participle, comparison, confused
        /// Proposed by a rule of ``RuleSet``.
        case rule
    }

    var kind: Kind
    /// The units to replace; empty for an insertion.
    var units: Range<Int>
    /// As the parser gets them: in lower case apart from names and "I".
    var words: [String]
    /// The number of the rule's match, for a rule's edit.
    var rule: Int?
    var ruleName: String?
}

/// Proposes small changes of a sentence, from tables and inflection.
struct Editor {
    private let units: [Unit]
    private let sentence: Sentence
    private let model: WordModel
    private let table: EditTable
    private let lexicon = Lexicon.standard

    private static let articles: Set = ["a", "an", "the"]
    private static let otherPrepositions: Set = ["during", "since", "as", "until", "over", "through", "than"]
    private static let be = ["am", "is", "are", "was", "were", "be", "been", "being"]

    init(_ units: [Unit], _ sentence: Sentence, _ model: WordModel, _ table: EditTable) {
        (self.units, self.sentence, self.model, self.table) = (units, sentence, model, table)
    }

    /// All proposals. Their number grows linearly with the sentence.
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

    // MARK: In place of a word

    private func proposeChanges(of index: Int, _ edits: inout [Edit]) {
        let word = units[index].word
        var seen: Set<String> = [word]
        func replace(_ kind: Edit.Kind, _ other: String) {
            guard !other.isEmpty, seen.insert(other).inserted else { return }
            edits.append(Edit(kind: kind, units: index..<index + 1, words: other.words.map { $0 == "i" ? "I" : $0 }))
        }
        func delete(_ kind: Edit.Kind) { edits.append(Edit(kind: kind, units: index..<index + 1, words: [])) }

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
        if Self.be.contains(word) {
            for other in Self.be { replace(.beForm, other) }
            for other in ["has", "have", "do", "does", "did"] { replace(.auxiliary, other) }
            delete(.deleteBe)
        } else {
            proposeForms(of: index, replace)
        }
        if isPreposition(word) {
            for other in table.prepositions { replace(.preposition, other) }
            if !["than", "as"].contains(word) { delete(word == "to" ? .deleteTo : .deletePreposition) }
        }
        if index + 1 < units.count, !units[index + 1].isPause, units[index + 1].word != word {
            edits.append(Edit(kind: .swap, units: index..<index + 2, words: [units[index + 1].written, units[index].written]))
        }
    }

    private func proposeForms(of index: Int, _ replace: (Edit.Kind, String) -> Void) {
        let unit = units[index]
        let entry = entry(index)
        let isName = unit.written.first?.isUppercase == true
        guard !unit.tokens.isEmpty, unit.tokens.count == 1, !isName, unit.word.count > 2 || entry.tags.has(.verb) else { return }
        for (kind, form) in nounForms(unit.word, entry) { replace(kind, form) }
        for (kind, form) in verbForms(index, unit.word, entry) { replace(kind, form) }
        for (kind, form) in adjectiveForms(unit.word, entry) { replace(kind, form) }
    }

    private func isKnown(_ word: String) -> Bool { lexicon.entries[word] != nil || model.word(word) != nil }

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
        // "did she go", "to go": nothing but the infinitive.
        // "object to paying"
        if self.word(index - 1) == "to", word.hasSuffix("ing") { return [] }
        if self.word(index - 1) == "to" || (max(0, index - 3)..<index).contains(where: { Self.takesBase.contains(self.word($0)) }) {
            return [(.verbBase, verb)]
        }
        let isPast = isPast && word != verb
        var forms: [(Edit.Kind, String)] = [
            (isPast ? .verbPresent : .verbBase, verb),
            (.verbGerund, Inflection.withING(verb)), (.verbParticiple, participle), (.verbPast, past),
        ]
        if word == verb || isPast { forms.append((isPast ? .verbPresent : .verbThirdPerson, Inflection.thirdPerson(verb))) }
        if word != verb, word != participle, !isPast { forms.append((.verbTo, "to " + verb)) }
        return forms
    }

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

    // MARK: Between words

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
        for (kind, words) in table.insertions {
            switch kind {
            case .insertPronoun where next == nil: for word in ["it", "them"] { insert(kind, word) }
            case .insertPronoun: for word in words { insert(kind, word) }
            case .insertPreposition where last.map { isPreposition($0.word) } != false: continue
            case .insertTo where !takesTo(index): continue
            case .insertBe where next == nil || next.map { Self.be.contains($0.word) } == true: continue
            default: if next != nil, last != nil { for word in words { insert(kind, word) } }
            }
        }
    }

    /// True before a verb that may be an infinitive, and behind no word that takes one without "to".
    private func takesTo(_ index: Int) -> Bool {
        guard index > 0, entry(index).tags.has(.base), !["to", "have", "has", "had"].contains(word(index - 1)) else { return false }
        return !(max(0, index - 4)..<index).contains { ["do", "does", "did"].contains(word($0)) }
    }
}
