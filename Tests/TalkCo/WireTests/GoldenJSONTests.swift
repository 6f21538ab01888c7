import Foundation
import TalkCoWire
import Testing
import WireKit

/// The exact JSON of every wire type. A change here is visible to peers.
@Suite struct GoldenJSONTests {
    private static let time = TalkTime(Timestamp("2026-11-20T23:39:20.134Z")!)
    private static let timeText = "2026-11-20T23:39:20.134+00:00"
    private static let session = Session.ID("6f1c1d0a-0000-4000-8000-000000000001")

    /// Checks that `value` encodes to exactly `json` and decodes from it.
    private func expect<Value: Codable & Equatable>(_ value: Value, is json: String, line: Int = #line) throws {
        let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
        #expect(String(decoding: try WireJSON.encode(value), as: UTF8.self) == json, sourceLocation: location)
        #expect(try WireJSON.decode(Value.self, from: Data(json.utf8)) == value, sourceLocation: location)
    }

    @Test func topics() throws {
        try expect(
            Topic(id: Topic.ID("x"), labelEn: "X", labelZh: "甲", promptHint: "h"),
            is: #"{"id":"x","label_en":"X","label_zh":"甲","prompt_hint":"h"}"#)
        #expect(Topic.all.count == 6 && Topic.all.allSatisfy { $0.symbol != nil && Topic.known($0.id) == $0 })
        #expect(Topic.known(Topic.ID("x")) == nil)
    }

    @Test func creation() throws {
        try expect(
            SessionCreation(userId: Learner.ID("u"), topicId: Topic.ID("travel")), is: #"{"topic_id":"travel","user_id":"u"}"#)
        try expect(
            SessionCreation(userId: Learner.ID("u"), topicId: nil, mode: .review, userName: "Ada", accept: [.choices]),
            is: #"{"accept":["choices"],"mode":"review","user_id":"u","user_name":"Ada"}"#)
        try expect(
            CreatedSession(sessionId: Self.session, createdAt: Self.time),
            is: #"{"created_at":"\#(Self.timeText)","session_id":"\#(Self.session)"}"#)
    }

    @Test func conversation() throws {
        try expect(TypedTurn(text: "a/b", turnId: nil), is: #"{"text":"a/b"}"#)
        try expect(TypedTurn(text: "a", turnId: Turn.ID("t")), is: #"{"text":"a","turn_id":"t"}"#)
        try expect(MeaningRequest(word: "w", sentence: nil), is: #"{"word":"w"}"#)
        try expect(Meaning(word: "w", meaning: "字"), is: #"{"meaning":"字","word":"w"}"#)
        try expect(TranslationRequest(text: "t"), is: #"{"text":"t"}"#)
        try expect(Translation(translation: "文"), is: #"{"translation":"文"}"#)
        try expect(ResumeRequest(accept: [.text]), is: #"{"accept":["text"]}"#)
        try expect(
            ResumedSession(sessionId: Self.session), is: #"{"session_id":"\#(Self.session)","status":"active"}"#)
        try expect(
            ClosedSession(sessionId: Self.session, status: .reviewing, mode: .conversation),
            is: #"{"mode":"conversation","session_id":"\#(Self.session)","status":"reviewing"}"#)
        try expect(EndRequest(), is: "{}")
        try expect(
            EndedSession(sessionId: Self.session, status: .completing),
            is: #"{"session_id":"\#(Self.session)","status":"completing"}"#)
        try expect(SpeechRequest(text: "a"), is: #"{"text":"a"}"#)
        try expect(
            EngineInfo(kind: .builtIn, name: "n", hearing: .choices, speaks: true, judge: nil),
            is: #"{"hearing":"choices","kind":"built_in","name":"n","speaks":true}"#)
        var installation = EngineInstallation(state: .installing, isAllowed: true)
        try expect(installation, is: #"{"is_allowed":true,"state":"installing"}"#)
        (installation.text, installation.done, installation.total, installation.hasFailed) = ("t", 1, 2, false)
        try expect(
            installation, is: #"{"done":1,"has_failed":false,"is_allowed":true,"state":"installing","text":"t","total":2}"#)
    }

    @Test func tutorsModel() throws {
        try expect(TutorModelChoice(serverId: "s"), is: #"{"server_id":"s"}"#)
        try expect(TutorModelChoice(serverId: nil), is: #"{"server_id":null}"#)
        let engine = EngineInfo(kind: .builtIn, name: "n", hearing: .choices, speaks: true, judge: nil)
        let engineText = #"{"hearing":"choices","kind":"built_in","name":"n","speaks":true}"#
        try expect(
            TutorModel(serverId: nil, state: .none, engine: engine),
            is: #"{"engine":\#(engineText),"server_id":null,"state":"none"}"#)
        try expect(
            TutorModel(serverId: "s", state: .failed, hostName: "h", model: "m", caller: "c", detail: "d", engine: engine),
            is: #"{"caller":"c","detail":"d","engine":\#(engineText),"host_name":"h","model":"m","server_id":"s","state":"failed"}"#
        )
        let states = ["none", "connecting", "approval", "ready", "failed"]
        #expect(TutorModel.State.allCases.map(\.rawValue) == states)
    }

    @Test func review() throws {
        let mark = Mark(id: 3, issueTypes: ["grammar"], original: "o", suggestion: "s", explanation: "e")
        let correction = Correction(
            id: 4, segmentId: nil, userMessage: "q", correction: "c", explanation: "e", createdAt: Self.time)
        let segment = Segment(id: 2, turnIndex: 0, userText: "u", aiText: "a", aiMarks: [mark], corrections: [correction])
        let summary = SessionSummary(
            strengths: ["s"], weaknesses: ["grammar": "g", "naturalness": nil], levelAssessment: "B1", overall: "o")
        try expect(
            Review(sessionId: Self.session, status: .completed, summary: summary, segments: [segment]),
            is: #"{"segments":[{"ai_marks":[{"explanation":"e","id":3,"issue_types":["grammar"],"original":"o","suggestion":"s"}],"#
                + #""ai_text":"a","corrections":[{"correction":"c","created_at":"\#(Self.timeText)","explanation":"e","id":4,"#
                + #""user_message":"q"}],"id":2,"turn_index":0,"user_text":"u"}],"session_id":"\#(Self.session)","#
                + #""status":"completed","summary":{"level_assessment":"B1","overall":"o","strengths":["s"],"#
                + #""weaknesses":{"grammar":"g","naturalness":null}}}"#)
        try expect(
            Review(sessionId: Self.session, status: .reviewing, summary: nil, segments: []),
            is: #"{"segments":[],"session_id":"\#(Self.session)","status":"reviewing","summary":null}"#)
        try expect(CorrectionRequest(segmentId: 2, userMessage: "q"), is: #"{"segment_id":2,"user_message":"q"}"#)
    }

    @Test func profile() throws {
        let data = ProfileData(
            weakPoints: ["grammar": [WeakPoint(pattern: "p", examples: [.init(wrong: "w", correct: "c")])]], commonErrors: ["e"],
            progressNotes: "n", learnedExpressions: ["x"], sessionCount: 2, personalFacts: ["f"],
            quickReview: [QuickReview(chinese: "中", english: "E")])
        try expect(
            Profile(
                userId: Learner.ID("u"), userName: nil, level: .b1, learningGoal: nil, needsReview: false, profileData: data,
                levelEvidence: [LevelEvidence(sentence: "s", reason: "r")], errorRates: ["grammar": 1.5], updatedAt: Self.time),
            is: #"{"error_rates":{"grammar":1.5},"learning_goal":null,"level":"B1","#
                + #""level_evidence":[{"reason":"r","sentence":"s"}],"needs_review":false,"#
                + #""profile_data":{"common_errors":["e"],"learned_expressions":["x"],"personal_facts":["f"],"#
                + #""progress_notes":"n","quick_review":[{"chinese":"中","english":"E"}],"session_count":2,"#
                + #""weak_points":{"grammar":[{"examples":[{"correct":"c","wrong":"w"}],"pattern":"p"}]}},"#
                + #""updated_at":"\#(Self.timeText)","user_id":"u","user_name":null}"#)
        try expect(
            Profile(
                userId: Learner.ID("u"), userName: nil, level: nil, learningGoal: nil, needsReview: nil,
                profileData: ProfileData(weakPoints: [:]),
                levelStatus: LevelStatus(.tooShort, wordCount: 6, wordsNeeded: 25),
                keptTalks: KeptTalks(maximumCount: 500, days: 365, removedCount: 2), updatedAt: Self.time),
            is: #"{"kept_talks":{"days":365,"maximum_count":500,"removed_count":2},"learning_goal":null,"level":null,"#
                + #""level_status":{"state":"too_short","word_count":6,"words_needed":25},"profile_data":{"common_errors":[],"#
                + #""learned_expressions":[],"personal_facts":[],"progress_notes":"","quick_review":[],"session_count":0,"#
                + #""weak_points":{}},"updated_at":"\#(Self.timeText)","user_id":"u","user_name":null}"#)
        try expect(
            PracticeState(waitingCount: 2, learnedCount: 1, learned: [.init(wrong: "w", correct: "c")]),
            is: #"{"learned":[{"correct":"c","wrong":"w"}],"learned_count":1,"waiting_count":2}"#)
        try expect(
            TalkRates(endedAt: Self.time, rates: ["grammar": 1.5]),
            is: #"{"ended_at":"\#(Self.timeText)","rates":{"grammar":1.5}}"#)
        try expect(LevelStatus(.noTalk), is: #"{"state":"no_talk"}"#)
        let names = ["no_talk", "reviewing", "reviewed", "completing", "too_short", "not_judged"]
        #expect(LevelStatus.State.allCases.map(\.rawValue) == names)
        #expect(try WireJSON.decode(LevelStatus.self, from: Data(#"{"state":"later"}"#.utf8)).state == "later")
        try expect(LearningGoal(learningGoal: nil), is: #"{"learning_goal":null}"#)
        try expect(EvaluationRequest(), is: "{}")
        #expect(ProfileData().weakPoints.keys.sorted() == ["grammar", "naturalness", "sentence_structure", "vocabulary"])
    }

    /// The forms of both generations of services.
    @Test func profilesOfOtherGenerationsDecode() throws {
        let earlier = #"{"weak_points":{"grammar":["past tense"]},"session_count":3,"level_assessment":"x"}"#
        let data = try WireJSON.decode(ProfileData.self, from: Data(earlier.utf8))
        #expect(data.weakPoints == ["grammar": [WeakPoint(pattern: "past tense", examples: [])]])
        #expect(data.sessionCount == 3 && data.quickReview.isEmpty)
        let summary = try WireJSON.decode(
            SessionSummary.self, from: Data(#"{"strengths":[],"weaknesses":{"grammar":null},"overall":"o"}"#.utf8))
        #expect(summary.levelAssessment == nil && summary.weaknesses == ["grammar": nil])
    }

    @Test func eventsAreTwoLinesAndAnEmptyOne() throws {
        let events: [(TalkEvent, String)] = [
            (.transcript("a\n\"b\""), "event: transcript\ndata: {\"text\":\"a\\n\\\"b\\\"\"}\n\n"),
            (.audio(Data([1, 2])), "event: audio\ndata: {\"audio\":\"AQI=\"}\n\n"),
            (.response("a/b"), "event: response\ndata: {\"text\":\"a/b\"}\n\n"),
            (.choices(["a"]), "event: choices\ndata: {\"choices\":[\"a\"]}\n\n"),
            (.timing(step: "total", seconds: 1.25), "event: timing\ndata: {\"duration_s\":1.25,\"step\":\"total\"}\n\n"),
            (.text("Hi"), "event: text\ndata: {\"text\":\"Hi\"}\n\n"),
            (
                .failure("engine", detail: "No model"),
                "event: failure\ndata: {\"code\":\"engine\",\"detail\":\"No model\"}\n\n"
            ),
            (.substitution(detail: "No answer"), "event: substitution\ndata: {\"detail\":\"No answer\"}\n\n"),
            (.failure("storage_full"), "event: failure\ndata: {\"code\":\"storage_full\"}\n\n"),
            (.done, "event: done\ndata: {}\n\n"),
        ]
        for (event, text) in events {
            #expect(String(decoding: try event.block(), as: UTF8.self) == text)
            #expect(try TalkEvent(name: event.name, data: event.data()) == event)
        }
        #expect(try TalkEvent(name: "later", data: Data("{}".utf8)) == nil)
    }

    @Test(arguments: [
        "2026-11-20T23:39:20.134+00:00", "2026-11-20T23:39:20.134007+00:00", "2026-11-20T23:39:20.134Z",
        "2026-11-21T00:39:20.134+01:00",
    ]) func timesDecodeInEveryForm(_ text: String) throws {
        let time = try WireJSON.decode(TalkTime.self, from: Data("\"\(text)\"".utf8))
        #expect(time == Self.time && time.description == Self.timeText)
    }
}
