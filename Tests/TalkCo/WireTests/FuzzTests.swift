import Foundation
import TalkCoWire
import TestKit
import Testing

/// Every wire message: any input that decodes survives re-encoding, and no input traps.
@Suite(.seeded) struct FuzzTests {
    private static let time = #""2026-11-20T23:39:20.134007+00:00""#

    @Test func requests() async throws {
        try await expectSame(
            SessionCreation.self, [#"{"user_id":"u","topic_id":"travel","mode":"review","user_name":"A","accept":["choices"]}"#])
        try await expectSame(TypedTurn.self, [#"{"text":"Grüße 😀","turn_id":"t"}"#])
        try await expectSame(CorrectionRequest.self, [#"{"segment_id":3,"user_message":"why?"}"#])
        try await expectSame(LearningGoal.self, [#"{"learning_goal":"talk"}"#])
    }

    @Test func replies() async throws {
        try await expectSame(CreatedSession.self, [#"{"session_id":"s","created_at":\#(Self.time)}"#])
        try await expectSame(ClosedSession.self, [#"{"session_id":"s","status":"reviewing","mode":"conversation"}"#])
        try await expectSame([Topic].self, [#"[{"id":"travel","label_en":"Travel","label_zh":"旅遊","prompt_hint":"h"}]"#])
        try await expectSame(
            EngineInfo.self, [#"{"kind":"realtime","name":"n","hearing":"anything","speaks":true,"judge":"gpt-4o"}"#])
    }

    @Test func reviews() async throws {
        try await expectSame(
            Review.self,
            [
                #"{"session_id":"s","status":"completed","summary":{"strengths":["a"],"weaknesses":{"grammar":null,"vocabulary":"v"},"level_assessment":"B1","overall":"o"},"segments":[{"id":1,"turn_index":0,"user_text":"u","ai_text":"a","ai_marks":[{"id":1,"issue_types":["grammar"],"original":"o","suggestion":"s","explanation":"e"}],"corrections":[{"id":1,"user_message":"q","correction":"c","explanation":"e","created_at":\#(Self.time)}]}]}"#
            ])
    }

    @Test func profiles() async throws {
        try await expectSame(
            Profile.self,
            [
                #"{"user_id":"u","user_name":null,"level":"B1","learning_goal":null,"needs_review":true,"profile_data":{"weak_points":{"grammar":[{"pattern":"p","examples":[{"wrong":"w","correct":"c"}]}],"vocabulary":["old"]},"common_errors":["e"],"progress_notes":"n","learned_expressions":[],"session_count":2,"personal_facts":["f"],"quick_review":[{"chinese":"c","english":"e"}]},"level_evidence":[{"sentence":"s","reason":"r"}],"error_rates":{"grammar":1.5},"updated_at":\#(Self.time)}"#
            ])
    }

    /// A stream of a stranger's never stops the reader.
    @Test func events() async throws {
        let names = ["transcript", "audio", "response", "choices", "timing", "done"]
        let corpus = [
            #"{"text":"a"}"#, #"{"audio":"AQI="}"#, #"{"choices":["a","b"]}"#, #"{"step":"total","duration_s":1.5}"#, "{}",
        ]
        try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(4000, soak: 100_000)) { input in
            for name in names {
                guard let event = try? TalkEvent(name: name, data: input) else { continue }
                try #require(try TalkEvent(name: name, data: event.data()) == event)
            }
        }
    }
}
