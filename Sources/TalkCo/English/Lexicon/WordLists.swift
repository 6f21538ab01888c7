import Foundation

/// The words of the lexicon: the file `Resources/lexicon.json`.
struct WordLists: Decodable, Sendable {
    /// Words of one frequency band, 1 to 5: roughly those that learners of level A1, A2, B1, B2 and C1 know.
    struct Band: Decodable, Sendable {
        var band: Int
        /// Words separated by spaces; for irregular verbs the infinitive, past and participle, with commas between verbs.
        private var words: [String]

        var list: [String] { words.flatMap(\.words) }
        var forms: [[String]] { words.joined(separator: ", ").split(separator: ",").map(\.words) }
    }

    struct Verbs: Decodable, Sendable {
        var irregular: [Band]
        var regular: [Band]
        /// Verbs whose last consonant is doubled, such as "stop".
        var doubling: [String]
    }

    struct Nouns: Decodable, Sendable {
        /// Countable nouns for people, always with a determiner in the singular.
        var persons: [Band]
        /// Countable nouns for things, always with a determiner in the singular.
        var things: [Band]
        /// Countable nouns that are used without a determiner as well.
        var dual: [Band]
        var uncountable: [Band]
        var pluralOnly: [Band]
        var languages: [String]
        var places: [String]
        var irregularPlurals: [String: String]
    }

    struct Function: Decodable, Sendable {
        var tags: [String]
        var band: Int
        private var words: [String]

        var list: [String] { words.flatMap(\.words) }
    }

    static let standard = DataFile.read("lexicon.json") { try WordLists($0) }

    private(set) var verbs: Verbs
    private(set) var nouns: Nouns
    private(set) var adjectives: [Band]
    /// Adjectives that are compared with -er and -est.
    private(set) var short: [String]
    /// The comparative and the superlative, by adjective.
    private(set) var irregularComparison: [String: [String]]
    private(set) var adverbs: [Band]
    private(set) var function: [Function]

    /// Adjectives that are compared with -er and -est.
    static let shortAdjectives = Set(standard.short.flatMap(\.words))
    static let doublingVerbs = Set(standard.verbs.doubling.flatMap(\.words))

    /// - Throws: `DecodingError`, `DataFile.FormatError`.
    init(_ data: Data) throws {
        self = try JSONDecoder().decode(Self.self, from: data)
        let bands =
            verbs.irregular + verbs.regular + nouns.persons + nouns.things + nouns.dual + nouns.uncountable + nouns.pluralOnly
            + adjectives + adverbs
        for band in bands.map(\.band) + function.map(\.band) where !(1...5).contains(band) {
            throw DataFile.FormatError(description: "There is no band \(band).")
        }
        for forms in verbs.irregular.flatMap(\.forms) where forms.count != 3 {
            throw DataFile.FormatError(description: "\(forms) are not the three forms of a verb.")
        }
        for (word, forms) in irregularComparison where forms.count != 2 {
            throw DataFile.FormatError(description: "\(word) has the forms \(forms), not two.")
        }
        for tag in function.flatMap(\.tags) where Tags.named[tag] == nil {
            throw DataFile.FormatError(description: "There is no tag \(tag).")
        }
    }
}
