public import Foundation

/// Finds the errors that Mandarin speakers make most in English, by rules.
public struct GrammarChecker: Sendable {
    private let now: @Sendable () -> Date

    /// - Parameter now: The current time: a year before its own is in the past.
    public init(now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
    }

    /// The findings in a text of one or more sentences, in the order of their ranges, which do not overlap.
    ///
    /// The text may be of any length and in any script; the work grows linearly with its length.
    public func findings(in text: String) -> [Finding] {
        let year = Calendar(identifier: .gregorian).component(.year, from: now())
        return Sentence.sentences(of: text, in: year).flatMap { Self.findings(in: $0) }
    }

    private static func findings(in sentence: Sentence) -> [Finding] {
        var candidates: [(rule: Rule, match: Rule.Match)] = []
        for index in 0..<sentence.count where sentence[index].kind == .word || sentence[index].kind == .number {
            for rule in RuleSet.standard.rules(at: sentence[index].word) {
                guard let match = rule.find(sentence, index) else { continue }
                candidates.append((rule, match))
            }
        }
        // Stable: of equal matches the earlier wins.
        let order = candidates.indices.sorted { (-candidates[$0].rule.priority, $0) < (-candidates[$1].rule.priority, $1) }
        var taken: [Range<Int>] = []
        var findings: [Finding] = []
        for candidate in order.map({ candidates[$0] }) where !taken.contains(where: { $0.overlaps(candidate.match.tokens) }) {
            guard let finding = finding(candidate.rule, candidate.match, sentence) else { continue }
            taken.append(candidate.match.tokens)
            findings.append(finding)
        }
        return findings.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    private static func finding(_ rule: Rule, _ match: Rule.Match, _ sentence: Sentence) -> Finding? {
        var tokens = match.tokens
        var suggestion = match.replacement
        // The replacement of the "'m" of "I'm" is a word of its own.
        if tokens.lowerBound > 0, sentence[tokens.lowerBound].word.hasPrefix("'"), !suggestion.hasPrefix("'") {
            tokens = tokens.lowerBound - 1..<tokens.upperBound
            suggestion = sentence.text(tokens.lowerBound..<tokens.lowerBound + 1) + " " + suggestion
        }
        let original = sentence.text(tokens)
        let first = sentence[tokens.lowerBound]
        if first.isCapitalized, first.word != "i" || tokens.lowerBound == 0, let letter = suggestion.first {
            suggestion = letter.uppercased() + suggestion.dropFirst()
        }
        guard !original.isEmpty, !suggestion.isEmpty, suggestion != original else { return nil }
        let range = first.range.lowerBound..<sentence[tokens.upperBound - 1].range.upperBound
        return Finding(
            rule: rule.name, kind: rule.kind, range: range, original: original, suggestion: suggestion,
            explanation: match.explanation ?? rule.explanation)
    }
}
