public import WireKit

/// A dimension in which a learner's words are judged.
public enum IssueType: String, Codable, Hashable, Sendable, CaseIterable {
    case grammar
    case naturalness
    case vocabulary
    case sentenceStructure = "sentence_structure"
}

/// A remark about a part of the learner's words in one turn.
public struct Mark: Codable, Hashable, Sendable, Identifiable {
    public typealias ID = Int64

    public var id: ID
    /// Raw values of ``IssueType``, or unknown ones, which a client shows neutrally.
    public var issueTypes: [String]
    /// The marked part, exactly as it occurs in the turn's text.
    public var original: String
    public var suggestion: String
    /// The explanation in Traditional Chinese.
    public var explanation: String

    public init(id: ID, issueTypes: [String], original: String, suggestion: String, explanation: String) {
        self.id = id
        self.issueTypes = issueTypes
        self.original = original
        self.suggestion = suggestion
        self.explanation = explanation
    }

    private enum CodingKeys: String, CodingKey {
        case id, original, suggestion, explanation
        case issueTypes = "issue_types"
    }
}

/// A question of the learner about a segment, with its answer. Also the reply of `POST /sessions/{id}/corrections`.
public struct Correction: Codable, Hashable, Sendable, Identifiable {
    public typealias ID = Int64

    public var id: ID
    /// The segment; nil except in the reply of `POST /sessions/{id}/corrections`.
    public var segmentId: Segment.ID?
    public var userMessage: String
    /// The corrected sentence, or the direct answer to the question.
    public var correction: String
    public var explanation: String
    public var createdAt: TalkTime

    public init(
        id: ID, segmentId: Segment.ID?, userMessage: String, correction: String, explanation: String, createdAt: TalkTime
    ) {
        self.id = id
        self.segmentId = segmentId
        self.userMessage = userMessage
        self.correction = correction
        self.explanation = explanation
        self.createdAt = createdAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, correction, explanation
        case segmentId = "segment_id"
        case userMessage = "user_message"
        case createdAt = "created_at"
    }
}

/// The body of `POST /sessions/{id}/corrections`.
public struct CorrectionRequest: Codable, Hashable, Sendable {
    /// The length of a question in Unicode scalar values, without the white space around it.
    public static let messageLength = 1...2_000

    public var segmentId: Segment.ID
    public var userMessage: String

    public init(segmentId: Segment.ID, userMessage: String) {
        self.segmentId = segmentId
        self.userMessage = userMessage
    }

    private enum CodingKeys: String, CodingKey {
        case segmentId = "segment_id"
        case userMessage = "user_message"
    }
}

/// One turn of a conversation: the learner's words, the tutor's answer, and their review.
public struct Segment: Codable, Hashable, Sendable, Identifiable {
    public typealias ID = Int64

    public var id: ID
    /// The turn's position in the conversation, from 0, without gaps.
    public var turnIndex: Int
    public var userText: String
    public var aiText: String
    /// Extension: false if the learner's words are another language or noise; otherwise absent.
    public var isEnglish: Bool?
    /// Extension: true if the learner's recording can be heard; otherwise absent.
    public var hasRecording: Bool?
    /// The marks of the learner's words; at most one from our service.
    public var aiMarks: [Mark]
    /// The learner's questions about the segment, in the order of their creation.
    public var corrections: [Correction]

    public init(
        id: ID, turnIndex: Int, userText: String, aiText: String, isEnglish: Bool? = nil, hasRecording: Bool? = nil,
        aiMarks: [Mark] = [],
        corrections: [Correction] = []
    ) {
        self.id = id
        self.turnIndex = turnIndex
        self.userText = userText
        self.aiText = aiText
        self.isEnglish = isEnglish
        self.hasRecording = hasRecording
        self.aiMarks = aiMarks
        self.corrections = corrections
    }

    private enum CodingKeys: String, CodingKey {
        case id, corrections
        case turnIndex = "turn_index"
        case userText = "user_text"
        case aiText = "ai_text"
        case isEnglish = "is_english"
        case hasRecording = "has_recording"
        case aiMarks = "ai_marks"
    }
}

/// The summary of a completed session. Texts in Traditional Chinese.
public struct SessionSummary: Codable, Hashable, Sendable {
    public var strengths: [String]
    /// Remarks by the raw value of an ``IssueType``; null or absent for a type without a remark.
    public var weaknesses: [String: String?]
    /// Absent from services of the later generation.
    public var levelAssessment: String?
    public var overall: String

    public init(strengths: [String], weaknesses: [String: String?], levelAssessment: String?, overall: String) {
        self.strengths = strengths
        self.weaknesses = weaknesses
        self.levelAssessment = levelAssessment
        self.overall = overall
    }

    private enum CodingKeys: String, CodingKey {
        case strengths, weaknesses, overall
        case levelAssessment = "level_assessment"
    }
}

/// The reply of `GET /sessions/{id}/review`.
public struct Review: Codable, Hashable, Sendable {
    public var sessionId: Session.ID
    public var status: Session.Status
    /// Null until the session is completed; stays null if the summary failed or nothing was said.
    @Nullable public var summary: SessionSummary?
    /// The segments in the order of ``Segment/turnIndex``. Their marks are incomplete while the status is `reviewing`.
    public var segments: [Segment]

    public init(sessionId: Session.ID, status: Session.Status, summary: SessionSummary?, segments: [Segment]) {
        self.sessionId = sessionId
        self.status = status
        _summary = Nullable(wrappedValue: summary)
        self.segments = segments
    }

    private enum CodingKeys: String, CodingKey {
        case status, summary, segments
        case sessionId = "session_id"
    }
}
