import Foundation
import StorageKit
import TalkCoWire
import WireKit

// The facts about a learner that the tutor and the judge receive.

private struct KnownMark: RowDecodable, Sendable {
    var mark: Mark
    init(row: Row) throws { mark = try MarkRecord(row: row).mark }
}

extension ReadTransaction {
    /// Maximum count of earlier talks, and of review sessions, that the tutor and the judge know.
    private static var rememberedCount: Int { 5 }

    /// Returns the knowledge with which a conversation begins.
    func brief(for session: SessionRecord, at time: Timestamp) throws -> TalkBrief {
        let profile = try profileRecord(of: session.user)
        var brief = TalkBrief(
            mode: session.mode, topic: session.topic.flatMap(Topic.known), learnerName: profile?.name, level: profile?.level,
            learningGoal: profile?.goal, personalFacts: profile?.data.personalFacts ?? [], now: time,
            turns: try segments(of: session.id).map(\.turn))
        brief.network = session.network
        brief.model = try modelChoice(of: session.user, from: session.network)
        switch session.mode {
        case .conversation:
            guard let topic = session.topic else { break }
            brief.earlierTalks = try all(
                """
                SELECT talk_summary FROM sessions WHERE user_id = ? AND topic_id = ? AND id <> ? AND talk_summary IS NOT NULL
                ORDER BY number DESC LIMIT \(Self.rememberedCount)
                """, session.user, topic, session.id)
        case .review:
            brief.weakPoints = (profile?.data.weakPoints ?? [:]).compactMapValues(Self.hardest)
            brief.reviewNotes = try reviewNotes(of: session.user)
            brief.cards = try cards(of: session.id).map(\.sentence)
        }
        return brief
    }

    /// Returns the three patterns with the most examples, with the three newest examples of each; nil without patterns.
    private static func hardest(_ points: [WeakPoint]) -> [WeakPoint]? {
        // A stable order: of two equal patterns, the older one comes first.
        let sorted = points.enumerated().sorted { a, b in
            (b.element.examples.count, a.offset) < (a.element.examples.count, b.offset)
        }
        let hardest = sorted.prefix(3).map { WeakPoint(pattern: $0.element.pattern, examples: $0.element.examples.suffix(3)) }
        return hardest.isEmpty ? nil : hardest
    }

    /// Returns the notes of the last review sessions, the newest first.
    private func reviewNotes(of user: Learner.ID) throws -> [String] {
        try all(
            """
            SELECT review_notes FROM sessions WHERE user_id = ? AND mode = 'review' AND review_notes IS NOT NULL
            ORDER BY number DESC LIMIT \(Self.rememberedCount)
            """, user)
    }

    /// Returns the knowledge for an evaluation; nil for an unknown learner.
    func learnerRecord(of user: Learner.ID) throws -> LearnerRecord? {
        guard let record = try profileRecord(of: user) else { return nil }
        let summaries = try all(
            """
            SELECT summary FROM sessions WHERE user_id = ? AND mode = 'conversation' AND summary IS NOT NULL
            ORDER BY number DESC LIMIT 10
            """, user, as: SummaryRow.self)
        let sentences = try sentences(of: user)
        let talks = try all(
            """
            SELECT talk_summary FROM sessions WHERE user_id = ? AND mode = 'conversation' AND talk_summary IS NOT NULL
            ORDER BY number DESC LIMIT \(Self.rememberedCount)
            """, user, as: String.self)
        let marks = try all(
            """
            SELECT marks.id, segment, issue_types, original, suggestion, explanation
            FROM sessions JOIN segments ON session = sessions.id JOIN marks ON segment = segments.id
            WHERE user_id = ? ORDER BY marks.id DESC LIMIT 50
            """, user, as: KnownMark.self)
        let corrections = try all(
            """
            SELECT corrections.id, segment, user_message, correction, explanation, corrections.created_at
            FROM sessions JOIN segments ON session = sessions.id JOIN corrections ON segment = segments.id
            WHERE user_id = ? ORDER BY corrections.id DESC LIMIT 20
            """, user, as: CorrectionRecord.self)
        return LearnerRecord(
            profile: try profile(record), summaries: summaries.compactMap(\.summary), sentences: sentences, talkSummaries: talks,
            reviewNotes: try reviewNotes(of: user), marks: marks.map(\.mark), corrections: corrections.map(\.correction))
    }

    /// Returns the learner's own words in the last ten conversations, the newest first, at most 200 turns.
    private func sentences(of user: Learner.ID) throws -> [String] {
        try all(
            """
            SELECT user_text FROM segments WHERE session IN (
                SELECT id FROM sessions WHERE user_id = ? AND mode = 'conversation' ORDER BY number DESC LIMIT 10)
            ORDER BY segments.id DESC LIMIT 200
            """, user, as: String.self)
    }

    /// Returns the profile, and the facts that explain a missing level.
    func knownProfile(_ record: ProfileRecord) throws -> KnownProfile {
        var known = KnownProfile(profile: try profile(record), removedCount: record.removedCount)
        guard record.level == nil else { return known }
        known.sentences = try sentences(of: record.user)
        known.statuses = try all(
            """
            SELECT status FROM sessions WHERE user_id = ? AND mode = 'conversation' ORDER BY number DESC LIMIT 10
            """, record.user)
        return known
    }
}

/// A profile from the store, with the facts that explain a missing level.
struct KnownProfile: Sendable {
    var profile: Profile
    var removedCount: Int
    /// The learner's own words in the last ten conversations; empty for a learner with a level.
    var sentences: [String] = []
    /// The states of the last ten conversations, the newest first; empty for a learner with a level.
    var statuses: [Session.Status] = []
}
