import StorageKit
import TalkCoWire
import WireKit

private struct RatedTalk: RowDecodable, Sendable {
    var session: Session.ID
    var endedAt: Timestamp
    init(row: Row) throws { (session, endedAt) = (try row.get("id"), try row.get("ended_at")) }
}

private struct IssueTypes: RowDecodable, Sendable {
    var types: [String]
    init(row: Row) throws { types = try row.json("issue_types") ?? [] }
}

/// Counts of the words in one or more talks, and of the marks by the raw value of an ``IssueType``.
private struct MarkCount {
    var words = 0
    var marks: [String: Int] = [:]

    /// Marks per hundred words, by dimension; nil without words.
    var rates: [String: Double]? {
        guard words > 0 else { return nil }
        return Dictionary(
            uniqueKeysWithValues: IssueType.allCases.map { type in
                let rate = Double(marks[type.rawValue] ?? 0) * 100 / Double(words)
                return (type.rawValue, (rate * 100).rounded() / 100)
            })
    }

    static func += (sum: inout MarkCount, other: MarkCount) {
        sum.words += other.words
        sum.marks.merge(other.marks, uniquingKeysWith: +)
    }
}

extension ReadTransaction {
    /// Maximum count of the learner's last reviewed conversations that the rates cover.
    private static var coveredSessionCount: Int { 10 }

    /// Returns the marks per hundred words of the learner in the last reviewed conversations, by dimension.
    ///
    /// - Returns: nil without words.
    func errorRates(of user: Learner.ID) throws -> [String: Double]? {
        try ratedTalks(of: user).reduce(into: MarkCount()) { $0 += try markCount(of: $1.session) }.rates
    }

    /// Returns the marks per hundred words in each of these conversations, the oldest first.
    func talkRates(of user: Learner.ID) throws -> [TalkRates] {
        try ratedTalks(of: user).reversed().compactMap { talk in
            try markCount(of: talk.session).rates.map { TalkRates(endedAt: TalkTime(talk.endedAt), rates: $0) }
        }
    }

    /// Returns the last reviewed conversations, the newest first.
    private func ratedTalks(of user: Learner.ID) throws -> [RatedTalk] {
        try all(
            """
            SELECT id, COALESCE(closed_at, created_at) AS ended_at FROM sessions WHERE user_id = ? AND mode = 'conversation'
                AND status IN ('reviewed', 'completing', 'completed')
            ORDER BY number DESC LIMIT \(Self.coveredSessionCount)
            """, user)
    }

    private func markCount(of session: Session.ID) throws -> MarkCount {
        var count = MarkCount()
        for text in try all("SELECT user_text FROM segments WHERE session = ?", session, as: String.self) {
            count.words += text.split(whereSeparator: \.isWhitespace).count
        }
        let marks = try all(
            "SELECT issue_types FROM marks JOIN segments ON segments.id = segment WHERE session = ?", session,
            as: IssueTypes.self)
        for type in marks.flatMap(\.types) { count.marks[type, default: 0] += 1 }
        return count
    }
}
