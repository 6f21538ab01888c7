/// A dimension of a finding.
package enum FindingKind: String, Hashable, Sendable, CaseIterable, Decodable {
    case grammar
    case naturalness
    case vocabulary
    case sentenceStructure = "sentence_structure"
}

/// A probable error in a learner's words.
package struct Finding: Hashable, Sendable {
    /// The name of the rule, such as `article.missing`. Stable.
    package var rule: String
    package var kind: FindingKind
    /// The part of the text in question.
    package var range: Range<String.Index>
    /// The text of ``range``.
    package var original: String
    /// The text in place of ``original``, from which it differs.
    package var suggestion: String
    /// The explanation in Traditional Chinese.
    package var explanation: String

    package init(
        rule: String, kind: FindingKind, range: Range<String.Index>, original: String, suggestion: String, explanation: String
    ) {
        self.rule = rule
        self.kind = kind
        self.range = range
        self.original = original
        self.suggestion = suggestion
        self.explanation = explanation
    }
}
