/// All rules, by the words at which they can succeed.
struct RuleSet: Sendable {
    static let standard = RuleSet(
        RuleTable.standard.patterns + Rule.articles + Rule.agreement + Rule.tense + Rule.verbForms + Rule.plurals
            + Rule.prepositions + Rule.timePrepositions + Rule.infinitives + Rule.comparison + Rule.questions + Rule.wordOrder
            + Rule.missingWords + Rule.doubledWords + Rule.pronouns + Rule.wordChoice + Rule.collocations + Rule.naturalness
            + Rule.spelling)

    let all: [Rule]
    private var byWord: [String: [Rule]] = [:]
    private let general: [Rule]

    init(_ rules: [Rule]) {
        all = rules
        general = rules.filter { $0.triggers == nil }
        for rule in rules { for word in rule.triggers ?? [] { byWord[word, default: []].append(rule) } }
        for word in byWord.keys { byWord[word]?.append(contentsOf: general) }
    }

    func rules(at word: String) -> [Rule] { byWord[word] ?? general }
}
