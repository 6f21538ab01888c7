/// A rule that finds one kind of error.
struct Rule: Sendable {
    /// A part of a sentence to which a rule objects.
    struct Match: Sendable {
        /// The tokens to replace.
        var tokens: Range<Int>
        var replacement: String
        /// The explanation in place of the rule's own; nil for the rule's own.
        var explanation: String?

        init(_ tokens: Range<Int>, _ replacement: String, _ explanation: String? = nil) {
            self.tokens = tokens
            self.replacement = replacement
            self.explanation = explanation
        }
    }

    var name: String
    var kind: FindingKind
    /// The priority among overlapping matches; the highest wins.
    var priority: Int
    var explanation: String
    /// The words at which ``find`` can succeed; `nil` for all.
    var triggers: Set<String>?
    /// Returns the match at a token; nil for none.
    var find: @Sendable (Sentence, Int) -> Match?

    init(
        _ name: String, _ kind: FindingKind, priority: Int = 50, at triggers: String? = nil, _ explanation: String,
        find: @escaping @Sendable (Sentence, Int) -> Match?
    ) {
        self.name = name
        self.kind = kind
        self.priority = priority
        self.explanation = explanation
        self.triggers = triggers.map { Set($0.words) }
        self.find = find
    }

    /// Creates a rule from a ``Pattern``.
    static func phrase(
        _ name: String, _ kind: FindingKind, _ pattern: String, _ replacement: String, _ explanation: String, priority: Int = 60,
        unless: (@Sendable (Sentence, Int) -> Bool)? = nil
    ) -> Rule {
        let pattern = Pattern(pattern)
        let template = Template(replacement)
        precondition(
            template.captureCount <= pattern.captureCount, "The replacement of \(name) names an element that the pattern lacks.")
        return phrase(name, kind, pattern, explanation, priority: priority) { sentence, index, match in
            unless?(sentence, index) == true ? nil : template.fill(match, sentence)
        }
    }

    /// Creates a rule from a ``Pattern``, with a replacement that depends on the matched words.
    ///
    /// - Parameter replacement: Returns the replacement of the tokens in the range; nil for a correct sentence. The index is that of the
    ///   pattern's first token.
    static func phrase(
        _ name: String, _ kind: FindingKind, _ pattern: String, _ explanation: String,
        replacement: @escaping @Sendable (Sentence, Int, Range<Int>) -> String?
    ) -> Rule {
        phrase(name, kind, Pattern(pattern), explanation, priority: 60) { replacement($0, $1, $2.span) }
    }

    private static func phrase(
        _ name: String, _ kind: FindingKind, _ pattern: Pattern, _ explanation: String, priority: Int,
        replacement: @escaping @Sendable (Sentence, Int, Pattern.Match) -> String?
    ) -> Rule {
        var rule = Rule(name, kind, priority: priority, explanation) { sentence, index in
            guard let match = pattern.match(sentence, at: index) else { return nil }
            guard let replacement = replacement(sentence, index, match) else { return nil }
            guard explanation.contains("{1}"), let first = match.captures.first ?? nil else {
                return Match(match.span, replacement)
            }
            let entry = sentence[first].entry
            return Match(
                match.span, replacement,
                explanation.replacing("{1}", with: entry.verb.isEmpty ? sentence[first].word : entry.verb))
        }
        rule.triggers = pattern.triggers
        return rule
    }
}
