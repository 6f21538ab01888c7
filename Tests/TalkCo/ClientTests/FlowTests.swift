import Foundation
import NetworkingKit
import PhoneTestKit
import PlatformKit
import TalkCoClient
import TalkCoTestKit
import TalkCoWire
import TestKit
import Testing
import WireKit

/// A whole session, step by step as the requirements list it under "End-to-End Verification".
@MainActor
@Suite struct FlowTests {
    @Test func sessionGoesFromItsTopicToTheProfile() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        #expect(hand.app.topics.map(\.id) == Topic.all.map(\.id))

        // A topic is chosen, and the tutor greets by voice.
        let conversation = try await hand.talk(about: Topic.all[3])
        try await hand.until { _ in hand.phone.speech.finished == [0] }

        // A few turns: the learner's words appear, and the answer is heard.
        let words = ["I goed to a restaurant.", "I like tea.", "The food was good."]
        for (number, sentence) in words.enumerated() {
            box.tutor.set { $0.transcript = { _ in sentence } }
            try await hand.speak(in: conversation)
            try await hand.until { _ in hand.phone.speech.finished.contains(number + 1) }
            #expect(conversation.outline.suffix(2) == ["user: \(sentence)", "ai: \(ScriptedTutor.answer(to: sentence))"])
        }

        // 結束對話 leads to the review, with coloured marks.
        let review = try await hand.review(conversation)
        #expect(review.segments.map(\.userText) == words)
        #expect(review.segments.map { $0.aiMarks.flatMap(\.issueTypes) } == [["grammar"], [], []])

        // A question about a segment.
        #expect(review.submitCorrection("這句怎麼說比較自然？", for: review.segments[1].id))
        try await hand.until { _ in review.segments[1].corrections.count == 1 }

        // 結束學習 leads to the summary.
        review.endReview()
        try await hand.until { _ in review.isCompleted && review.summary != nil }
        #expect(review.summary?.strengths.isEmpty == false && review.summary?.levelAssessment == "B1")

        // The profile shows the level and the weaknesses without being asked to.
        let profile = hand.app.profile
        try await hand.until { _ in profile.level == .b1 }
        #expect(profile.sessionCount == 1 && profile.learnedExpressions == ["went shopping"])
        #expect(profile.weakPoints.map(\.type) == [.grammar])

        // 完成 leads back to the topics.
        hand.app.leave()
        #expect(hand.app.openSession == nil && hand.app.conversation == nil)
        let next = try await hand.talk(about: Topic.all[3])
        #expect(next !== conversation && next.messages.count == 1)
    }

    @Test func restartedAppGoesOnWhereTheLearnerWas() async throws {
        let box = try await TalkBox()
        let device = TestPhone()
        let first = try await box.connected(device)
        let learner = first.app.learner
        try await first.say("I like tea.", in: try await first.talk(about: Topic.all[2]))
        await first.quit()

        let second = try await box.connected(device)
        #expect(second.app.learner == learner)
        #expect(second.app.openSession?.topic?.id == Topic.all[2].id)
        let conversation = second.app.conversation(on: Topic.all[2])
        #expect(conversation === second.app.conversation)
        try await second.until { _ in conversation.phase == .open }
        #expect(conversation.outline.count == 3 && conversation.outline[1] == "user: I like tea.")
        try await second.say("And coffee.", in: conversation)
        #expect(box.tutor.heard == ["I like tea.", "And coffee."] && box.tutor.openCount == 1)
    }

    /// A phone whose app was closed in a conversation of one turn.
    private func interrupted() async throws -> (TalkBox, TestPhone, Session.ID) {
        let box = try await TalkBox()
        let device = TestPhone()
        let first = try await box.connected(device)
        try await first.say("I like tea.", in: try await first.talk())
        let session = try #require(first.app.openSession?.id)
        await first.quit()
        return (box, device, session)
    }

    @Test func conversationThatEndedElsewhereLeadsToItsReview() async throws {
        let (box, device, session) = try await interrupted()
        _ = try await box.cutter.direct.send(try box.service.request(.delete, "/sessions/\(session.rawValue)"))
        let second = try await box.connected(device)
        let conversation = try #require(second.app.conversation)
        try await second.until { _ in conversation.reviewSession == session }
        #expect(conversation.isOver && second.app.openSession?.phase == .review)
    }

    @Test func conversationThatEndsBeforeItIsRestoredIsReviewed() async throws {
        let (box, device, session) = try await interrupted()
        box.network.cut()
        let second = box.phone(device)
        try await second.until { $0.conversation?.problem == .network }
        let conversation = try #require(second.app.conversation)
        conversation.endConversation()
        try await second.until { _ in conversation.phase == .connecting && conversation.problem == .network }
        #expect(second.app.openSession?.id == session)
        box.network.mend()
        conversation.endConversation()
        try await second.until { _ in conversation.reviewSession == session }
        #expect(conversation.isOver && second.app.openSession?.phase == .review)
    }

    @Test func conversationThatCannotBeRestoredIsKept() async throws {
        let (box, device, session) = try await interrupted()
        box.network.set { $0.answer = .init(500, "{\"detail\":\"Internal Server Error\"}", path: "/review") }
        let second = box.phone(device)
        try await second.until { $0.conversation?.phase == .failed(.service("Internal Server Error")) }
        #expect(second.app.openSession?.id == session)
        box.network.set { $0.answer = nil }
        let conversation = try #require(second.app.conversation)
        conversation.startSession()
        try await second.until { _ in conversation.phase == .open }
        #expect(conversation.outline.count == 3 && conversation.outline[1] == "user: I like tea.")
    }

    @Test func topicsOfTheContractAreThereWithoutAService() async throws {
        let box = try await TalkBox()
        box.network.cut()
        let hand = box.phone()
        try await hand.until { $0.problem == .network }
        #expect(hand.app.topics == Topic.all && hand.app.engine == nil)
        box.network.mend()
        hand.app.refresh()
        try await hand.until { $0.problem == nil && $0.engine != nil }
    }

    @Test func serviceWithoutExtensionsStillTalks() async throws {
        let box = try await TalkBox()
        box.network.set { $0.answer = .init(404, "{\"detail\":\"Not Found\"}", path: "/engine") }
        let hand = box.phone()
        try await hand.until { $0.phase == .ready && box.network.calls.contains { $0.hasSuffix("/engine") } }
        let conversation = try await hand.talk()
        #expect(hand.app.problem == nil && conversation.hearing == .anything)
    }

    @Test func learnerIsDrawnOnceAndKeptInTheDatabase() async throws {
        let box = try await TalkBox()
        let device = TestPhone()
        let first = try await box.connected(device)
        let learner = try #require(first.app.learner)
        #expect(UUID(uuidString: learner.rawValue) != nil)
        first.app.profile.load()
        try await first.until { $0.profile.profile != nil }
        first.app.profile.setGoal("Travel alone")
        try await first.until { $0.profile.profile?.learningGoal != nil }
        await first.quit()
        let second = try await box.connected(device)
        #expect(second.app.learner == learner)
        #expect(device.settings.isEmpty && device.secrets.isEmpty)
        let other = try await box.connected()
        #expect(other.app.learner != learner)
    }
}
