/// The template of a replacement for a match of a ``Pattern``.
///
///     on $2          the word "on", then the token of the pattern's second element
///     $1:ing         its gerund; also :base, :s, :past, :pp, :plural, :singular, :comparative, :superlative,
///                    :object, :subject, :be, :was, :lower; $1's
///     turn@1 on      the verb "turn" in the form of the first element
struct Template: Sendable {
    private enum Piece: Sendable {
        case word(String)
        case capture(Int, String)
        case verb(String, like: Int)
    }

    private let pieces: [Piece]

    /// The highest number of a capture that the template names.
    var captureCount: Int {
        pieces.reduce(0) { highest, piece in
            switch piece {
            case .word: highest
            case .capture(let index, _), .verb(_, like: let index): max(highest, index + 1)
            }
        }
    }

    init(_ text: String) {
        pieces = text.words.map { word in
            if word.hasPrefix("$") {
                let digits = word.dropFirst().prefix { $0.isNumber }
                let form = word.dropFirst(digits.count + 1)
                return .capture((Int(digits) ?? 0) - 1, String(form.hasPrefix(":") ? form.dropFirst() : form))
            }
            let parts = word.split(separator: "@")
            if parts.count == 2, let number = Int(parts[1]) { return .verb(String(parts[0]), like: number - 1) }
            return .word(word)
        }
    }

    func fill(_ match: Pattern.Match, _ sentence: Sentence) -> String {
        var words: [String] = []
        for piece in pieces {
            switch piece {
            case .word(let word): words.append(word)
            case .verb(let verb, let number):
                guard match.captures.indices.contains(number), let index = match.captures[number] else { continue }
                // "It cost": without an s, the verb can only be in the past.
                let isPast =
                    sentence[index].entry.tags.contains([.base, .past])
                    && (["he", "she", "it", "this", "that"].contains(sentence[index - 1].word)
                        || sentence.has(index - 1, .singular))
                words.append(isPast ? Lexicon.standard.past(verb) : Lexicon.standard.inflect(verb, like: sentence[index]))
            case .capture(let number, let form):
                guard match.captures.indices.contains(number), let index = match.captures[number] else { continue }
                words.append(Self.form(form, of: index, sentence))
            }
        }
        return words.joined(separator: " ").replacing(" '", with: "'").replacing(" ,", with: ",")
    }

    private static func form(_ form: String, of index: Int, _ sentence: Sentence) -> String {
        let token = sentence[index]
        let lexicon = Lexicon.standard
        let verb = token.entry.verb.isEmpty ? token.word : token.entry.verb
        let noun = token.entry.noun.isEmpty ? token.word : token.entry.noun
        return switch form {
        case "ing": Inflection.withING(verb)
        case "base": verb
        case "s": Inflection.thirdPerson(verb)
        case "past": lexicon.past(verb)
        case "pp": lexicon.participle(verb)
        case "plural": lexicon.plural(noun)
        case "singular": noun
        case "comparative": lexicon.comparative(token.word)
        case "superlative": lexicon.superlative(token.word)
        case "object": Pronoun.object(token.word)
        case "subject": Pronoun.subject(token.word)
        case "be": Pronoun.be(token.word, isPast: false)
        case "was": Pronoun.be(token.word, isPast: true)
        case "lower": token.word
        case "'s": sentence.text(index..<index + 1) + "'s"
        default: token.isCapitalized && token.word != "i" && index == 0 ? token.word : sentence.text(index..<index + 1)
        }
    }
}

/// The forms of personal pronouns, and of the verbs that agree with them.
enum Pronoun {
    private static let objects = ["i": "me", "he": "him", "she": "her", "we": "us", "they": "them"]
    private static let subjects = ["me": "I", "him": "he", "her": "she", "us": "we", "them": "they"]

    static func object(_ word: String) -> String { objects[word] ?? word }
    static func subject(_ word: String) -> String { subjects[word] ?? word }

    static func be(_ subject: String, isPast: Bool) -> String {
        switch subject {
        case "i": isPast ? "was" : "am"
        case "we", "you", "they", "these", "those", "us", "them": isPast ? "were" : "are"
        default: isPast ? "was" : "is"
        }
    }

    /// Returns true for he, she, it and nouns in the singular.
    static func takesS(_ subject: String) -> Bool { !["i", "we", "you", "they", "these", "those"].contains(subject) }
}
