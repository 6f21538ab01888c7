import Foundation
import HTTPTypes
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// Contract: "Profile".
@Suite struct ProfileTests {
    let backend: TestBackend

    init() async throws { backend = try await TestBackend() }

    private func goal(_ body: String, of user: String = "ada") async throws -> ServiceReply {
        try await backend.call(.post, "/users/\(user)/learning-goal", body: body)
    }

    @Test func profileIsCreatedOnFirstSight() async throws {
        let reply = try await backend.parts.call(TalkCoEndpoints.profile, ["id": "ada"])
        expect(reply, 200)
        let profile = try reply.value(Profile.self)
        #expect(profile.userId == Learner.ID("ada") && profile.level == nil && profile.needsReview == false)
        #expect(profile.profileData == ProfileData())
        for part in [#""user_name":null"#, #""level":null"#, #""learning_goal":null"#, #""session_count":0"#, "+00:00"] {
            #expect(reply.text.contains(part))
        }
        #expect(try await backend.profile() == profile)
    }

    @Test(arguments: [
        "12345", "%E5%AD%B8%E7%94%9F", "a%2Fb%3Fc", "%27%22%3B--", "%F0%9F%98%80", String(repeating: "x", count: 128),
    ]) func userIDsOfEveryKind(_ id: String) async throws {
        let reply = try await backend.call(.get, "/users/\(id)/profile")
        expect(reply, 200)
        #expect(try reply.value(Profile.self).userId.rawValue == id.removingPercentEncoding)
        expect(try await backend.call(.post, "/users/\(id)/evaluate", body: "{}"), 200)
    }

