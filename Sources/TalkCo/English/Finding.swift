/// A dimension of a finding.
public enum FindingKind: String, Hashable, Sendable, CaseIterable {
    case grammar
    case naturalness
    case vocabulary
    case sentenceStructure = "sentence_structure"
}

/// A probable error in a learner's words.
public struct Finding: Hashable, Sendable {
    /// The name of the rule, such as `article.missing`. Stable.
    public var rule: String
    public var kind: FindingKind
    /// The part of the text in question.
    public var range: Range<String.Index>
    /// The text of ``range``.
    public var original: String
    /// A text in place of ``original``; differs from it.
    public var suggestion: String
    /// In Traditional Chinese.
    public var explanation: String

    public init(
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
