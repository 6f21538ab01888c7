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
    }

    @Test func goalIsSavedAndSurvivesARestart() async throws {
        let box = try await TalkBox()
        let device = TestPhone()
        do {
            let hand = try await profile(box, device: device)
            #expect(!hand.screen.has("save-goal"))
            try hand.screen.type("Travel alone", into: "goal")
            try hand.screen.tap("save-goal")
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
