import TalkCoWire

/// The check of a judge's marks, the same for every judge.
///
/// A mark is kept if it is complete, its original occurs in the learner's words of an existing turn, and its suggestion differs. The original
/// of a kept mark is as the learner said it, character by character.
/// A turn has at most one mark: the first, with the issue types of further ones about the same words.
struct MarkCheck {
    /// The reason why a mark was dropped. Also a label in metrics.
    enum Problem: String, Hashable, Sendable, CaseIterable {
        case unknownTurn = "unknown_turn"
        case noIssueType = "no_issue_type"
        case missingText = "missing_text"
        case tooLong = "too_long"
        case notSaid = "not_said"
        case noChange = "no_change"
        /// The turn has a mark about other words.
        case second
    }

    /// Maximum length of each text, in Unicode scalar values.
    static let maximumTextLength = 2_000

    /// The marks to store, by the index of the turn.
    private(set) var marks: [Int: MarkDraft] = [:]
    private(set) var problems: [Problem: Int] = [:]

    init(_ drafts: [MarkDraft], of turns: [TalkTurn]) {
        let words = Dictionary(turns.map { ($0.index, $0.learner) }, uniquingKeysWith: { first, _ in first })
        for draft in drafts {
            switch Self.check(draft, words[draft.turnIndex]) {
            case .success(let mark): add(mark)
            case .failure(let problem): problems[problem.reason, default: 0] += 1
            }
        }
    }

    private mutating func add(_ mark: MarkDraft) {
        guard let first = marks[mark.turnIndex] else {
            marks[mark.turnIndex] = mark
            return
        }
        guard first.original == mark.original else {
            problems[.second, default: 0] += 1
            return
        }
        marks[mark.turnIndex]?.issueTypes += mark.issueTypes.filter { !first.issueTypes.contains($0) }
    }

    private struct Failure: Error { var reason: Problem }

    private static func check(_ draft: MarkDraft, _ words: String?) -> Result<MarkDraft, Failure> {
        func failure(_ reason: Problem) -> Result<MarkDraft, Failure> { .failure(Failure(reason: reason)) }
        guard let words else { return failure(.unknownTurn) }
        var mark = draft
        mark.issueTypes = []
        for type in draft.issueTypes.map(issueType) where IssueType(rawValue: type) != nil && !mark.issueTypes.contains(type) {
            mark.issueTypes.append(type)
        }
        if mark.issueTypes.isEmpty { return failure(.noIssueType) }
        (mark.original, mark.suggestion) = (draft.original.trimmed, draft.suggestion.trimmed)
        mark.explanation = draft.explanation.trimmed
        let texts = [mark.original, mark.suggestion, mark.explanation]
        if texts.contains(where: \.isEmpty) { return failure(.missingText) }
        if texts.contains(where: { $0.unicodeScalars.count > maximumTextLength }) { return failure(.tooLong) }
        guard let original = Quotation.find(mark.original, in: words) else { return failure(.notSaid) }
        if original != mark.original || original.utf8.count != mark.original.utf8.count {
            mark.suggestion = Quotation.adapt(mark.suggestion, for: mark.original, found: original)
            mark.original = original
        }
        if mark.suggestion == mark.original { return failure(.noChange) }
        return .success(mark)
    }

    /// Returns the raw value of an issue type, also for "Sentence structure" and "sentence-structure".
    private static func issueType(_ text: String) -> String {
        String(text.trimmed.lowercased().map { $0 == " " || $0 == "-" ? "_" : $0 })
    }
}
