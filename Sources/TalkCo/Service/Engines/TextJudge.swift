package import TalkCoWire

/// A judge of a learner's words: a chat model, or the rules of the service itself.
///
/// Results are drafts: the service checks every one before it stores it. Each function throws ``EngineError`` or `CancellationError`.
package protocol TextJudge: Sendable {
    /// Returns the marks of a talk.
    func marks(_ turns: [TalkTurn]) async throws -> [MarkDraft]
    /// Answers a question about a segment, in the language of the question.
    func correction(_ question: String, about turn: TalkTurn, marks: [Mark]) async throws -> CorrectionDraft
    /// Returns the summary of a session, in Traditional Chinese.
    func summary(_ talk: ReviewedTalk) async throws -> SessionSummary
    /// Returns a summary in English of two or three sentences, for the tutor's next conversation on the topic.
    func talkSummary(_ turns: [TalkTurn]) async throws -> String
    /// Returns the changes of a profile after a session.
    func profile(_ profile: Profile, after talk: ReviewedTalk) async throws -> ProfileChanges
    /// Returns the level of a learner; nil if there is too little to judge.
    func level(_ record: LearnerRecord) async throws -> LevelJudgement?
    /// Returns the number of English words in sentences, up to the minimum for a level; nil for a judge without such a minimum.
    func levelWords(in sentences: [String]) -> (count: Int, needed: Int)?
    /// Returns notes on the learner's progress, in Traditional Chinese.
    func progressNotes(_ record: LearnerRecord) async throws -> String
    /// Returns sentences to practise, at most `QuickReview.maximumCount`.
    func quickReview(_ record: LearnerRecord) async throws -> [QuickReview]
    /// Returns the outcome of a session in the mode `review`.
    func reviewOutcome(_ turns: [TalkTurn], weakPoints: [String: [WeakPoint]]) async throws -> ReviewOutcome
}

extension TextJudge {
    package func levelWords(in sentences: [String]) -> (count: Int, needed: Int)? { nil }
}

/// A turn as it is stored.
package struct TalkTurn: Hashable, Sendable {
    package var index: Int
    package var learner: String
    package var tutor: String

    package init(index: Int, learner: String, tutor: String) {
        self.index = index
        self.learner = learner
        self.tutor = tutor
    }
}

/// A mark before its check.
package struct MarkDraft: Hashable, Sendable {
    package var turnIndex: Int
    package var issueTypes: [String]
    package var original: String
    package var suggestion: String
    package var explanation: String

    package init(turnIndex: Int, issueTypes: [String], original: String, suggestion: String, explanation: String) {
        self.turnIndex = turnIndex
        self.issueTypes = issueTypes
        self.original = original
        self.suggestion = suggestion
        self.explanation = explanation
    }
}

/// The answer to a question, before its check.
package struct CorrectionDraft: Hashable, Sendable {
    package var correction: String
    package var explanation: String

    package init(correction: String, explanation: String) {
        self.correction = correction
        self.explanation = explanation
    }
}

/// A talk with its marks and questions.
package struct ReviewedTalk: Hashable, Sendable {
    package var topic: Topic?
    package var turns: [TalkTurn]
    /// The marks by the index of their turn.
    package var marks: [Int: [Mark]]
    /// The questions by the index of their turn.
    package var corrections: [Int: [Correction]]

    package init(topic: Topic?, turns: [TalkTurn], marks: [Int: [Mark]], corrections: [Int: [Correction]]) {
        self.topic = topic
        self.turns = turns
        self.marks = marks
        self.corrections = corrections
    }
}

/// The changes of a profile. Nil fields are unchanged.
package struct ProfileChanges: Hashable, Sendable {
    package var level: CEFRLevel?
    package var levelEvidence: [LevelEvidence]?
    /// Weak points by the raw value of an `IssueType`; a missing dimension is unchanged.
    package var weakPoints: [String: [WeakPoint]]?
    package var commonErrors: [String]?
    package var progressNotes: String?
    package var learnedExpressions: [String]?
    package var personalFacts: [String]?
    package var quickReview: [QuickReview]?

    package init(
        level: CEFRLevel? = nil, levelEvidence: [LevelEvidence]? = nil, weakPoints: [String: [WeakPoint]]? = nil,
        commonErrors: [String]? = nil, progressNotes: String? = nil, learnedExpressions: [String]? = nil,
        personalFacts: [String]? = nil, quickReview: [QuickReview]? = nil
    ) {
        self.level = level
        self.levelEvidence = levelEvidence
        self.weakPoints = weakPoints
        self.commonErrors = commonErrors
        self.progressNotes = progressNotes
        self.learnedExpressions = learnedExpressions
        self.personalFacts = personalFacts
        self.quickReview = quickReview
    }
}

/// The knowledge about a learner for a judgement that covers several sessions.
package struct LearnerRecord: Hashable, Sendable {
    package var profile: Profile
    /// The summaries of the last ten completed conversations, the newest first.
    package var summaries: [SessionSummary]
    /// The learner's own words in the last ten conversations, the newest first.
    package var sentences: [String]
    /// The last five talk summaries, in English, the newest first.
    package var talkSummaries: [String]
    /// The notes of the last five review sessions, the newest first.
    package var reviewNotes: [String]
    /// The newest marks, at most 50.
    package var marks: [Mark]
    /// The newest questions, at most 20.
    package var corrections: [Correction]

    package init(
        profile: Profile, summaries: [SessionSummary], sentences: [String], talkSummaries: [String], reviewNotes: [String],
        marks: [Mark], corrections: [Correction]
    ) {
        self.profile = profile
        self.summaries = summaries
        self.sentences = sentences
        self.talkSummaries = talkSummaries
        self.reviewNotes = reviewNotes
        self.marks = marks
        self.corrections = corrections
    }
}

/// A judgement of the level, with the sentences behind it.
package struct LevelJudgement: Hashable, Sendable {
    package var level: CEFRLevel
    package var evidence: [LevelEvidence]

    package init(level: CEFRLevel, evidence: [LevelEvidence]) {
        self.level = level
        self.evidence = evidence
    }
}

/// The outcome of a review session.
package struct ReviewOutcome: Hashable, Sendable {
    /// The patterns that were practised.
    package var practiced: [String]
    /// Notes in English, for the next review session.
    package var notes: String

    package init(practiced: [String], notes: String) {
        self.practiced = practiced
        self.notes = notes
    }
}
