package import TalkCoService
package import TalkCoWire
import WireKit

/// A judge that marks "goed", and answers everything else as a test wants.
package final class ScriptedJudge: TextJudge {
    package struct Script: Sendable {
        /// True to hold every judgement.
        package var isHeld = false
        /// The sentence with which questions fail.
        package var questionFailure: String?
        /// Nil for no level.
        package var level: CEFRLevel? = .b1
        /// The number of words that a level needs; nil for a judge without a number.
        package var neededWords: Int?
        package fileprivate(set) var questions: [String] = []
    }

    private let script = Changing(Script())

    package init() {}

    package var questions: [String] { script.value.questions }

    package func set(_ change: @Sendable (inout Script) -> Void) { script.change(change) }

    private func wait() async throws {
        await script.wait(while: \.isHeld)
        try Task.checkCancellation()
    }

    package static let overall = "很好，繼續加油。"
    package static let markExplanation = "go 的過去式是 went。"

    package func marks(_ turns: [TalkTurn]) async throws -> [MarkDraft] {
        try await wait()
        return turns.filter { $0.learner.contains("goed") }.map {
            MarkDraft(
                turnIndex: $0.index, issueTypes: [IssueType.grammar.rawValue], original: "goed", suggestion: "went",
                explanation: Self.markExplanation)
        }
    }

    package func correction(_ question: String, about turn: TalkTurn, marks: [Mark]) async throws -> CorrectionDraft {
        try await wait()
        let failure = script.change { script in
            script.questions.append(question)
            return script.questionFailure
        }
        if let failure { throw EngineError(.failed, failure) }
        return CorrectionDraft(correction: "Say: \(turn.learner)", explanation: "關於「\(question)」")
    }

    package func summary(_ talk: ReviewedTalk) async throws -> SessionSummary {
        try await wait()
        return SessionSummary(
            strengths: ["句子完整"], weaknesses: ["grammar": "過去式"], levelAssessment: "B1", overall: Self.overall)
    }

    package func talkSummary(_ turns: [TalkTurn]) async throws -> String {
        try await wait()
        return "The learner talked about the day."
    }

    package func profile(_ profile: Profile, after talk: ReviewedTalk) async throws -> ProfileChanges {
        try await wait()
        let examples = talk.turns.map(\.learner).filter { $0.contains("goed") }.map {
            WeakPoint.Example(wrong: $0, correct: $0.replacing("goed", with: "went"))
        }
        let old = profile.profileData.weakPoints["grammar"]?.first?.examples ?? []
        return ProfileChanges(
            level: script.value.level,
            weakPoints: examples.isEmpty ? nil : ["grammar": [WeakPoint(pattern: "past tense", examples: old + examples)]],
            learnedExpressions: ["went shopping"])
    }

    package func level(_ record: LearnerRecord) async throws -> LevelJudgement? {
        try await wait()
        guard let level = script.value.level else { return nil }
        return LevelJudgement(
            level: level,
            evidence: record.sentences.prefix(1).map { LevelEvidence(sentence: $0, reason: "句子完整") })
    }

    package func levelWords(in sentences: [String]) -> (count: Int, needed: Int)? {
        script.value.neededWords.map { (min($0, sentences.reduce(0) { $0 + $1.split(separator: " ").count }), $0) }
    }

    package func progressNotes(_ record: LearnerRecord) async throws -> String { "進步了" }
    package func quickReview(_ record: LearnerRecord) async throws -> [QuickReview] {
        [QuickReview(chinese: "我去了。", english: "I went.")]
    }
    package func reviewOutcome(_ turns: [TalkTurn], weakPoints: [String: [WeakPoint]]) async throws -> ReviewOutcome {
        ReviewOutcome(practiced: ["past tense"], notes: "Practised.")
    }
}
