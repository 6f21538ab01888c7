import TalkCoEnglish
import TalkCoWire

/// The parts of TalkCoEnglish that the built-in engine uses.
struct EnglishRules: Sendable {
    private let find: @Sendable (String) -> [Finding]

    init(find: @escaping @Sendable (String) -> [Finding] = { GrammarChecker().findings(in: $0) }) {
        self.find = find
    }

    func findings(in text: String) -> [Finding] { find(text) }

    /// Returns true if a text is English. Other languages and noise are neither judged nor praised.
    func isEnglish(_ text: String) -> Bool { EnglishText.isEnglish(text) }

    /// Returns true if a level may count the English words of a text, which may contain other scripts.
    private func hasEnglish(_ text: String) -> Bool { EnglishText.isEnglish(text, allowsOtherScripts: true) }

    /// Returns the useful expressions in a text, in their dictionary form.
    func expressions(in text: String) -> [String] {
        Expressions().used(in: text, findings: find(text)).map(\.name)
    }

    /// Returns the level of a learner, with the sentences behind it; nil if there is too little to judge.
    func level(of sentences: [String]) -> LevelJudgement? {
        guard let estimate = LevelEstimate(of: sentences.filter(hasEnglish)),
            let level = TalkCoWire.CEFRLevel(rawValue: estimate.level.rawValue)
        else { return nil }
        return LevelJudgement(
            level: level, evidence: estimate.evidence.map { LevelEvidence(sentence: $0.sentence, reason: $0.reason) })
    }

    /// Returns the number of English words in sentences, counted up to the number that ``level(of:)`` needs.
    func levelWords(in sentences: [String]) -> (count: Int, needed: Int) {
        let needed = LevelEstimate.minimumWordCount
        return (LevelEstimate.wordCount(of: sentences.filter(hasEnglish), upTo: needed), needed)
    }

    /// Returns a text with all findings corrected.
    ///
    /// A correction may uncover another error: "my sister she don't" becomes "my sister don't", then "my sister doesn't".
    func corrected(_ text: String) -> String {
        var text = text
        for _ in 0..<3 {
            let found = findings(in: text)
            if found.isEmpty { break }
            text = Self.corrected(text, found)
        }
        return text
    }

    /// Returns a text with the suggestions of findings in place of their originals.
    static func corrected(_ text: String, _ findings: [Finding]) -> String {
        var corrected = text
        for finding in findings.reversed() { corrected.replaceSubrange(finding.range, with: finding.suggestion) }
        return corrected
    }

    /// Returns the suggestion of a finding, with its own errors corrected too: "she don't" becomes "doesn't", not "don't".
    func suggestion(for finding: Finding, in text: String) -> String {
        let corrected = Self.corrected(text, [finding])
        let start = text.distance(from: text.startIndex, to: finding.range.lowerBound)
        guard let lower = corrected.index(corrected.startIndex, offsetBy: start, limitedBy: corrected.endIndex),
            let upper = corrected.index(lower, offsetBy: finding.suggestion.count, limitedBy: corrected.endIndex)
        else { return finding.suggestion }
        let inner = findings(in: corrected).filter { $0.range.lowerBound >= lower && $0.range.upperBound <= upper }
        guard !inner.isEmpty else { return finding.suggestion }
        let whole = Self.corrected(corrected, inner)
        let length = whole.count - (corrected.count - finding.suggestion.count)
        let suggestion = whole.dropFirst(start).prefix(max(length, 0))
        return suggestion.isEmpty || suggestion == finding.original ? finding.suggestion : String(suggestion)
    }

    /// Returns the finding to mark: the most disturbing one, the first of equal ones; nil for no findings.
    static func mostImportant(_ findings: [Finding]) -> Finding? {
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
