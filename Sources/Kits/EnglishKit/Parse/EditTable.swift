import Foundation

/// The kinds of changes, and the words that may take each other's place: the file `Resources/edits.json`.
struct EditTable: Sendable {
    /// The evidence that a kind of change needs, and its explanation.
    struct Entry: Decodable, Sendable {
        /// The name of the findings' rule.
        var rule: String
        var type: String
        /// The word model's usual gain by such a change in a right sentence, in units of the natural logarithm.
        var cost: Double
        /// The least gain above ``cost`` at which a change is proposed that makes the sentence parse.
        var least: Double
        /// The least gain for a sentence that parses as well as before; nil if there is none.
        var alone: Double?
        /// True if the change is made only where it makes the sentence parse.
        var needsParse: Bool?
        /// In Traditional Chinese, with `{old}`, `{new}`, `{next}` (the word behind) and `{phrase}` (the suggestion).
        var explanation: String
    }

    private struct Group: Decodable {
        var kind: Edit.Kind
        var words: [String]
    }

    private struct File: Decodable {
        var kinds: [String: Entry]
        var margins: [String: Double]
        var exempt: [String: Double]
        var strict: [String]
        var prepositions: [String]
        var groups: [Group]
        var insertions: [Group]
    }

    static let standard = DataFile.read("edits.json") { try EditTable($0) }

    private let entries: [Edit.Kind: Entry]
    /// Further gain needed where the sentence does not parse with the change either.
    let unparsedMargin: Double
    /// Further gain needed where both sentences parse, and the change makes the parse cheaper.
    let cheaperMargin: Double
    /// The least gain for rules whose errors no parser can see, such as a tense against a time word.
    let exemptRules: [String: Double]
    /// The rules that count only where their change makes the sentence parse.
    let strictRules: Set<String>
    let prepositions: [String]
    /// Words in place of a word.
    let alternatives: [String: [(kind: Edit.Kind, word: String)]]
    /// Words before a word.
    let insertions: [(kind: Edit.Kind, words: [String])]

    /// - Throws: `DecodingError`, `DataFile.FormatError`.
    init(_ data: Data) throws {
        let file = try JSONDecoder().decode(File.self, from: data)
        var entries: [Edit.Kind: Entry] = [:]
        for (name, entry) in file.kinds {
            guard let kind = Edit.Kind(rawValue: name) else { throw DataFile.FormatError(description: "There is no kind \(name).") }
            guard FindingKind(rawValue: entry.type) != nil else {
                throw DataFile.FormatError(description: "There is no type \(entry.type).")
            }
            guard entry.rule.contains("."), !entry.explanation.isEmpty else {
                throw DataFile.FormatError(description: "The kind \(name) lacks a rule or an explanation.")
            }
            entries[kind] = entry
        }
        for kind in Edit.Kind.allCases where kind != .rule && entries[kind] == nil {
            throw DataFile.FormatError(description: "The kind \(kind) is missing.")
        }
        guard let unparsed = file.margins["unparsed"], let cheaper = file.margins["cheaper"] else {
            throw DataFile.FormatError(description: "The margins are missing.")
        }
        self.entries = entries
        (unparsedMargin, cheaperMargin) = (unparsed, cheaper)
        exemptRules = file.exempt
        strictRules = Set(file.strict)
        prepositions = file.prepositions
        insertions = file.insertions.map { ($0.kind, $0.words) }
        var alternatives: [String: [(Edit.Kind, String)]] = [:]
        for group in file.groups {
            for word in group.words where !word.contains(" ") {
                for other in group.words where other != word { alternatives[word, default: []].append((group.kind, other)) }
            }
        }
        self.alternatives = alternatives
    }

    /// Nil for a change by a rule.
    func entry(_ kind: Edit.Kind) -> Entry? { entries[kind] }
}
