public import WireKit

/// A level of the Common European Framework of Reference for Languages, the lowest first.
public enum CEFRLevel: String, Codable, Hashable, Sendable, CaseIterable {
    case a1 = "A1"
    case a2 = "A2"
    case b1 = "B1"
    case b2 = "B2"
    case c1 = "C1"
    case c2 = "C2"
}

/// A repeated mistake of a learner.
public struct WeakPoint: Codable, Hashable, Sendable {
    /// Maximum count of ``examples``; the oldest are dropped.
    public static let maximumExampleCount = 5
    /// Minimum count of examples for a pattern to need review.
    public static let reviewThreshold = 3

    public struct Example: Codable, Hashable, Sendable {
        public var wrong: String
        public var correct: String

        public init(wrong: String, correct: String) {
            self.wrong = wrong
            self.correct = correct
        }
    }

    public var pattern: String
    /// The learner's mistakes of this pattern, the oldest first.
    public var examples: [Example]

    public init(pattern: String, examples: [Example]) {
        self.pattern = pattern
        self.examples = examples
    }

    /// Also decodes a plain string, which services of the earlier generation send in place of the object.
    public init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.init(pattern: text, examples: [])
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            pattern: try container.decode(String.self, forKey: .pattern),
            examples: try container.decodeIfPresent([Example].self, forKey: .examples) ?? [])
    }

    private enum CodingKeys: String, CodingKey { case pattern, examples }
}

/// A sentence to practise.
public struct QuickReview: Codable, Hashable, Sendable {
    /// Maximum count of quick reviews in a profile.
    public static let maximumCount = 5

    /// The sentence in Traditional Chinese.
    public var chinese: String
    public var english: String

    public init(chinese: String, english: String) {
        self.chinese = chinese
        self.english = english
    }
}

/// The contents of a profile that models write. Decoding accepts missing fields.
public struct ProfileData: Codable, Hashable, Sendable {
    /// Weak points by the raw value of an ``IssueType``; our service sends all types.
    public var weakPoints: [String: [WeakPoint]]
    public var commonErrors: [String]
    public var progressNotes: String
    public var learnedExpressions: [String]
    /// The number of completed sessions in the mode `conversation`.
    public var sessionCount: Int
    public var personalFacts: [String]
    public var quickReview: [QuickReview]

    public init(
        weakPoints: [String: [WeakPoint]] = Dictionary(uniqueKeysWithValues: IssueType.allCases.map { ($0.rawValue, []) }),
        commonErrors: [String] = [], progressNotes: String = "", learnedExpressions: [String] = [], sessionCount: Int = 0,
        personalFacts: [String] = [], quickReview: [QuickReview] = []
    ) {
        self.weakPoints = weakPoints
        self.commonErrors = commonErrors
        self.progressNotes = progressNotes
        self.learnedExpressions = learnedExpressions
        self.sessionCount = sessionCount
        self.personalFacts = personalFacts
        self.quickReview = quickReview
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            weakPoints: try container.decodeIfPresent([String: [WeakPoint]].self, forKey: .weakPoints) ?? [:],
            commonErrors: try container.decodeIfPresent([String].self, forKey: .commonErrors) ?? [],
            progressNotes: try container.decodeIfPresent(String.self, forKey: .progressNotes) ?? "",
            learnedExpressions: try container.decodeIfPresent([String].self, forKey: .learnedExpressions) ?? [],
            sessionCount: try container.decodeIfPresent(Int.self, forKey: .sessionCount) ?? 0,
            personalFacts: try container.decodeIfPresent([String].self, forKey: .personalFacts) ?? [],
            quickReview: try container.decodeIfPresent([QuickReview].self, forKey: .quickReview) ?? [])
    }

    private enum CodingKeys: String, CodingKey {
        case weakPoints = "weak_points"
        case commonErrors = "common_errors"
        case progressNotes = "progress_notes"
        case learnedExpressions = "learned_expressions"
        case sessionCount = "session_count"
        case personalFacts = "personal_facts"
        case quickReview = "quick_review"
    }
}

/// A learner's sentence that supports the judgement of the level.
public struct LevelEvidence: Codable, Hashable, Sendable {
    /// The sentence, as the learner said it.
    public var sentence: String
    /// The reason, in Traditional Chinese.
    public var reason: String

    public init(sentence: String, reason: String) {
        self.sentence = sentence
        self.reason = reason
    }
}

/// The reason why a learner has no level yet.
public struct LevelStatus: Codable, Hashable, Sendable {
    public enum State: String, Codable, Hashable, Sendable, CaseIterable {
        /// No conversation has been ended.
        case noTalk = "no_talk"
        /// The marks of the last conversation are being written.
        case reviewing
        /// A conversation has been reviewed, and its review has not been ended.
        case reviewed
        /// The level is being judged.
        case completing
        /// The last conversations have fewer words than a level needs.
        case tooShort = "too_short"
        /// The completed conversations gave no level.
        case notJudged = "not_judged"
    }

    /// The raw value of a ``State``, or an unknown value, which a client treats as no state.
    public var state: String
    /// The number of English words in the last conversations; nil unless the state is `too_short`.
    public var wordCount: Int?
    /// Minimum number of English words for a level; nil unless the state is `too_short`.
    public var wordsNeeded: Int?

    public init(_ state: State, wordCount: Int? = nil, wordsNeeded: Int? = nil) {
        self.state = state.rawValue
        self.wordCount = wordCount
        self.wordsNeeded = wordsNeeded
    }

