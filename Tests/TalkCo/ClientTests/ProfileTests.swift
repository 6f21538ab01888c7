import Foundation
import PlatformKit
import TalkCoClient
import TalkCoTestKit
import TalkCoWire
import TestKit
import Testing
import WireKit

/// The profile, and the practice of weak points.
@MainActor
@Suite struct ProfileTests {
    @Test func newLearnerHasNoLevelAndFourDimensions() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        let profile = hand.app.profile
        profile.load()
        try await hand.until { _ in profile.profile != nil && !profile.isLoading }
        #expect(profile.level == nil && profile.sessionCount == 0 && !profile.canPractice)
        #expect(profile.dimensions.map(\.type) == [.grammar, .naturalness, .vocabulary, .sentenceStructure])
        #expect(profile.dimensions.allSatisfy { $0.value == 0 })
        #expect(profile.profile?.userId == hand.app.learner)
    }

    @Test func goalIsTrimmedStoredAndKeptWhenItFails() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        let profile = hand.app.profile
        profile.load()
        try await hand.until { _ in profile.profile != nil }
        box.network.cut()
        profile.goalDraft = "  Travel to London  "
        profile.saveGoal()
        try await hand.until { _ in profile.problem == .network }
        #expect(profile.goal == "  Travel to London  " && profile.isGoalChanged)
        box.network.mend()
        profile.saveGoal()
        try await hand.until { _ in !profile.isSavingGoal }
        #expect(profile.goal == "Travel to London" && !profile.isGoalChanged && profile.problem == nil)
        profile.setGoal("")
        try await hand.until { _ in !profile.isSavingGoal }
        #expect(profile.profile?.learningGoal == nil)
        profile.goalDraft = String(repeating: "a", count: 501)
        #expect(profile.isGoalTooLong)
    }

    @Test func evaluationShowsTheLevelWithItsSentences() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        let review = try await finish(["I like tea."], box, hand)
        #expect(review.isCompleted)
        box.judge.set { $0.level = .c1 }
        let profile = hand.app.profile
        profile.evaluate()
        #expect(profile.isEvaluating)
        try await hand.until { _ in !profile.isEvaluating }
        #expect(profile.level == .c1)
        #expect(profile.evidence.map(\.sentence) == ["I like tea."])
    }

    @Test func shortTalkSaysHowManyWordsAreMissing() async throws {
        let box = try await TalkBox()
        box.judge.set { ($0.level, $0.neededWords) = (nil, 25) }
        let hand = try await box.connected()
        let profile = hand.app.profile
        #expect(profile.levelNote == nil)
        profile.load()
        try await hand.until { _ in profile.levelNote == .finishConversation }
        _ = try await finish(["I like tea."], box, hand)
        try await hand.until { _ in profile.levelNote == .tooShort(wordCount: 3, wordsNeeded: 25) }
        #expect(profile.level == nil && profile.sessionCount == 1)
    }

    @Test func profileFollowsATalkOfAnotherDevice() async throws {
        let clock = TestClock()
        let box = try await TalkBox()
        let hand = try await box.connected(clock: clock)
        let learner = try #require(hand.app.learner)
        let created = try await box.send(
            .post, "/sessions", #"{"user_id":"\#(learner)","topic_id":"travel"}"#, as: CreatedSession.self)
        let path = "/sessions/\(created.sessionId)"
        _ = try await box.send(.post, "\(path)/start")
        _ = try await box.send(.post, "\(path)/chat/text", #"{"text":"I like tea."}"#)
        box.judge.set { $0.isHeld = true }
        _ = try await box.send(.delete, path)

        let profile = hand.app.profile
        profile.load()
        try await hand.until { _ in profile.levelNote == .reviewing }
        box.judge.set { $0.isHeld = false }
        try await hand.until(advancing: clock, by: .seconds(2)) { _ in profile.levelNote == .endReview }
        box.judge.set { $0.isHeld = true }
        _ = try await box.send(.post, "\(path)/end")
        profile.load()
        try await hand.until { _ in profile.levelNote == .judging }
        box.judge.set { $0.isHeld = false }
        try await hand.until(advancing: clock, by: .seconds(2)) { _ in profile.level == .b1 }
        #expect(profile.levelNote == nil)
    }

    @Test func profileOfAServiceWithoutTheExtensionIsExplained() throws {
        func note(_ level: String, _ count: Int, _ status: String) throws -> ProfileViewModel.LevelNote? {
            let json = """
                {"user_id":"u","level":\(level),"profile_data":{"session_count":\(count)},\(status)"updated_at":"2026-11-20T23:39:20Z"}
                """
            return ProfileViewModel.levelNote(of: try WireJSON.decode(Profile.self, from: Data(json.utf8)))
        }
        #expect(try note("null", 0, "") == .finishConversation)
        #expect(try note("null", 2, "") == .notJudged)
        #expect(try note("\"B1\"", 2, #""level_status":{"state":"reviewing"},"#) == nil)
        #expect(try note("null", 2, #""level_status":{"state":"later"},"#) == .notJudged)
        #expect(try note("null", 2, #""level_status":{"state":"too_short"},"#) == .notJudged)
        #expect(try note("null", 2, #""level_status":{"state":"too_short","word_count":30,"words_needed":25},"#) == .notJudged)
    }

    @Test func repeatedMistakesOfferPractice() async throws {
        let box = try await TalkBox()
        let hand = try await box.connected()
        _ = try await finish(["I goed home.", "She goed out.", "We goed away."], box, hand)
        let profile = hand.app.profile
        profile.load()
        try await hand.until { _ in profile.sessionCount == 1 && !profile.isLoading }
        #expect(profile.canPractice)
        #expect(profile.weakPoints.map(\.type) == [.grammar])
        #expect(profile.weakPoints[0].points[0].examples.count == 3)
        #expect(profile.dimensions[0].value > 0)

        hand.app.leave()
        let practice = hand.app.practice()
        try await hand.begin(practice)
        #expect(practice.mode == .review && practice.topic == nil)
        try await hand.say("I went home.", in: practice)
        practice.endConversation()
        try await hand.until { _ in practice.isOver }
        #expect(practice.reviewSession == nil && hand.app.openSession == nil)
    }

    private func finish(_ words: [String], _ box: TalkBox, _ hand: TalkPhone) async throws -> ReviewViewModel {
        let conversation = try await hand.talk()
        for each in words { try await hand.say(each, in: conversation) }
        let review = try await hand.review(conversation)
        review.endReview()
        try await hand.until { _ in review.isCompleted }
        return review
    }
}
