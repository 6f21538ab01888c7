import TalkCoWire
import WireKit

@testable import TalkCoService

/// A judge that does what a test tells it.
final class ScriptedJudge: TextJudge {
    struct Script: Sendable {
        var marks: @Sendable ([TalkTurn]) async throws -> [MarkDraft] = { _ in [] }
        var correction: @Sendable (String, TalkTurn, [Mark]) async throws -> CorrectionDraft = { question, _, _ in
            CorrectionDraft(correction: "Better: \(question)", explanation: "因為")
        }
        var summary: @Sendable (ReviewedTalk) async throws -> SessionSummary = { _ in
            SessionSummary(
                strengths: ["流利"], weaknesses: ["grammar": "時態", "vocabulary": " "], levelAssessment: "B1", overall: "不錯")
        }
        var talkSummary: @Sendable ([TalkTurn]) async throws -> String = { "They talked for \($0.count) turns." }
        var profile: @Sendable (Profile, ReviewedTalk) async throws -> ProfileChanges = { _, _ in ProfileChanges() }
        var level: @Sendable (LearnerRecord) async throws -> LevelJudgement? = { _ in nil }
        var progressNotes: @Sendable (LearnerRecord) async throws -> String = { _ in "進步了" }
        var quickReview: @Sendable (LearnerRecord) async throws -> [QuickReview] = { _ in [] }
        var outcome: @Sendable ([TalkTurn], [String: [WeakPoint]]) async throws -> ReviewOutcome = { turns, _ in
            ReviewOutcome(practiced: ["articles"], notes: "Practised \(turns.count) turns.")
        }
    }

    let script: Locked<Script>
    /// The names of the calls, in order.
    let calls = Locked<[String]>([])

    /// The number of words that a level needs; nil for a judge without a number.
    private let words: Int?

    init(_ script: Script = Script(), words: Int? = nil) {
        self.script = Locked(script)
        self.words = words
    }

    func change(_ body: (inout Script) -> Void) { script.withLock { body(&$0) } }

    func count(of call: String) -> Int { calls.withLock { $0.count { $0 == call } } }

    private func called(_ name: String) -> Script {
        calls.withLock { $0.append(name) }
        return script.withLock { $0 }
    }

    func marks(_ turns: [TalkTurn]) async throws -> [MarkDraft] { try await called("marks").marks(turns) }
    func correction(_ question: String, about turn: TalkTurn, marks: [Mark]) async throws -> CorrectionDraft {
        try await called("correction").correction(question, turn, marks)
    }
    func summary(_ talk: ReviewedTalk) async throws -> SessionSummary { try await called("summary").summary(talk) }
    func talkSummary(_ turns: [TalkTurn]) async throws -> String { try await called("talkSummary").talkSummary(turns) }
    func profile(_ profile: Profile, after talk: ReviewedTalk) async throws -> ProfileChanges {
        try await called("profile").profile(profile, talk)
    }
    func level(_ record: LearnerRecord) async throws -> LevelJudgement? { try await called("level").level(record) }
    func levelWords(in sentences: [String]) -> (count: Int, needed: Int)? {
        words.map { (min($0, sentences.reduce(0) { $0 + $1.split(separator: " ").count }), $0) }
    }
    func progressNotes(_ record: LearnerRecord) async throws -> String { try await called("notes").progressNotes(record) }
    func quickReview(_ record: LearnerRecord) async throws -> [QuickReview] { try await called("quick").quickReview(record) }
    func reviewOutcome(_ turns: [TalkTurn], weakPoints: [String: [WeakPoint]]) async throws -> ReviewOutcome {
        try await called("outcome").outcome(turns, weakPoints)
    }
}
