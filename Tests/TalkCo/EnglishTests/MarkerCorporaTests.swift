import Foundation
import TalkCoEnglish
import Testing

/// Measures the marker on public sets of sentences that are no part of this repository; see `Docs/Marker-Quality.md`.
///
/// `MARKER_CORPORA` names a folder with `eracond.jsonl`, `jfleg.jsonl` and `tatoeba.jsonl`. With `MARKER_REMARKS=1` each mark is printed.
@Suite(
    .enabled(if: ProcessInfo.processInfo.environment["MARKER_CORPORA"] != nil, "MARKER_CORPORA names no folder"),
    .enabled(if: GrammarChecker.isAvailable, "The parser's dictionary or the word model is not installed"))
struct MarkerCorporaTests {
    /// A line of a set.
    private struct Sample: Decodable {
        var text: String
        /// True for a sentence without a mistake.
        var right: Bool
        /// Ranges of the mistakes, in characters.
        var spans: [[Int]]?
        /// Whole texts.
        var corrections: [String]?
    }

    private static let environment = ProcessInfo.processInfo.environment

    @Test(arguments: ["eracond", "jfleg", "tatoeba"]) func measures(_ set: String) throws {
        let file = URL(fileURLWithPath: Self.environment["MARKER_CORPORA"] ?? "").appendingPathComponent("\(set).jsonl")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let samples = try lines.map { try JSONDecoder().decode(Sample.self, from: Data($0.utf8)) }
        let checker = GrammarChecker()
        var (wrong, found, better, right, falselyMarked) = (0, 0, 0, 0, 0)
        for sample in samples {
            let findings = checker.findings(in: sample.text)
            if Self.environment["MARKER_REMARKS"] == "1", !findings.isEmpty {
                print(
                    sample.right ? "right:" : "wrong:", sample.text,
                    findings.map { "\($0.rule): \($0.original) => \($0.suggestion)" })
            }
            guard !sample.right else {
                right += 1
                falselyMarked += findings.isEmpty ? 0 : 1
                continue
            }
            wrong += 1
            guard let finding = findings.first(where: { Self.overlaps($0, sample) }) else { continue }
            found += 1
            if Self.isBetter(finding, sample) { better += 1 }
        }
        print("\(set): found \(found) of \(wrong), better \(better) of \(found), falsely marked \(falselyMarked) of \(right)")
        #expect(falselyMarked * 20 < max(right, 1))
    }

    private static func overlaps(_ finding: Finding, _ sample: Sample) -> Bool {
        let lower = sample.text.distance(from: sample.text.startIndex, to: finding.range.lowerBound)
        let upper = sample.text.distance(from: sample.text.startIndex, to: finding.range.upperBound)
        // An empty span is a missing word between two others.
        return (sample.spans ?? []).contains { $0[0] < upper && lower < $0[1] || $0[0] == $0[1] && (lower...upper).contains($0[0]) }
    }

    private static func isBetter(_ finding: Finding, _ sample: Sample) -> Bool {
        var text = sample.text
        text.replaceSubrange(finding.range, with: finding.suggestion)
        let distances = { (text: String) in (sample.corrections ?? []).map { distance(text, $0) }.min() ?? 0 }
        return distances(text) < distances(sample.text)
    }

    /// The edit distance in words.
    private static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (one.split(separator: " "), other.split(separator: " "))
        var row = Array(0...other.count)
        for (index, word) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, otherWord) in other.enumerated() {
                let above = row[column + 1]
                row[column + 1] = min(above + 1, row[column] + 1, diagonal + (word == otherWord ? 0 : 1))
                diagonal = above
            }
        }
        return row[other.count]
    }
}
