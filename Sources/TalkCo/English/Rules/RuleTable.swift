import Foundation

/// The rules that are only a pattern, and the explanations of the others: the file `Resources/rules.json`.
struct RuleTable: Sendable {
    /// The explanation of a rule whose pattern or condition is code.
    struct Explanation: Decodable, Sendable {
        var type: FindingKind
        /// The explanation in Traditional Chinese, see ``Rule/explanation``.
        var text: String
        /// Other texts for some suggestions, by the suggestions, separated by spaces; nil for none.
        var forms: [String: String]?
    }

    private struct PatternRule: Decodable {
        var rule: String
        var type: FindingKind
        var pattern: String
        var replacement: String
        var explanation: String
        var priority: Int?
    }

    private struct File: Decodable {
        var patterns: [PatternRule]
        var explanations: [String: Explanation]
    }

    static let standard = DataFile.read("rules.json") { try RuleTable($0) }

    /// The rules that are only a pattern, in the order of the file.
    let patterns: [Rule]
    /// The explanations of rules in the code, by the rule's name.
    let explanations: [String: Explanation]

    /// - Throws: `DecodingError`, `DataFile.FormatError`.
    init(_ data: Data) throws {
        let file = try JSONDecoder().decode(File.self, from: data)
        patterns = try file.patterns.map { entry in
            if let name = Pattern.unknownClass(in: entry.pattern) {
                throw DataFile.FormatError(description: "The pattern of \(entry.rule) names an unknown class: \(name).")
            }
            let (pattern, template) = (Pattern(entry.pattern), Template(entry.replacement))
            guard template.captureCount <= pattern.captureCount else {
                throw DataFile.FormatError(description: "The replacement of \(entry.rule) names an element that its pattern lacks.")
            }
            return .phrase(
                entry.rule, Explanation(type: entry.type, text: entry.explanation), pattern, priority: entry.priority ?? 60
            ) { sentence, _, match in template.fill(match, sentence) }
        }
        explanations = file.explanations
        let texts = file.patterns.map { ($0.rule, $0.explanation) } + explanations.map { ($0, $1.text) }
        for (rule, text) in texts where !rule.contains(".") || text.isEmpty {
            throw DataFile.FormatError(description: "\(rule) lacks a family or an explanation.")
        }
    }

    /// Returns the explanation of a rule in the code.
    static func explanation(of rule: String) -> Explanation {
        guard let explanation = standard.explanations[rule] else {
            preconditionFailure("rules.json has no explanation of \(rule).")
        }
        return explanation
    }
}
