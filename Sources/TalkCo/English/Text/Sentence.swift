/// The tokens of one sentence, with the parts of speech that are possible in the context.
struct Sentence: Sendable {
    /// Maximum count of tokens. Longer sentences are cut, so that rules that read a whole sentence stay bounded.
    static let maximumLength = 80

    let text: String
    private(set) var tokens: [Token]
    let isQuestion: Bool
    /// True if every word is written in capital letters.
    let isInCapitals: Bool
    /// The current year; nil if unknown, and then no year is in the past.
    private let year: Int?

    var count: Int { tokens.count }
    subscript(index: Int) -> Token { tokens.indices.contains(index) ? tokens[index] : .edge }

    init(_ tokens: [Token], isQuestion: Bool, of text: String, in year: Int? = nil) {
        self.text = text
        self.year = year
        self.tokens = tokens
        self.isQuestion = isQuestion
        // In a sentence in capital letters, they do not mark names.
        let words = tokens.filter { $0.kind == .word }
        isInCapitals = words.count > 2 && words.allSatisfy { text[$0.range].uppercased() == text[$0.range] }
        if isInCapitals {
            for index in tokens.indices { self.tokens[index].isCapitalized = false }
        }
        for index in tokens.indices {
            let token = self.tokens[index]
            self.tokens[index].entry = Self.entry(of: token, isFirst: index == 0)
            self.tokens[index].tags = self.tokens[index].entry.tags
        }
        for index in tokens.indices where token(index).kind == .word { self.tokens[index].tags = tagsInContext(index) }
    }

    /// Returns the sentence with another text; nil for a text without tokens.
    func with(_ text: String) -> Sentence? {
        let tokens = Tokenizer.tokens(of: text).filter { $0.kind != .end }
        return tokens.isEmpty ? nil : Sentence(tokens, isQuestion: isQuestion, of: text, in: year)
    }

    private func token(_ index: Int) -> Token { tokens[index] }

    /// Returns the sentences of a text.
    ///
    /// - Parameter year: The current year; nil if unknown.
    static func sentences(of text: String, in year: Int? = nil) -> [Sentence] {
        var sentences: [Sentence] = []
        var current: [Token] = []
        for token in Tokenizer.tokens(of: text) {
            if token.kind == .end || current.count >= maximumLength {
                let isQuestion = token.word == "?" || token.word == "？"
                if !current.isEmpty { sentences.append(Sentence(current, isQuestion: isQuestion, of: text, in: year)) }
                current = []
            }
            if token.kind != .end { current.append(token) }
        }
        if !current.isEmpty { sentences.append(Sentence(current, isQuestion: false, of: text, in: year)) }
        return sentences
    }

    private static func entry(of token: Token, isFirst: Bool) -> Entry {
        guard token.kind == .word else { return token.kind == .number ? Entry(tags: .number) : Entry() }
        let entry = Lexicon.standard.entry(token.word, isCapitalized: token.isCapitalized)
        let keeps: Tags = [.language, .weekday, .month, .place, .subject]
        // A capitalized noun in the middle of a sentence is a name, such as "Apple".
        if token.isCapitalized, !isFirst, !entry.tags.has(keeps),
            entry.tags.has([.singular, .uncountable, .plural, .adjective, .base])
        {
            return Entry(tags: .name, band: entry.band)
        }
        return entry
    }

    // MARK: Parts of speech in context

    private static let articles = Set("a an the my your his our their its every no whose".words)
    private static let motion = Set(
        "go goes going went gone come came back get got drive walk listen listens listened listening according due thanks".words)

    private func tagsInContext(_ index: Int) -> Tags {
        var tags = tokens[index].entry.tags
        var previous = index - 1
        while previous >= 0,
            self[previous].word == "not" || self[previous].tags.has(.adverb) && !self[previous].tags.has([.noun, .preposition])
        {
            previous -= 1
        }
        let before = self[previous]
        if Self.articles.contains(self[index - 1].word) || self[index - 1].tags == .possessive {
            if tags.has([.singular, .plural, .uncountable, .adjective]) { tags.subtract(.finite) }
        } else if before.tags.has([.modal, .auxiliaryDo]) || before.word == "'ll" {
            if tags.has(.base) {
                tags.subtract([.singular, .plural, .uncountable, .adjective, .past, .participle, .preposition, .strict])
            }
        } else if before.word == "to" {
            let isNoun = tags.has([.singular, .uncountable])
            if tags.has(.base), !isNoun || !Self.motion.contains(self[previous - 1].word) {
                tags.subtract([.singular, .plural, .uncountable, .adjective, .past, .participle, .preposition, .strict])
            }
        } else if isSubjectPronoun(previous) {
            if tags.has(.finite) { tags.subtract([.singular, .plural, .uncountable, .adjective, .preposition, .strict]) }
        } else if before.tags.has(.preposition), !before.tags.has([.verb, .adverb]), previous == index - 1 {
            if tags.has(.noun) { tags.subtract(.finite) }
        } else if before.tags.has(.adjective), !before.tags.has([.noun, .verb, .adverb]), previous == index - 1 {
            if tags.has(.noun) { tags.subtract(.finite) }
        }
        if tags.contains([.past, .participle]) {
            if before.tags.has([.be, .have]) || before.word == "'s" || before.word == "'d" { tags.remove(.past) }
            if isSubjectPronoun(previous) { tags.remove(.participle) }
        }
        return tags
    }

