import Foundation
import PhoneTestKit
import PlatformKit
import TalkCoClient
import TalkCoTestKit
import TalkCoWire
import TestKit
import Testing
import WireKit

/// The review: marks, questions and the summary.
@MainActor
@Suite struct ReviewTests {
    /// A phone whose conversation has ended. The judge is held.
    private func ended(
        _ words: [String] = ["I goed home."], clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> (TalkBox, TalkPhone, ReviewViewModel) {
        let box = try await TalkBox()
        box.judge.set { $0.isHeld = true }
        let hand = try await box.connected(clock: clock)
        let conversation = try await hand.talk()
        for each in words { try await hand.say(each, in: conversation) }
        conversation.endConversation()
        try await hand.until { _ in conversation.isOver }
        #expect(hand.app.openSession?.phase == .review)
        return (box, hand, hand.app.review(of: try #require(conversation.reviewSession)))
    }

    private func pollCount(_ box: TalkBox) -> Int { box.network.calls.count { $0.hasSuffix("/review") } }

    @Test func marksArriveByPollingEveryTwoSeconds() async throws {
        let clock = TestClock()
        let (box, hand, review) = try await ended(["I goed home.", "I like tea."], clock: clock)
        review.loadReview()
        try await hand.until { _ in review.segments.count == 2 }
        #expect(review.isWaitingForMarks && review.segments.allSatisfy(\.aiMarks.isEmpty))
        for count in 2...4 {
            try await eventually { clock.hasSleeper(for: .seconds(2)) }
            #expect(pollCount(box) == count - 1)
            try await clock.advance(by: .seconds(2))
            try await eventually { await self.pollCount(box) == count }
        }
        box.judge.set { $0.isHeld = false }
        try await hand.until(advancing: clock, by: .seconds(2)) { _ in !review.isPolling }
        #expect(review.status == .reviewed && review.problem == nil)
        let mark = try #require(review.segments[0].aiMarks.first)
        #expect(mark.issueTypes == ["grammar"] && mark.original == "goed" && mark.suggestion == "went")
        #expect(mark.explanation == ScriptedJudge.markExplanation)
        #expect(review.segments[1].aiMarks.isEmpty)
        let count = pollCount(box)
        for _ in 0..<10 { try await clock.advance(by: .seconds(2)) }
        #expect(pollCount(box) == count)
    }

    @Test func threeFailuresInARowEndThePolling() async throws {
        let clock = TestClock()
        let (box, hand, review) = try await ended(clock: clock)
        review.loadReview()
        try await hand.until { _ in review.segments.count == 1 }
        box.network.set { $0.answer = .init(502, "", path: "/review") }
        // Two failures, then a success.
        try await hand.until(advancing: clock, by: .seconds(2)) { _ in self.pollCount(box) == 3 }
        box.network.set { $0.answer = nil }
        try await hand.until(advancing: clock, by: .seconds(2)) { _ in self.pollCount(box) == 4 }
        #expect(review.isPolling && review.problem == nil)
        box.network.cut()
        try await hand.until(advancing: clock, by: .seconds(2)) { _ in !review.isPolling }
        #expect(review.problem == .network && review.segments.count == 1)
        #expect(pollCount(box) == 7)
        box.network.mend()
        box.judge.set { $0.isHeld = false }
        review.loadReview()
        try await hand.until(advancing: clock, by: .seconds(2)) { _ in review.status == .reviewed }
        #expect(review.problem == nil)
    }

    @Test func serviceThatNeverSaysReviewedIsNotAskedForever() async throws {
        let clock = TestClock()
        let (box, hand, review) = try await ended(clock: clock)
        let segment = """
            {"id":1,"turn_index":0,"user_text":"I goed.","ai_text":"Ah.","corrections":[],"ai_marks":[{"id":1,\
            "issue_types":["tone"],"original":"goed","suggestion":"went","explanation":"x"}]}
            """
        box.network.set { [id = review.session.rawValue] in
            $0.answer = .init(
                200, "{\"session_id\":\"\(id)\",\"status\":\"reviewing\",\"summary\":null,\"segments\":[\(segment)]}",
                path: "/review")
        }
        review.loadReview()
        try await hand.until(advancing: clock, by: .seconds(2)) { _ in !review.isPolling }
        #expect(review.problem == nil && review.segments[0].aiMarks[0].issueTypes == ["tone"])
        #expect(pollCount(box) == 16)
    }

    @Test func questionIsAnsweredBesideItsSegment() async throws {
        let (box, hand, review) = try await ended()
        box.judge.set { $0.isHeld = false }
        review.loadReview()
        try await hand.until { _ in review.status == .reviewed }
        let segment = review.segments[0].id
        box.judge.set { $0.isHeld = true }
        review.drafts[segment] = " 我想說「回家」 "
        #expect(review.canAsk(about: segment))
        review.submitCorrection(for: segment)
        #expect(review.drafts[segment] == nil)
        #expect(review.questions[segment]?.text == "我想說「回家」" && review.questions[segment]?.failure == nil)
        review.drafts[segment] = "again?"
        #expect(!review.canAsk(about: segment))
        box.judge.set { $0.isHeld = false }
        try await hand.until { _ in review.questions.isEmpty }
        #expect(review.segments[0].corrections.map(\.userMessage) == ["我想說「回家」"])
        #expect(review.segments[0].corrections[0].correction == "Say: I goed home.")
        #expect(review.drafts[segment] == "again?")
    }

    @Test func failedQuestionReturnsToItsField() async throws {
        let (box, hand, review) = try await ended()
        box.judge.set {
            $0.isHeld = false
            $0.questionFailure = "The model did not answer."
        }
        review.loadReview()
        try await hand.until { _ in review.status == .reviewed }
        let segment = review.segments[0].id
        #expect(review.submitCorrection("Why?", for: segment))
        try await hand.until { _ in review.questions[segment]?.failure == .engine("The model did not answer.") }
        #expect(review.drafts[segment] == "Why?" && review.canAsk(about: segment))
        box.judge.set { $0.questionFailure = nil }
        review.submitCorrection(for: segment)
        try await hand.until { _ in review.questions.isEmpty }
        #expect(review.segments[0].corrections.count == 1)
    }

    @Test func questionWhoseReplyIsLostIsNotAskedTwice() async throws {
        let (box, hand, review) = try await ended()
        box.judge.set { $0.isHeld = false }
        review.loadReview()
        try await hand.until { _ in review.status == .reviewed }
        box.network.set { $0.losesReplies = "/corrections" }
        #expect(review.submitCorrection("Why?", for: review.segments[0].id))
        try await hand.until { _ in review.questions.isEmpty }
        #expect(review.segments[0].corrections.map(\.userMessage) == ["Why?"])
        #expect(box.judge.questions == ["Why?"])
    }

    @Test func endPollsUntilTheSummaryIsThere() async throws {
        let clock = TestClock()
        let (box, hand, review) = try await ended(clock: clock)
        box.judge.set { $0.isHeld = false }
        review.loadReview()
        try await hand.until(advancing: clock, by: .seconds(2)) { _ in review.status == .reviewed }
        box.judge.set { $0.isHeld = true }
        #expect(review.canEnd)
        review.endReview()
        try await hand.until { _ in review.status == .completing }
        #expect(review.isCompleting && !review.canEnd && review.summary == nil)
        try await hand.until(advancing: clock, by: .seconds(2)) { _ in self.pollCount(box) > 4 }
        box.judge.set { $0.isHeld = false }
        try await hand.until(advancing: clock, by: .seconds(2)) { _ in review.isCompleted }
        #expect(review.summary?.overall == ScriptedJudge.overall && !review.isCompleting && !review.isPolling)
        #expect(hand.app.openSession?.phase == .summary)
        hand.app.leave()
        #expect(hand.app.openSession == nil)
    }

    @Test func sessionWithoutWordsHasNoSummary() async throws {
        let (box, hand, review) = try await ended([])
        box.judge.set { $0.isHeld = false }
        review.loadReview()
        try await hand.until { _ in review.status == .reviewed }
        #expect(review.segments.isEmpty)
        review.endReview()
        try await hand.until { _ in review.isCompleted && !review.isPolling }
        #expect(review.summary == nil && review.problem == nil)
    }

    @Test func lostReplyToTheEndGoesOnToTheSummary() async throws {
        let (box, hand, review) = try await ended()
        box.judge.set { $0.isHeld = false }
        review.loadReview()
        try await hand.until { _ in review.status == .reviewed }
        box.network.set { $0.losesReplies = "/end" }
        review.endReview()
        try await hand.until { _ in review.isCompleted }
        #expect(review.summary != nil && review.endProblem == nil)
    }

    @Test func failedEndCanBeTriedAgain() async throws {
        let (box, hand, review) = try await ended()
        box.judge.set { $0.isHeld = false }
        review.loadReview()
        try await hand.until { _ in review.status == .reviewed }
        box.network.cut()
        review.endReview()
        try await hand.until { _ in review.endProblem == .network }
        #expect(review.canEnd)
        box.network.mend()
        review.endReview()
        try await hand.until { _ in review.isCompleted }
        #expect(review.endProblem == nil)
    }

    @Test func restartInTheReviewGoesOnThere() async throws {
        let (box, hand, review) = try await ended()
        let segment: Segment.ID = 1
        review.drafts[segment] = "Why?"
        await hand.quit()
        let second = try await box.connected(hand.phone)
        #expect(second.app.openSession?.phase == .review && second.app.conversation == nil)
        let again = second.app.review(of: try #require(second.app.openSession?.id))
        #expect(again.drafts[segment] == "Why?")
        again.loadReview()
        box.judge.set { $0.isHeld = false }
        try await second.until { _ in again.status == .reviewed }
        #expect(again.segments[0].aiMarks.count == 1)
    }

    @Test func sentenceAndItsBetterFormAreSpoken() async throws {
        let (box, hand, review) = try await ended()
        try await hand.until { _ in hand.app.conversation?.playing == nil }
        review.speak("I went home.")
        #expect(review.speaking == "I went home.")
        let voice = ScriptedTutor.voice(of: "I went home.")
        try await hand.until { _ in hand.phone.speech.playbacks.last == voice && review.speaking == nil }
        review.speak("I went home.")
        try await hand.until { _ in hand.phone.speech.finished.contains(hand.phone.speech.playbacks.count - 1) }
        #expect(box.network.calls.count { $0.hasSuffix("/speech") } == 1)
        box.network.cut()
        review.speak("I goed home.")
        try await hand.until { _ in review.speechProblem == .network && review.speaking == nil }
    }
}
