import TalkCoEnglish

/// The words of a learner, analyzed for the parts to which a scripted tutor can react.
struct LearnerTurn: Sendable {
    /// A thing that a learner mentioned.
    struct Mention: Hashable, Sendable {
        var kind: Detail
        /// The name as the tutor says it: "Korea", "the beach", "your sister".
        var name: String
        /// The name as the tutor says it for the first time: "a beach".
        var echo: String
        /// The words of the learner, in lowercase.
        var words: [String]
        /// True if the clause denies the thing: "I don't like swimming".
        var isNegated: Bool
        /// True if the clause is about the learner: "I was tired", not "She was tired".
        var isOwn: Bool
    }

    /// Maximum length of an entry in words.txt, in words.
    static let maximumPhraseLength = 4
    /// Maximum length of the analyzed text, in characters.
    private static let maximumLength = 2_000
    /// Maximum length of a remark about the talk itself, in words.
    private static let maximumActLength = 14

    let text: String
    /// The words in lowercase.
    let words: [String]
    /// The things that the learner mentioned, in the order of the words.
    let mentions: [Mention]
    private let tokens: [Token]
    private let phrase: String
    private let distinctWords: Set<String>
    private let texts: TutorTexts

    init(_ text: String, texts: TutorTexts) {
        self.text = String(text.prefix(Self.maximumLength))
        self.texts = texts
        tokens = Token.all(in: self.text)
        words = tokens.map(\.word)
        phrase = " " + words.joined(separator: " ") + " "
        distinctWords = Set(words)
        mentions = MentionFinder(tokens: tokens, words: texts.words).mentions
    }

