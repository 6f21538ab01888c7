import EnglishKit

/// The parts of EnglishKit that the built-in engine uses.
struct EnglishRules: Sendable {
    private let find: @Sendable (String) -> [Finding]

    init(find: @escaping @Sendable (String) -> [Finding] = { GrammarChecker().findings(in: $0) }) {
        self.find = find
    }

    func findings(in text: String) -> [Finding] { find(text) }

    /// A text with all findings corrected.
    func corrected(_ text: String) -> String { Self.corrected(text, findings(in: text)) }

    /// A text with the suggestions of findings in place of their originals.
    static func corrected(_ text: String, _ findings: [Finding]) -> String {
        var corrected = text
        for finding in findings.reversed() { corrected.replaceSubrange(finding.range, with: finding.suggestion) }
        return corrected
    }

    /// The finding to mark: the one that disturbs most.
    static func mostImportant(_ findings: [Finding]) -> Finding? {
        // Of equal ones the first.
        findings.enumerated().min { (weight($0.element), $0.offset) < (weight($1.element), $1.offset) }?.element
    }

    private static func weight(_ finding: Finding) -> Int {
        switch finding.kind {
        case .sentenceStructure: 0
        case .grammar: finding.rule.hasPrefix("article") ? 3 : 1
        case .vocabulary: 2
        case .naturalness: 4
        }
    }
}
