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
            (draft("go", because: "\n"), .missingText), (draft("went"), .notSaid), (draft("i goes"), .notSaid),
            (draft("don't"), .notSaid), (draft("go", to: " go "), .noChange), (draft("GO.", to: "go."), .noChange),
            (draft("…"), .notSaid),
            (draft("go", because: String(repeating: "x", count: 2_001)), .tooLong),
        ]
        for (draft, problem) in cases {
            let result = check(draft)
            #expect(result.marks.isEmpty && result.problems == [problem: 1], "\(draft)")
        }
    }

    /// Models quote with other capitals, apostrophes, punctuation and white space; the app looks for exactly the learner's characters.
    @Test(arguments: [
        ("yesterday i go", "Yesterday I go"), ("I GO TO SCHOOL.", "I go to school"), ("\"I go\"", "I go"), ("“I go to”", "I go to"),
        ("Yesterday, I go", "Yesterday I go"), ("I  go", "I go"), ("go to school!", "go to school"), ("「go」", "go"),
        ("Ｉ ｇｏ", "I go"),
    ])
    func quotationIsFoundInAnotherForm(original: String, found: String) {
        #expect(check(draft(original)).marks[0]?.original == found)
    }

    @Test(arguments: ["She don’t like", "she dont like", "She don't  like.", "cafe\u{301}", "CAFÉ."])
    func quotationHasTheLearnersCharacters(original: String) throws {
        let mark = try #require(check(draft(original, turn: 1)).marks[1])
        #expect(Array(turns[1].learner.utf8).contains(Array(mark.original.utf8)))
    }

    @Test func suggestionLosesWhatTheModelHasAdded() {
        func suggestion(_ original: String, _ suggestion: String) -> String? {
            check(draft(original, to: suggestion)).marks[0]?.suggestion
        }
        #expect(suggestion("I go to school.", "I went to school.") == "I went to school")
        #expect(suggestion("\"go\"", "\"went\"") == "went")
        #expect(suggestion("Go to school", "Go to the school") == "go to the school")
        #expect(suggestion("I go", "I went.") == "I went.")
    }

    @Test func issueTypesOfAnotherFormAreKnown() {
        #expect(
            check(draft("go", types: ["Grammar", "Sentence Structure"])).marks[0]?.issueTypes == ["grammar", "sentence_structure"])
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