    /// True if most of the text is Chinese.
    var isChinese: Bool {
        var (han, letters) = (0, 0)
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x3400...0x9FFF, 0x20000...0x2FA1F, 0xF900...0xFAFF, 0x3100...0x312F: han += 1
            default: if scalar.properties.isAlphabetic { letters += 1 }
            }
        }
        // A Chinese character is about as much as two letters.
        return han > 0 && han * 2 >= letters
    }

    /// True if the text is not English, such as random letters.
    var isNoise: Bool { !EnglishText.isEnglish(text) }

    /// True if there is no word to react to.
    var isEmpty: Bool { !words.contains { word in word.contains { $0.isLetter } } }

    /// True if the turn has a word that the tutor knows, or a "yes" or "no".
    var isUnderstood: Bool {
        polarity != nil || !mentions.isEmpty || words.count > 1 && Self.beginnings.contains(words[0])
    }

    /// The first words of a statement.
    private static let beginnings: Set<String> = [
        "i", "i'm", "we", "we're", "he", "she", "it", "it's", "they", "my", "our", "there", "that's", "because",
    ]

    // MARK: Yes and no

    /// True for a "yes", false for a "no", nil for neither.
    var polarity: Bool? {
        guard let first = words.first else { return nil }
        if has("why not") || has("of course") || has("i think so") || has("i hope so") || has("i guess so") { return true }
        if has("of course not") || has("not really") || has("i don't think so") || has("i'm afraid not") { return false }
        if ["yes", "yeah", "yep", "yup", "sure", "definitely", "certainly", "absolutely", "exactly"].contains(first) {
            return true
        }
        if ["no", "nope", "never", "none", "nothing", "nobody", "not"].contains(first) { return false }
        // The first clause decides: "I like it, but I don't have time".
        let clause = tokens.prefix { $0.clause == tokens[0].clause }
        // A negation further on is about something else: "It is about a man who can't sleep".
        return clause.prefix(5).contains { $0.isNegated } ? false : nil
    }

    /// True for a "yes" or a "no" without anything else: "Yes, I do."
    var isBarePolarity: Bool { polarity != nil && words.allSatisfy(Self.bareWords.contains) }

    private static let bareWords: Set<String> = [
        "yes", "yeah", "yep", "yup", "sure", "no", "nope", "not", "really", "i", "do", "don't", "am", "i'm", "it", "is", "isn't",
        "did",
        "didn't", "can", "can't", "have", "haven't", "would", "wouldn't", "of", "course", "definitely", "ok", "okay",
    ]

    /// True for plans and dreams, which the learner has not done.
    var isWish: Bool {
        [
            "want to", "wanna", "would rather", "i'd rather", "would like to", "i'd like to", "wish", "hope to", "going to", "will",
            "i'll", "plan to",
            "planning to",
            "dream of", "dream about", "someday", "some day", "one day", "if i",
        ].contains { has($0) }
    }

    // MARK: The talk itself

    /// The learner's remark about the talk; nil for an answer.
    var act: Act? {
        if ["再見", "結束", "掰掰"].contains(where: { text.contains($0) }) || ["bye", "goodbye"].contains(words.last) && words.count < 8 {
            return .end
        }
        if text.trimmed == "?" || text.trimmed == "？" { return .easier }
        // Danger and grief are heard in a long answer too.
        for act in [Act.danger, .grief] where isSaid(act) { return act }
        if isDeath { return .grief }
        guard words.count <= Self.maximumActLength else { return nil }
        return Act.allCases.first { isSaid($0) }
    }

    /// True for a goodbye.
    var isFarewell: Bool { isSaid(.end) }

    private func isSaid(_ act: Act) -> Bool {
        (texts.acts[act] ?? []).contains { pattern in
            pattern.hasPrefix("=") ? phrase == " \(pattern.dropFirst()) " : has(pattern)
        }
    }

    /// True for the death of a person or an animal, not of a phone.
    private var isDeath: Bool {
        guard let index = words.firstIndex(where: { ["died", "dead", "death", "dying"].contains($0) }) else { return false }
        let before = words[..<index].suffix(4)
        let someone = before.contains { ["he", "she", "they", "who"].contains($0) }
        return someone
            || words.contains { texts.words[$0].map { [.person, .people, .family, .animal].contains($0.kind) } ?? false }
    }

    // MARK: Questions of the learner

    /// True for a question to the tutor.
    var isQuestion: Bool {
        if text.contains("?") || text.contains("？") { return true }
        guard words.count > 1 else { return false }
        let starts = ["do", "does", "did", "are", "is", "can", "could", "have", "would", "will"]
        let asks = ["what", "who", "where", "when", "why", "how", "which"]
        let subjects = ["you", "he", "she", "it", "they", "i", "we", "your", "the", "this", "that", "there"]
        if starts.contains(words[0]) { return subjects.contains(words[1]) }
        return asks.contains(words[0]) && (starts + ["is", "was", "were", "about", "do"]).contains(words[1])
    }

    /// The entry that answers the learner's question; nil for none.
    var inquiry: Inquiry? {
        let isQuestion = isQuestion
        return texts.inquiries.first { inquiry in
            inquiry.phrases.contains { has($0) } || isQuestion && inquiry.questions.contains { has($0) }
        }
    }

    /// The word in "what does … mean" and "what is the meaning of …"; empty if there is none, nil for other sentences.
    var askedMeaning: String? {
        if let start = index(after: ["what", "does"]) ?? index(after: ["what", "do"]),
            let end = words[start...].firstIndex(of: "mean")
        {
            return words[start..<end].filter { !["the", "word", "you", "by"].contains($0) }.joined(separator: " ")
        }
        for start in [["what", "is"], ["what", "are"], ["what's"]] {
            guard let start = index(after: start) else { continue }
            let word = words[start...].filter { !["a", "an", "the"].contains($0) }.joined(separator: " ")
            if texts.meanings[word] != nil { return word }
        }
        for start in [["meaning", "of"], ["don't", "know", "the", "word"], ["what", "means"]] {
            if let start = index(after: start), words.count - start <= 3 {
                return words[start...].filter { !["the", "word"].contains($0) }.joined(separator: " ")
            }
        }
        return nil
    }

    /// The word in "how do you spell …"; nil for other sentences.
    var askedSpelling: String? {
        index(after: ["how", "do", "you", "spell"]).flatMap { $0 < words.count ? words[$0] : nil }
            ?? index(after: ["how", "to", "spell"]).flatMap { $0 < words.count ? words[$0] : nil }
    }

    /// True for "how do you say … in English".
    var asksHowToSay: Bool {
        ["how do you say", "how do i say", "how to say", "how can i say", "how should i say"].contains { has($0) }
            || has("in english") && isQuestion
    }

    /// Returns the index after a sequence of words; nil if the turn lacks the sequence.
    private func index(after start: [String]) -> Int? {
        guard words.count >= start.count else { return nil }
        return (0...words.count - start.count).first { Array(words[$0..<$0 + start.count]) == start }.map { $0 + start.count }
    }

    // MARK: Answers

    /// True if the learner gives a reason.
    var hasReason: Bool { ["because", "so that", "that's why", "the reason"].contains { has($0) } }

    func matches(_ trigger: FollowUp.Trigger) -> Bool {
        if trigger.yes, polarity == true { return true }
        if trigger.no, polarity == false { return true }
        return tokens.contains { !$0.isNegated && trigger.words.contains($0.word) }
    }

    /// Returns true if the learner has said one of the words or phrases, and has not denied it.
    func says(_ phrases: [String]) -> Bool {
        phrases.contains { phrase in
            let parts = phrase.split(separator: " ").map(String.init)
            guard !parts.isEmpty, words.count >= parts.count else { return false }
            return (0...words.count - parts.count).contains {
                Array(words[$0..<$0 + parts.count]) == parts && !tokens[$0].isNegated
            }
        }
    }

    /// Returns true if the turn contains the answer to a question.
    func answers(_ question: String) -> Bool {
        let asked = ChoiceGrammar.words(of: question)
        let text = " " + asked.joined(separator: " ")
        func starts(_ start: String) -> Bool { text.hasPrefix(" \(start) ") || text.contains(" and \(start) ") }
        let kinds = Set(mentions.map(\.kind))
        if starts("how often") || starts("how many times") { return isFrequency }
        if starts("how long") || starts("how many hours") {
            return has("hours") || has("hour") || has("minutes") || has("years") || has("days") || has("weeks") || has("months")
        }
        if starts("who") {
            return kinds.contains(.person) || kinds.contains(.people) || kinds.contains(.family) || has("alone") || has("by myself")
        }
        if starts("when") || starts("what time") {
            return mentions.contains { $0.kind == .amount } || has("yesterday") || has("last year") || has("last week")
                || has("last month")
        }
        if starts("why") || text.hasPrefix(" what is the reason") { return hasReason }
        if starts("where") { return kinds.contains(.placeName) || kinds.contains(.place) }
        // "Did you go swimming there?" after "we went swimming".
        guard let first = asked.first,
            ["do", "did", "does", "is", "are", "was", "were", "have", "has", "would", "can", "could"].contains(first)
        else { return false }
        let content = asked.dropFirst().filter {
            $0.count > 4 && texts.words[$0].map { $0.kind != .verb && $0.kind != .quality } ?? false
        }
        return !content.isEmpty && content.allSatisfy { words.contains($0) }
    }

    private var isFrequency: Bool {
        [
            "every day", "every week", "every weekend", "every month", "every year", "every morning", "every night",
            "every evening", "once",
            "twice", "times a", "often", "never", "always", "seldom", "rarely", "sometimes", "usually",
        ].contains { has($0) }
    }

    /// Returns true if the turn contains the word, or the words one after another.
    private func has(_ text: String) -> Bool {
        // A fast check first: hundreds of texts are searched for, and the turn lacks the first word of most.
        let first = text.utf8.firstIndex(of: UInt8(ascii: " ")) ?? text.endIndex
        return distinctWords.contains(String(text[..<first])) && phrase.contains(" \(text) ")
    }
}

