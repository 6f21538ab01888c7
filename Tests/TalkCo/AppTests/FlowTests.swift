import PhoneTestKit
import PlatformKit
import SwiftUI
import TalkCoApp
import TalkCoClient
import TalkCoTestKit
import TalkCoWire
import TestKit
import Testing

/// The way of a session through the screens: `Docs/Requirements.md`, TalkCo.
@Suite struct FlowTests {
    @Test func sessionLeadsFromTopicToProfile() async throws {
        let box = try await TalkBox()
        box.tutor.set { $0.transcript = { _ in "I goed shopping." } }
        let hand = try await TalkHand.talking(box, device: TalkHand.device())
        let screen = hand.screen
        #expect(screen.has("Hello! What did you do today?"))

        try await hand.hold()
        try await screen.wait(for: ScriptedTutor.answer(to: "I goed shopping."))
        #expect(screen.has("I goed shopping."))
        try await screen.wait { hand.conversation?.isWaiting == false }

        try screen.tap("end-conversation")
        try await screen.wait(for: "badge-grammar")
        #expect(screen.title == "Review" && !screen.has("mark"))
        try screen.tap("toggle-0")
        #expect(screen.has("goed") && screen.has("went") && screen.has(ScriptedJudge.markExplanation))

        try screen.type("為什麼？", into: "question-field")
        try screen.tap("Ask")
        try await screen.wait(for: "correction")
        #expect(screen.has("為什麼？") && screen.has("關於「為什麼？」"))

        try await screen.wait { (try? hand.isEnabled("end-review")) == true }
        try screen.tap("end-review")
        try await screen.wait(for: ScriptedJudge.overall)
        #expect(screen.has("strengths") && screen.has("badge-grammar") && screen.has("過去式"))

        try screen.tap("done")
        try await screen.wait(for: "topic-daily_life")
        #expect(hand.talk.openSession == nil && !screen.has("open-session"))
        try screen.tap("Me")
        try await screen.wait { screen.has("sessions") && (try? screen.find("level").label) == "B1" }
        #expect(screen.has("1 session") && screen.has("expressions") && screen.has("went shopping"))
        #expect(try screen.find("bar-grammar").attributes[.accessibilityLabel]?.text == "Grammar")
        #expect(screen.has("past tense"))
    }

    @Test func topicsStandInTwoColumns() async throws {
        let hand = TalkHand(try await TalkBox())
        try await hand.screen.wait(for: "topic-daily_life")
        let grid = try #require(hand.screen.visible.first { $0.kind == .grid })
        guard case .columns(let columns, _, _) = grid.style.first else {
            Issue.record("The grid has no columns: \(grid.style)")
            return
        }
        #expect(columns.count == 2 && grid.pageChildren.count == Topic.all.count)
    }

    @Test func wordsFollowTheLanguageOfThePhone() async throws {
        let box = try await TalkBox()
        let hand = try await TalkHand.talking(box, languages: ["zh-TW"])
        let screen = hand.screen
        #expect(screen.title == "日常生活" && screen.has("結束對話"))
        try screen.type("I goed home.", into: "draft")
        try screen.tap("傳送")
        try await screen.wait { hand.conversation?.isWaiting == false }
        try screen.tap("結束對話")
        try await screen.wait(for: "文法")
        try await screen.wait { (try? hand.isEnabled("結束學習")) == true }
        try screen.tap("結束學習")
        try await screen.wait(for: "完成")
        try screen.tap("完成")
        try await screen.wait(for: "練習")
        #expect(screen.has("我的") && screen.has("旅遊"))
    }

    @Test func conversationAndReviewHaveNoWayBack() async throws {
        let box = try await TalkBox()
        let hand = try await TalkHand.talking(box)
        #expect(throws: DriverError.self) { try hand.screen.back() }
        try await hand.write("I like tea.")
        try hand.screen.tap("end-conversation")
        try await hand.screen.wait(for: "toggle-0")
        #expect(throws: DriverError.self) { try hand.screen.back() }
    }

    @Test func openSessionIsOfferedAfterARestart() async throws {
        let box = try await TalkBox()
        let device = TestPhone()
        do {
            let hand = try await TalkHand.talking(box, device: device, about: "travel")
            try await hand.write("I like trains.")
            await hand.talk.flush()
        }
        let hand = TalkHand(box, device: device)
        try await hand.screen.wait(for: "open-session")
        #expect(hand.screen.has("Continue the conversation"))
        try hand.screen.tap("open-session")
        try await hand.screen.wait(for: "I like trains.")
        #expect(hand.screen.title == "Travel")
    }

    @Test func anotherTopicAsksBeforeItReplacesTheOpenSession() async throws {
        let box = try await TalkBox()
        let device = TestPhone()
        do {
            let hand = try await TalkHand.talking(box, device: device, about: "travel")
            await hand.talk.flush()
        }
        let hand = TalkHand(box, device: device)
        try await hand.screen.wait(for: "open-session")
        try hand.screen.tap("topic-workplace")
        try await hand.screen.wait(for: "Start a New One")
        try hand.screen.tap("Start a New One")
        try await hand.screen.wait { hand.conversation?.topic?.labelEn == "Workplace" && hand.conversation?.phase == .open }
        #expect(hand.screen.title == "Workplace")
    }

    @Test func unreachableServiceIsSaidAndAskedAgain() async throws {
        let box = try await TalkBox()
        box.network.cut()
        let hand = TalkHand(box)
        try await hand.screen.wait(for: "problem")
        #expect(hand.screen.has("topic-daily_life"))
        box.network.mend()
        try? hand.screen.tap("Try Again")
        try await hand.screen.wait { !hand.screen.has("problem") && hand.screen.has("engine") }
    }

    @Test func engineAndItsLimitsAreNamed() async throws {
        let box = try await TalkBox(hearing: .choices, speaks: false)
        let hand = TalkHand(box)
        try await hand.screen.wait(for: "engine")
        #expect(hand.screen.has("The tutor is Scripted, on your own servers."))
        #expect(
            hand.screen.has(
                "It has no voice, and only understands the sentences that it offers. Read one aloud, or write your own."))
        #expect(hand.screen.has("Your sentences are reviewed by rules, which find common mistakes only."))
    }

    @Test func failedStartOffersAnotherAttemptAndTheWayBack() async throws {
        let box = try await TalkBox()
        box.tutor.set { $0.refusal = "No key." }
        let hand = TalkHand(box)
        try await hand.screen.wait { hand.talk.engine != nil && hand.screen.has("topic-travel") }
        try hand.screen.tap("topic-travel")
        try await hand.screen.wait(for: "failed-start")
        box.tutor.set { $0.refusal = nil }
        try hand.screen.tap("Try Again")
        try await hand.screen.wait(for: "Hello! What did you do today?")
    }
}
