/// A finder of the things that a learner mentioned: listed words, names, times and frequencies.
struct MentionFinder {
    let tokens: [Token]
    let words: [String: ListedWord]

    var mentions: [LearnerTurn.Mention] {
        var (mentions, index): ([LearnerTurn.Mention], Int) = ([], 0)
        while index < tokens.count {
            let (mention, length) = amount(at: index) ?? listed(at: index) ?? name(at: index) ?? (nil, 1)
            if let mention, !mentions.contains(where: { $0.name == mention.name }) { mentions.append(mention) }
            index += length
        }
        return mentions + [ownThing].compactMap { mentions.contains(where: { $0.kind != .verb && $0.kind != .quality }) ? nil : $0 }
    }

    private func mention(_ kind: Detail, _ name: String, at index: Int, _ length: Int) -> (LearnerTurn.Mention?, Int) {
        let part = tokens[index..<index + length]
        let isNegated = part.contains(where: \.isNegated)
        let isOwn = tokens.contains { $0.clause == tokens[index].clause && Self.ownWords.contains($0.word) }
        var echo = name
        if name.hasPrefix("the "), hasIndefiniteArticle(before: index) {
            echo = "\("aeiou".contains(name.dropFirst(4).prefix(1)) ? "an" : "a") \(name.dropFirst(4))"
        }
        return (
            LearnerTurn.Mention(
                kind: kind, name: name, echo: echo, words: part.map(\.word), isNegated: isNegated, isOwn: isOwn), length
        )
    }

    /// Returns true if an indefinite article precedes the word: "a shop", "a small shop".
    private func hasIndefiniteArticle(before index: Int) -> Bool {
        guard index > 0 else { return false }
        let isAdjective = words[tokens[index - 1].word]?.kind == .quality || Self.adjectives.contains(tokens[index - 1].word)
        let article = index > 1 && isAdjective ? tokens[index - 2].word : tokens[index - 1].word
        return article == "a" || article == "an"
    }

    /// Returns true if another noun follows: "computer science".
    private func isCompound(_ index: Int) -> Bool {
        guard index < tokens.count, index > 0, tokens[index].clause == tokens[index - 1].clause else { return false }
        let next = tokens[index].word
        return words[next]?.kind != .verb && words[next]?.kind != .amount && !Self.ends.contains(next) && !next.hasSuffix("ing")
            && !next.hasSuffix("ed") && !next.hasSuffix("n't") && !next.hasSuffix("ly")
    }

    private static let ownWords: Set<String> = ["i", "i'm", "i've", "me", "my", "we", "we're", "us"]
    private static let determiners: Set<String> = [
        "a", "an", "the", "my", "our", "his", "her", "their", "this", "that", "some", "new", "good", "hard", "much", "no", "of",
    ]
    private static let copulas: Set<String> = [
        "is", "are", "was", "were", "be", "been", "it's", "that's", "they're", "more", "less", "feel", "feels", "felt", "taste",
        "tastes",
        "tasted", "looks", "looked", "isn't", "wasn't", "aren't", "am", "i'm", "we're", "he's", "she's",
    ]

    private static let roles: Set<String> = ["teacher", "boss", "manager", "supervisor", "coach"]
    /// Nouns without an article: "I'm late for school".
    private static let bareNouns: Set<String> = [
        "school", "high school", "elementary school", "university", "college", "kindergarten", "cram school", "church", "homework",
        "housework", "overtime", "money", "traffic", "noise", "health", "bed", "technology", "education", "pollution", "inflation",
        "plastic", "recycling", "energy", "peace", "war", "climate change", "artificial intelligence",
    ]
    private static let progressives: Set<String> = [
        "am", "i'm", "we're", "he's", "she's", "they're", "was", "were", "been",
    ]

    // MARK: Lists

    private func listed(at index: Int) -> (LearnerTurn.Mention?, Int)? {
        for length in stride(from: min(LearnerTurn.maximumPhraseLength, tokens.count - index), through: 1, by: -1) {
            let key = tokens[index..<index + length].map(\.word).joined(separator: " ")
            guard let word = words[key] else { continue }
            // "I book a room" mentions no book.
            if word.needsDeterminer, index == 0 || !Self.determiners.contains(tokens[index - 1].word) {
                return mention(.verb, word.spelling, at: index, length)
            }
            guard let (kind, name) = said(word.kind, word.spelling, at: index, length) else { return (nil, length) }
            return mention(kind, name, at: index, length)
        }
        // A form of a verb: "washing the dishes".
        let word = tokens[index].word
        let isVerb = word.hasSuffix("ing") && word.count > 5 || word.hasSuffix("ed") && word.count > 4
        return isVerb && tokens[index].spelling.first?.isLowercase == true ? mention(.verb, word, at: index, 1) : nil
    }

