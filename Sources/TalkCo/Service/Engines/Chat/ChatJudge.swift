import Foundation
import TalkCoWire
import WireKit

/// The judge that asks a chat model.
struct ChatJudge: TextJudge {
    let chat: any ChatModel

    func marks(_ turns: [TalkTurn]) async throws -> [MarkDraft] {
        let answer = try await chat.object(JudgePrompts.marks, .object(["transcript": JudgeData.transcript(turns)]))
        return JudgeReplies.marks(answer)
    }

    func correction(_ question: String, about turn: TalkTurn, marks: [Mark]) async throws -> CorrectionDraft {
        let data: JSONValue = .object([
            "segment": JudgeData.turn(turn), "marks": .array(marks.map(JudgeData.mark)), "question": .string(question),
        ])
        let answer = try await chat.object(JudgePrompts.correction, data)
        guard let draft = JudgeReplies.correction(answer) else { throw unusable }
        return draft
    }

    func summary(_ talk: ReviewedTalk) async throws -> SessionSummary {
        let answer = try await chat.object(JudgePrompts.summary, .object(JudgeData.talk(talk)))
        guard let summary = JudgeReplies.summary(answer) else { throw unusable }
        return summary
    }

    func talkSummary(_ turns: [TalkTurn]) async throws -> String {
        let answer = try await chat.object(JudgePrompts.talkSummary, .object(["transcript": JudgeData.transcript(turns)]))
        guard let text = JudgeReplies.text(answer["summary"]) else { throw unusable }
        return text
    }

    func profile(_ profile: Profile, after talk: ReviewedTalk) async throws -> ProfileChanges {
        var data = JudgeData.talk(talk)
        data["profile"] = JudgeData.profile(profile)
        return JudgeReplies.profile(try await chat.object(JudgePrompts.profile, .object(data)))
    }

    func level(_ record: LearnerRecord) async throws -> LevelJudgement? {
        guard !record.sentences.isEmpty || !record.summaries.isEmpty else { return nil }
        let data: JSONValue = .object([
            "current_level": record.profile.level.map { .string($0.rawValue) } ?? .null,
            "session_summaries_newest_first": .array(record.summaries.map(JudgeData.summary)),
            "sentences_of_the_learner_newest_first": JudgeData.texts(record.sentences),
        ])
        return JudgeReplies.level(try await chat.object(JudgePrompts.level, data))
    }

    func progressNotes(_ record: LearnerRecord) async throws -> String {
        let data: JSONValue = .object([
            "current_notes": .string(record.profile.profileData.progressNotes),
            "talks_newest_first": JudgeData.texts(record.talkSummaries),
            "review_sessions_newest_first": JudgeData.texts(record.reviewNotes),
        ])
        let answer = try await chat.object(JudgePrompts.progressNotes, data)
        guard let notes = JudgeReplies.text(answer["progress_notes"]) else { throw unusable }
        return notes
    }

    func quickReview(_ record: LearnerRecord) async throws -> [QuickReview] {
        let data: JSONValue = .object([
            "questions_newest_first": .array(record.corrections.map(JudgeData.correction)),
            "marks_newest_first": .array(record.marks.map(JudgeData.mark)),
            "patterns_still_hard": JudgeData.weakPoints(record.profile.profileData.weakPoints),
        ])
        return JudgeReplies.quickReview(try await chat.object(JudgePrompts.quickReview, data)["quick_review"]) ?? []
    }

    func reviewOutcome(_ turns: [TalkTurn], weakPoints: [String: [WeakPoint]]) async throws -> ReviewOutcome {
        let data: JSONValue = .object([
            "transcript": JudgeData.transcript(turns), "weak_points": JudgeData.weakPoints(weakPoints),
        ])
        let answer = try await chat.object(JudgePrompts.reviewOutcome, data)
        guard let notes = JudgeReplies.text(answer["notes"]) else { throw unusable }
        return ReviewOutcome(practiced: JudgeReplies.texts(answer["practiced"]) ?? [], notes: notes)
    }

    private var unusable: EngineError { EngineError(.failed, "\(chat.subject) left out what was asked for.") }
}
