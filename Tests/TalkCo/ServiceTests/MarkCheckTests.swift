import TalkCoWire
import Testing

@testable import TalkCoService

@Suite struct MarkCheckTests {
    private let turns = [
        TalkTurn(index: 0, learner: "Yesterday I go to school", tutor: "Nice"),
        TalkTurn(index: 1, learner: "She don't like café", tutor: "Oh"),
    ]

    private func draft(
        _ original: String, to suggestion: String = "went", turn: Int = 0, types: [String] = ["grammar"], because: String = "過去式"
    ) -> MarkDraft {
        MarkDraft(turnIndex: turn, issueTypes: types, original: original, suggestion: suggestion, explanation: because)
    }

    private func check(_ drafts: MarkDraft...) -> MarkCheck { MarkCheck(drafts, of: turns) }

    @Test func goodMarkIsKept() {
        let result = check(draft(" I go ", to: "I went"), draft("don't", to: "doesn't", turn: 1))
        #expect(result.marks == [0: draft("I go", to: "I went"), 1: draft("don't", to: "doesn't", turn: 1)])
        #expect(result.problems.isEmpty)
    }

    @Test func badMarksAreDroppedAndCounted() {
        let cases: [(MarkDraft, MarkCheck.Problem)] = [
            (draft("go", turn: 2), .unknownTurn), (draft("go", turn: -1), .unknownTurn), (draft("go", types: []), .noIssueType),
            (draft("go", types: ["spelling", ""]), .noIssueType), (draft(" "), .missingText), (draft("go", to: ""), .missingText),
            (draft("go", because: "\n"), .missingText), (draft("went"), .notSaid), (draft("i go"), .notSaid),
            (draft("don't"), .notSaid), (draft("go", to: " go "), .noChange),
            (draft("go", because: String(repeating: "x", count: 2_001)), .tooLong),
        ]
        for (draft, problem) in cases {
            let result = check(draft)
            #expect(result.marks.isEmpty && result.problems == [problem: 1], "\(draft)")
        }
    }

    /// The same text to a reader, other characters to the app, which looks for the original.
    @Test func originalIsComparedByBytes() {
        #expect(check(draft("cafe\u{301}", turn: 1)).problems == [.notSaid: 1])
        #expect(check(draft("café", turn: 1)).marks.count == 1)
    }

    @Test func unknownIssueTypesAreRemoved() {
        let result = check(draft("go", types: ["vocabulary", "style", " grammar", "vocabulary"]))
        #expect(result.marks[0]?.issueTypes == ["vocabulary", "grammar"])
    }

    @Test func turnHasOneMark() {
        let result = check(
            draft("go"), draft("go", to: "have gone", types: ["naturalness", "grammar"]), draft("school", to: "the school"))
        #expect(result.marks[0] == draft("go", types: ["grammar", "naturalness"]))
        #expect(result.problems == [.second: 1])
    }
}
