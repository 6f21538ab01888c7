import Foundation
import HTTPTypes
import StorageKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// The knowledge with which conversations begin.
@Suite struct BriefTests {
    let backend: TestBackend

    init() async throws { backend = try await TestBackend() }

    @Test func newLearnerIsUnknown() async throws {
        _ = try await backend.opened()
        let brief = try #require(backend.engine.briefs.first)
        #expect(brief == TalkBrief(mode: .conversation, topic: Topic.known(Topic.ID("travel")), now: backend.now))
    }

    @Test func tutorKnowsTheLearner() async throws {
        let backend = backend
        backend.judge.change {
            $0.profile = { _, _ in ProfileChanges(level: .b1, personalFacts: ["has a cat"]) }
            $0.talkSummary = { "About \($0[0].learner)." }
        }
        try await backend.working {
            for index in 0..<7 {
                backend.advance(.seconds(60))
                _ = try await backend.completed(["trip \(index)"])
            }
            _ = try await backend.completed(["lunch"], topic: "food_dining")
        }
        _ = try await backend.call(.post, "/users/ada/learning-goal", body: #"{"learning_goal":"work abroad"}"#)
        _ = try await backend.create(name: "Ada")
        _ = try await backend.opened()
        let brief = try #require(backend.engine.briefs.last)
        #expect(brief.learnerName == "Ada" && brief.level == .b1 && brief.learningGoal == "work abroad")
        #expect(brief.personalFacts == ["has a cat"])
        #expect(brief.earlierTalks == [6, 5, 4, 3, 2].map { "About trip \($0)." })
        #expect(brief.weakPoints.isEmpty && brief.reviewNotes.isEmpty)
    }

    @Test func practiceKnowsTheHardestPatterns() async throws {
        let backend = backend
        let points = (1...5).map { number in
            WeakPoint(
                pattern: "p\(number)", examples: (0..<number).map { .init(wrong: "w\($0)", correct: "c\($0)") })
        }
        backend.judge.change {
            $0.profile = { _, _ in ProfileChanges(weakPoints: ["grammar": points]) }
            $0.outcome = { turns, weakPoints in
                ReviewOutcome(practiced: ["p5"], notes: "\(turns[0].learner), \(weakPoints["grammar"]?.count ?? 0) patterns")
            }
        }
        try await backend.working {
            _ = try await backend.completed(["hello"])
            for index in 0..<6 {
                backend.advance(.seconds(60))
                let practice = try await backend.opened(topic: nil, mode: .review)
                _ = try await backend.say("practice \(index)", in: practice)
                _ = try await backend.close(practice)
                try await eventually { try await backend.store.read { try $0.jobs(of: practice).isEmpty } }
                #expect(try await backend.review(practice).status == .ended)
            }
        }
        backend.advance(.seconds(60))
        _ = try await backend.opened(topic: nil, mode: .review)
        let brief = try #require(backend.engine.briefs.last)
        #expect(brief.mode == .review && brief.topic == nil && brief.earlierTalks.isEmpty)
        #expect(brief.weakPoints.keys.sorted() == ["grammar"])
        #expect(brief.weakPoints["grammar"]?.map(\.pattern) == ["p5", "p4", "p3"])
        #expect(brief.weakPoints["grammar"]?[0].examples.map(\.wrong) == ["w2", "w3", "w4"])
        #expect(brief.reviewNotes == [5, 4, 3, 2, 1].map { "practice \($0), 5 patterns" })
    }
}
