import Foundation
import TalkCoEnglish
import Testing

/// Measures the marker on sentences of its author; see `Docs/Marker-Quality.md`.
@Suite(.enabled(if: GrammarChecker.isAvailable, "The parser's dictionary or the word model is not installed"))
struct MarkerQualityTests {
    /// With `MARKER_REMARKS=1` the tests print each sentence that the marker did not treat as expected.
    private static let printsRemarks = ProcessInfo.processInfo.environment["MARKER_REMARKS"] == "1"

    private func report(_ name: String, _ quality: MarkerQuality) {
        print("\(name): \(quality)")
        if Self.printsRemarks { for remark in quality.remarks { print("  \(remark)") } }
    }

    private func expectGoals(_ all: MarkerQuality) {
        #expect(all.foundShare >= 0.4)
        #expect(all.spanShare >= 0.8)
        #expect(all.suggestionShare >= 0.7)
        #expect(all.falseShare < 0.01)
    }

    private func measure(_ set: String, _ mistakes: [(FindingKind, String)], correct: String) -> MarkerQuality {
        var all = MarkerQuality()
        for (kind, lines) in mistakes {
            var one = MarkerQuality()
            one.measure(erroneous: lines, kind)
            report("\(set), \(kind.rawValue)", one)
            all.add(one)
        }
        var right = MarkerQuality()
        right.measure(correct: correct)
        report("\(set), correct sentences", right)
        all.add(right)
        all.remarks = []
        report("\(set), all", all)
        return all
    }

    @Test func marksDevelopmentSentences() {
        let mistakes: [(FindingKind, String)] = [
            (.grammar, DevelopmentMistakes.grammar), (.sentenceStructure, DevelopmentMistakes.sentenceStructure),
            (.naturalness, DevelopmentMistakes.naturalness), (.vocabulary, DevelopmentMistakes.vocabulary),
        ]
        expectGoals(measure("development", mistakes, correct: DevelopmentCorrect.sentences))
    }

    @Test func marksHeldOutSentences() {
        let mistakes: [(FindingKind, String)] = [
            (.grammar, HeldOutMistakes.grammar), (.sentenceStructure, HeldOutMistakes.sentenceStructure),
            (.naturalness, HeldOutMistakes.naturalness), (.vocabulary, HeldOutMistakes.vocabulary),
        ]
        expectGoals(measure("held-out", mistakes, correct: HeldOutCorrect.sentences))
    }

    @Test func marksLaterSentences() {
        let mistakes: [(FindingKind, String)] = [
            (.grammar, LaterMistakes.grammar), (.sentenceStructure, LaterMistakes.sentenceStructure),
            (.naturalness, LaterMistakes.naturalness),
            (.vocabulary, LaterMistakes.vocabulary),
        ]
        expectGoals(measure("later", mistakes, correct: LaterCorrect.sentences))
    }

    @Test func marksFreshSentences() {
        let mistakes: [(FindingKind, String)] = [
            (.grammar, FreshMistakes.grammar), (.sentenceStructure, FreshMistakes.sentenceStructure),
            (.naturalness, FreshMistakes.naturalness),
            (.vocabulary, FreshMistakes.vocabulary),
        ]
        expectGoals(measure("fresh", mistakes, correct: ""))
    }
}