    /// Returns a word as the tutor says it; nil if the word may mean something else.
    private func said(_ kind: Detail, _ spelling: String, at index: Int, _ length: Int) -> (Detail, String)? {
        let before = index > 0 ? tokens[index - 1].word : ""
        // "I'm a nurse", "I work as a nurse".
        if hasIndefiniteArticle(before: index), kind == .job || Self.roles.contains(spelling) {
            let verb = index > 1 ? tokens[index - 2].word : ""
            let isLearner = verb == "i'm" || verb == "am" || ["as", "be", "become"].contains(verb)
            let article = "aeiou".contains(spelling.lowercased().prefix(1)) ? "an" : "a"
            return isLearner ? (.job, "\(article) \(spelling)") : (.verb, spelling)
        }
        switch kind {
        case .job:
            // The job of another person: "my teacher" is a person whom the learner knows.
            return owner(of: index) == "your" ? (.person, "your \(spelling)") : (.verb, spelling)
        case .person, .people, .family:
            // "My friend's sister" is not the learner's sister.
            if before.hasSuffix("'s") { return nil }
            if let owner = owner(of: index) { return (kind, "\(owner) \(spelling)") }
            if kind == .people { return (kind, ["the", "these", "those"].contains(before) ? "the \(spelling)" : spelling) }
            return (kind, before == "the" ? "the \(spelling)" : "your \(spelling)")
        case .place, .story, .thing, .animal:
            if isCompound(index + length) { return (.verb, spelling) }
            if spelling.contains(where: \.isUppercase) { return (kind, spelling) }
            if let owner = owner(of: index) { return (kind, "\(owner) \(spelling)") }
            let isBare = spelling.hasSuffix("s") && !["bus", "class"].contains(spelling) || Self.bareNouns.contains(spelling)
            return (
                kind, isBare && !["the", "this", "that", "these", "those", "a"].contains(before) ? spelling : "the \(spelling)"
            )
        case .hobbyThing: return (kind, before == "the" ? "the \(spelling)" : spelling)
        case .activity: return (Self.progressives.contains(before) ? .verb : kind, spelling)
        case .amount: return (tokens.count == 1 ? kind : .verb, spelling)
        case .weather: return (kind, "the \(spelling)")
        case .quality:
            // "It is cheap", "too expensive", "Cheap!"; not "I work hard", "a long time".
            if isCompound(index + length) { return (.verb, spelling) }
            if ["very", "too", "so", "really", "quite"].contains(before) { return (kind, "\(before) \(spelling)") }
            let near = tokens[max(0, index - 3)..<index].filter { $0.clause == tokens[index].clause }
            return (tokens.count == 1 || near.contains { Self.copulas.contains($0.word) } ? kind : .verb, spelling)
        default: return (kind, spelling)
        }
    }

    /// Returns the possessive before a noun, as the tutor says it; nil for none.
    private func owner(of index: Int) -> String? {
        for token in tokens[max(0, index - 2)..<index].reversed() {
            switch token.word {
            case "my", "our": return "your"
            case "his", "her", "their": return token.word
            case "the", "a", "an", "and", "with", "to", "in", "of", "or", "at": return nil
            default: if token.word.hasSuffix("'s") { return nil }
            }
        }
        return nil
    }

    // MARK: Names

    /// Returns a word with a capital letter that no list contains: "I went to Wulai with Kevin".
    private func name(at index: Int) -> (LearnerTurn.Mention?, Int)? {
        // At the beginning every word has a capital letter: "Jay Chou", not "Maybe".
        if index == 0 || tokens[index].isFirst {
            guard nameLength(at: index + 1) > 0, tokens[index].clause == tokens[index + 1].clause, tokens[index].word.count > 2,
                !Self.ends.contains(tokens[index].word), !Self.noNames.contains(tokens[index].word)
            else { return nil }
            return mention(.name, spelling(index, 1 + nameLength(at: index + 1)), at: index, 1 + nameLength(at: index + 1))
        }
        let length = nameLength(at: index)
        guard length > 0 else { return nil }
        let before = tokens[index - 1].word
        let name = spelling(index, length)
        let isPlace = ["in", "to", "from", "visit", "visited", "near", "around"].contains(before)
        return mention(isPlace ? .placeName : .name, name, at: index, length)
    }

    private func spelling(_ index: Int, _ length: Int) -> String {
        tokens[index..<index + length].map(\.spelling).joined(separator: " ")
    }

    /// Returns the length of a name in words, 0 for none: "League of Legends".
    private func nameLength(at index: Int) -> Int {
        var length = 0
        while index + length < tokens.count, length < 4, tokens[index + length].clause == tokens[index].clause {
            let next = index + length + 1
            let joins =
                length > 0 && ["of", "the"].contains(tokens[index + length].word) && next < tokens.count && isName(tokens[next])
            guard joins || isName(tokens[index + length]) else { break }
            length += 1
        }
        return length
    }

    private func isName(_ token: Token) -> Bool {
        guard !token.isFirst, let first = token.spelling.first, first.isUppercase, first.isASCII, token.spelling.count > 2 else {
            return false
        }
        return !token.word.hasPrefix("i'") && !token.word.contains("'") && !Self.noNames.contains(token.word)
            && !(token.word.hasSuffix("s") && Self.noNames.contains(String(token.word.dropLast())))
            && token.spelling.dropFirst().contains(where: \.isLowercase)
    }

