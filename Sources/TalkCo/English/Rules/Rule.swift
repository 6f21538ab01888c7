/// A rule that finds one kind of error. Its kind and its explanation are data: ``RuleTable``.
struct Rule: Sendable {
    /// A part of a sentence to which a rule objects.
    struct Match: Sendable {
        /// The tokens to replace.
        var tokens: Range<Int>
        var replacement: String
        /// The word for `{1}` of the explanation; nil for none.
        var word: String?

        init(_ tokens: Range<Int>, _ replacement: String, word: String? = nil) {
            self.tokens = tokens
            self.replacement = replacement
            self.word = word
        }
    }

    var name: String
    var kind: FindingKind
    /// The priority among overlapping matches; the highest wins.
    var priority: Int
    /// The explanation in Traditional Chinese, with `{1}` (the verb of the pattern's first element) and `{phrase}` (the suggestion and the next word).
    let explanation: RuleTable.Explanation
    /// The words at which ``find`` can succeed; `nil` for all.
    var triggers: Set<String>?
    /// Returns the match at a token; nil for none.
    var find: @Sendable (Sentence, Int) -> Match?

    init(
        _ name: String, priority: Int = 50, at triggers: String? = nil, find: @escaping @Sendable (Sentence, Int) -> Match?
    ) {
        self.init(name, RuleTable.explanation(of: name), priority: priority, find: find)
        self.triggers = triggers.map { Set($0.words) }
    }

    private init(
        _ name: String, _ explanation: RuleTable.Explanation, priority: Int, find: @escaping @Sendable (Sentence, Int) -> Match?
    ) {
        self.name = name
        kind = explanation.type
        self.priority = priority
        self.explanation = explanation
        self.find = find
    }

    /// Creates a rule from a ``Pattern`` with a condition; without one, it belongs in `rules.json`.
    static func phrase(
        _ name: String, _ pattern: String, _ replacement: String, priority: Int = 60,
        unless: @escaping @Sendable (Sentence, Int) -> Bool
    ) -> Rule {
        let (pattern, template) = (Pattern(pattern), Template(replacement))
        precondition(
            template.captureCount <= pattern.captureCount, "The replacement of \(name) names an element that the pattern lacks.")
        return phrase(name, RuleTable.explanation(of: name), pattern, priority: priority) { sentence, index, match in
            unless(sentence, index) ? nil : template.fill(match, sentence)
        }
    }

    /// Creates a rule from a ``Pattern``, with a replacement that depends on the matched words.
    ///
    /// - Parameter replacement: Returns the replacement of the tokens in the range; nil for a correct sentence. The index is that of the
    ///   pattern's first token.
    static func phrase(
        _ name: String, _ pattern: String, replacement: @escaping @Sendable (Sentence, Int, Range<Int>) -> String?
    ) -> Rule {
        phrase(name, RuleTable.explanation(of: name), Pattern(pattern), priority: 60) { replacement($0, $1, $2.span) }
    }

    /// Creates a rule from a ``Pattern``.
    static func phrase(
        _ name: String, _ explanation: RuleTable.Explanation, _ pattern: Pattern, priority: Int,
        replacement: @escaping @Sendable (Sentence, Int, Pattern.Match) -> String?
    ) -> Rule {
        var rule = Rule(name, explanation, priority: priority) { sentence, index in
            guard let match = pattern.match(sentence, at: index), let replacement = replacement(sentence, index, match) else {
                return nil
            }
            let first = (match.captures.first ?? nil).map { sentence[$0] }
            return Match(match.span, replacement, word: first.map { $0.entry.verb.isEmpty ? $0.word : $0.entry.verb })
        }
        rule.triggers = pattern.triggers
        return rule
    }

    /// Returns the explanation of a match.
    ///
    /// - Parameters:
    ///   - suggestion: The words in place of the match.
    ///   - next: The word after the match; empty for none.
    func explanation(of match: Match, _ suggestion: String, next: String) -> String {
        let form = explanation.forms?.first { $0.key.words.contains(suggestion.lowercased()) }
        return (form?.value ?? explanation.text).replacing("{1}", with: match.word ?? "")
            .replacing("{phrase}", with: suggestion + " " + next)
    }
}
