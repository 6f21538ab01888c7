package import Logging
import TalkCoEnglish
package import TalkCoWire

/// The judge that asks a model, with the rules as a second opinion.
///
/// The model's marks come first; a turn without one gets the mark of the rules. If the model fails, the rules judge alone.
package struct JudgeWithRules: TextJudge {
    private let model: any TextJudge
    private let rules: BuiltInJudge
    private let logger: Logger

    package init(_ model: any TextJudge, texts: TutorTexts, logger: Logger) {
        self.init(model, rules: BuiltInJudge(texts: texts), logger: logger)
    }

    init(_ model: any TextJudge, rules: BuiltInJudge, logger: Logger) {
        self.model = model
        self.rules = rules
        self.logger = logger
    }

    package func marks(_ turns: [TalkTurn]) async throws -> [MarkDraft] {
        let second = try await rules.marks(turns)
        let first: [MarkDraft] = try await modelFirst { try await $0.marks(turns) }
        // A mark that does not quote the learner will be dropped, so the rules may fill its turn.
        let marked = Set(MarkCheck(first, of: turns).marks.keys)
        return first + second.filter { !marked.contains($0.turnIndex) }
    }

    package func correction(_ question: String, about turn: TalkTurn, marks: [Mark]) async throws -> CorrectionDraft {
        try await modelFirst { try await $0.correction(question, about: turn, marks: marks) }
    }

    package func summary(_ talk: ReviewedTalk) async throws -> SessionSummary {
        // A model would praise a talk without English, so the rules write this summary.
        if !talk.turns.contains(where: { EnglishText.isEnglish($0.learner) }) { return try await rules.summary(talk) }
        return try await modelFirst { try await $0.summary(talk) }
    }

    package func talkSummary(_ turns: [TalkTurn]) async throws -> String {
        try await modelFirst { try await $0.talkSummary(turns) }
    }

    package func profile(_ profile: Profile, after talk: ReviewedTalk) async throws -> ProfileChanges {
        if !talk.turns.contains(where: { EnglishText.isEnglish($0.learner) }) {
            return try await rules.profile(profile, after: talk)
        }
        return try await modelFirst { try await $0.profile(profile, after: talk) }
    }

    package func level(_ record: LearnerRecord) async throws -> LevelJudgement? {
        try await modelFirst { try await $0.level(record) }
    }

    package func progressNotes(_ record: LearnerRecord) async throws -> String {
        try await modelFirst { try await $0.progressNotes(record) }
    }

    package func quickReview(_ record: LearnerRecord) async throws -> [QuickReview] {
        try await modelFirst { try await $0.quickReview(record) }
    }

    package func reviewOutcome(_ turns: [TalkTurn], weakPoints: [String: [WeakPoint]]) async throws -> ReviewOutcome {
        try await modelFirst { try await $0.reviewOutcome(turns, weakPoints: weakPoints) }
    }

    /// Returns the result of the model, or of the rules if the model fails.
    private func modelFirst<Result: Sendable>(_ judge: (any TextJudge) async throws -> Result) async throws -> Result {
        do {
            return try await judge(model)
        } catch let error as EngineError {
            logger.warning("The rules judge in place of the model", metadata: ["talkco.reason": "\(error)"])
            return try await judge(rules)
        }
    }
}