    @Test(arguments: [String(repeating: "x", count: 129), "a%00", "%ff", "%zz"]) func oddUserIDsAreRefused(_ id: String)
        async throws
    {
        for (method, path) in [("GET", "profile"), ("POST", "evaluate"), ("POST", "learning-goal")] {
            let reply = try await backend.call(.init(rawValue: method)!, "/users/\(id)/\(path)", body: #"{"learning_goal":"a"}"#)
            expect(reply, 422)
            #expect(reply.issues.map(\.loc) == [[.name("path"), .name("user_id")]])
        }
    }

    @Test func nameIsTheFirstThatWasGiven() async throws {
        _ = try await backend.create()
        #expect(try await backend.profile().userName == nil)
        _ = try await backend.create(name: "  Ada \(String(repeating: "x", count: 200))")
        let name = try #require(try await backend.profile().userName)
        #expect(name.hasPrefix("Ada") && name.count == 100)
        _ = try await backend.create(name: "Eve")
        #expect(try await backend.profile().userName == name)
        _ = try await backend.create(user: "bob", name: " ")
        #expect(try await backend.profile("bob").userName == nil)
    }

    @Test func goalIsTrimmedAndBlankIsNone() async throws {
        #expect(try await goal(#"{"learning_goal":"  speak at work "}"#).value(Profile.self).learningGoal == "speak at work")
        #expect(try await backend.profile().learningGoal == "speak at work")
        for blank in [#"" \n""#, "null"] {
            #expect(try await goal(#"{"learning_goal":"a"}"#).value(Profile.self).learningGoal == "a")
            #expect(try await goal(#"{"learning_goal":\#(blank)}"#).value(Profile.self).learningGoal == nil)
        }
        for body in ["", "{", "[]", "{}", #"{"learning_goal":4}"#, #"{"learning_goal":"\#(String(repeating: "x", count: 501))"}"#] {
            expect(try await goal(body), 422)
        }
    }

    @Test func changesAreMerged() async throws {
        let backend = backend
        @Sendable func examples(_ numbers: ClosedRange<Int>) -> [WeakPoint.Example] {
            numbers.map { .init(wrong: "w\($0)", correct: "c\($0)") }
        }
        let first = ProfileChanges(
            level: .a2, levelEvidence: [LevelEvidence(sentence: "I go", reason: "簡單")],
            weakPoints: ["grammar": [WeakPoint(pattern: "past tense", examples: examples(1...2))], "style": []],
            commonErrors: ["tense"], progressNotes: "notes", learnedExpressions: ["no way"], personalFacts: ["has a cat"],
            quickReview: [QuickReview(chinese: "中", english: "E"), QuickReview(chinese: "", english: "x")])
        backend.judge.change { $0.profile = { _, _ in first } }
        try await backend.working {
            _ = try await backend.completed(["hello"])
            let profile = try await backend.profile()
            #expect(profile.level == .a2 && profile.needsReview == false && profile.profileData.sessionCount == 1)
            #expect(profile.profileData.weakPoints.keys.sorted() == IssueType.allCases.map(\.rawValue).sorted())
            #expect(profile.levelEvidence == first.levelEvidence)
            let second = ProfileChanges(
                weakPoints: ["grammar": [WeakPoint(pattern: "Past tense", examples: examples(2...6))]],
                learnedExpressions: ["No way", "by far"])
            backend.judge.change { $0.profile = { _, _ in second } }
            _ = try await backend.completed(["hello"])
            let later = try await backend.profile()
            #expect(later.level == .a2 && later.needsReview == true)
            #expect(later.profileData.weakPoints["grammar"] == [WeakPoint(pattern: "past tense", examples: examples(2...6))])
            #expect(later.profileData.learnedExpressions == ["no way", "by far"])
            #expect(later.profileData.personalFacts == ["has a cat"] && later.profileData.progressNotes == "notes")
            #expect(later.profileData.quickReview == [QuickReview(chinese: "中", english: "E")])
            #expect(later.profileData.sessionCount == 2)
        }
    }

    @Test func levelMovesOneStepATalkWhateverTheJudgeSays() async throws {
        let backend = backend
        try await backend.working {
            for (judged, level) in [(CEFRLevel.b1, CEFRLevel.b1), (.c2, .b2), (.a1, .b1), (.a1, .a2), (.a2, .a2)] {
                backend.judge.change { $0.profile = { _, _ in ProfileChanges(level: judged) } }
                _ = try await backend.completed(["hello"])
                #expect(try await backend.profile().level == level)
            }
        }
        // An evaluation judges the last ten talks together.
        backend.judge.change { $0.level = { _ in LevelJudgement(level: .c2, evidence: []) } }
        expect(try await backend.call(.post, "/users/ada/evaluate", body: "{}"), 200)
        #expect(try await backend.profile().level == .c2)
    }

    @Test func changesOfSessionsThatEndAtOnceAreAllKept() async throws {
        let backend = backend
        let door = Door()
        backend.judge.change {
            $0.profile = { profile, talk in
                try await door.wait()
                return ProfileChanges(personalFacts: [talk.turns[0].learner])
            }
        }
        try await backend.working {
            var ids: [Session.ID] = []
            for index in 0..<6 {
                let id = try await backend.reviewed(["fact \(index)"])
                _ = try await backend.end(id)
                ids.append(id)
            }
            try await eventually { backend.judge.count(of: "profile") == 6 }
            _ = try await backend.call(.post, "/users/ada/learning-goal", body: #"{"learning_goal":"meanwhile"}"#)
            door.open()
            for id in ids { try await backend.waitFor(.completed, id) }
        }
        let profile = try await backend.profile()
        #expect(Set(profile.profileData.personalFacts) == Set((0..<6).map { "fact \($0)" }))
        #expect(profile.profileData.sessionCount == 6 && profile.learningGoal == "meanwhile")
    }

    // MARK: The level

    /// A backend with the built-in judge's demand for words.
    private func strict() async throws -> TestBackend {
        let backend = try await TestBackend(judge: ScriptedJudge(words: 25))
        backend.judge.change {
            $0.level = { _ in LevelJudgement(level: .a2, evidence: [LevelEvidence(sentence: "s", reason: "r")]) }
        }
        return backend
    }

    @Test func shortTalkSaysWhatALevelNeeds() async throws {
        let backend = try await strict()
        #expect(try await backend.profile().levelStatus == LevelStatus(.noTalk))
        try await backend.working {
            _ = try await backend.completed(["I like tea", "it is good"])
            let status = try await backend.profile().levelStatus
            #expect(status == LevelStatus(.tooShort, wordCount: 6, wordsNeeded: 25))
            // The talks count together.
            _ = try await backend.completed([String(repeating: "word ", count: 19)])
            let profile = try await backend.profile()
            #expect(profile.level == .a2 && profile.levelStatus == nil && profile.levelEvidence?.count == 1)
        }
    }

    @Test func levelStatusFollowsTheTalk() async throws {
        let backend = try await strict()
        let (marks, judging) = (Door(), Door())
        backend.judge.change {
            $0.marks = { _ in
                try await marks.wait()
                return []
            }
            $0.profile = { _, _ in
                try await judging.wait()
                return ProfileChanges()
            }
        }
        @Sendable func state() async throws -> String? { try await backend.profile().levelStatus?.state }
        try await backend.working {
            let id = try await backend.opened()
            _ = try await backend.say("hello there", in: id)
            #expect(try await state() == "no_talk")
            _ = try await backend.close(id)
            #expect(try await state() == "reviewing")
            marks.open()
            try await backend.waitFor(.reviewed, id)
            // What a level needs is known before the review is ended.
            #expect(try await state() == "too_short")
            _ = try await backend.end(id)
            #expect(try await state() == "completing")
            judging.open()
            try await backend.waitFor(.completed, id)
            #expect(try await state() == "too_short")
            // A talk that was ended at once, and one whose review was left.
            let silent = try await backend.opened()
            _ = try await backend.close(silent)
            try await backend.waitFor(.reviewed, silent)
            #expect(try await state() == "too_short")
        }
    }

    @Test func reviewedTalkWithEnoughWordsAwaitsItsEnd() async throws {
        let backend = try await strict()
        try await backend.working {
            _ = try await backend.reviewed([String(repeating: "word ", count: 25)])
            #expect(try await backend.profile().levelStatus == LevelStatus(.reviewed))
        }
    }

    @Test func silentTalkIsTooShort() async throws {
        let backend = try await strict()
        try await backend.working {
            _ = try await backend.completed([])
            #expect(try await backend.profile().levelStatus == LevelStatus(.tooShort, wordCount: 0, wordsNeeded: 25))
        }
    }

    @Test func judgeWithoutALevelIsSaid() async throws {
        let backend = backend
        try await backend.working {
            _ = try await backend.completed(["hello"])
            #expect(try await backend.profile().levelStatus == LevelStatus(.notJudged))
        }
    }

    @Test func builtInJudgeCountsEnglishWords() {
        let judge = BuiltInJudge(texts: .bundled)
        #expect(judge.levelWords(in: ["I like tea.", "我喜歡 tea", "It's good!"])! == (6, 25))
        #expect(judge.levelWords(in: [])! == (0, 25))
        #expect(judge.levelWords(in: Array(repeating: "I like tea.", count: 1_000))! == (25, 25))
    }

    @Test func listsAreBounded() {
        var record = ProfileRecord(user: Learner.ID("a"), data: ProfileData(), updatedAt: .now)
        let many = (0..<300).map { "entry \($0)" }
        ProfileMerge.apply(
            ProfileChanges(
                levelEvidence: many.map { LevelEvidence(sentence: $0, reason: "r") },
                weakPoints: ["grammar": many.map { WeakPoint(pattern: $0, examples: []) }], commonErrors: many,
                learnedExpressions: many + [String(repeating: "x", count: 900)], personalFacts: many,
                quickReview: many.map { QuickReview(chinese: $0, english: $0) }), to: &record)
        #expect(record.data.commonErrors.count == 20 && record.data.commonErrors.last == "entry 299")
        #expect(record.data.learnedExpressions.count == 100 && record.data.learnedExpressions.last?.count == 500)
        #expect(record.data.personalFacts.count == 30 && record.data.quickReview.count == 5)
        #expect(record.data.weakPoints["grammar"]?.count == 12 && record.levelEvidence?.count == 10)
    }

    @Test func errorRatesCountMarksForAHundredWords() async throws {
        let backend = backend
        backend.judge.change {
            $0.marks = { turns in
                turns.map {
                    MarkDraft(
                        turnIndex: $0.index, issueTypes: ["grammar", "vocabulary"], original: $0.learner, suggestion: "x",
                        explanation: "e")
                }
            }
        }
        #expect(try await backend.profile().errorRates == nil)
        try await backend.working {
            _ = try await backend.reviewed(["one two three", "four five"])
            _ = try await backend.reviewed(["six seven eight"])
        }
        #expect(
            try await backend.profile().errorRates
                == ["grammar": 37.5, "vocabulary": 37.5, "naturalness": 0, "sentence_structure": 0])
    }

    // MARK: Evaluation

    @Test func evaluationOfAnUnknownUser() async throws {
        let reply = try await backend.call(.post, "/users/nobody/evaluate")
        expect(reply, 200)
        let profile = try reply.value(Profile.self)
        #expect(profile.level == nil && profile.profileData.progressNotes == "進步了")
        expect(try await backend.call(.post, "/users/nobody/evaluate", body: "{"), 422)
    }

    @Test func evaluationJudgesLevelNotesAndQuickReview() async throws {
        let backend = backend
        let records = Locked<[LearnerRecord]>([])
        backend.judge.change {
            $0.level = { record in
                records.withLock { $0.append(record) }
                return LevelJudgement(level: .b2, evidence: [LevelEvidence(sentence: "s", reason: "r")])
            }
            $0.quickReview = { _ in (0..<9).map { QuickReview(chinese: "中\($0)", english: "e\($0)") } }
        }
        try await backend.working {
            let id = try await backend.completed(["hello there"])
            _ = try await backend.ask("why?", about: backend.review(id).segments[0].id, in: id)
        }
        let profile = try await backend.call(.post, "/users/ada/evaluate", body: "{}").value(Profile.self)
        #expect(profile.level == .b2 && profile.levelEvidence?.count == 1)
        #expect(profile.profileData.quickReview.count == 5 && profile.profileData.sessionCount == 1)
        let record = try #require(records.withLock { $0.first })
        #expect(record.summaries.count == 1 && record.sentences == ["hello there"] && record.corrections.count == 1)
        #expect(record.talkSummaries == ["They talked for 1 turns."])
    }

    @Test func evaluationKnowsTheLastTalksOnly() async throws {
        let backend = backend
        let records = Locked<[LearnerRecord]>([])
        backend.judge.change {
            $0.summary = { SessionSummary(strengths: [], weaknesses: [:], levelAssessment: "B1", overall: $0.turns[0].learner) }
            $0.talkSummary = { $0[0].learner }
            $0.level = { record in
                records.withLock { $0.append(record) }
                return nil
            }
        }
        try await backend.working {
            for index in 0..<12 {
                backend.advance(.seconds(60))
                _ = try await backend.completed(["talk \(index)"])
            }
        }
        expect(try await backend.call(.post, "/users/ada/evaluate", body: "{}"), 200)
        let record = try #require(records.withLock { $0.first })
        #expect(record.summaries.map(\.overall) == (2...11).reversed().map { "talk \($0)" })
        #expect(record.talkSummaries == (7...11).reversed().map { "talk \($0)" })
    }

    @Test func partsOfAnEvaluationThatFailAreKept() async throws {
        let failure = EngineError(.unreachable, "Nobody is there.")
        backend.judge.change { $0.level = { _ in .init(level: .c1, evidence: []) } }
        _ = try await backend.call(.post, "/users/ada/evaluate", body: "{}")
        backend.judge.change {
            $0.level = { _ in throw failure }
            $0.progressNotes = { _ in "更好" }
            $0.quickReview = { _ in throw failure }
        }
        let profile = try await backend.call(.post, "/users/ada/evaluate", body: "{}").value(Profile.self)
        #expect(profile.level == .c1 && profile.profileData.progressNotes == "更好")
        backend.judge.change { $0.progressNotes = { _ in throw failure } }
        expect(try await backend.call(.post, "/users/ada/evaluate", body: "{}"), 502, "Nobody is there.")
        #expect(try await backend.profile().profileData.progressNotes == "更好")
    }
}
