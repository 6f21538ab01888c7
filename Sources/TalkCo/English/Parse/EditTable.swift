import Foundation

/// The kinds of changes, and the words that may replace each other: the file `Resources/edits.json`.
struct EditTable: Sendable {
    /// The evidence that a kind of change needs, and its explanation.
    struct Entry: Decodable, Sendable {
        /// The name of the findings' rule.
        var rule: String
        var type: FindingKind
        /// The word model's usual gain by such a change in a right sentence, in units of the natural logarithm.
        var cost: Double
        /// Minimum gain above ``cost`` of a proposed change, by the parser's judgement; a missing judgement excludes the change.
        var least: [Verdict.Parse: Double]
        /// An addition to the score, to choose between right changes; nil for 0. A verb's number is rather changed than its tense.
        var preference: Double?
        /// The explanation in Traditional Chinese, with `{old}`, `{new}`, `{next}` (the next word) and `{phrase}` (the suggestion).
        var explanation: String
    }

    private struct Group: Decodable {
        var kind: Edit.Kind
        var words: [String]
    }

    private struct File: Decodable {
        var kinds: [String: Entry]
        var exempt: [String: Double?]
        var strict: [String]
        var prepositions: [String]
        var prefixes: [String]
        var endings: [String]
        var takesBase: [String]
        var takesGerund: [String]
        var deletions: [String]
        var groups: [Group]
        var insertions: [Group]
    }

    static let standard = DataFile.read("edits.json") { try EditTable($0) }

    private let entries: [Edit.Kind: Entry]
    /// Minimum gain for rules and families of rules whose errors the parser cannot see, such as a tense that contradicts a time word.
    /// Nil for a rule that is not exempt, unlike its family.
    let exemptRules: [String: Double?]
    /// The rules that count only if their change makes more of the sentence parse.
    let strictRules: Set<String>
    let prepositions: [String]
    /// The prefixes and, as `endings`, the endings that form a word from a known one.
    let prefixes: [String]
    let endings: [String]
    /// The forms of verbs after whose object an infinitive has no "to": "she helped me pack".
    let takesBase: Set<String>
    /// The forms of verbs after which a verb has -ing rather than "to".
    let takesGerund: Set<String>
    /// Words that learners add wrongly, such as "it" in "the film that I saw it".
    let deletions: Set<String>
    /// The words that may replace a word, by word.
    let alternatives: [String: [(kind: Edit.Kind, word: String)]]
    /// The words that may be inserted before a word, by kind.
    let insertions: [(kind: Edit.Kind, words: [String])]

    /// - Throws: `DecodingError`, `DataFile.FormatError`.
    init(_ data: Data) throws {
        let file = try JSONDecoder().decode(File.self, from: data)
        var entries: [Edit.Kind: Entry] = [:]
        for (name, entry) in file.kinds {
            guard let kind = Edit.Kind(rawValue: name) else { throw DataFile.FormatError(description: "There is no kind \(name).") }
            guard entry.rule.contains("."), !entry.explanation.isEmpty else {
                throw DataFile.FormatError(description: "The kind \(name) lacks a rule or an explanation.")
            }
            entries[kind] = entry
        }
        for kind in Edit.Kind.allCases where kind != .rule && entries[kind] == nil {
            throw DataFile.FormatError(description: "The kind \(kind) is missing.")
        }
        self.entries = entries
        exemptRules = file.exempt
        strictRules = Set(file.strict)
        prepositions = file.prepositions
        (prefixes, endings) = (file.prefixes, file.endings)
        takesBase = Set(file.takesBase.flatMap { Lexicon.standard.forms($0) })
        takesGerund = Set(file.takesGerund.flatMap { Lexicon.standard.forms($0) })
        deletions = Set(file.deletions)
        insertions = file.insertions.map { ($0.kind, $0.words) }
        var alternatives: [String: [(Edit.Kind, String)]] = [:]
        for group in file.groups {
            for word in group.words where !word.contains(" ") {
                for other in group.words where other != word { alternatives[word, default: []].append((group.kind, other)) }
            }
        }
        self.alternatives = alternatives
    }

    /// Returns the minimum gain of a rule's change that the parser need not favour, by the rule's name or family; nil for none.
    func exemption(_ rule: String) -> Double? {
        if let own = exemptRules[rule] { return own }
        return exemptRules[String(rule.prefix { $0 != "." })] ?? nil
    }

    /// Returns the entry of a kind; nil for a change by a rule.
    func entry(_ kind: Edit.Kind) -> Entry? { entries[kind] }
}