    // MARK: Tests of rules

    func has(_ index: Int, _ tags: Tags) -> Bool { self[index].tags.has(tags) }

    func isWord(_ index: Int, _ words: Set<String>) -> Bool { words.contains(self[index].word) }

    /// Returns true for I, he, she, we and they, and for "you" and "it" at the start of a clause.
    func isSubjectPronoun(_ index: Int) -> Bool {
        let token = self[index]
        guard token.tags.has(.subject) else { return false }
        return !token.tags.has(.object) || startsClause(index)
    }

    static let openers = Set(
        """
        and but so because if when while although though then or now well yeah yes ok okay um uh oh actually usually
        sometimes today yesterday maybe also however that before after until unless as whether recently nowadays tomorrow
        tonight finally suddenly no like basically honestly
        """.words)

    /// Returns true if a clause may begin at the index: at the start, after a pause, and after a conjunction or a filler.
    func startsClause(_ index: Int) -> Bool {
        index <= 0 || self[index - 1].kind != .word || Self.openers.contains(self[index - 1].word)
    }

    /// Returns true if the token at the index cannot continue a noun phrase.
    func endsPhrase(_ index: Int) -> Bool {
        let token = self[index]
        if token.kind != .word { return token.kind != .number }
        if Self.timeWords.contains(token.word) { return true }
        if token.tags.has([.noun, .adjective, .name, .unknown, .gerund, .language, .place]) { return false }
        return token.tags.has([
            .preposition, .conjunction, .adverb, .subject, .object, .be, .modal, .have, .question, .determiner, .possessive,
            .finite,
        ])
    }

    static let timeWords = Set(
        "yesterday today tomorrow tonight last next this every now ago again too either because before near".words)

    func isAdverb(_ index: Int) -> Bool {
        self[index].word == "not" || has(index, .adverb) && !has(index, [.noun, .finite, .preposition])
    }

    /// Returns the index after adverbs from `index` on.
    func afterAdverbs(_ index: Int) -> Int {
        var index = index
        while isAdverb(index) { index += 1 }
        return index
    }

    /// Returns the index after the noun phrase that starts at `start`; nil if there is neither a noun nor a pronoun.
    func nounPhraseEnd(_ start: Int) -> Int? {
        if has(start, [.subject, .object]), !has(start, .possessive) || !has(start + 1, [.noun, .adjective]) { return start + 1 }
        var index = start
        while has(index, [.determiner, .possessive, .number]) { index += 1 }
        while has(index, [.adjective, .degree]), !has(index + 1, [.be, .modal]), self[index + 1].kind == .word { index += 1 }
        let first = index
        while has(index, [.noun, .name, .language, .place]) { index += 1 }
        if index == first, has(first, .gerund), start == first { return first + 1 }
        return index > first ? index : nil
    }

    /// Returns true if one of the tokens in the range satisfies the condition.
    func contains(_ range: Range<Int>, where condition: (Token) -> Bool) -> Bool {
        guard range.lowerBound < range.upperBound else { return false }
        return range.clamped(to: 0..<count).contains { condition(tokens[$0]) }
    }

    /// Returns the range of the clause that contains `index`, delimited by pauses and conjunctions.
    func clause(_ index: Int) -> Range<Int> {
        var start = index
        while start > 0, !delimitsClause(start - 1) { start -= 1 }
        var end = index + 1
        while end < count, !delimitsClause(end) { end += 1 }
        return start..<end
    }

    private static let delimiters = Set("and but so because if when while although though or".words)

    func delimitsClause(_ index: Int) -> Bool { self[index].kind == .pause || Self.delimiters.contains(self[index].word) }

    // MARK: Years

    /// Returns true for a number that can be a year, from 1000 to 2199, and is not part of a date in digits.
    func hasYearForm(_ index: Int) -> Bool {
        guard isYearNumber(index), date(at: index) == nil else { return false }
        return !isDateMark(index - 1) || self[index - 2].kind != .number
    }

    /// Returns true for a year before the current one.
    func isPastYear(_ index: Int) -> Bool {
        guard let year, isYearNumber(index), let number = Int(self[index].word) else { return false }
        return number < year
    }

    /// Returns the tokens of a date in digits that begins with its year, such as 2019-05-03 or 2019/5; nil for anything else.
    func date(at index: Int) -> Range<Int>? {
        guard isYearNumber(index) else { return nil }
        var end = index + 1
        while isDateMark(end), self[end + 1].kind == .number, self[end + 1].isAttached { end += 2 }
        return end > index + 1 ? index..<end : nil
    }

    private func isYearNumber(_ index: Int) -> Bool {
        self[index].kind == .number && self[index].word.count == 4
            && Int(self[index].word).map { (1000...2199).contains($0) } == true
    }

    private func isDateMark(_ index: Int) -> Bool { self[index].isAttached && ["-", "/"].contains(self[index].word) }

    /// Returns the original text of a range of tokens.
    func text(_ range: Range<Int>) -> String {
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= count else { return "" }
        return String(text[tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound])
    }
}
