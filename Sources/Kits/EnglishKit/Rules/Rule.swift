/// A test for one error.
struct Rule: Sendable {
    /// A place in a sentence that a rule objects to.
    struct Match: Sendable {
        /// The tokens to replace.
        var tokens: Range<Int>
        var replacement: String
        /// Takes the place of the rule's explanation.
        var explanation: String?

        init(_ tokens: Range<Int>, _ replacement: String, _ explanation: String? = nil) {
            self.tokens = tokens
            self.replacement = replacement
            self.explanation = explanation
        }
    }

    var name: String
    var kind: FindingKind
    /// Decides between overlapping matches; the higher one wins.
    var priority: Int
    var explanation: String
    /// The words at which ``find`` can succeed; `nil` for all.
    var triggers: Set<String>?
    /// Looks for the error at one token.
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

    /// A rule that a pattern describes. See ``Pattern``.
    static func phrase(
        _ name: String, _ kind: FindingKind, _ pattern: String, _ replacement: String, _ explanation: String, priority: Int = 60,
        unless: (@Sendable (Sentence, Int) -> Bool)? = nil
    ) -> Rule {
        let pattern = Pattern(pattern)
        let template = Template(replacement)
        precondition(
            template.captureCount <= pattern.captureCount, "The replacement of \(name) names an element that the pattern lacks.")
        var rule = Rule(name, kind, priority: priority, explanation) { sentence, index in
            guard let match = pattern.match(sentence, at: index), unless?(sentence, index) != true else { return nil }
            return Match(match.span, template.fill(match, sentence))
        }
        rule.triggers = pattern.triggers
        return rule
    }
}
