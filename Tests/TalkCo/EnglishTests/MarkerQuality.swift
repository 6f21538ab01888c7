import Foundation
import TalkCoEnglish

/// An erroneous sentence, and what a marker should find in it.
///
/// Written as `I {very like => really like | love} this place.`
struct ErroneousSentence {
    var kind: FindingKind
    var text: String
    var span: Range<String.Index>
    /// The sentence with each acceptable replacement, normalized.
    var corrections: [String]

    /// Returns nil when the line has no marked span.
    init?(_ line: Substring, _ kind: FindingKind) {
        guard let open = line.firstIndex(of: "{"), let close = line.firstIndex(of: "}") else { return nil }
        let parts = line[line.index(after: open)..<close].split(separator: " => ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let (before, after) = (line[..<open], line[line.index(after: close)...])
        self.kind = kind
        text = before + String(parts[0]) + after
        let start = text.utf8.index(text.startIndex, offsetBy: before.utf8.count)
        span = start..<text.utf8.index(start, offsetBy: parts[0].utf8.count)
        corrections = parts[1].split(separator: "|", omittingEmptySubsequences: false).map { replacement in
            Self.normalized(before + replacement.trimmed + after)
        }
    }

    static func normalized(_ text: some StringProtocol) -> String {
        text.lowercased().replacing("’", with: "'").filter { $0 != "," && $0 != "." }.split(separator: " ").joined(separator: " ")
    }

    /// The words of the finding's range and of the expected span that only one of them has.
    private func difference(_ range: Range<String.Index>) -> Int? {
        guard range.lowerBound <= span.upperBound, span.lowerBound <= range.upperBound else { return nil }
        func words(_ range: Range<String.Index>) -> Int { text[range].split(separator: " ").count }
        let common =
            max(
                range.lowerBound, span.lowerBound)..<max(
                min(range.upperBound, span.upperBound), max(range.lowerBound, span.lowerBound))
        return words(range) + words(span) - 2 * words(common)
    }

    enum Outcome { case missed, elsewhere, wrongSpan, wrongSuggestion, right }

    func outcome(_ findings: [Finding]) -> (outcome: Outcome, finding: Finding?) {
        let near = findings.compactMap { finding in difference(finding.range).map { (finding, $0) } }
        guard let (finding, difference) = near.min(by: { $0.1 < $1.1 }), finding.range.overlaps(span) else {
            return (findings.isEmpty ? .missed : .elsewhere, findings.first)
        }
        guard difference <= 2 else { return (.wrongSpan, finding) }
        var corrected = text
        corrected.replaceSubrange(finding.range, with: finding.suggestion)
        return (corrections.contains(Self.normalized(corrected)) ? .right : .wrongSuggestion, finding)
    }
}

extension StringProtocol {
    fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}

/// Counts over a set of sentences.
struct MarkerQuality: CustomStringConvertible {
    var errors = 0
    var found = 0
    var rightSpan = 0
    var rightSuggestion = 0
    var rightKind = 0
    var correct = 0
    var falselyMarked = 0
    /// A line for each sentence that the marker did not treat as expected.
    var remarks: [String] = []

    /// The current time of the sentences.
    private static let time = Date(timeIntervalSince1970: 1_795_000_000)

    var foundShare: Double { Self.share(found, errors) }
    /// Of those found.
    var spanShare: Double { Self.share(rightSpan, found) }
    /// Of those with the right span.
    var suggestionShare: Double { Self.share(rightSuggestion, rightSpan) }
    var kindShare: Double { Self.share(rightKind, found) }
    var falseShare: Double { Self.share(falselyMarked, correct) }

    private static func share(_ part: Int, _ whole: Int) -> Double { whole == 0 ? 0 : Double(part) / Double(whole) }

    mutating func add(_ other: MarkerQuality) {
        errors += other.errors
        found += other.found
        rightSpan += other.rightSpan
        rightSuggestion += other.rightSuggestion
        rightKind += other.rightKind
        correct += other.correct
        falselyMarked += other.falselyMarked
    }

    mutating func measure(erroneous lines: String, _ kind: FindingKind) {
        let checker = GrammarChecker(now: { Self.time })
        for line in lines.split(separator: "\n") {
            guard let sentence = ErroneousSentence(line, kind) else { preconditionFailure("No span is marked in: \(line)") }
            let findings = checker.findings(in: sentence.text)
            let (outcome, finding) = sentence.outcome(findings)
            errors += 1
            if outcome != .missed, outcome != .elsewhere {
                found += 1
                if finding?.kind == kind { rightKind += 1 }
            }
            if outcome == .right || outcome == .wrongSuggestion { rightSpan += 1 }
            if outcome == .right { rightSuggestion += 1 }
            if outcome != .right {
                remarks.append("\(outcome): \(line)" + (finding.map { " — \($0.rule): \($0.original) => \($0.suggestion)" } ?? ""))
            } else if findings.count > 1 {
                remarks.append(
                    "more: \(line) — " + findings.map { "\($0.rule): \($0.original) => \($0.suggestion)" }.joined(separator: "; "))
            }
        }
    }

    mutating func measure(correct lines: String) {
        let checker = GrammarChecker(now: { Self.time })
        for line in lines.split(separator: "\n") {
            correct += 1
            guard let finding = checker.findings(in: String(line)).first else { continue }
            falselyMarked += 1
            remarks.append("false: \(line) — \(finding.rule): \(finding.original) => \(finding.suggestion)")
        }
    }

    var description: String {
        func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }
        var parts: [String] = []
        if errors > 0 {
            parts.append("\(errors) errors, found \(found) (\(percent(foundShare))), span \(rightSpan) (\(percent(spanShare)))")
            parts.append("suggestion \(rightSuggestion) (\(percent(suggestionShare))), kind \(rightKind) (\(percent(kindShare)))")
        }
        if correct > 0 { parts.append("\(correct) correct, falsely marked \(falselyMarked) (\(percent(falseShare)))") }
        return parts.joined(separator: ", ")
    }
}