/// A word of a learner, with its context.
struct Token: Hashable, Sendable {
    /// The word in lowercase.
    var word: String
    /// The word as it was written.
    var spelling: String
    /// The index of the clause in the turn.
    var clause: Int
    /// True from "not", "never" or "without" to the end of the clause.
    var isNegated: Bool
    /// True at the beginning of a sentence, where every word has a capital letter.
    var isFirst: Bool

    static func all(in text: String) -> [Token] {
        var tokens: [Token] = []
        var (clause, isNegated, isFirst) = (0, false, true)
        for part in text.replacing("’", with: "'").split(whereSeparator: \.isWhitespace) {
            let spellings = part.split { !($0.isLetter || $0.isNumber || $0 == "'") }.map(String.init)
            for (spelling, word) in spellings.flatMap({ spelling in ChoiceGrammar.words(of: spelling).map { (spelling, $0) } }) {
                let before = tokens.last?.word
                let startsClause =
                    ["but", "because", "although", "when", "if"].contains(word)
                    || subjects.contains(word) && before.map { !["think", "believe", "that"].contains($0) } ?? true
                if startsClause, before != nil {
                    clause += 1
                    isNegated = false
                }
                tokens.append(Token(word: word, spelling: spelling, clause: clause, isNegated: isNegated, isFirst: isFirst))
                isFirst = false
                if negators.contains(word) || word.hasSuffix("n't") {
                    isNegated = true
                    tokens[tokens.count - 1].isNegated = true
                }
                // "Not only", and "not" at the end of "why not".
                if isNegated, word == "only" || word == "not" && before == "why" { isNegated = false }
            }
            if let end = part.last, ".,;:!?。，！？".contains(end) {
                clause += 1
                isNegated = false
                isFirst = isFirst || ".!?。！？".contains(end)
            }
        }
        return tokens
    }

    private static let subjects: Set<String> = [
        "i", "i'm", "i've", "i'll", "i'd", "we", "we're", "we've", "he", "she", "he's", "she's", "they", "they're",
    ]
    private static let negators: Set<String> = [
        "not", "no", "never", "without", "cannot", "nothing", "nobody", "none", "neither", "nor", "hardly", "dont", "cant", "didnt",
        "hate", "hates", "hated", "dislike",
    ]
}
