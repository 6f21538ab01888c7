import PhoneTestKit
import PlatformKit
import SwiftUI
import TalkCoApp
import TalkCoClient
import TalkCoTestKit
import TalkCoWire
import TestKit
import Testing

/// The learner's profile.
@Suite struct ProfileScreenTests {
    /// A phone on the profile.
    private func profile(_ box: TalkBox, device: TestPhone = TestPhone()) async throws -> TalkHand {
        let hand = TalkHand(box, device: device)
        try await hand.screen.wait { hand.talk.engine != nil && hand.screen.has("Me") }
        try hand.screen.tap("Me")
        try await hand.screen.wait(for: "level-card")
        return hand
    }

    @Test func serverCanBeChangedWhereTheUserHasChosenIt() async throws {
        let box = try await TalkBox()
        var changes = 0
        let hand = TalkHand(box) { changes += 1 }
        try await hand.screen.wait(for: "Me")
        try hand.screen.tap("Me")
        try hand.screen.tap("Change Server…")
        #expect(changes == 1)
        #expect(try await !profile(box).screen.has("Change Server…"))
    }

    @Test func newLearnerHasNoLevel() async throws {
        let hand = try await profile(try await TalkBox())
        #expect(hand.screen.has("No level yet") && hand.screen.has("0 sessions"))
        #expect(!hand.screen.has("dimensions") && !hand.screen.has("weak-points"))
        #expect(hand.screen.has("Finish a conversation and its review, and your level appears here."))
    }

    @Test(arguments: [
        ("en", "Me", "Too short for a level: 3 of 25 English words. Say or write 22 more next time."),
        ("zh-Hant", "我的", "目前只有 3 個英文字，判斷程度需要 25 個。下次再多說或多寫 22 個字吧。"),
    ]) func finishedShortTalkSaysWhatIsMissing(_ language: String, _ tab: String, _ words: String) async throws {
        let box = try await TalkBox()
        box.judge.set { ($0.level, $0.neededWords) = (nil, 25) }
        let hand = try await TalkHand.talking(box, languages: [language])
        try await hand.converse("I goed home.", writing: language == "en" ? ("Write", "Send") : ("輸入文字", "傳送"))
        try await finish(hand)
        try hand.screen.tap(tab)
        try await hand.screen.wait(for: words)
        #expect(!hand.screen.has("Finish a conversation and its review, and your level appears here."))
    }

    @Test func removedTalksAreSaid() async throws {
        let box = try await TalkBox(talksPerUser: 1)
        let hand = try await TalkHand.talking(box)
        try await hand.write("I goed home.")
        try await finish(hand)
        try await hand.choose("travel")
        try await hand.write("I goed out.")
        try await finish(hand)
        try hand.screen.tap("Me")
        try await hand.screen.wait(for: "Older talks were removed: 1. Your profile keeps what it learned.")
        #expect(hand.screen.has("The service keeps your last 1 talks, for 365 days.") && hand.screen.has("2 sessions"))
    }

    @Test func goalIsSavedAndSurvivesARestart() async throws {
        let box = try await TalkBox()
        let device = TestPhone()
        do {
            let hand = try await profile(box, device: device)
            #expect(!hand.screen.has("save-goal"))
            try hand.screen.type("Travel", into: "goal")
            try hand.screen.tap("save-goal")
            try await hand.screen.wait { hand.talk.profile.profile?.learningGoal == "Travel" }
            // Return of an attached keyboard saves as well.
            try hand.screen.type("Travel alone", into: "goal")
            try hand.screen.pressReturn(in: "goal")
            try await hand.screen.wait { hand.talk.profile.profile?.learningGoal == "Travel alone" }
            #expect(!hand.screen.has("save-goal"))
            await hand.talk.flush()
        }
        let hand = try await profile(box, device: device)
        #expect(try hand.screen.find("goal", .field).attributes[.value]?.text == "Travel alone")
    }

    @Test func evaluationShowsTheLevelAndTheQuickReview() async throws {
        let box = try await TalkBox()
        box.judge.set { $0.level = .b2 }
        let hand = try await TalkHand.talking(box)
        try await hand.write("I goed home.")
        try await finish(hand)
        try hand.screen.tap("Me")
        try await hand.screen.wait(for: "evaluate")
        try hand.screen.tap("evaluate")
        try await hand.screen.wait(for: "quick-review")
        #expect(try hand.screen.find("level").label == "B2")
        #expect(!hand.screen.has("I went."))
        try hand.screen.tap("我去了。")
        #expect(hand.screen.has("I went."))
    }

    @Test func weakPointsLeadToTheirPractice() async throws {
        let box = try await TalkBox()
        let hand = try await TalkHand.talking(box)
        for place in ["home", "out", "away"] { try await hand.write("I goed \(place).") }
        try await finish(hand)
        try await hand.screen.wait(for: "practice")
        try hand.screen.tap("Me")
        try await hand.screen.wait(for: "practise-weak-points")
        try hand.screen.tap("practise-weak-points")
        try await hand.screen.wait { hand.conversation?.mode == .review && hand.conversation?.phase == .open }
        #expect(hand.screen.title == "Practice of weak points")
        try await hand.screen.wait { hand.conversation?.isWaiting == false }
        try hand.screen.tap("end-conversation")
        // Practice has no review.
        try await hand.screen.wait(for: "topic-daily_life")
    }

    @Test func markedSentenceComesBackUntilItIsLearned() async throws {
        let box = try await TalkBox()
        let hand = try await TalkHand.talking(box)
        try await hand.write("I goed home.")
        try await finish(hand)
        for _ in 0..<3 {
            try await hand.screen.wait(for: "practice")
            try hand.screen.tap("practice")
            try await hand.screen.wait { hand.conversation?.phase == .open && hand.conversation?.isWaiting == false }
            try await hand.write("I went home.")
            try hand.screen.tap("end-conversation")
            try await hand.screen.wait(for: "topic-daily_life")
        }
        try hand.screen.tap("Me")
        try await hand.screen.wait(for: "learned")
        #expect(hand.screen.has("I went home.") && !hand.screen.has("practise-weak-points") && !hand.screen.has("waiting"))
    }

    @Test func changeFromTalkToTalkIsShown() async throws {
        let hand = try await TalkHand.talking(try await TalkBox())
        try await hand.write("I goed home.")
        try await finish(hand)
        try await hand.choose("travel")
        try await hand.write("I went home.")
        try await finish(hand)
        try hand.screen.tap("Me")
        try await hand.screen.wait(for: "trend-grammar")
        #expect(hand.screen.has("33.3 at first, now 0") && !hand.screen.has("trend-vocabulary"))
        #expect(hand.screen.has("1 sentence of yours comes back, until it is right three times."))
    }

    /// Ends the conversation and its review.
    private func finish(_ hand: TalkHand) async throws {
        try hand.screen.tap("end-conversation")
        try await hand.screen.wait { (try? hand.isEnabled("end-review")) == true }
        try hand.screen.tap("end-review")
        try await hand.screen.wait(for: "done")
        try hand.screen.tap("done")
        try await hand.screen.wait(for: "topic-daily_life")
    }
}
