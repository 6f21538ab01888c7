import TalkCoEnglish

/// A family of rules: the name of a weak point, and its explanation in English.
struct RulePattern: Hashable, Sendable {
    /// The name in Traditional Chinese.
    var title: String
    /// The explanation, a sentence in English.
    var english: String
}

/// The families of rules: patterns.txt.
struct RulePatterns: Sendable {
    private var rules: [String: RulePattern] = [:]
    private var families: [String: RulePattern] = [:]
    private(set) var kinds: [FindingKind: RulePattern] = [:]

    /// - Parameter key: `rule`, `family` or `kind`.
    /// - Returns: False for an unknown kind, and for a name that already has a pattern.
    mutating func add(_ pattern: RulePattern, _ key: String, _ name: String) -> Bool {
        switch key {
        case "rule": return rules.updateValue(pattern, forKey: name) == nil
        case "family": return families.updateValue(pattern, forKey: name) == nil
        default:
            guard let kind = FindingKind(rawValue: name) else { return false }
            return kinds.updateValue(pattern, forKey: kind) == nil
        }
    }

    /// Returns the pattern of a rule: by the rule's name, else by the first part of the name, else by the kind.
    func of(_ rule: String, kind: FindingKind) -> RulePattern {
        rules[rule] ?? families[String(rule.prefix { $0 != "." })] ?? kinds[kind] ?? RulePattern(title: kind.rawValue, english: "")
    }

    func of(_ finding: Finding) -> RulePattern { of(finding.rule, kind: finding.kind) }
}