    private enum CodingKeys: String, CodingKey {
        case state
        case wordCount = "word_count"
        case wordsNeeded = "words_needed"
    }
}

/// The retention of a learner's talks, and its effect.
public struct KeptTalks: Codable, Hashable, Sendable {
    /// Maximum count of a learner's talks; the oldest are removed.
    public var maximumCount: Int
    /// Retention of a talk after its end, in days.
    public var days: Int
    /// Count of removed talks.
    public var removedCount: Int

    public init(maximumCount: Int, days: Int, removedCount: Int) {
        self.maximumCount = maximumCount
        self.days = days
        self.removedCount = removedCount
    }

    private enum CodingKeys: String, CodingKey {
        case days
        case maximumCount = "maximum_count"
        case removedCount = "removed_count"
    }
}

/// The marked sentences of a learner, which practice repeats until each was right three times.
public struct PracticeState: Codable, Hashable, Sendable {
    /// Maximum count of ``learned``.
    public static let maximumLearnedCount = 20

    /// Count of sentences that practice still repeats.
    public var waitingCount: Int
    /// Count of sentences that were right three times.
    public var learnedCount: Int
    /// The last learned sentences, the newest first.
    public var learned: [WeakPoint.Example]

    public init(waitingCount: Int = 0, learnedCount: Int = 0, learned: [WeakPoint.Example] = []) {
        self.waitingCount = waitingCount
        self.learnedCount = learnedCount
        self.learned = learned
    }

    private enum CodingKeys: String, CodingKey {
        case learned
        case waitingCount = "waiting_count"
        case learnedCount = "learned_count"
    }
}

/// The mistakes in one talk.
public struct TalkRates: Codable, Hashable, Sendable {
    /// The end of the talk.
    public var endedAt: TalkTime
    /// Marks per hundred words, by the raw value of an ``IssueType``.
    public var rates: [String: Double]

    public init(endedAt: TalkTime, rates: [String: Double]) {
        self.endedAt = endedAt
        self.rates = rates
    }

    private enum CodingKeys: String, CodingKey {
        case rates
        case endedAt = "ended_at"
    }
}

/// The reply of `GET /users/{id}/profile`.
public struct Profile: Codable, Hashable, Sendable {
    public var userId: Learner.ID
    @Nullable public var userName: String?
    /// The judged level; null for a learner without one.
    @Nullable public var level: CEFRLevel?
    @Nullable public var learningGoal: String?
    /// True if a pattern has ``WeakPoint/reviewThreshold`` examples or more. Absent from services of the earlier generation.
    public var needsReview: Bool?
    public var profileData: ProfileData
    /// Extension: the sentences behind ``level``, the newest first.
    public var levelEvidence: [LevelEvidence]?
    /// Extension: marks per hundred words of the last sessions, by the raw value of an ``IssueType``.
    public var errorRates: [String: Double]?
    /// Extension: the last talks with words, the oldest first.
    public var talkRates: [TalkRates]?
    /// Extension: the marked sentences in practice.
    public var practice: PracticeState?
    /// Extension: the reason why ``level`` is null; absent for a learner with a level.
    public var levelStatus: LevelStatus?
    /// Extension: the retention of the learner's talks.
    public var keptTalks: KeptTalks?
    public var updatedAt: TalkTime

    public init(
        userId: Learner.ID, userName: String?, level: CEFRLevel?, learningGoal: String?, needsReview: Bool?,
        profileData: ProfileData,
        levelEvidence: [LevelEvidence]? = nil, errorRates: [String: Double]? = nil, talkRates: [TalkRates]? = nil,
        practice: PracticeState? = nil, levelStatus: LevelStatus? = nil, keptTalks: KeptTalks? = nil, updatedAt: TalkTime
    ) {
        self.userId = userId
        _userName = Nullable(wrappedValue: userName)
        _level = Nullable(wrappedValue: level)
        _learningGoal = Nullable(wrappedValue: learningGoal)
        self.needsReview = needsReview
        self.profileData = profileData
        self.levelEvidence = levelEvidence
        self.errorRates = errorRates
        self.talkRates = talkRates
        self.practice = practice
        self.levelStatus = levelStatus
        self.keptTalks = keptTalks
        self.updatedAt = updatedAt
    }

    private enum CodingKeys: String, CodingKey {
        case level, practice
        case userId = "user_id"
        case userName = "user_name"
        case learningGoal = "learning_goal"
        case needsReview = "needs_review"
        case profileData = "profile_data"
        case levelEvidence = "level_evidence"
        case errorRates = "error_rates"
        case talkRates = "talk_rates"
        case levelStatus = "level_status"
        case keptTalks = "kept_talks"
        case updatedAt = "updated_at"
    }
}

/// The reply of `DELETE /users/{id}`.
public struct DeletedLearner: Codable, Hashable, Sendable {
    public var userId: Learner.ID
    /// Always `deleted`.
    public var status: String

    public init(userId: Learner.ID, status: String = "deleted") {
        self.userId = userId
        self.status = status
    }

    private enum CodingKeys: String, CodingKey {
        case status
        case userId = "user_id"
    }
}

/// The body of `POST /users/{id}/evaluate`.
public struct EvaluationRequest: Codable, Hashable, Sendable {
    public init() {}
}

/// The body of `POST /users/{id}/learning-goal`.
public struct LearningGoal: Codable, Hashable, Sendable {
    @Nullable public var learningGoal: String?

    public init(learningGoal: String?) {
        _learningGoal = Nullable(wrappedValue: learningGoal)
    }

    private enum CodingKeys: String, CodingKey { case learningGoal = "learning_goal" }
}
