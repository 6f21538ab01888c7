import Foundation
import StorageKit
import TalkCoWire
import WireKit

/// A segment as stored.
struct SegmentRecord: Hashable, Sendable, RowDecodable {
    var id: Segment.ID
    var turnIndex: Int
    var userText: String
    var aiText: String

    init(row: Row) throws {
        (id, turnIndex) = (try row.get("id"), try row.get("turn_index"))
        (userText, aiText) = (try row.get("user_text"), try row.get("ai_text"))
    }

    var turn: TalkTurn { TalkTurn(index: turnIndex, learner: userText, tutor: aiText) }
}

/// A mark as stored.
struct MarkRecord: Hashable, Sendable, RowDecodable {
    var segment: Segment.ID
    var mark: Mark

    init(row: Row) throws {
        segment = try row.get("segment")
        mark = Mark(
            id: try row.get("id"), issueTypes: try row.json("issue_types") ?? [], original: try row.get("original"),
            suggestion: try row.get("suggestion"), explanation: try row.get("explanation"))
    }
}

/// A correction as stored.
struct CorrectionRecord: Hashable, Sendable, RowDecodable {
    var segment: Segment.ID
    /// The correction, without the segment's identifier.
    var correction: Correction

    init(row: Row) throws {
        segment = try row.get("segment")
        correction = Correction(
            id: try row.get("id"), segmentId: nil, userMessage: try row.get("user_message"),
            correction: try row.get("correction"), explanation: try row.get("explanation"),
            createdAt: TalkTime(try row.get("created_at")))
    }
}

extension ReadTransaction {
    /// Returns the segments in the order of their turns.
    func segments(of session: Session.ID) throws -> [SegmentRecord] {
        try all(
            "SELECT id, turn_index, user_text, ai_text FROM segments WHERE session = ? ORDER BY turn_index", session)
    }

    func segment(_ id: Segment.ID, of session: Session.ID) throws -> SegmentRecord? {
        try first("SELECT id, turn_index, user_text, ai_text FROM segments WHERE id = ? AND session = ?", id, session)
    }

    func hasSegments(_ session: Session.ID) throws -> Bool {
        try exists("SELECT 1 FROM segments WHERE session = ?", session)
    }

    func marks(of session: Session.ID) throws -> [MarkRecord] {
        try all(
            """
            SELECT marks.id, segment, issue_types, original, suggestion, explanation
            FROM marks JOIN segments ON segments.id = segment WHERE session = ? ORDER BY turn_index
            """, session)
    }

    /// Returns the corrections in the order of their creation.
    func corrections(of session: Session.ID) throws -> [CorrectionRecord] {
        try all(
            """
            SELECT corrections.id, segment, user_message, correction, explanation, corrections.created_at
            FROM corrections JOIN segments ON segments.id = segment WHERE session = ? ORDER BY corrections.id
            """, session)
    }

    /// Returns a talk with its marks and questions.
    func talk(_ session: SessionRecord) throws -> ReviewedTalk {
        let segments = try segments(of: session.id)
        let index = Dictionary(uniqueKeysWithValues: segments.map { ($0.id, $0.turnIndex) })
        let marks = Dictionary(grouping: try marks(of: session.id)) { index[$0.segment] ?? 0 }
        let corrections = Dictionary(grouping: try corrections(of: session.id)) { index[$0.segment] ?? 0 }
        return ReviewedTalk(
            topic: session.topic.flatMap(Topic.known), turns: segments.map(\.turn), marks: marks.mapValues { $0.map(\.mark) },
            corrections: corrections.mapValues { $0.map(\.correction) })
    }
}

extension WriteTransaction {
    /// Appends a segment to an open session.
    ///
    /// - Returns: False if the session is over.
    @discardableResult
    func appendSegment(to session: Session.ID, learner: String, tutor: String, at time: Timestamp) throws -> Bool {
        try execute(
            """
            INSERT INTO segments (session, turn_index, user_text, ai_text, created_at)
            SELECT ?1, (SELECT COALESCE(MAX(turn_index) + 1, 0) FROM segments WHERE session = ?1), ?2, ?3, ?4
            FROM sessions WHERE id = ?1 AND status = 'active'
            """, session, learner, tutor, time) == 1
    }

    /// Adds a mark to a segment that has none.
    func insert(_ draft: MarkDraft, for segment: Segment.ID) throws {
        try execute(
            """
            INSERT INTO marks (segment, issue_types, original, suggestion, explanation) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (segment) DO NOTHING
            """, segment, try draft.issueTypes.columnText, draft.original, draft.suggestion, draft.explanation)
    }
}
