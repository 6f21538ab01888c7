import StorageKit
import TalkCoWire

private struct SpokenText: RowDecodable, Sendable {
    var text: String
    init(row: Row) throws { text = try row.get("user_text") }
}

private struct IssueTypes: RowDecodable, Sendable {
    var types: [String]
    init(row: Row) throws { types = try row.json("issue_types") ?? [] }
}

extension ReadTransaction {
    /// The number of the learner's last reviewed conversations that the rates cover.
    private static var coveredSessionCount: Int { 10 }

    /// The marks for each hundred words that the learner said in the last reviewed conversations, by dimension.
    ///
    /// - Returns: nil without words.
    func errorRates(of user: Learner.ID) throws -> [String: Double]? {
        let sessions = try all(
            """
            SELECT id FROM sessions WHERE user_id = ? AND mode = 'conversation'
                AND status IN ('reviewed', 'completing', 'completed')
            ORDER BY rowid DESC LIMIT \(Self.coveredSessionCount)
            """, user, as: Session.ID.self)
        var wordCount = 0
        var markCounts: [String: Int] = [:]
        for session in sessions {
            let texts = try all("SELECT user_text FROM segments WHERE session = ?", session, as: SpokenText.self)
            for text in texts { wordCount += text.text.split(whereSeparator: \.isWhitespace).count }
            let marks = try all(
                "SELECT issue_types FROM marks JOIN segments ON segments.id = segment WHERE session = ?", session,
                as: IssueTypes.self)
            for type in marks.flatMap(\.types) { markCounts[type, default: 0] += 1 }
        }
        guard wordCount > 0 else { return nil }
        return Dictionary(
            uniqueKeysWithValues: IssueType.allCases.map { type in
                let rate = Double(markCounts[type.rawValue] ?? 0) * 100 / Double(wordCount)
                return (type.rawValue, (rate * 100).rounded() / 100)
            })
    }
}