    private static let noNames: Set<String> = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april",
        "may",
        "june", "july", "august", "september", "october", "november", "december", "english", "chinese", "mandarin", "taiwanese",
        "japanese", "korean", "american", "french", "german", "spanish", "italian", "thai", "vietnamese", "indian", "western",
        "yes", "no", "maybe", "especially", "only", "about", "i",
    ]

    // MARK: Times

    /// Returns a time or a frequency: "at seven", "three times a week", "for two years", "every Sunday".
    private func amount(at index: Int) -> (LearnerTurn.Mention?, Int)? {
        func word(_ offset: Int) -> String { index + offset < tokens.count ? tokens[index + offset].word : "" }
        func spellings(_ count: Int) -> String {
            tokens[index..<index + count].map { $0.spelling == "I" || $0.isFirst ? $0.word : $0.spelling }.joined(separator: " ")
        }
        func found(_ count: Int) -> (LearnerTurn.Mention?, Int) { mention(.amount, spellings(count), at: index, count) }
        let units: Set<String> = ["minutes", "hours", "days", "weeks", "months", "years"]
        let periods: Set<String> = ["day", "week", "month", "year"]
        let first = word(0)
        if ["once", "twice"].contains(first), word(1) == "a", periods.contains(word(2)) { return found(3) }
        if isNumber(first), word(1) == "times", word(2) == "a", periods.contains(word(3)) { return found(4) }
        if isNumber(first), first != "one", first != "1", units.contains(word(1)) { return found(2) }
        if first == "for", isNumber(word(1)), word(1) != "one", units.contains(word(2)) { return found(3) }
        if first == "every", periods.union(Self.partsOfWeeks).contains(word(1)) { return found(2) }
        if first == "at", isNumber(word(1)) {
            if ["a.m", "p.m", "am", "pm", "o'clock"].contains(word(2)) { return found(3) }
            let next = word(2)
            return isNumber(next) || units.contains(next) || next.hasSuffix("s") ? nil : found(2)
        }
        return nil
    }

    private func isNumber(_ word: String) -> Bool {
        Self.numbers.contains(word) || (!word.isEmpty && word.count <= 4 && word.allSatisfy { $0.isASCII && $0.isNumber })
    }

    private static let partsOfWeeks: Set<String> = [
        "morning", "afternoon", "evening", "night", "weekend", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
        "sunday",
    ]
    private static let numbers: Set<String> = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twenty", "thirty",
        "forty", "fifty",
    ]

    // MARK: Unknown nouns

    /// The noun after "my": "your bracelet" for "I made my own bracelet."; nil for none.
    private var ownThing: LearnerTurn.Mention? {
        guard let start = tokens.firstIndex(where: { ["my", "our"].contains($0.word) }) else { return nil }
        let rest = tokens[(start + 1)...].drop { Self.adjectives.contains($0.word) || words[$0.word]?.kind == .quality }
        guard let noun = rest.first, noun.clause == tokens[start].clause, noun.word.count > 2, noun.word.allSatisfy(\.isLetter),
            words[noun.word] == nil, !Self.ends.contains(noun.word), !Self.noNames.contains(noun.word)
        else { return nil }
        // Another noun may follow: "my bracelet shop".
        if let next = rest.dropFirst().first, next.clause == noun.clause, !Self.ends.contains(next.word),
            words[next.word]?.kind != .verb
        {
            return nil
        }
        return LearnerTurn.Mention(
            kind: .thing, name: "your \(noun.word)", echo: "your \(noun.word)", words: [noun.word], isNegated: noun.isNegated,
            isOwn: true)
    }

    private static let adjectives: Set<String> = [
        "own", "favorite", "favourite", "new", "old", "little", "first", "last", "next", "best",
    ]
    /// Words that cannot continue a noun phrase.
    private static let ends: Set<String> = [
        "a", "about", "after", "again", "ago", "all", "alone", "also", "always", "an", "and", "any", "are", "around", "at", "away",
        "back", "be", "because", "been", "before", "best", "better", "both", "but", "by", "can", "could", "did", "do", "does",
        "down", "during", "each", "enough", "even", "every", "first", "for", "from", "had", "has", "have", "he", "her", "here",
        "him", "his", "home", "how", "i", "i'm", "if", "in", "inside", "instead", "into", "is", "it", "it's", "just", "last",
        "like", "many", "may", "maybe", "me", "might", "more", "most", "much", "must", "my", "near", "never", "next", "no", "not",
        "now", "of", "off", "often", "on", "only", "or", "our", "out", "outside", "over", "please", "really", "she", "should",
        "since", "so", "some", "sometimes", "still", "than", "that", "the", "their", "them", "then", "there", "they", "this", "to",
        "today", "together", "tomorrow", "tonight", "too", "under", "until", "up", "us", "usually", "very", "was", "we", "well",
        "were", "what", "when", "where", "which", "while", "who", "why", "will", "with", "without", "would", "yesterday", "you",
        "your",
    ]
}
