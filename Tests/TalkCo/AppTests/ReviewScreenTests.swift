import PhoneTestKit
import PlatformKit
import SwiftUI
import TalkCoClient
import TalkCoTestKit
import TalkCoWire
import TestKit
import Testing

@testable import TalkCoApp

/// The review and the summary.
@Suite struct ReviewScreenTests {
    /// A phone on the review of a talk with one sentence.
    private func reviewing(_ box: TalkBox, _ sentence: String = "I goed home.") async throws -> TalkHand {
        let hand = try await TalkHand.talking(box)
        try await hand.write(sentence)
        try hand.screen.tap("end-conversation")
        try await hand.screen.wait(for: "toggle-0")
        return hand
    }

    @Test func progressIsShownWhileMarksAreWritten() async throws {
        let box = try await TalkBox()
        box.judge.set { $0.isHeld = true }
        let hand = try await reviewing(box)
        try await hand.screen.wait(for: "Looking at your sentences…")
        #expect(!hand.screen.has("badge-grammar"))
        box.judge.set { $0.isHeld = false }
        try await hand.screen.wait(for: "badge-grammar")
        #expect(!hand.screen.has("Looking at your sentences…"))
    }

    @Test func sentenceAndItsBetterFormCanBeHeard() async throws {
        let box = try await TalkBox()
        let hand = try await reviewing(box)
        try await hand.screen.wait(for: "badge-grammar")
        try hand.screen.tap("toggle-0")
        try hand.screen.tap("Hear your sentence")
        try await hand.screen.wait { hand.device.speech.playbacks.last == ScriptedTutor.voice(of: "I goed home.") }
        try await hand.screen.wait(for: "Hear the better sentence")
        try hand.screen.tap("Hear the better sentence")
        try await hand.screen.wait { hand.device.speech.playbacks.last == ScriptedTutor.voice(of: "I went home.") }
    }

    @Test func questionThatFailsReturnsToTheField() async throws {
        let box = try await TalkBox()
        box.judge.set { $0.questionFailure = "No key." }
        let hand = try await reviewing(box)
        try await hand.screen.wait(for: "badge-grammar")
        try hand.screen.tap("toggle-0")
        try hand.screen.type("Why?", into: "question-field")
        try hand.screen.tap("Ask")
        try await hand.screen.wait { hand.screen.has("question") && hand.screen.has("problem") }
        #expect(try hand.screen.find("question-field", .field).attributes[.value]?.text == "Why?")
        box.judge.set { $0.questionFailure = nil }
        try hand.screen.pressReturn(in: "question-field")
        try await hand.screen.wait(for: "correction")
    }

    @Test func ownRecordingIsHeardBesideTheBetterSentence() async throws {
        let box = try await TalkBox()
        box.tutor.set { $0.transcript = { _ in "I goed home." } }
        let device = TalkHand.device()
        let hand = TalkHand(box, device: device)
        try await hand.screen.wait(for: "Me")
        try hand.screen.tap("Me")
        try await hand.screen.wait(for: "keep-recordings")
        #expect(!hand.talk.settings.keepsRecordings)
        try hand.screen.tap("keep-recordings")
        #expect(hand.talk.settings.keepsRecordings)
        try hand.screen.tap("Practice")
        try await hand.choose("daily_life")
        try await hand.hold()
        try await hand.screen.wait(for: ScriptedTutor.answer(to: "I goed home."))
        try await hand.screen.wait { hand.conversation?.isWaiting == false }
        try hand.screen.tap("end-conversation")
        try await hand.screen.wait(for: "badge-grammar")
        try hand.screen.tap("toggle-0")
        #expect(hand.screen.has("Hear the better sentence") && !hand.screen.has("Hear your sentence"))
        let count = device.speech.playbacks.count
        try hand.screen.tap("Hear yourself")
        try await hand.screen.wait { device.speech.playbacks.count == count + 1 && hand.screen.has("Hear yourself") }
        #expect(device.speech.playbacks.last == device.speech.recordings.first)
    }

    @Test func sentencesWithoutMarksMayBeAskedAbout() async throws {
        let hand = try await reviewing(try await TalkBox(), "I went home.")
        try await hand.screen.wait(for: "Nothing was marked. Ask about any sentence that you are not sure of.")
    }

    @Test(arguments: ["我昨天回家了。", "asdf qwer"]) func sentencesThatAreNotEnglishAreNotSaidToBeFine(words: String) async throws {
        let hand = try await reviewing(try await TalkBox(), words)
        try await hand.screen.wait(for: "There was no English to look at. Ask how to say it.")
        #expect(!hand.screen.has("Nothing was marked. Ask about any sentence that you are not sure of."))
    }

    @Test func markIsHighlightedInTheWords() throws {
        let mark = Mark(id: 1, issueTypes: ["naturalness"], original: "very like", suggestion: "like", explanation: "…")
        let screen = ViewDriver(MarkedText(text: "I very like tea.", marks: [mark]))
        let runs = screen.visible.filter { $0.kind == .run }
        #expect(runs.map { $0.attributes[.text]?.text } == ["I ", "very like", " tea."])
        #expect(runs.map { $0.style.contains(.underline) } == [false, true, false])
    }

    @Test func markThatIsNotInTheWordsLeavesThemAlone() throws {
        let mark = Mark(id: 1, issueTypes: ["grammar"], original: "absent", suggestion: "present", explanation: "…")
        let screen = ViewDriver(MarkedText(text: "I like tea.", marks: [mark]))
        #expect(screen.visible.filter { $0.kind == .run }.map { $0.attributes[.text]?.text } == ["I like tea."])
    }

    @Test func unknownIssueTypeHasANeutralBadge() throws {
        let screen = ViewDriver(IssueBadges(types: ["grammar", "speech_rate"]))
        #expect(screen.has("Grammar") && screen.has("speech rate"))
        #expect(IssueColors(IssueType(rawValue: "speech_rate"), .light) == IssueColors(nil, .light))
        #expect(Set(IssueType.allCases.map { IssueColors($0, .light) } + [IssueColors(nil, .light)]).count == 5)
    }

    @Test func missingSummaryIsSaid() throws {
        let screen = ViewDriver(NavigationStack { SessionSummaryView(summary: nil, isEmpty: false) {} })
        #expect(screen.has("There is no summary this time.") && screen.has("done"))
        let empty = ViewDriver(NavigationStack { SessionSummaryView(summary: nil, isEmpty: true) {} })
        #expect(empty.has("Nothing was said."))
    }

    @Test func summaryShowsItsDimensionsInOrderAndLeavesOutEmptyOnes() throws {
        let summary = SessionSummary(
            strengths: ["流暢"],
            weaknesses: ["vocabulary": "用字", "grammar": "時態", "naturalness": nil, "rhythm": "節奏", "sentence_structure": ""],
            levelAssessment: nil, overall: "很好")
        let screen = ViewDriver(NavigationStack { SessionSummaryView(summary: summary, isEmpty: false) {} })
        #expect(screen.texts.filter { ["時態", "用字", "節奏"].contains($0) } == ["時態", "用字", "節奏"])
        #expect(!screen.has("Naturalness") && !screen.has("Sentence structure") && !screen.has("Level"))
    }
}
