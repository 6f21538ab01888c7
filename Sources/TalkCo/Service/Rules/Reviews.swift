import Logging
import NetworkingKit
import StorageKit
import TalkCoEnglish
import TalkCoWire
import WireKit

/// The calls for the reviews of sessions.
struct Reviews: Sendable {
    /// Timeout of the judge's answer to a question.
    static let judgeTimeout = Duration.seconds(120)
    /// Retention of recordings whose review is not ended.
    static let recordingAge = Duration.seconds(30 * 86_400)

    let store: Database
    let judge: any TextJudge
    /// The capacity for questions and evaluations that are answered at once.
    let judging: Shares
    let clock: any Clock<Duration>
    let now: @Sendable () -> Timestamp
    let logger: Logger

    /// - Throws: ``TalkError/sessionNotFound``.
    func review(of id: Session.ID) async throws -> Review {
        try await store.read { transaction in
            let session = try transaction.existingSession(id)
            let marks = Dictionary(grouping: try transaction.marks(of: id), by: \.segment)
            let corrections = Dictionary(grouping: try transaction.corrections(of: id), by: \.segment)
            let recorded = try transaction.recordedSegments(of: id)
            let segments = try transaction.segments(of: id).map { segment in
                Segment(
                    id: segment.id, turnIndex: segment.turnIndex, userText: segment.userText, aiText: segment.aiText,
                    isEnglish: EnglishText.isEnglish(segment.userText) ? nil : false,
                    hasRecording: recorded.contains(segment.id) ? true : nil,
                    aiMarks: (marks[segment.id] ?? []).map(\.mark),
                    corrections: (corrections[segment.id] ?? []).map(\.correction))
            }
            let summary = session.status == .completed ? try transaction.summary(of: id) : nil
            return Review(sessionId: id, status: session.status, summary: summary, segments: segments)
        }
    }

    /// Returns the stream of the learner's recording of a segment.
    ///
    /// - Throws: ``TalkError`` when there is none.
    func recording(of segment: Segment.ID, in id: Session.ID) async throws -> TurnFeed {
        let samples = try await store.read { transaction in
            _ = try transaction.existingSession(id)
            return try transaction.recording(of: segment, in: id)
        }
        guard let samples else { throw TalkError(.notFound, "The segment has no recording") }
        return TurnFeed(replaying: samples)
    }

    /// Answers a question about a segment.
    ///
    /// - Throws: ``TalkError``, also when the judge fails.
    func correct(_ request: CorrectionRequest, in id: Session.ID, from network: CallerNetwork) async throws -> Correction {
        let (segment, marks) = try await store.read { transaction in
            switch try transaction.existingSession(id).status {
            case .reviewing, .reviewed, .completed: break
            case .active, .completing, .ended: throw TalkError(.badRequest, "Session is not in review state")
            }
            guard let segment = try transaction.segment(request.segmentId, of: id) else {
                throw TalkError(.notFound, "Segment not found in this session")
            }
            try transaction.checkSize(of: id)
            return (segment, try transaction.marks(of: id).filter { $0.segment == segment.id }.map(\.mark))
        }
        let question = request.userMessage
        let draft = try await judging.taking(for: network) { try await answer(to: question, segment.turn, marks) }
        let time = now()
        return try await store.write { transaction in
            let correctionID = try transaction.one(
                """
                INSERT INTO corrections (segment, user_message, correction, explanation, created_at) VALUES (?, ?, ?, ?, ?)
                RETURNING id
                """, segment.id, question, draft.correction, draft.explanation, time, as: Correction.ID.self)
            return Correction(
                id: correctionID, segmentId: segment.id, userMessage: question, correction: draft.correction,
                explanation: draft.explanation, createdAt: TalkTime(time))
        }
    }

    private func answer(to question: String, _ turn: TalkTurn, _ marks: [Mark]) async throws -> CorrectionDraft {
        do {
            var draft = try await withTimeout(
                Self.judgeTimeout, clock: clock, orThrow: EngineError(.timedOut, "The judge did not answer in time.")
            ) { try await judge.correction(question, about: turn, marks: marks) }
            (draft.correction, draft.explanation) = (draft.correction.trimmed(4_000), draft.explanation.trimmed(4_000))
            guard !draft.correction.isEmpty, !draft.explanation.isEmpty else {
                throw EngineError(.failed, "The judge's answer is incomplete.")
            }
            return draft
        } catch let error as EngineError {
            logger.warning("A question could not be answered", metadata: ["error": "\(error.logText)"])
            throw TalkError(error)
        }
    }
}
